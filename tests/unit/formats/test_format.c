// SPDX-License-Identifier: MIT
#include "formats/format.h"

#include "tests/support/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

static void test_list_has_every_format_once(void **state)
{
    (void)state;
    size_t count = 0;
    const ug_format *const *list = ug_format_list(&count);
    static const char *const NAMES[] = { "c3d", "bvh", "trc", "csv", "vsk", "glb" };
    assert_int_equal(count, 6);
    for (size_t i = 0; i < 6; i++) {
        size_t found = 0;
        for (size_t k = 0; k < count; k++) {
            found += strcmp(list[k]->name, NAMES[i]) == 0;
            assert_true(list[k]->read || list[k]->write);
            assert_non_null(list[k]->summary);
        }
        assert_int_equal(found, 1);
    }
}

static void test_find_by_name_and_extension(void **state)
{
    (void)state;
    assert_string_equal(ug_format_find("bvh")->name, "bvh");
    assert_string_equal(ug_format_find("BVH")->name, "bvh");
    assert_string_equal(ug_format_find(".vst")->name, "vsk");
    assert_string_equal(ug_format_find("a/b.c/walk 1.C3D")->name, "c3d");
    assert_null(ug_format_find("walk.c3"));
    assert_null(ug_format_find("a.trc/walk"));
    assert_null(ug_format_find("x."));
    assert_null(ug_format_find(""));
}

static void test_detect_by_content_first(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } CASES[] = {
        { "PathFileType\t4\t(X/Y/Z)\tx\n", "trc" },
        { "HIERARCHY\nROOT Hips\n{\n", "bvh" },
        { "<?xml version=\"1.0\"?>\n<KinematicModel>\n", "vsk" },
        { "frame,time,A.x,A.y,A.z\n", "csv" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_true(test_write_text("detect.txt", CASES[i].text));
        assert_non_null(ug_format_detect("detect.txt"));
        assert_string_equal(ug_format_detect("detect.txt")->name, CASES[i].name);
        assert_true(test_write_text("detect.c3d", CASES[i].text)); // a wrong name does not deceive
        assert_string_equal(ug_format_detect("detect.c3d")->name, CASES[i].name);
    }
    assert_true(test_write_text("detect.csv", "a,b,c\n"));
    assert_string_equal(ug_format_detect("detect.csv")->name, "csv");
    assert_true(test_write_text("detect.txt", "a,b,c\n"));
    assert_null(ug_format_detect("detect.txt"));
    assert_null(ug_format_detect("no_such.bvh"));
    remove("detect.txt");
    remove("detect.c3d");
    remove("detect.csv");
}

// nobody writes to this pipe: to open it would hang
static void test_a_pipe_is_refused_unopened(void **state)
{
    (void)state;
    ug_take take;
    ug_error err = { 0 };
    ug_take_init(&take);
    assert_int_equal(mkfifo("pipe.c3d", 0600), 0);
    assert_null(ug_format_detect("pipe.c3d"));
    assert_int_equal(ug_format_read(&take, "pipe.c3d", NULL, NULL, &err), UG_E_IO);
    assert_string_equal(err.message, "is a pipe, and this file is read more than once: save it "
                                     "under a name of its own and give that");
    assert_string_equal(err.where, "pipe.c3d");
    err = (ug_error){ 0 };
    assert_int_equal(ug_format_read(&take, "/dev/null", NULL, NULL, &err), UG_E_IO);
    assert_non_null(strstr(err.message, "is a device"));
    remove("pipe.c3d");
}

static void test_read_says_what_is_wrong(void **state)
{
    (void)state;
    ug_take take;
    ug_error err = { 0 };
    ug_take_init(&take);
    assert_int_equal(ug_format_read(&take, "no_such.c3d", NULL, NULL, &err), UG_E_IO);
    assert_string_equal(err.where, "no_such.c3d");
    err = (ug_error){ 0 };
    assert_true(test_write_text("read.txt", "hello\n"));
    assert_int_equal(ug_format_read(&take, "read.txt", NULL, NULL, &err), UG_E_UNSUPPORTED);
    assert_string_equal(err.where, "read.txt");
    assert_string_equal(err.message,
                        "is in no format that is read here: C3D, BVH, TRC, VSK or marker CSV");
    err = (ug_error){ 0 };
    assert_true(test_write_text("read.txt", ""));
    assert_int_equal(ug_format_read(&take, "read.txt", NULL, NULL, &err), UG_E_UNSUPPORTED);
    assert_string_equal(err.message, "the file is empty");
    remove("read.txt");
}

static void test_read_through_the_list(void **state)
{
    (void)state;
    ug_take take;
    const ug_read_opts opts = { .up = "+Y", .unit = "mm" };
    ug_take_init(&take);
    assert_true(test_write_text("read.dat", "frame,time,A.x,A.y,A.z\n0,0,1,2,3\n1,0.01,1,2,3\n"));
    assert_int_equal(ug_format_read(&take, "read.dat", &opts, NULL, NULL), UG_OK);
    assert_int_equal(take.markers->frame_count, 2);
    ug_take_fini(&take);
    remove("read.dat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_has_every_format_once),
        cmocka_unit_test(test_find_by_name_and_extension),
        cmocka_unit_test(test_detect_by_content_first),
        cmocka_unit_test(test_a_pipe_is_refused_unopened),
        cmocka_unit_test(test_read_says_what_is_wrong),
        cmocka_unit_test(test_read_through_the_list),
    };
    return cmocka_run_group_tests_name("formats/format", tests, NULL, NULL);
}
