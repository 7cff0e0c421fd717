// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_spline.c.
#include "solvers/gap_spline.h"

#include "motion/conventions.h"
#include "tests/support/markers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 80, FIRST = 35, LAST = 40, LENGTH = LAST - FIRST + 1 };

static const ug_gap GAP = { 0, FIRST, LAST, true, true };

static double sine_mm(double f)
{
    return 100.0 * sin(2.0 * UG_PI * f / 60.0);
}

static ug_markers *make_sine(void)
{
    ug_markers *m = make_markers(FRAMES, 1, 100);
    for (size_t f = 0; f < FRAMES; f++) {
        put_mm(m, f, 0, sine_mm((double)f), 3.0 * (double)f, 7.0);
    }
    return m;
}

static bool fill(double *out, const ug_markers *m, const ug_gap *gap)
{
    ug_gap_scene *s = ug_gap_scene_create(m);
    const bool good = ug_gap_spline_fill(out, s, gap);
    ug_gap_scene_destroy(s);
    return good;
}

static void test_sine_within_the_bound_of_cubics(void **state)
{
    (void)state;
    ug_markers *m = make_sine();
    hide(m, 0, FIRST, LAST);
    hide(m, 0, LAST + 3, LAST + 4); // another hole beside it: its knots are passed over
    double out[3 * LENGTH];
    memset(out, 0xa5, sizeof out);
    assert_true(fill(out, m, &GAP));
    // de Boor II: 5/384 h⁴ max|f''''| of a complete spline with knots h = 7 frames apart
    const double w = 2.0 * UG_PI / 60.0, bound = 5.0 / 384.0 * pow(7.0 * w, 4.0) * 100.0;
    for (size_t k = 0; k < LENGTH; k++) {
        assert_true(fabs(out[3 * k] - sine_mm((double)(FIRST + k))) < bound);
        assert_true(fabs(out[3 * k + 1] - 3.0 * (double)(FIRST + k)) < 1e-9); // a line is a line
        assert_true(fabs(out[3 * k + 2] - 7.0) < 1e-12);
    }
    ug_markers_destroy(m);
}

static void test_own_frames_are_not_read(void **state)
{
    (void)state;
    ug_markers *m = make_sine(), *hidden = make_sine();
    hide(hidden, 0, FIRST, LAST);
    double seen[3 * LENGTH], missing[3 * LENGTH];
    assert_true(fill(seen, m, &GAP));
    assert_true(fill(missing, hidden, &GAP));
    assert_memory_equal(seen, missing, sizeof seen);
    ug_markers_destroy(hidden);
    ug_markers_destroy(m);
}

static void test_few_samples_and_open_ends(void **state)
{
    (void)state;
    ug_markers *m = make_sine();
    hide(m, 0, 0, FIRST - 2);
    hide(m, 0, FIRST, LAST);
    hide(m, 0, LAST + 2, FRAMES - 1); // one sample on either side: a line
    double out[3 * FRAMES];
    assert_true(fill(out, m, &GAP));
    const double a = sine_mm(FIRST - 1), b = sine_mm(LAST + 1);
    assert_true(fabs(out[0] - (a + (b - a) / (LENGTH + 1))) < 1e-4);
    assert_false(fill(out, m, &(ug_gap){ 0, 0, 4, false, true }));
    assert_false(fill(out, m, &(ug_gap){ 0, 75, 79, true, false }));
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_within_the_bound_of_cubics),
        cmocka_unit_test(test_own_frames_are_not_read),
        cmocka_unit_test(test_few_samples_and_open_ends),
    };
    return cmocka_run_group_tests_name("solvers/gap_spline", tests, NULL, NULL);
}
