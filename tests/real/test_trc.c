// SPDX-License-Identifier: MIT
// Every TRC file of $UGOKI_DATA/data/trc and data/hostile/trc: content and complaints.
//
// Counts, missing samples and extents come from the README beside the files, found with a reader
// that is not ours. Every file that reads is written and read again, bit for bit.
#include "formats/format.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WARNINGS_MAX = 4 };

static const struct {
    const char *path, *unit;
    const char *up;   ///< found by inference
    const char *give; ///< --up where nothing can be inferred, NULL elsewhere
    size_t frames, markers, missing;
    long first, num, den;
    double extent[3][2];                ///< source axes and unit; four digits
    const char *warnings[WARNINGS_MAX]; ///< beside up_inferred, all of them
} FILES[] = {
    { "trc/Anto.trc",
      "mm",
      "+Z",
      "+Z",
      128,
      34,
      0,
      1,
      100,
      1,
      { { -213.3, 452.9 }, { -323.2, 351.2 }, { 204.6, 1085 } },
      { NULL } },
    { "trc/UpperLimbStatic.trc",
      "mm",
      "+Z",
      "+Z",
      146,
      34,
      0,
      1,
      100,
      1,
      { { -130, 545.7 }, { -820.3, 626.2 }, { 227.1, 1106 } },
      { "trc_unnamed_columns" } },
    { "trc/cmu_02_05_markers.trc",
      "mm",
      "+Y",
      NULL,
      1854,
      41,
      562,
      1,
      100,
      1,
      { { 274.5, 1784 }, { 14.45, 1695 }, { -835.1, -517.3 } },
      { "trc_not_finite" } },
    { "trc/motion_capture_run.trc",
      "mm",
      "+Y",
      NULL,
      510,
      42,
      0,
      23,
      100,
      1,
      { { 223.8, 1405 }, { 31.68, 1600 }, { -685.7, 18.59 } },
      { NULL } },
    { "trc/hamner/subject02_running.trc",
      "mm",
      "+Y",
      NULL,
      600,
      41,
      600,
      1,
      60,
      1,
      { { 59.5, 1291 }, { 21.5, 1718 }, { -587.2, 222 } },
      { "trc_zero_missing" } },
    { "trc/hamner/subject02_static.trc",
      "mm",
      "+Y",
      NULL,
      300,
      49,
      0,
      1,
      60,
      1,
      { { 351.8, 649.1 }, { 36.6, 1809 }, { -677.9, 740 } },
      { NULL } },
    { "trc/motek/MOTEK_T.trc",
      "mm",
      "+Y",
      NULL,
      89,
      41,
      0,
      1,
      30,
      1,
      { { -365.8, -91.47 }, { 53.14, 1640 }, { -753.7, 753 } },
      { NULL } },
    { "trc/motek/MOTEK_ballet_reduced.trc",
      "mm",
      "+Y",
      NULL,
      100,
      41,
      0,
      1,
      30,
      1,
      { { -983.6, 824.7 }, { 37.02, 1627 }, { -799.7, 689.7 } },
      { NULL } },
    { "trc/subject4/static1.trc",
      "m",
      "+Y",
      NULL,
      517,
      55,
      0,
      1,
      100,
      1,
      { { -0.3454, -0.09725 }, { 0.04088, 1.463 }, { -0.8693, -0.3364 } },
      { NULL } },
    { "trc/subject4/walking1.trc",
      "m",
      "+Y",
      NULL,
      131,
      51,
      125,
      1,
      100,
      1,
      { { -0.6661, 1.654 }, { 0.03565, 1.462 }, { -0.5579, 0.08599 } },
      { "trc_not_finite" } },
    { "trc/subject4/walkingTS2.trc",
      "m",
      "+Y",
      NULL,
      141,
      51,
      134,
      1,
      100,
      1,
      { { -0.6842, 1.649 }, { 0.03569, 1.457 }, { -0.5149, 0.07861 } },
      { "trc_not_finite" } },
    { "trc/subject4/walkingTO2.trc",
      "m",
      "+Y",
      NULL,
      134,
      51,
      39,
      1,
      100,
      1,
      { { -0.6724, 1.604 }, { 0.03846, 1.463 }, { -0.582, 0.1023 } },
      { "trc_not_finite" } },
    { "trc/subject4/DJ1.trc",
      "m",
      "+Y",
      NULL,
      269,
      51,
      4,
      1,
      100,
      1,
      { { -1.346, 0.268 }, { 0.03836, 2.191 }, { -1.115, -0.06976 } },
      { "trc_not_finite" } },
    { "trc/subject4/squats1.trc",
      "m",
      "+Y",
      NULL,
      1346,
      51,
      0,
      1,
      100,
      1,
      { { -0.5157, 0.2846 }, { 0.03884, 1.465 }, { -0.9459, -0.2804 } },
      { NULL } },
    // NumMarkers 66, 33 names, up to 72 trajectories that nobody named; 45.46 % blank
    { "hostile/trc/btk_Gait.trc",
      "mm",
      "+Z",
      NULL,
      487,
      33,
      7306,
      1,
      100,
      1,
      { { -2373, 2280 }, { -323, 328.4 }, { 13.86, 1431 } },
      { "trc_marker_count", "trc_unnamed_columns" } },
    { "hostile/trc/static1_VM.trc",
      "mm",
      "+Y",
      NULL,
      460,
      57,
      0,
      1,
      100,
      1,
      { { 739.7, 1430 }, { 0, 1408 }, { -756.5, -288.1 } },
      { "trc_header_shifted" } },
    { "hostile/trc/weirdformat_markers.trc",
      "m",
      "+Y",
      NULL,
      281,
      61,
      71,
      1,
      100,
      1,
      { { -2.296, 2.486 }, { -0.0003562, 1.638 }, { -0.5676, 0.1854 } },
      { "trc_names_shifted", "trc_zero_missing" } },
    // NumMarkers 0: trajectories without any name
    { "hostile/trc/10002-20130731010438-Unnamed.trc",
      "mm",
      NULL,
      "+Y",
      1313,
      0,
      0,
      1,
      400,
      1,
      { { 0 } },
      { "trc_unnamed_columns" } },
};

