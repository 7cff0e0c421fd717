// SPDX-License-Identifier: MIT
// Unit tests for formats/bvh_rows.c and bvh_head.c: rows, their count, the frame time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/bvh_text.h"

#include <math.h>
#include <stdio.h>

#define RIG                                                                                        \
    "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 4 Xposition Yposition Zposition Xrotation\n}\n"  \
    "MOTION\n"
#define TIME "Frame Time: 0.0333333\n"

static void read_fine(ug_take *take, const char *text, ug_warnings *warnings)
{
    ug_error err = { 0 };
    *warnings = (ug_warnings){ 0 };
    if (parse_text(take, text, &IN_METRES, warnings, &err) != UG_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
}

static void refuse(const char *text, ug_status status, int line, const char *message)
{
    ug_take take;
    ug_error err = { 0 };
    char where[32];
    (void)snprintf(where, sizeof where, "t.bvh:line %d", line);
    assert_int_equal(parse_text(&take, text, &IN_METRES, NULL, &err), status);
    assert_string_equal(err.message, message);
    assert_string_equal(err.where, where);
    assert_null(take.clip);
}

// Report S08: every joint takes the columns it declared.
static void test_columns_find_their_joints(void **state)
{
    (void)state;
    const char text[] = "HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n"
                        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                        "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
                        "JOINT b\n{\nOFFSET 0 1 0\n"
                        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                        "JOINT c\n{\nOFFSET 0 1 0\nCHANNELS 0\n"
                        "JOINT d\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\n}\n}\n}\n}\n"
                        "MOTION\nFrames: 1\n" TIME "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
    ug_take take;
    ug_warnings warnings;
    read_fine(&take, text, &warnings);
    const ug_quat *q = take.clip->rotations;
    const struct {
        int joint, count, axes[3];
        double angles_deg[3];
    } EXPECTED[] = { { 0, 3, { 2, 0, 1 }, { 4, 5, 6 } },
                     { 1, 3, { 2, 1, 0 }, { 7, 8, 9 } },
                     { 2, 3, { 2, 0, 1 }, { 13, 14, 15 } },
                     { 3, 0, { 0 }, { 0 } },
                     { 4, 1, { 0 }, { 16 } } };
    for (int i = 0; i < 5; i++) {
        double rad[3];
        for (int k = 0; k < 3; k++) {
            rad[k] = EXPECTED[i].angles_deg[k] * UG_DEG;
        }
        const ug_quat e = ug_quat_from_euler(EXPECTED[i].axes, rad, EXPECTED[i].count);
        assert_true(ug_quat_angle(e, q[EXPECTED[i].joint]) < 1e-15);
    }
    assert_int_equal(take.clip->translated_count, 2);
    ASSERT_VEC3(take.clip->translations[0], 1, 2, 3, 0.0);
    ASSERT_VEC3(take.clip->translations[1], 10, 11, 12, 0.0);
    assert_int_equal(warnings.count, 0);
    ug_take_fini(&take);
}

// Report S09: the rows there are count, not what "Frames:" says.
static void test_frames_disagree(void **state)
{
    (void)state;
    ug_take take;
    ug_warnings w;
    read_fine(&take, RIG "Frames: 3\n" TIME "1 0 0 0\n2 0 0 0\n3 0 0 0\n4 0 0 0\n", &w);
    assert_int_equal(take.clip->frame_count, 4);
    assert_true(take.clip->translations[3].x == 4.0);
    assert_int_equal(w.count, 1);
    assert_string_equal(w.items[0].code, "bvh_frames_disagree");
    assert_string_equal(w.items[0].first,
                        "'Frames: 3', but the file has 4 whole rows: these are used");
    ug_take_fini(&take);

    read_fine(&take, RIG "Frames: 5\n" TIME "1 0 0 0\n2 0 0 0\n3 0 0 0\n4 0 0 0\n5 0\n", &w);
    assert_int_equal(take.clip->frame_count, 4);
    assert_int_equal(w.count, 2);
    assert_string_equal(w.items[0].code, "bvh_incomplete_row");
    assert_string_equal(w.items[0].first, "the last row (frame 4) has 2 of 4 values: left out");
    assert_string_equal(w.items[1].code, "bvh_frames_disagree");
    ug_take_fini(&take);

    static const char *const CUT[] = { "-", "-1.5e", "." }; // within a number
    for (size_t i = 0; i < sizeof CUT / sizeof CUT[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, RIG "Frames: 3\n" TIME "1 0 0 0\n2 0 0 0\n3 0 0 %s",
                       CUT[i]);
        read_fine(&take, text, &w);
        assert_int_equal(take.clip->frame_count, 2);
        assert_string_equal(w.items[0].code, "bvh_incomplete_row");
        ug_take_fini(&take);
    }

    read_fine(&take, RIG "Frames: 1\n" TIME "1e300 0 0 0\n", &w);
    assert_int_equal(ug_warnings_count(&w, "bvh_value_absurd"), 1);
    assert_string_equal(w.items[0].first,
                        "frame 0, channel 'A Xposition': 1e+300 can hardly be meant");
    ug_take_fini(&take);

    read_fine(&take, RIG "Frames: 4\n" TIME "1 0 0 0\n2 0 0 0\n3 0 0 0\n4 0 0 0\n\n \n\t\r\n", &w);
    assert_int_equal(take.clip->frame_count, 4);
    assert_int_equal(w.count, 0);
    ug_take_fini(&take);

    read_fine(&take, RIG TIME "1 0 0 0\n2 0 0 0", &w); // no "Frames:", no last line end
    assert_int_equal(take.clip->frame_count, 2);
    assert_int_equal(w.count, 1);
    assert_string_equal(w.items[0].first, "there is no 'Frames:': the rows are counted");
    ug_take_fini(&take);

    read_fine(&take, RIG "Frames: 999999999999\n" TIME "1 0 0 0\n", &w); // no memory for liars
    assert_int_equal(take.clip->frame_count, 1);
    ug_take_fini(&take);
}

static void test_more_rows_than_room(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    char *text = malloc(1 << 18), *p = text;
    assert_non_null(text);
    p += sprintf(p, RIG "Frames: 1\n" TIME);
    for (int i = 0; i < ROWS; i++) {
        p += sprintf(p, "%d 0 0 %d\n", i, i % 360);
    }
    ug_take take;
    ug_warnings w;
    read_fine(&take, text, &w);
    assert_int_equal(take.clip->frame_count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        const double half = 0.5 * (i % 360) * UG_DEG;
        assert_true(take.clip->translations[i].x == i);
        assert_true(fabs(take.clip->rotations[i].w - cos(half)) < 4e-16);
        assert_true(fabs(take.clip->rotations[i].x - sin(half)) < 4e-16);
    }
    ug_take_fini(&take);
    free(text);
}

static void test_refused_rows(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        ug_status status;
        int line;
        const char *message;
    } CASES[] = {
        { "1 2 3\n1 2 3 4\n", UG_E_FORMAT, 10, "row of frame 0 has 3 of 4 values" },
        { "1 2 3 4\n1 2 3 4 5\n", UG_E_FORMAT, 11, "row of frame 1 has more than 4 values" },
        { "1 2 3 4\n\n1 nan 3 4\n", UG_E_DATA, 12,
          "frame 1, channel 'A Yposition': 'nan' is not a finite number" },
        { "1 2 3 -inf\n", UG_E_DATA, 10,
          "frame 0, channel 'A Xrotation': '-inf' is not a finite number" },
        { "1 2 1e400 4\n", UG_E_DATA, 10,
          "frame 0, channel 'A Zposition': '1e400' is not a finite number" },
        { "1 2 3 4\n1 2 1,5 4\n", UG_E_DATA, 11,
          "frame 1, channel 'A Zposition': '1,5' is not a number" },
        { "1 2 3 0x10\n", UG_E_DATA, 10, "frame 0, channel 'A Xrotation': '0x10' is not a number" },
        { "1 2 3 1.2.3\n", UG_E_DATA, 10,
          "frame 0, channel 'A Xrotation': '1.2.3' is not a number" },
        { "1 2-3 3 4\n", UG_E_DATA, 10, "frame 0, channel 'A Yposition': '2-3' is not a number" },
        { "1 2 3 4 }\n", UG_E_FORMAT, 10, "row of frame 0 has more than 4 values" },
        { "1 2 3 4\n}\n", UG_E_DATA, 11, "frame 1, channel 'A Xposition': '}' is not a number" },
        { "1 2 3 4\n1 .\n", UG_E_DATA, 11, "frame 1, channel 'A Yposition': '.' is not a number" },
        { "1 2 3 4\n1 -\n", UG_E_DATA, 11, "frame 1, channel 'A Yposition': '-' is not a number" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, RIG "Frames: 2\n" TIME "%s", CASES[i].rows);
        refuse(text, CASES[i].status, CASES[i].line, CASES[i].message);
    }
    // a byte 0 ends nothing
    const char zero[] = RIG "Frames: 2\n" TIME "1 2 3 4\n1 2\0 3 4\n";
    ug_take take;
    ug_error err = { 0 };
    assert_int_equal(parse_bytes(&take, zero, sizeof zero - 1, &IN_METRES, NULL, &err), UG_E_DATA);
    assert_string_equal(err.message, "frame 1, channel 'A Zposition': '' is not a number");
}

