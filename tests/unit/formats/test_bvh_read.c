// SPDX-License-Identifier: MIT
// Unit tests for formats/bvh_read.c: whole files, by oracles computed by hand or elsewhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "motion/kinematics.h"
#include "tests/support/bvh_text.h"

#include <stdio.h>
#include <unistd.h>

#define ONE_JOINT                                                                                  \
    "HIERARCHY\nROOT A\n{\nOFFSET 1 2 3\nCHANNELS 3 Xposition Yposition Zposition\n}\n"

// Rotations in another order for each joint (report S07).
static const char ORDERS[] =
    "HIERARCHY\nROOT A\n{\n OFFSET 0 0 0\n"
    " CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
    " JOINT B\n {\n  OFFSET 0 10 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "  End Site\n  {\n   OFFSET 0 5 0\n  }\n }\n}\n"
    "MOTION\nFrames: 1\nFrame Time: 0.0083333\n1 2 3 30 40 50 10 20 30\n";

static void world_of(ug_vec3 *world, const ug_take *take, size_t frame)
{
    ug_quat q[16];
    assert_true(take->skeleton->joint_count <= 16);
    ug_clip_forward(q, world, take->skeleton, take->clip, frame);
}

static void test_rotation_order_of_each_joint(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_vec3 world[16];
    assert_int_equal(parse_text(&take, ORDERS, &IN_METRES, &warnings, NULL), UG_OK);
    assert_int_equal(take.skeleton->joint_count, 3);
    world_of(world, &take, 0);
    ASSERT_VEC3(world[0], 1, 2, 3, 1e-15);
    ASSERT_VEC3(world[1], 2.050405, 10.028723, 8.868241, 1e-6);
    ASSERT_VEC3(world[2], 3.262086, 12.649962, 12.950022, 1e-6);
    assert_int_equal(warnings.count, 0);

    const ug_joint *end = &take.skeleton->joints[2];
    assert_string_equal(end->name, "B_end");
    assert_int_equal(end->type, UG_JOINT_FIXED);
    assert_int_equal(end->flags, UG_JOINT_END_SITE);
    assert_int_equal(take.skeleton->joints[0].type, UG_JOINT_FREE);
    assert_int_equal(take.skeleton->joints[1].type, UG_JOINT_BALL);
    const uint8_t channels[UG_CHANNELS_MAX] = { 6, 4, 5 };
    assert_memory_equal(take.skeleton->joints[1].channels, channels, sizeof channels);
    assert_string_equal(take.source.format, "bvh");
    assert_string_equal(take.source.unit, "m");
    assert_true(take.source.unit_inferred && take.source.axes_inferred);
    assert_true(take.source.unit_stated && take.source.axes_stated); // by the options
    ug_take_fini(&take);
}

static void test_every_way_of_writing_it(void **state)
{
    (void)state;
    // BOM, CRLF, tabs, lower case, several blanks, blanks and colons in names, exponents, signs
    static const char ODD[] =
        "\xEF\xBB\xBF\r\n  hierarchy \r\nroot\tns:Left hip \r\n{\r\n\toffset\t0 0 +0e0\r\n"
        "channels 6 xposition YPOSITION Zposition Zrotation Yrotation Xrotation \r\n"
        "Joint B {\r\nOFFSET 0 1.0E+1 0. CHANNELS 3\r\nZrotation Xrotation Yrotation\r\n"
        "END SITE\r\n{ OFFSET .0 5e0 -0 }\r\n}}\r\nmotion\r\nFRAMES :\t1 \r\n"
        "Frame  Time\t.0083333\r\n\r\n 1\t2.0  3e0 30. +40 5.0e1 1E1 20 30 \t\r\n\r\n";
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_vec3 world[16];
    assert_int_equal(parse_text(&take, ODD, &IN_METRES, &warnings, NULL), UG_OK);
    world_of(world, &take, 0);
    ASSERT_VEC3(world[2], 3.262086, 12.649962, 12.950022, 1e-6);
    assert_string_equal(take.skeleton->joints[0].name, "ns:Left hip");
    assert_string_equal(take.skeleton->joints[1].name, "B");
    assert_int_equal(take.clip->rate.num, 120);
    assert_int_equal(warnings.count, 0);
    ug_take_fini(&take);
}