enum { FILE_COUNT = sizeof FILES / sizeof FILES[0] };

static const char *data_path(const char *name)
{
    static char path[3000];
    (void)snprintf(path, sizeof path, "%s/data/%s", getenv("UGOKI_DATA"), name);
    return path;
}

static void read_well(ug_take *take, size_t i, ug_warnings *warnings)
{
    const ug_read_opts opts = { .up = FILES[i].give };
    ug_error err = { 0 };
    ug_take_init(take);
    const ug_status status = ug_format_read(take, data_path(FILES[i].path), &opts, warnings, &err);
    if (status != UG_OK) {
        print_error("%s: %s\n", err.where, err.message);
    }
    assert_int_equal(status, UG_OK);
    assert_string_equal(take->source.format, "trc");
}

static void assert_extent(const ug_take *take, size_t i)
{
    const ug_markers *m = take->markers;
    double low[3] = { DBL_MAX, DBL_MAX, DBL_MAX }, high[3] = { -DBL_MAX, -DBL_MAX, -DBL_MAX };
    for (size_t f = 0; f < m->frame_count; f++) {
        for (size_t k = 0; k < m->marker_count; k++) {
            float p[3];
            if (m->kinds[k] != UG_POINT_MARKER || !ug_markers_present(m, f, k)) {
                continue;
            }
            memcpy(p, m->positions + 3 * ug_markers_index(m, f, k), sizeof p);
            ug_axes_export_f32(take->source.axes, p, 1);
            for (int c = 0; c < 3; c++) {
                low[c] = fmin(low[c], (double)p[c]);
                high[c] = fmax(high[c], (double)p[c]);
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        const double *want = FILES[i].extent[c];
        assert_true(fabs(low[c] - want[0]) <= 6e-4 * fabs(want[0]) + 1e-9);
        assert_true(fabs(high[c] - want[1]) <= 6e-4 * fabs(want[1]) + 1e-9);
    }
}

static void test_content(void **state)
{
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        ug_take take;
        ug_warnings warnings = { 0 };
        read_well(&take, i, &warnings);
        const ug_markers *m = take.markers;
        size_t markers = 0, expected = FILES[i].give ? 0 : 1;
        for (size_t k = 0; k < m->marker_count; k++) {
            markers += m->kinds[k] == UG_POINT_MARKER;
        }
        print_message("%s: %zu markers (%zu points), %zu frames, %zu missing\n", FILES[i].path,
                      markers, m->marker_count, m->frame_count, ug_markers_missing_count(m));
        assert_int_equal(markers, FILES[i].markers);
        assert_int_equal(m->frame_count, FILES[i].frames);
        assert_int_equal(ug_markers_missing_count(m), FILES[i].missing);
        assert_int_equal(m->first_frame, FILES[i].first);
        assert_int_equal(m->rate.num, FILES[i].num);
        assert_int_equal(m->rate.den, FILES[i].den);
        assert_string_equal(take.source.unit, FILES[i].unit);
        if (FILES[i].markers > 0) {
            assert_extent(&take, i);
        }
        for (size_t w = 0; w < WARNINGS_MAX && FILES[i].warnings[w]; w++) {
            assert_true(ug_warnings_count(&warnings, FILES[i].warnings[w]) > 0);
            expected++;
        }
        assert_int_equal(warnings.count, expected);
        ug_take_fini(&take);
    }
}

static void test_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        ug_take take;
        ug_error err = { 0 };
        ug_take_init(&take);
        const ug_status status = ug_format_read(&take, data_path(FILES[i].path), NULL, NULL, &err);
        if (FILES[i].give) {
            // an upper body and nameless points do not say; the message says what would
            assert_int_equal(status, UG_E_AMBIGUOUS);
            assert_non_null(strstr(err.message, "--up"));
            assert_null(take.markers);
            continue;
        }
        assert_int_equal(status, UG_OK);
        const ug_axes a = take.source.axes;
        assert_int_equal("XYZ"[a.from[1]], FILES[i].up[1]);
        assert_int_equal(a.sign[1], FILES[i].up[0] == '-' ? -1 : 1);
        ug_take_fini(&take);
    }
}