// Report S10: the rate is the file's, as a rational; nothing is assumed.
static void test_frame_time(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int num, den;
    } TIMES[] = { { "0.0083333", 120, 1 },     { ".0083333", 120, 1 },
                  { "0.041667", 24, 1 },       { "0.033367", 30000, 1001 },
                  { "\t0.00833333 ", 120, 1 }, { "0.016666666666666666", 60, 1 },
                  { "8.3333e-3", 120, 1 },     { "0.0417083750417", 2997, 125 } };
    for (size_t i = 0; i < sizeof TIMES / sizeof TIMES[0]; i++) {
        char text[8192], *p = text;
        p += sprintf(p, RIG "Frames: 241\nFrame Time: %s\n", TIMES[i].text);
        for (int f = 0; f < 241; f++) {
            p += sprintf(p, "%d 0 0 0\n", f);
        }
        ug_take take;
        ug_warnings w;
        read_fine(&take, text, &w);
        assert_int_equal(take.clip->rate.num, TIMES[i].num);
        assert_int_equal(take.clip->rate.den, TIMES[i].den);
        assert_int_equal(w.count, 0);
        if (TIMES[i].num == 120) {
            assert_true(ug_rate_time_s(take.clip->rate, 240) == 2.0);
        }
        ug_take_fini(&take);
    }
}