static void test_old_mac_line_ends(void **state)
{
    (void)state;
    char text[sizeof ORDERS];
    memcpy(text, ORDERS, sizeof ORDERS);
    for (char *p = text; *p; p++) {
        *p = *p == '\n' ? '\r' : *p;
    }
    ug_take take;
    assert_int_equal(parse_text(&take, text, &IN_METRES, NULL, NULL), UG_OK);
    assert_int_equal(take.clip->frame_count, 1);
    ug_take_fini(&take);
}

static void test_offset_is_replaced_or_added_to(void **state)
{
    (void)state;
    ug_take take;
    const char text[] = ONE_JOINT "MOTION\nFrames: 1\nFrame Time: 0.1\n10 20 30\n";
    assert_int_equal(parse_text(&take, text, &IN_METRES, NULL, NULL), UG_OK);
    ASSERT_VEC3(take.clip->translations[0], 10, 20, 30, 0.0);
    ASSERT_VEC3(take.skeleton->joints[0].offset_m, 1, 2, 3, 0.0);
    ug_take_fini(&take);

    ug_read_opts opts = IN_METRES;
    opts.bvh_offset_add = true;
    assert_int_equal(parse_text(&take, text, &opts, NULL, NULL), UG_OK);
    ASSERT_VEC3(take.clip->translations[0], 11, 22, 33, 0.0);
    ug_take_fini(&take);
}

static void test_channels_that_are_not_there_keep_the_offset(void **state)
{
    (void)state;
    ug_take take;
    const char text[] = "HIERARCHY ROOT A\n{ OFFSET 1 2 3 CHANNELS 1 Yposition }\n"
                        "ROOT B\n{ OFFSET 4 5 6 CHANNELS 1 Xrotation }\n"
                        "MOTION\nFrames: 2\nFrame Time: 0.1\n7 90\n8 180\n";
    assert_int_equal(parse_text(&take, text, &IN_METRES, NULL, NULL), UG_OK);
    assert_int_equal(take.clip->translated_count, 2); // each root
    ASSERT_VEC3(ug_clip_translations(take.clip, 1)[0], 1, 8, 3, 0.0);
    ASSERT_VEC3(ug_clip_translations(take.clip, 1)[1], 4, 5, 6, 0.0);
    const ug_quat q = ug_clip_rotations(take.clip, 1)[1]; // half turns are exact
    assert_true(q.w == 0.0 && q.x == 1.0 && q.y == 0.0 && q.z == 0.0);
    ug_take_fini(&take);
}

// Recorders repeat the OFFSET in the position channels of every joint (Bandai).
static void test_only_joints_that_move_are_translated(void **state)
{
    (void)state;
    ug_take take;
    const char text[] =
        "HIERARCHY ROOT A\n{ OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition\n"
        "JOINT B\n{ OFFSET 0 10 0 CHANNELS 3 Xposition Yposition Zposition\n"
        "JOINT C\n{ OFFSET 0 20 0 CHANNELS 4 Xposition Yposition Zposition Xrotation\n"
        "}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n"
        "0 0 0 0 10 0.0000002 0 20 0 5\n1 0 0 0 10 0 0 20.5 0 6\n";
    assert_int_equal(parse_text(&take, text, &IN_METRES, NULL, NULL), UG_OK);
    assert_int_equal(take.clip->translated_count, 2);
    assert_int_equal(take.clip->translated_joints[0], 0);
    assert_int_equal(take.clip->translated_joints[1], 2);
    ASSERT_VEC3(ug_clip_translations(take.clip, 0)[1], 0, 20, 0, 0.0);
    ASSERT_VEC3(ug_clip_translations(take.clip, 1)[0], 1, 0, 0, 0.0);
    ASSERT_VEC3(ug_clip_translations(take.clip, 1)[1], 0, 20.5, 0, 0.0);
    assert_int_equal(take.skeleton->joints[1].type, UG_JOINT_FIXED);
    assert_int_equal(take.skeleton->joints[2].type, UG_JOINT_FREE);
    assert_int_equal(take.skeleton->joints[1].channels[0], UG_CHANNEL_X_POSITION); // kept
    ug_take_fini(&take);
}

