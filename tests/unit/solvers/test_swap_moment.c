// SPDX-License-Identifier: MIT
// Unit tests for solvers/swap_moment.c: which of two courses costs less.
#include "solvers/markers_move.h"
#include "tests/support/swap_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct fixture {
    ug_markers *markers;
    ug_swap_space space;
    ug_swap_model model;
} fixture;

static void make(fixture *x, ug_markers *m)
{
    x->markers = m;
    x->space = make_space(m);
    x->model = make_model(&x->space, 2, 0, 3, 0);
}

static void release(fixture *x)
{
    ug_swap_model_fini(&x->model);
    ug_swap_space_fini(&x->space);
    ug_markers_destroy(x->markers);
}

static double cost(const fixture *x, size_t frame, size_t first, size_t before, size_t now)
{
    ug_swap_moment t = { .frame = SIZE_MAX - 1 };
    ug_swap_moment_set(&t, &x->model, frame);
    return ug_swap_moment_cost(&t, &x->model, first, before, now);
}

static void test_motion_and_place(void **state)
{
    (void)state;
    fixture x;
    ug_markers *m = make_rigid_take(600, 5);
    for (size_t f = 300; f < 330; f++) {
        ug_markers_exchange(m, f, 0, 3);
    }
    make(&x, m);
    assert_true(cost(&x, 200, 0, 0, 0) + 10.0 < cost(&x, 200, 0, 0, 1)); // nothing changes here
    assert_true(cost(&x, 300, 0, 0, 1) + 10.0 < cost(&x, 300, 0, 0, 0)); // here they do
    assert_true(cost(&x, 315, 1, 1, 1) < cost(&x, 315, 0, 0, 0)); // smooth both, but places tell
    assert_true(cost(&x, 330, 1, 1, 0) + 10.0 < cost(&x, 330, 1, 1, 1));
    release(&x);
}

// Both out of sight, back at different frames: the first that returns speaks for both.
static void test_returns(void **state)
{
    (void)state;
    fixture x;
    ug_markers *m = make_rigid_take(600, 5);
    hide(m, 0, 280, 309);
    hide(m, 3, 270, 304);
    for (size_t f = 305; f < 400; f++) {
        ug_markers_exchange(m, f, 0, 3);
    }
    make(&x, m); // label 0 is back at 305, and label 3 at 310
    assert_true(cost(&x, 305, 0, 0, 1) + 10.0 < cost(&x, 305, 0, 0, 0));
    assert_true(cost(&x, 310, 1, 1, 1) < cost(&x, 310, 0, 0, 0) + 1.0);
    ug_swap_moment t = { .frame = SIZE_MAX - 1 };
    ug_swap_moment_set(&t, &x.model, 290);
    assert_false(t.any_return);
    assert_int_equal(t.now.seen_count, 0);
    release(&x);
}

// A moment that follows the last is the same as one made afresh.
static void test_following_moments(void **state)
{
    (void)state;
    fixture x;
    ug_markers *m = make_rigid_take(60, 5);
    hide(m, 0, 20, 24);
    hide(m, 3, 22, 30);
    make(&x, m);
    ug_swap_moment t = { .frame = SIZE_MAX - 1 };
    for (size_t f = 0; f < 60; f++) {
        ug_swap_moment_set(&t, &x.model, f);
        for (size_t s = 0; s < 8; s++) {
            assert_true(ug_swap_moment_cost(&t, &x.model, s & 1, s >> 1 & 1, s >> 2) ==
                        cost(&x, f, s & 1, s >> 1 & 1, s >> 2));
        }
    }
    release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motion_and_place),
        cmocka_unit_test(test_returns),
        cmocka_unit_test(test_following_moments),
    };
    return cmocka_run_group_tests_name("solvers/swap_moment", tests, NULL, NULL);
}