static void test_no_frame_time(void **state)
{
    (void)state;
    refuse(RIG "Frames: 1\nFrame Time: 0\n1 2 3 4\n", UG_E_DATA, 9,
           "Frame Time is 0: import it with --fps");
    refuse(RIG "Frames: 1\nFrame Time: 0.0000\n1 2 3 4\n", UG_E_DATA, 9,
           "Frame Time is 0: import it with --fps");
    refuse(RIG "Frames: 1\nFrame Time:\n1 2 3 4\n", UG_E_DATA, 9,
           "Frame Time is empty: import it with --fps");
    refuse(RIG "Frames: 1\n1 2 3 4\n", UG_E_DATA, 9,
           "there is no Frame Time: import it with --fps");
    refuse(RIG "Frames: 1\nFrame Time: fast\n1 2 3 4\n", UG_E_DATA, 9,
           "frame time 'fast' is not a positive number: import it with --fps");
    refuse(RIG "Frames: 1\nFrame Time: -0.1\n1 2 3 4\n", UG_E_DATA, 9,
           "frame time '-0.1' is not a positive number: import it with --fps");
    refuse(RIG "Frames: 0,0333\nFrame Time: 0,0333\n1 2 3 4\n", UG_E_FORMAT, 8,
           "'Frames: 0,0333' is not a count");
    refuse(RIG "Frames: -4\n", UG_E_FORMAT, 8, "'Frames: -4' is not a count");
    refuse(RIG "Frames:\n", UG_E_FORMAT, 8, "'Frames: ' is not a count");

    ug_read_opts opts = IN_METRES;
    opts.rate = ug_rate_make(60, 1);
    static const char *const HEADS[] = { "Frame Time: 0\n", "Frame Time: fast\n", "",
                                         "Frame Time: 0.04\n" };
    for (int i = 0; i < 4; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, RIG "Frames: 1\n%s1 2 3 4\n", HEADS[i]);
        ug_take take;
        assert_int_equal(parse_text(&take, text, &opts, NULL, NULL), UG_OK);
        assert_int_equal(take.clip->rate.num, 60);
        assert_int_equal(take.clip->frame_count, 1);
        ug_take_fini(&take);
    }
}

