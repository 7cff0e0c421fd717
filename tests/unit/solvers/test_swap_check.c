// SPDX-License-Identifier: MIT
// Unit tests for solvers/swap_check.c.
#include "solvers/swap_check.h"

#include "solvers/markers_move.h"
#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool doubtful(const ug_markers *m, size_t a, size_t b, size_t first, size_t last)
{
    const ug_swap swap = { .count = 2, .markers = { a, b }, .first = first, .last = last };
    return ug_swap_doubtful(m, &swap);
}

static void exchange(ug_markers *m, size_t a, size_t b, size_t first, size_t last)
{
    for (size_t f = first; f <= last; f++) {
        ug_markers_exchange(m, f, a, b);
    }
}

// Where the "repaired" take is the true one nothing is doubted; where the repair made it wrong, it
// is.
static void test_short_ones_by_their_paths(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(200, 5);
    assert_false(doubtful(m, 0, 1, 50, 50));
    assert_false(doubtful(m, 2, 4, 50, 60));
    exchange(m, 0, 1, 50, 50);
    exchange(m, 2, 4, 80, 90);
    assert_true(doubtful(m, 0, 1, 50, 50));
    assert_true(doubtful(m, 2, 4, 80, 90));
    ug_markers_destroy(m);
}

// The partner is hidden in the one frame that was moved, each next to it in turn.
static void test_a_single_sample_between_holes(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(200, 5);
    hide(m, 0, 49, 49);
    hide(m, 1, 50, 50);
    hide(m, 0, 51, 51);
    assert_false(doubtful(m, 0, 1, 50, 50));
    exchange(m, 0, 1, 50, 50);
    assert_true(doubtful(m, 0, 1, 50, 50));
    ug_markers_destroy(m);
}

static void test_nothing_is_said_without_both_paths(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(200, 5);
    exchange(m, 0, 1, 50, 50);
    exchange(m, 0, 1, 120, 150); // a quarter of a second: no straight line
    assert_false(doubtful(m, 0, 1, 120, 150));
    hide(m, 0, 51, 70);
    assert_false(doubtful(m, 0, 1, 50, 50));
    assert_false(doubtful(m, 0, 1, 0, 3)); // no path before the first frame
    ug_markers_destroy(m);
}

// 30 frames, of which 20 at 5 mm: most are together. A crossing of 10 frames is not.
static void test_markers_together_are_left_alone(void **state)
{
    (void)state;
    for (size_t close = 10; close <= 20; close += 10) {
        ug_markers *m = make_rigid_take(200, 5);
        for (size_t f = 100; f < 100 + close; f++) {
            const ug_vec3 p = body_point_mm(BODY_MM[0], (double)f);
            put_mm(m, f, 1, p.x + 5.0, p.y, p.z);
        }
        assert_int_equal(doubtful(m, 0, 1, 100, 129), close == 20);
        ug_markers_destroy(m);
    }
}

// Half as far apart as ever, through a hole: no exchange explains that. In view to both ends it may
// be.
static void test_nearer_than_ever_through_a_hole(void **state)
{
    (void)state;
    for (int hidden = 0; hidden < 2; hidden++) {
        ug_markers *m = make_rigid_take(200, 5);
        for (size_t f = 100; f < 130; f++) {
            const ug_vec3 p = body_point_mm(BODY_MM[0], (double)f);
            put_mm(m, f, 1, p.x + 60.0, p.y, p.z); // 120 mm elsewhere
        }
        if (hidden) {
            hide(m, 1, 120, 129);
        }
        assert_int_equal(doubtful(m, 0, 1, 100, 129), hidden);
        ug_markers_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_ones_by_their_paths),
        cmocka_unit_test(test_a_single_sample_between_holes),
        cmocka_unit_test(test_nothing_is_said_without_both_paths),
        cmocka_unit_test(test_markers_together_are_left_alone),
        cmocka_unit_test(test_nearer_than_ever_through_a_hole),
    };
    return cmocka_run_group_tests_name("solvers/swap_check", tests, NULL, NULL);
}
