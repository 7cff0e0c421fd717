// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_fill.c.
#include "solvers/gap_fill.h"

#include "motion/conventions.h"
#include "tests/support/rigid_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A lone sine of 5 s at 100 Hz with gaps of 10, 50 and 150 frames and a limit of 50.
static void test_long_gap_stays_missing(void **state)
{
    (void)state;
    ug_markers *m = make_markers(500, 1, 100);
    for (size_t f = 0; f < 500; f++) {
        put_mm(m, f, 0, 100.0 * sin(2.0 * UG_PI * (double)f / 100.0), 0.0, 0.0);
    }
    hide(m, 0, 40, 49);
    hide(m, 0, 120, 169);
    hide(m, 0, 300, 449);
    ug_gap_fill_opts opts = ug_gap_fill_default_opts();
    opts.max_gap_s = 0.5;
    opts.cubic_max_s = 0.1;
    ug_gap_fill_report report;
    ug_warnings warnings = { 0 };
    memset(&report, 0xa5, sizeof report);

    assert_int_equal(ug_gap_fill(m, &report, &warnings, NULL, &opts, NULL), UG_OK);

    size_t filled = 0, missing = 0;
    for (size_t f = 0; f < 500; f++) {
        const uint16_t o = m->origin[f];
        filled += (o & UG_ORIGIN_FILLED) != 0;
        missing += (o & UG_ORIGIN_PRESENT) == 0;
        if (f >= 300 && f < 450) {
            assert_int_equal(o, 0);
            assert_true(isnan(m->positions[3 * f]));
        } else if (o & UG_ORIGIN_FILLED) {
            assert_int_equal(o, UG_ORIGIN_PRESENT | UG_ORIGIN_FILLED);
            assert_int_equal(m->method[f], UG_FILL_CUBIC);
            assert_true(m->predicted_error_mm[f] >= 0.0f);
            const double truth = 100.0 * sin(2.0 * UG_PI * (double)f / 100.0);
            // 0.1 s of 1 Hz: a spline's 5 h^4/384 · (2 pi)^4 · 100 mm = 0.3 mm; half a turn: some
            // mm
            assert_true(fabs((double)m->positions[3 * f] - truth) < (f < 100 ? 0.3 : 20.0));
        } else {
            assert_int_equal(m->method[f], UG_FILL_NONE);
            assert_true(isnan(m->predicted_error_mm[f]));
        }
    }
    assert_int_equal(filled, 60);
    assert_int_equal(missing, 150);
    assert_int_equal(report.gap_count, 3);
    assert_int_equal(report.filled_gaps[UG_FILL_CUBIC], 2);
    assert_int_equal(report.filled_samples[UG_FILL_CUBIC], 60);
    assert_int_equal(report.open_gaps[UG_GAP_TOO_LONG], 1);
    assert_int_equal(report.open_samples[UG_GAP_TOO_LONG], 150);
    assert_int_equal(report.longest_gap_frames, 150);
    assert_int_equal(report.records[2].reason, UG_GAP_TOO_LONG);
    assert_string_equal(ug_gap_reason_name(report.records[2].reason), "too_long");
    assert_int_equal(ug_warnings_count(&warnings, "gap_too_long"), 1);
    assert_int_equal(ug_warnings_count(&warnings, "gap_filled_alone"), 1);
    assert_string_equal(warnings.items[1].first,
                        "marker 'M0', frames 300-449 (1.5 s): over the limit, left missing");
    ug_gap_fill_report_fini(&report);
    ug_markers_destroy(m);
}

// Gaps of several kinds on a tumbling body; `truth` is the take before.
static ug_markers *make_holes(void)
{
    ug_markers *m = make_rigid_take(600, 5);
    hide(m, 0, 200, 319); // 1 s: by its neighbours
    hide(m, 1, 50, 55);   // 0.05 s: by the cubic
    hide(m, 1, 580, 599); // an open end: by its neighbours
    hide(m, 2, 0, 4);     // the other
    return m;
}