static void test_scales_are_reported(void **state)
{
    (void)state;
    const char text[] = "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n"
                        "CHANNELS 4 Xscale Xrotation Yscale Zscale\n}\n"
                        "MOTION\nFrames: 3\n" TIME "1 90 1 1.0\n1 0 1 1e0\n1 0 2 0.5\n";
    ug_take take;
    ug_warnings w;
    read_fine(&take, text, &w);
    assert_int_equal(w.count, 1);
    assert_int_equal(ug_warnings_count(&w, "bvh_scale_ignored"), 2);
    assert_string_equal(w.items[0].first, "frame 2: A Yscale is 2, read as 1");
    assert_true(fabs(take.clip->rotations[0].x - sqrt(0.5)) < 1e-16);
    ug_take_fini(&take);
}

static void test_any_sequence_of_turns(void **state)
{
    (void)state;
    const char text[] = "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n"
                        "CHANNELS 5 Zrotation Xrotation Zrotation Zrotation Yrotation\n}\n"
                        "MOTION\nFrames: 2\n" TIME "10 20 30 40 50\n1e12 7200020 -1080 0 0\n";
    ug_take take;
    ug_warnings w;
    read_fine(&take, text, &w);
    ug_quat q = UG_QUAT_IDENTITY;
    const ug_vec3 axes[] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 1, 0 } };
    for (int i = 0; i < 5; i++) {
        q = ug_quat_mul(q, ug_quat_from_axis_angle(axes[i], 10.0 * (i + 1) * UG_DEG));
    }
    assert_true(ug_quat_angle(q, take.clip->rotations[0]) < 1e-15);
    // 1e12° is 280° beyond whole turns
    q = ug_quat_mul(ug_quat_from_axis_angle(axes[0], 280 * UG_DEG),
                    ug_quat_from_axis_angle(axes[1], 20 * UG_DEG));
    assert_true(ug_quat_angle(q, take.clip->rotations[1]) < 1e-9);
    ug_take_fini(&take);
}

// Few channels and many joints would make a small file fill the memory.
static void test_poses_out_of_proportion(void **state)
{
    (void)state;
    char *text = malloc(2 << 20), *p = text;
    assert_non_null(text);
    p += sprintf(p, "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n");
    for (int i = 0; i < 10000; i++) {
        p += sprintf(p, "ROOT A%d\n{\nOFFSET 0 0 0\n}\n", i);
    }
    p += sprintf(p, "MOTION\nFrame Time: 1\n");
    for (int i = 0; i < 100000; i++) {
        p += sprintf(p, "1\n");
    }
    ug_take take;
    ug_error err = { 0 };
    assert_int_equal(parse_text(&take, text, &IN_METRES, NULL, &err), UG_E_UNSUPPORTED);
    assert_non_null(strstr(err.message, "of 10001 joints with hardly a channel among them"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_find_their_joints),
        cmocka_unit_test(test_frames_disagree),
        cmocka_unit_test(test_more_rows_than_room),
        cmocka_unit_test(test_refused_rows),
        cmocka_unit_test(test_frame_time),
        cmocka_unit_test(test_no_frame_time),
        cmocka_unit_test(test_scales_are_reported),
        cmocka_unit_test(test_any_sequence_of_turns),
        cmocka_unit_test(test_poses_out_of_proportion),
    };
    return cmocka_run_group_tests_name("formats/bvh_rows", tests, NULL, NULL);
}
