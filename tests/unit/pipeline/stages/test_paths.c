// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/paths.c.
#include "pipeline/stages/paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_output_is_named_after_the_input(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *input, *suffix, *ending, *path;
    } CASES[] = {
        { "out", "takes/walk.c3d", "", "h5", "out/walk.h5" },
        { "out/", "walk.one.c3d", "-troll", "bvh", "out/walk.one-troll.bvh" },
        { "out", "noending", "", "h5", "out/noending.h5" },
        { "out", "x/.hidden", "", "h5", "out/.hidden.h5" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char *path =
            ug_path_in_folder(CASES[i].folder, CASES[i].input, CASES[i].suffix, CASES[i].ending);
        assert_string_equal(path, CASES[i].path);
        free(path);
    }
}

static void test_folders_are_made_with_their_parents(void **state)
{
    (void)state;
    char root[] = "/tmp/test_paths_XXXXXX";
    assert_non_null(mkdtemp(root));
    char deep[64];
    (void)snprintf(deep, sizeof deep, "%s/a/b", root);
    assert_false(ug_path_is_folder(deep));
    assert_int_equal(ug_path_make_folder(deep, NULL), UG_OK);
    assert_int_equal(ug_path_make_folder(deep, NULL), UG_OK); // again: fine
    assert_true(ug_path_is_folder(deep));
    assert_true(ug_path_is_folder("new/"));
    rmdir(deep);
    deep[strlen(deep) - 2] = '\0';
    rmdir(deep);
    rmdir(root);
}

static void test_paths_that_would_write_the_same_are_found(void **state)
{
    (void)state;
    char *different[] = { "a/x.c3d", "a/y.c3d", "x2.c3d" };
    char *same[] = { "a/x.c3d", "y.c3d", "b/x.trc" };
    assert_null(ug_path_same_stem(different, 3));
    assert_string_equal(ug_path_same_stem(same, 3), "b/x.trc");
    assert_null(ug_path_same_stem(same, 0));
}

static void test_a_file_in_the_way_is_reported(void **state)
{
    (void)state;
    ug_error err = { 0 };
    assert_int_equal(ug_path_make_folder("/dev/null/x", &err), UG_E_WRITE);
    assert_string_equal(err.where, "/dev/null/x");
    assert_non_null(strstr(err.message, "folder cannot be made"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_is_named_after_the_input),
        cmocka_unit_test(test_folders_are_made_with_their_parents),
        cmocka_unit_test(test_paths_that_would_write_the_same_are_found),
        cmocka_unit_test(test_a_file_in_the_way_is_reported),
    };
    return cmocka_run_group_tests_name("pipeline/stages/paths", tests, NULL, NULL);
}