static void test_z_up_is_turned_as_a_whole(void **state)
{
    (void)state;
    ug_take flat, turned;
    const ug_read_opts opts = { .unit = "cm", .up = "+Z" };
    ug_vec3 a[16], b[16];
    assert_int_equal(parse_text(&flat, ORDERS, &IN_METRES, NULL, NULL), UG_OK);
    assert_int_equal(parse_text(&turned, ORDERS, &opts, NULL, NULL), UG_OK);
    world_of(a, &flat, 0);
    world_of(b, &turned, 0);
    for (int j = 0; j < 3; j++) { // x stays, y = old z, z = −old y
        ASSERT_VEC3(b[j], 0.01 * a[j].x, 0.01 * a[j].z, -0.01 * a[j].y, 1e-15);
    }
    char axes[7];
    ug_axes_to_text(axes, turned.source.axes);
    assert_string_equal(axes, "+X+Z-Y");
    assert_true(turned.source.unit_m == 0.01);
    ug_take_fini(&flat);
    ug_take_fini(&turned);
}

static void test_hinge_and_universal_axes(void **state)
{
    (void)state;
    ug_take take;
    const ug_read_opts opts = { .unit = "m", .up = "+Z" };
    const char text[] = "HIERARCHY ROOT A\n{ OFFSET 0 0 0 CHANNELS 0\n"
                        "JOINT H\n{ OFFSET 0 1 0 CHANNELS 1 Zrotation\n"
                        "JOINT U\n{ OFFSET 0 1 0 CHANNELS 2 Yrotation Xrotation } } }\n"
                        "MOTION\nFrames: 0\nFrame Time: 0.1\n";
    assert_int_equal(parse_text(&take, text, &opts, NULL, NULL), UG_OK);
    assert_int_equal(take.clip->frame_count, 0);
    assert_int_equal(take.skeleton->joints[1].type, UG_JOINT_HINGE);
    ASSERT_VEC3(take.skeleton->joints[1].axes[0], 0, 1, 0, 0.0); // the source's z is our y
    assert_int_equal(take.skeleton->joints[2].type, UG_JOINT_UNIVERSAL);
    ASSERT_VEC3(take.skeleton->joints[2].axes[0], 0, 0, -1, 0.0);
    ASSERT_VEC3(take.skeleton->joints[2].axes[1], 1, 0, 0, 0.0);
    ug_error err = { 0 };
    assert_int_equal(ug_skeleton_check(take.skeleton, &err), UG_OK);
    ug_take_fini(&take);
}

static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double metres;
    } UNITS[] = { { "mm", 0.001 }, { "in/0.45", 0.0254 / 0.45 }, { "0.125", 0.125 } };
    const char text[] = ONE_JOINT "MOTION\nFrames: 1\nFrame Time: 0.1\n10 20 30\n";
    for (size_t i = 0; i < 3; i++) {
        ug_take take;
        const ug_read_opts opts = { .unit = UNITS[i].unit, .up = "y" };
        assert_int_equal(parse_text(&take, text, &opts, NULL, NULL), UG_OK);
        assert_true(take.source.unit_m == UNITS[i].metres);
        ASSERT_VEC3(take.clip->translations[0], 10 * UNITS[i].metres, 20 * UNITS[i].metres,
                    30 * UNITS[i].metres, 1e-15);
        assert_string_equal(take.source.unit, UNITS[i].unit);
        ug_take_fini(&take);
    }
}

static void refuse(const char *text, const ug_read_opts *opts, ug_status status, const char *where,
                   const char *message)
{
    ug_take take;
    ug_error err = { 0 };
    assert_int_equal(parse_text(&take, text, opts, NULL, &err), status);
    assert_string_equal(err.message, message);
    assert_string_equal(err.where, where);
    assert_null(take.skeleton);
    assert_null(take.clip);
}