static void test_each_gap_gets_its_method(void **state)
{
    (void)state;
    ug_markers *truth = make_rigid_take(600, 5), *m = make_holes();
    ug_gap_fill_report report;
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_gap_fill(m, &report, &warnings, NULL, NULL, NULL), UG_OK);
    assert_int_equal(report.filled_gaps[UG_FILL_CUBIC], 1);
    assert_int_equal(report.filled_samples[UG_FILL_CUBIC], 6);
    assert_int_equal(report.filled_gaps[UG_FILL_STACKED], 3);
    assert_int_equal(report.filled_samples[UG_FILL_STACKED], 145);
    assert_int_equal(report.unchecked_gaps, 0);
    assert_int_equal(warnings.count, 0);
    for (size_t f = 0; f < 600; f++) {
        for (size_t k = 0; k < 5; k++) {
            const size_t i = ug_markers_index(m, f, k);
            const double off = ug_vec3_distance(ug_markers_position_m(m, f, k),
                                                ug_markers_position_m(truth, f, k));
            if (!(m->origin[i] & UG_ORIGIN_FILLED)) {
                assert_true(off == 0.0);
                continue;
            }
            // the predicted error is the honest order of size of the true one
            assert_true(1e3 * off < 4.0 * (double)m->predicted_error_mm[i] + 0.01);
            // float millimetres near 3 m hold 2e-7 m; a blend of nearly right fills is no righter
            assert_true(off < (m->method[i] == UG_FILL_CUBIC ? 2e-4 : 2e-5));
        }
    }
    ug_gap_fill_report_fini(&report);
    ug_markers_destroy(m);
    ug_markers_destroy(truth);
}

static void test_open_gaps_have_reasons(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 4);
    hide(m, 3, 0, 599);   // never seen; leaves two neighbours for the others
    hide(m, 0, 200, 319); // 1 s without three neighbours
    hide(m, 1, 0, 3);     // a short one at an open end: the cubic refuses
    m->kinds[2] = UG_POINT_VIRTUAL;
    hide(m, 2, 100, 105); // no marker: not even looked at
    ug_gap_fill_report report;
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_gap_fill(m, &report, &warnings, NULL, NULL, NULL), UG_OK);
    assert_int_equal(report.gap_count, 3);
    assert_int_equal(report.open_gaps[UG_GAP_NEVER_SEEN], 1);
    assert_int_equal(report.open_gaps[UG_GAP_NO_COMPANY], 2);
    assert_int_equal(report.open_samples[UG_GAP_NO_COMPANY], 124);
    assert_false(ug_markers_present(m, 2, 1));
    assert_false(ug_markers_present(m, 250, 0));
    assert_false(ug_markers_present(m, 102, 2));
    assert_int_equal(ug_warnings_count(&warnings, "marker_never_seen"), 1);
    assert_int_equal(ug_warnings_count(&warnings, "gap_without_company"), 2);
    assert_string_equal(warnings.items[0].first,
                        "marker 'M0', frames 200-319: fewer than three neighbours seen through "
                        "the gap, left missing");
    ug_gap_fill_report_fini(&report);
    assert_null(report.records);
    ug_markers_destroy(m);
}

// A gap whose neighbours vanish in the midst of it is filled from what was filled of them.
static void test_overlapping_gaps_lean_on_each_other(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5), *truth = make_rigid_take(600, 5);
    hide(m, 0, 200, 230); // its neighbours 2, 3, 4 are there
    hide(m, 1, 220, 280); // only 3 and 4 are there throughout, and what is filled of 0 and 2
    hide(m, 2, 235, 280);
    ug_gap_fill_opts opts = ug_gap_fill_default_opts();
    opts.alone_max_s = 0.0;
    ug_gap_fill_report report;
    assert_int_equal(ug_gap_fill(m, &report, NULL, NULL, &opts, NULL), UG_OK);
    assert_int_equal(report.records[0].method, UG_FILL_STACKED);
    assert_int_equal(report.records[1].reason, UG_GAP_CLOSED);
    for (size_t f = 220; f <= 280; f++) {
        assert_true(ug_vec3_distance(ug_markers_position_m(m, f, 1),
                                     ug_markers_position_m(truth, f, 1)) < 2e-3);
    }
    ug_gap_fill_report_fini(&report);
    ug_markers_destroy(truth);
    ug_markers_destroy(m);
}

