// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_alone.c.
#include "solvers/gap_alone.h"

#include "tests/support/markers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 300, FIRST = 100, LENGTH = 9 };

static const ug_gap GAP = { 0, FIRST, FIRST + LENGTH - 1, true, true };

// x = 0.05 f²: a line over a span of 10 frames is off by 0.05 s (10 - s), everywhere alike.
static ug_gap_scene *make_parabola(size_t seen_from, size_t seen_to)
{
    ug_markers *m = make_markers(FRAMES, 1, 100);
    for (size_t f = seen_from; f <= seen_to; f++) {
        put_mm(m, f, 0, 0.05 * (double)f * (double)f, 0.0, 0.0);
    }
    hide(m, 0, GAP.first, GAP.last);
    ug_gap_scene *scene = ug_gap_scene_create(m);
    ug_markers_destroy(m);
    return scene;
}

static void test_error_is_that_of_the_same_fill_elsewhere(void **state)
{
    (void)state;
    ug_gap_scene *s = make_parabola(0, FRAMES - 1);
    double mm[3 * LENGTH], scratch[3 * LENGTH];
    float error_mm[LENGTH];
    assert_true(ug_gap_alone_fill(mm, error_mm, scratch, s, &GAP, UG_FILL_LINEAR));
    for (size_t k = 0; k < LENGTH; k++) {
        const double f = (double)(FIRST + k), at = (double)(k + 1);
        const double off = 0.05 * at * (10.0 - at);
        assert_true(fabs(mm[3 * k] - 0.05 * f * f - off) < 1e-3); // float of 4.5 m
        assert_true(fabs((double)error_mm[k] - off) < 1e-3);
    }
    assert_true(ug_gap_alone_fill(mm, error_mm, scratch, s, &GAP, UG_FILL_CUBIC));
    assert_true(error_mm[4] < 0.01f); // a parabola is a cubic
    ug_gap_scene_destroy(s);
}

static void test_unknown_where_no_stretch_was_seen(void **state)
{
    (void)state;
    ug_gap_scene *s = make_parabola(GAP.first - 4, GAP.last + 4);
    double mm[3 * LENGTH], scratch[3 * LENGTH];
    float error_mm[LENGTH];
    assert_true(ug_gap_alone_fill(mm, error_mm, scratch, s, &GAP, UG_FILL_CUBIC));
    assert_true(isnan(error_mm[0]) && isnan(error_mm[LENGTH - 1]));
    const ug_gap open = { 0, 0, 2, false, true };
    assert_false(ug_gap_alone_fill(mm, error_mm, scratch, s, &open, UG_FILL_LINEAR));
    assert_false(ug_gap_alone_fill(mm, error_mm, scratch, s, &open, UG_FILL_CUBIC));
    ug_gap_scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_is_that_of_the_same_fill_elsewhere),
        cmocka_unit_test(test_unknown_where_no_stretch_was_seen),
    };
    return cmocka_run_group_tests_name("solvers/gap_alone", tests, NULL, NULL);
}