static void test_refused_options(void **state)
{
    (void)state;
    ug_read_opts opts = { .unit = "parsec", .up = "+Y" };
    refuse(ORDERS, &opts, UG_E_USAGE, "t.bvh",
           "'parsec' is not a unit; write m, cm, mm, in, in/0.45 or metres as a number");
    opts = (ug_read_opts){ .unit = "-1", .up = "+Y" };
    refuse(ORDERS, &opts, UG_E_USAGE, "t.bvh",
           "'-1' is not a unit; write m, cm, mm, in, in/0.45 or metres as a number");
    opts = (ug_read_opts){ .unit = "m", .up = "W" };
    refuse(ORDERS, &opts, UG_E_USAGE, "t.bvh",
           "'W' is not an axis; write +X, -X, +Y, -Y, +Z or -Z");
}

static void test_no_body_asks(void **state)
{
    (void)state;
    ug_read_opts opts = { 0 };
    refuse(ORDERS, &opts, UG_E_AMBIGUOUS, "t.bvh",
           "unit and vertical are not declared, and no body with head and feet shows it: say it "
           "with --unit and --up, e.g. --unit cm --up +Y");
    opts.unit = "cm";
    refuse(ORDERS, &opts, UG_E_AMBIGUOUS, "t.bvh",
           "the vertical is not declared, and no body with head and feet shows it: say it with "
           "--up, e.g. --up +Y");
}

static void test_utf16_is_named(void **state)
{
    (void)state;
    ug_take take;
    ug_error err = { 0 };
    assert_int_equal(parse_bytes(&take, "\xFF\xFEH\0I\0", 6, &IN_METRES, NULL, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "UTF-16 text: save it as UTF-8");
}

static void test_files(void **state)
{
    (void)state;
    ug_take take;
    ug_error err = { 0 };
    ug_take_init(&take);
    assert_int_equal(ug_bvh_read(&take, "no_such.bvh", &IN_METRES, NULL, &err), UG_E_IO);
    assert_string_equal(err.where, "no_such.bvh");
    assert_string_equal(err.message, "cannot be opened: No such file or directory");
    err = (ug_error){ 0 };
    assert_int_equal(ug_bvh_read(&take, "/", &IN_METRES, NULL, &err), UG_E_IO);
    assert_string_equal(err.message, "is a folder, not a file");
    err = (ug_error){ 0 };
    assert_int_equal(ug_bvh_read(&take, "/dev/null", &IN_METRES, NULL, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "not a BVH file: it does not start with HIERARCHY");
    assert_string_equal(err.where, "/dev/null:line 1");
}

// A file larger than the reader's window: the same as from memory, and errors know their line.
static void test_window_hides_nothing(void **state)
{
    (void)state;
    enum { ROWS = 60000 };
    char path[] = "test_bvh_read_XXXXXX";
    const int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w+b");
    assert_non_null(f);
    fprintf(f, ONE_JOINT "MOTION\nFrames: %d\nFrame Time: 0.1\n", ROWS);
    for (int i = 0; i < ROWS; i++) {
        fprintf(f, "%d.%d %d -%d.5%s\n", i, i % 7, i % 11, i % 13, i % 5 ? "" : " \n");
    }
    fflush(f);
    ug_take file;
    ug_warnings warnings = { 0 };
    ug_take_init(&file);
    assert_int_equal(ug_bvh_read(&file, path, &IN_METRES, &warnings, NULL), UG_OK);
    assert_int_equal(warnings.count, 0);
    assert_int_equal(file.clip->frame_count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "%d.%d", i, i % 7);
        ASSERT_VEC3(file.clip->translations[i], strtod(text, NULL), i % 11, -(i % 13 + 0.5), 0.0);
    }
    ug_take_fini(&file);

    fprintf(f, "1 2 nan\n1 2 3\n");
    fclose(f);
    ug_error err = { 0 };
    assert_int_equal(ug_bvh_read(&file, path, &IN_METRES, NULL, &err), UG_E_DATA);
    assert_string_equal(err.message, "frame 60000, channel 'A Zposition': 'nan' is not a finite "
                                     "number");
    char where[64];
    (void)snprintf(where, sizeof where, "%s:line %d", path, 9 + ROWS + ROWS / 5 + 1);
    assert_string_equal(err.where, where);
    unlink(path);
}

// Every byte of a row at the border of the window, with numbers whose parts are numbers too.
static void test_window_border_anywhere(void **state)
{
    (void)state;
    enum { WINDOW = 256 << 10, SIZE = WINDOW + 40000 };
    static const char ROW[] = "-1.5e-3 12345678.875 2E+1 \n"; // 27 bytes
    static const char ODD[] = "-1.5e-3 1 infinity\n";
    char path[] = "test_bvh_border_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    char *text = malloc(SIZE + 1024);
    assert_non_null(text);
    for (int shift = 0; shift < 2 * (int)sizeof ROW; shift++) {
        char *p = text;
        memset(p, ' ', (size_t)shift);
        p += shift;
        p += sprintf(p, ONE_JOINT "MOTION\nFrame Time: 0.1\n");
        while (p < text + SIZE) {
            p = stpcpy(p, ROW);
        }
        // and something that is no number, at the border too
        const bool odd = shift % 2;
        char *at = text + WINDOW - 12;
        if (odd) {
            while (at[-1] != '\n') {
                at--;
            }
            memcpy(at, ODD, sizeof ODD - 1);
            memset(at + sizeof ODD - 2, ' ', sizeof ROW - sizeof ODD);
            at[sizeof ROW - 2] = '\n';
        }
        const size_t size = (size_t)(p - text);
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, text, size, 0), size);
        ug_take file, memory;
        ug_error a = { 0 }, b = { 0 };
        ug_take_init(&file);
        const ug_status status = parse_bytes(&memory, text, size, &IN_METRES, NULL, &a);
        assert_int_equal(ug_bvh_read(&file, path, &IN_METRES, NULL, &b), status);
        assert_int_equal(status, odd ? UG_E_DATA : UG_OK);
        assert_string_equal(a.message, b.message);
        if (odd) {
            assert_non_null(strstr(b.message, "'A Zposition': 'infinity' is not a finite number"));
            assert_string_equal(strstr(a.where, ":line"), strstr(b.where, ":line"));
        } else {
            assert_int_equal(file.clip->frame_count, memory.clip->frame_count);
            assert_memory_equal(file.clip->translations, memory.clip->translations,
                                file.clip->frame_count * sizeof *file.clip->translations);
        }
        ug_take_fini(&file);
        ug_take_fini(&memory);
    }
    free(text);
    close(fd);
    unlink(path);
}