static void test_same_bits_for_any_thread_count(void **state)
{
    (void)state;
    ug_markers *one = make_holes();
    assert_int_equal(ug_gap_fill(one, NULL, NULL, NULL, NULL, NULL), UG_OK);
    for (size_t workers = 0; workers <= 5; workers += 5) {
        ug_markers *many = make_holes();
        ug_gap_fill_opts opts = ug_gap_fill_default_opts();
        opts.workers = workers;
        assert_int_equal(ug_gap_fill(many, NULL, NULL, NULL, &opts, NULL), UG_OK);
        assert_true(same_markers(one, many));
        ug_markers_destroy(many);
    }
    // and nothing is left to do
    ug_gap_fill_report report;
    assert_int_equal(ug_gap_fill(one, &report, NULL, NULL, NULL, NULL), UG_OK);
    assert_int_equal(report.gap_count, 0);
    ug_gap_fill_report_fini(&report);
    ug_markers_destroy(one);
}

static bool refuse(void *user, double share)
{
    (void)user;
    (void)share;
    return false;
}

static void test_failure_changes_nothing(void **state)
{
    (void)state;
    ug_markers *m = make_holes(), *before = make_holes();
    ug_gap_fill_report report;
    ug_error err = { 0 };
    const ug_progress progress = { .report = refuse };
    assert_int_equal(ug_gap_fill(m, &report, NULL, &progress, NULL, &err), UG_E_INTERRUPTED);
    assert_string_equal(err.message, "interrupted after 4 of 4 gaps");
    assert_null(report.records);
    assert_true(same_markers(m, before));

    const ug_gap_fill_opts bad = { .max_gap_s = NAN };
    err = (ug_error){ 0 };
    assert_int_equal(ug_gap_fill(m, NULL, NULL, NULL, &bad, &err), UG_E_USAGE);
    assert_string_equal(err.message, "max_gap_s is nan: must be 0 seconds or more");
    const ug_gap_fill_opts negative = { .max_gap_s = 1.0, .cubic_max_s = -0.1 };
    err = (ug_error){ 0 };
    assert_int_equal(ug_gap_fill(m, NULL, NULL, NULL, &negative, &err), UG_E_USAGE);
    assert_string_equal(err.message, "cubic_max_s is -0.1: must be 0 seconds or more");

    m->positions[3 * ug_markers_index(m, 10, 3)] = NAN;
    err = (ug_error){ 0 };
    assert_int_equal(ug_gap_fill(m, NULL, NULL, NULL, NULL, &err), UG_E_DATA);
    assert_non_null(strstr(err.message, "'M3' is present but not finite at frame 10"));
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

static void test_empty_takes(void **state)
{
    (void)state;
    for (size_t frames = 0; frames < 2; frames++) {
        for (size_t count = 0; count < 3; count++) {
            ug_markers *m = make_markers(frames, count, 100);
            ug_gap_fill_report report;
            assert_int_equal(ug_gap_fill(m, &report, NULL, NULL, NULL, NULL), UG_OK);
            assert_int_equal(report.open_gaps[UG_GAP_NEVER_SEEN], frames * count);
            ug_gap_fill_report_fini(&report);
            ug_markers_destroy(m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_gap_stays_missing),
        cmocka_unit_test(test_each_gap_gets_its_method),
        cmocka_unit_test(test_open_gaps_have_reasons),
        cmocka_unit_test(test_overlapping_gaps_lean_on_each_other),
        cmocka_unit_test(test_same_bits_for_any_thread_count),
        cmocka_unit_test(test_failure_changes_nothing),
        cmocka_unit_test(test_empty_takes),
    };
    return cmocka_run_group_tests_name("solvers/gap_fill", tests, NULL, NULL);
}
