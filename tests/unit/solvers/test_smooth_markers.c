// SPDX-License-Identifier: MIT
// Unit tests for solvers/smooth_markers.c.
#include "solvers/smooth_markers.h"

#include "motion/conventions.h"
#include "tests/support/markers.h"
#include "tests/support/noise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Four markers of 400 frames, as people report it: A whole, B missing at both ends, C never seen,
// D in islands of 5 frames.
static ug_markers *make_report_take(void)
{
    ug_markers *m = make_markers(400, 4, 100);
    for (size_t f = 0; f < 400; f++) {
        const double wave = 100.0 * sin(0.05 * (double)f) + (f % 2 == 0 ? 1.0 : -1.0);
        put_mm(m, f, 0, wave, 1000.0, 2.0 * wave);
        if (f >= 100 && f < 300) {
            put_mm(m, f, 1, wave, 900.0, 0.0);
        }
        if (f % 20 < 5) {
            put_mm(m, f, 3, wave, 800.0, 0.0);
        }
    }
    return m;
}

static void test_gaps_stay_and_short_runs_pass(void **state)
{
    (void)state;
    ug_markers *m = make_report_take(), *before = make_report_take();
    ug_smooth_report report;
    ug_warnings warnings = { 0 };

    assert_int_equal(ug_smooth_markers(m, &report, &warnings, NULL, NULL), UG_OK);

    double moved = 0.0;
    for (size_t f = 0; f < 400; f++) {
        for (size_t k = 0; k < 4; k++) {
            assert_int_equal(ug_markers_present(m, f, k), ug_markers_present(before, f, k));
        }
        const size_t a = ug_markers_index(m, f, 0), b = a + 1, d = a + 3;
        moved = fmax(moved, fabs((double)(m->positions[3 * a] - before->positions[3 * a])));
        assert_true(m->origin[a] & UG_ORIGIN_FILTERED && m->origin[a] & UG_ORIGIN_MEASURED);
        assert_int_equal((m->origin[b] & UG_ORIGIN_FILTERED) != 0, f >= 100 && f < 300);
        assert_memory_equal(m->positions + 3 * d, before->positions + 3 * d, 3 * sizeof(float));
        assert_int_equal(m->origin[d], before->origin[d]);
        assert_true(isnan(m->positions[3 * (a + 2)]));
    }
    assert_true(moved > 0.9);                      // the frame-to-frame zigzag is gone
    for (size_t i = 0; i < (size_t)400 * 4; i++) { // and what it was is still known, bit for bit
        const bool filtered = (m->origin[i] & UG_ORIGIN_FILTERED) != 0;
        assert_int_equal(!isnan(m->unfiltered[3 * i]), filtered);
        if (filtered) {
            assert_memory_equal(m->unfiltered + 3 * i, before->positions + 3 * i,
                                3 * sizeof(float));
        }
    }
    // a second filter does not take the first one's work for a measurement
    assert_int_equal(ug_smooth_markers(m, NULL, NULL, NULL, NULL), UG_OK);
    assert_memory_equal(m->unfiltered, before->positions, 3 * sizeof(float));
    assert_int_equal(report.run_count, 2);
    assert_int_equal(report.samples_filtered, 600);
    assert_int_equal(report.runs_passed, 20);
    assert_int_equal(report.samples_passed, 100);
    assert_int_equal(report.markers_missing, 1);
    const ug_smooth_run whole = report.runs[0], inner = report.runs[1];
    assert_true(whole.marker == 0 && whole.first == 0 && whole.count == 400);
    assert_true(inner.marker == 1 && inner.first == 100 && inner.count == 200);
    assert_true(inner.cutoff_hz == 12.0 && isnan(inner.noise_mm));
    ug_smooth_report_fini(&report);
    assert_int_equal(ug_warnings_count(&warnings, "run_too_short_to_filter"), 20);
    assert_int_equal(ug_warnings_count(&warnings, "marker_never_seen"), 1);
    for (size_t i = 0; i < warnings.count; i++) {
        if (strcmp(warnings.items[i].code, "marker_never_seen") == 0) {
            assert_string_equal(warnings.items[i].first,
                                "marker 'M2' has no sample in the whole take");
        } else {
            assert_string_equal(warnings.items[i].first,
                                "marker 'M3', frames 0-4: 5 samples, the filter needs 12; left "
                                "as it is");
        }
    }
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

// Amplitude of a sine of unit amplitude after filtering, by projection on whole periods far from
// the ends; `*quadrature` is the part that was shifted.
static double gain(double *quadrature, double hz, double cutoff_hz, int64_t rate_hz)
{
    const size_t n = 4 * (size_t)rate_hz;
    ug_markers *m = make_markers(n, 1, rate_hz);
    for (size_t f = 0; f < n; f++) {
        put_mm(m, f, 0, sin(2.0 * UG_PI * hz * (double)f / (double)rate_hz), 0.0, 0.0);
    }
    const ug_smooth_opts opts = { .cutoff_hz = cutoff_hz };
    assert_int_equal(ug_smooth_markers(m, NULL, NULL, &opts, NULL), UG_OK);
    double in_phase = 0.0, off_phase = 0.0;
    for (size_t f = n / 4; f < 3 * n / 4; f++) {
        const double phase = 2.0 * UG_PI * hz * (double)f / (double)rate_hz;
        in_phase += 2.0 * (double)m->positions[3 * f] * sin(phase);
        off_phase += 2.0 * (double)m->positions[3 * f] * cos(phase);
    }
    ug_markers_destroy(m);
    *quadrature = off_phase / (double)(n / 2);
    return in_phase / (double)(n / 2);
}

static void test_gain_is_the_closed_form(void **state)
{
    (void)state;
    const int64_t rate = 120;
    for (double cutoff = 6.0; cutoff <= 24.0; cutoff += 6.0) {
        for (double hz = 2.0; hz <= 40.0; hz += 2.0) {
            const double ratio =
                tan(UG_PI * hz / (double)rate) / tan(UG_PI * cutoff / (double)rate);
            const double expected = 1.0 / (1.0 + (sqrt(2.0) - 1.0) * pow(ratio, 4.0));
            double shifted;
            // float samples: 1e-7 of the amplitude each
            assert_true(fabs(gain(&shifted, hz, cutoff, rate) - expected) < 1e-6);
            assert_true(fabs(shifted) < 1e-6);
        }
        double shifted;
        assert_true(fabs(20.0 * log10(gain(&shifted, cutoff, cutoff, rate)) + 3.0103) < 1e-4);
    }
}

static void test_agrees_with_another_program(void **state)
{
    (void)state;
    // scipy 1.10.1: filtfilt(*butter(2, fc), x, padtype='odd', padlen=19) with fc raised so that
    // two passes have -3 dB at 9 Hz of 100 Hz
    static const double EXPECTED[20] = {
        -9.79182048795046e-06, 0.508295202380538, 0.956591908651687, 1.31391050553998,
        1.57477360615835,      1.73841765780799,  1.80805923442711,  1.79439523100796,
        1.70779962291966,      1.5632879289485,   1.38464525805895,  1.19475237634129,
        1.01807740542694,      0.882736665842647, 0.809448201669831, 0.813207038553426,
        0.90483383432523,      1.07969488794768,  1.3200027069592,   1.59938833614042,
    };
    ug_markers *m = make_markers(20, 1, 100);
    for (size_t f = 0; f < 20; f++) {
        const double i = (double)f;
        put_mm(m, f, 0, 0.0, sin(0.3 * i) + 0.1 * i + 0.25 * (double)(f % 3), 0.0);
    }
    const ug_smooth_opts opts = { .cutoff_hz = 9.0 };
    assert_int_equal(ug_smooth_markers(m, NULL, NULL, &opts, NULL), UG_OK);
    for (size_t f = 0; f < 20; f++) {
        assert_true(fabs((double)m->positions[3 * f + 1] - EXPECTED[f]) < 5e-7); // float
    }
    ug_markers_destroy(m);
}

static void test_lines_pass_unchanged_to_both_ends(void **state)
{
    (void)state;
    ug_markers *m = make_markers(50, 1, 100);
    for (size_t f = 0; f < 50; f++) {
        put_mm(m, f, 0, 3.0 * (double)f, 500.0, -2.0 * (double)f);
    }
    assert_int_equal(ug_smooth_markers(m, NULL, NULL, NULL, NULL), UG_OK);
    for (size_t f = 0; f < 50; f++) {
        assert_true(fabs((double)m->positions[3 * f] - 3.0 * (double)f) < 1e-4);
        assert_true(fabs((double)m->positions[3 * f + 1] - 500.0) < 1e-3);
    }
    ug_markers_destroy(m);
}

// Two markers of one path, noise of 0.4 and of 2 mm: each run gets its own cut-off.
static void test_spline_finds_noise_and_cutoff_of_each_run(void **state)
{
    (void)state;
    const double sigma[2] = { 0.4, 2.0 };
    ug_markers *m = make_markers(600, 2, 100);
    uint64_t seed = 7;
    for (size_t f = 0; f < 600; f++) {
        for (size_t k = 0; k < 2; k++) {
            double p[3];
            for (size_t axis = 0; axis < 3; axis++) {
                p[axis] = 200.0 * sin(0.06 * (double)f + (double)axis) + sigma[k] * noise(&seed);
            }
            put_mm(m, f, k, p[0], p[1], p[2]);
        }
    }
    const ug_smooth_opts opts = { .method = UG_SMOOTH_GCV };
    ug_smooth_report report;
    assert_int_equal(ug_smooth_markers(m, &report, NULL, &opts, NULL), UG_OK);
    assert_int_equal(report.run_count, 2);
    for (size_t k = 0; k < 2; k++) { // the spread of 1800 estimates of one sigma: 2 %
        assert_true(fabs(report.runs[k].noise_mm / sigma[k] - 1.0) < 0.06);
        assert_true(m->origin[k] & UG_ORIGIN_FILTERED);
    }
    assert_true(report.runs[1].cutoff_hz < report.runs[0].cutoff_hz);
    ug_smooth_report_fini(&report);
    ug_markers_destroy(m);
}

static void test_run_length_limit_is_twelve(void **state)
{
    (void)state;
    for (size_t run = 11; run <= 12; run++) {
        ug_markers *m = make_markers(20, 1, 100);
        for (size_t f = 0; f < run; f++) {
            put_mm(m, f, 0, f % 2 == 0 ? 1.0 : -1.0, 0.0, 0.0);
        }
        ug_smooth_report report;
        assert_int_equal(ug_smooth_markers(m, &report, NULL, NULL, NULL), UG_OK);
        assert_int_equal(report.run_count, run == 12);
        assert_int_equal(report.samples_passed, run == 12 ? 0 : 11);
        ug_smooth_report_fini(&report);
        ug_markers_destroy(m);
    }
}

static void test_other_kinds_are_not_touched(void **state)
{
    (void)state;
    ug_markers *m = make_report_take(), *before = make_report_take();
    for (size_t k = 0; k < 4; k++) {
        m->kinds[k] = (uint8_t)(UG_POINT_UNLABELLED + k);
    }
    ug_smooth_report report;
    assert_int_equal(ug_smooth_markers(m, &report, NULL, NULL, NULL), UG_OK);
    assert_true(same_markers(m, before));
    assert_int_equal(report.markers_missing, 0);
    ug_smooth_report_fini(&report);
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

static void test_wrong_input_changes_nothing(void **state)
{
    (void)state;
    ug_markers *m = make_report_take();
    m->positions[3 * ug_markers_index(m, 7, 0)] = NAN;
    ug_markers *before = ug_markers_copy(m);
    ug_error err = { 0 };

    assert_int_equal(ug_smooth_markers(m, NULL, NULL, NULL, &err), UG_E_DATA);
    assert_string_equal(err.message,
                        "marker 'M0' is present but not finite at frame 7; clear it first");
    assert_true(same_markers(m, before));

    put_mm(m, 7, 0, 0.0, 0.0, 0.0);
    static const double BAD_HZ[] = { 0.0, -1.0, 50.0, 1e9, NAN, INFINITY };
    for (size_t i = 0; i < sizeof BAD_HZ / sizeof *BAD_HZ; i++) {
        const ug_smooth_opts opts = { .cutoff_hz = BAD_HZ[i] };
        err = (ug_error){ 0 };
        assert_int_equal(ug_smooth_markers(m, NULL, NULL, &opts, &err), UG_E_USAGE);
        assert_non_null(strstr(err.message, "below half the rate, 50 Hz"));
    }
    m->rate = (ug_rate){ 0, 0 };
    err = (ug_error){ 0 };
    assert_int_equal(ug_smooth_markers(m, NULL, NULL, NULL, &err), UG_E_DATA);
    assert_string_equal(err.message, "the frame rate of the markers is not known");
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

static void test_no_frames_and_no_markers(void **state)
{
    (void)state;
    for (size_t frames = 0; frames < 2; frames++) {
        for (size_t count = 0; count < 2; count++) {
            ug_markers *m = make_markers(frames, count, 100);
            ug_smooth_report report;
            memset(&report, 0xa5, sizeof report);
            assert_int_equal(ug_smooth_markers(m, &report, NULL, NULL, NULL), UG_OK);
            assert_int_equal(report.run_count, 0);
            assert_int_equal(report.markers_missing, count);
            ug_smooth_report_fini(&report);
            ug_markers_destroy(m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_stay_and_short_runs_pass),
        cmocka_unit_test(test_gain_is_the_closed_form),
        cmocka_unit_test(test_agrees_with_another_program),
        cmocka_unit_test(test_lines_pass_unchanged_to_both_ends),
        cmocka_unit_test(test_spline_finds_noise_and_cutoff_of_each_run),
        cmocka_unit_test(test_run_length_limit_is_twelve),
        cmocka_unit_test(test_other_kinds_are_not_touched),
        cmocka_unit_test(test_wrong_input_changes_nothing),
        cmocka_unit_test(test_no_frames_and_no_markers),
    };
    return cmocka_run_group_tests_name("solvers/smooth", tests, NULL, NULL);
}