// A pipe has no size, and gives what it has.
static void test_pipe(void **state)
{
    (void)state;
    int ends[2];
    char path[64];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], ORDERS, sizeof ORDERS - 1), sizeof ORDERS - 1);
    close(ends[1]);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    ug_take take;
    ug_take_init(&take);
    if (access(path, R_OK) == 0) {
        assert_int_equal(ug_bvh_read(&take, path, &IN_METRES, NULL, NULL), UG_OK);
        assert_int_equal(take.clip->frame_count, 1);
    }
    ug_take_fini(&take);
    close(ends[0]);
}

static void test_recognised_by_content(void **state)
{
    (void)state;
    const uint8_t yes[] = "\xEF\xBB\xBF \r\nhierarchy\nROOT";
    const uint8_t no[] = "HIERARCH";
    assert_true(ug_format_bvh.matches(yes, sizeof yes - 1));
    assert_false(ug_format_bvh.matches(no, sizeof no - 1));
    assert_false(ug_format_bvh.matches(no, 0));
    assert_string_equal(ug_format_bvh.extensions, ".bvh");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotation_order_of_each_joint),
        cmocka_unit_test(test_every_way_of_writing_it),
        cmocka_unit_test(test_old_mac_line_ends),
        cmocka_unit_test(test_offset_is_replaced_or_added_to),
        cmocka_unit_test(test_channels_that_are_not_there_keep_the_offset),
        cmocka_unit_test(test_only_joints_that_move_are_translated),
        cmocka_unit_test(test_z_up_is_turned_as_a_whole),
        cmocka_unit_test(test_hinge_and_universal_axes),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_no_body_asks),
        cmocka_unit_test(test_utf16_is_named),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_window_hides_nothing),
        cmocka_unit_test(test_window_border_anywhere),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_recognised_by_content),
    };
    return cmocka_run_group_tests_name("formats/bvh_read", tests, NULL, NULL);
}