static void test_round_trips(void **state)
{
    (void)state;
    const ug_format *trc = ug_format_find("trc"), *csv = ug_format_find("csv");
    for (size_t i = 0; i < 2 * FILE_COUNT; i++) {
        const ug_format *format = i % 2 ? csv : trc;
        const char *path = i % 2 ? "real_trc.csv" : "real_trc.trc";
        ug_take take, back;
        ug_take_init(&back);
        read_well(&take, i / 2, NULL);
        char up[3] = { take.source.axes.sign[1] < 0 ? '-' : '+', "XYZ"[take.source.axes.from[1]],
                       '\0' };
        const ug_read_opts opts = { .up = up, .unit = take.source.unit };
        ug_error err = { 0 };
        assert_int_equal(format->write(path, &take, NULL, NULL, &err), UG_OK);
        assert_int_equal(format->read(&back, path, &opts, NULL, &err), UG_OK);
        const ug_markers *a = take.markers, *b = back.markers;
        const size_t n = a->frame_count * a->marker_count;
        assert_int_equal(b->frame_count, a->frame_count);
        assert_int_equal(b->marker_count, a->marker_count);
        assert_int_equal(b->first_frame, a->first_frame);
        assert_true(ug_rate_equal(a->rate, b->rate));
        assert_memory_equal(a->origin, b->origin, n * sizeof *a->origin);
        for (size_t k = 0; k < n; k++) {
            if (a->origin[k]) {
                assert_memory_equal(a->positions + 3 * k, b->positions + 3 * k, 12);
            }
        }
        for (size_t k = 0; k < a->marker_count; k++) {
            assert_string_equal(a->labels[k], b->labels[k]);
        }
        ug_take_fini(&take);
        ug_take_fini(&back);
        (void)unlink(path);
    }
}

static void test_other_csv_files_are_refused(void **state)
{
    (void)state;
    static const char *const NAMES[] = { "csv/motive123_unlabelled_markers.csv",
                                         "csv/nexus_model_outputs_Sample_Static.csv",
                                         "csv/noncommercial_dog/dog_pace.txt",
                                         "csv/noncommercial_dog/dog_pace_joint_pos.txt" };
    for (size_t i = 0; i < 4; i++) {
        ug_take take;
        ug_error err = { 0 };
        ug_take_init(&take);
        const ug_status status = ug_format_read(&take, data_path(NAMES[i]), NULL, NULL, &err);
        assert_int_equal(status, i < 2 ? UG_E_FORMAT : UG_E_UNSUPPORTED);
        assert_non_null(strstr(err.message, i < 2 ? "line 1 must be frame,time,<label>.x"
                                                  : "is in no format that is read here"));
        assert_string_equal(err.where, data_path(NAMES[i]));
    }
}

int main(void)
{
    if (!getenv("UGOKI_DATA")) {
        puts("skipped: UGOKI_DATA is not set");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_up),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_other_csv_files_are_refused),
    };
    return cmocka_run_group_tests_name("real/trc", tests, NULL, NULL);
}
