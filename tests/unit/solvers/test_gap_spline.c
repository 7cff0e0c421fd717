// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_spline.c and what it needs of solvers/gap.c.
#include "solvers/gap_spline.h"

#include "tests/support/markers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 60, FIRST = 25, LAST = 32, LENGTH = LAST - FIRST + 1 };

static const ug_gap GAP = { 0, FIRST, LAST, true, true };

static ug_vec3 parabola_mm(double f)
{
    return (ug_vec3){ 3.0 * f, 400.0 + 0.5 * f * f, 7.0 - 2.0 * f - 0.25 * f * f };
}

static ug_markers *make_parabola(void)
{
    ug_markers *m = make_markers(FRAMES, 1, 100);
    for (size_t f = 0; f < FRAMES; f++) {
        const ug_vec3 p = parabola_mm((double)f);
        put_mm(m, f, 0, p.x, p.y, p.z);
    }
    return m;
}

static void test_parabola_is_exact(void **state)
{
    (void)state;
    ug_markers *m = make_parabola();
    ug_vec3 out[LENGTH];
    memset(out, 0xa5, sizeof out);
    assert_true(ug_gap_spline_fill(out, m, &GAP));
    for (size_t i = 0; i < LENGTH; i++) {
        const ug_vec3 want = ug_vec3_scale(parabola_mm((double)(FIRST + i)), 1e-3);
        assert_true(ug_vec3_distance(out[i], want) < 1e-6); // float samples near 1 m
    }
    ug_markers_destroy(m);
}

static void test_own_frames_are_not_read(void **state)
{
    (void)state;
    ug_markers *m = make_parabola(), *hidden = make_parabola();
    hide(hidden, 0, FIRST, LAST);
    ug_vec3 seen[LENGTH], missing[LENGTH];
    assert_true(ug_gap_spline_fill(seen, m, &GAP));
    assert_true(ug_gap_spline_fill(missing, hidden, &GAP));
    assert_memory_equal(seen, missing, sizeof seen);
    ug_markers_destroy(hidden);
    ug_markers_destroy(m);
}

// On a path that is no polynomial: the fill leaves each end with the fitted slope, so the second
// difference across an end is that of a smooth curve and not of a kink.
static void test_meets_both_ends_in_value_and_slope(void **state)
{
    (void)state;
    ug_markers *m = make_markers(400, 1, 1000);
    for (size_t f = 0; f < 400; f++) {
        put_mm(m, f, 0, 100.0 * sin(0.02 * (double)f), 0.0, 50.0 * cos(0.03 * (double)f));
    }
    enum { N = 60 };
    const ug_gap gap = { 0, 150, 150 + N - 1, true, true };
    ug_vec3 out[N];
    assert_true(ug_gap_spline_fill(out, m, &gap));
    const ug_vec3 before = ug_markers_position_m(m, 149, 0),
                  after = ug_markers_position_m(m, 210, 0);
    const double slope0 = ug_vec3_distance(out[0], before);
    const double slope1 = ug_vec3_distance(after, out[N - 1]);
    const double true0 = ug_vec3_distance(before, ug_markers_position_m(m, 148, 0));
    const double true1 = ug_vec3_distance(ug_markers_position_m(m, 211, 0), after);
    assert_true(fabs(slope0 - true0) < 0.06 * true0);
    assert_true(fabs(slope1 - true1) < 0.06 * true1);
    for (size_t i = 0; i < N; i++) {
        // within what a cubic leaves: h^4/384 max |x''''| = 60^4/384 · 100 · 0.03^4 um < 3 mm
        assert_true(ug_vec3_distance(out[i], ug_markers_position_m(m, 150 + i, 0)) < 0.003);
    }
    ug_markers_destroy(m);
}

static void test_noise_makes_no_bulge(void **state)
{
    (void)state;
    ug_markers *m = make_markers(FRAMES, 1, 200);
    for (size_t f = 0; f < FRAMES; f++) {
        put_mm(m, f, 0, f % 2 == 0 ? 0.2 : -0.2, 0.0, 0.0);
    }
    ug_vec3 out[LENGTH];
    assert_true(ug_gap_spline_fill(out, m, &GAP));
    for (size_t i = 0; i < LENGTH; i++) {
        // slopes of two samples (0.4 mm a frame) would bulge by 9 · 0.4 · 4/27 = 0.53 mm
        assert_true(fabs(out[i].x) < 0.35e-3);
    }
    ug_markers_destroy(m);
}

static void test_single_samples_beside_the_gap(void **state)
{
    (void)state;
    ug_markers *m = make_parabola();
    hide(m, 0, 0, FIRST - 2);
    ug_vec3 out[LENGTH];
    assert_true(ug_gap_spline_fill(out, m, &GAP)); // the other side's slope makes it a parabola
    assert_true(ug_vec3_distance(out[3], ug_vec3_scale(parabola_mm(FIRST + 3), 1e-3)) < 1e-6);
    hide(m, 0, LAST + 2, FRAMES - 1);
    assert_true(ug_gap_spline_fill(out, m, &GAP)); // now a line
    const ug_vec3 p0 = ug_markers_position_m(m, FIRST - 1, 0),
                  p1 = ug_markers_position_m(m, LAST + 1, 0);
    for (size_t i = 0; i < LENGTH; i++) {
        const double u = (double)(i + 1) / (LENGTH + 1);
        assert_true(ug_vec3_distance(out[i], ug_vec3_lerp(p0, p1, u)) < 1e-12);
    }
    ug_markers_destroy(m);
}

static void test_open_ends_are_refused(void **state)
{
    (void)state;
    ug_markers *m = make_parabola();
    ug_vec3 out[FRAMES], untouched[FRAMES];
    memset(out, 0xa5, sizeof out);
    memcpy(untouched, out, sizeof out);
    assert_false(ug_gap_spline_fill(out, m, &(ug_gap){ 0, 0, 4, false, true }));
    assert_false(ug_gap_spline_fill(out, m, &(ug_gap){ 0, 55, 59, true, false }));
    assert_false(ug_gap_spline_fill(out, m, &(ug_gap){ 0, 0, 59, false, false }));
    hide(m, 0, FIRST - 1, LAST); // the sample that the gap promises is not there
    assert_false(ug_gap_spline_fill(out, m, &GAP));
    assert_memory_equal(out, untouched, sizeof out);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parabola_is_exact),
        cmocka_unit_test(test_own_frames_are_not_read),
        cmocka_unit_test(test_meets_both_ends_in_value_and_slope),
        cmocka_unit_test(test_noise_makes_no_bulge),
        cmocka_unit_test(test_single_samples_beside_the_gap),
        cmocka_unit_test(test_open_ends_are_refused),
    };
    return cmocka_run_group_tests_name("solvers/gap_spline", tests, NULL, NULL);
}
