// SPDX-License-Identifier: MIT
// Unit tests for solvers/swap_rounds.c.
#include "solvers/swap_rounds.h"

#include "solvers/markers_move.h"
#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Exchanges that spoil one another's neighbours, of all the body there is; and all of it undone.
static void test_overlapping_exchanges_and_back(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5), *right = ug_markers_copy(m);
    for (size_t f = 200; f < 260; f++) {
        ug_markers_exchange(m, f, 0, 1);
    }
    for (size_t f = 240; f < 300; f++) {
        ug_markers_exchange(m, f, 2, 4);
    }
    ug_markers *before = ug_markers_copy(m);
    ug_swaps made = { 0 }, unsure = { 0 };
    const ug_swaps_opts opts = ug_swaps_default_opts();
    assert_int_equal(ug_swap_rounds(&made, &unsure, m, &opts, NULL), UG_OK);
    assert_true(same_markers(m, right)); // no bit is set here
    assert_true(made.count >= 2);
    assert_int_equal(unsure.count, 0);
    for (size_t i = made.count; i-- > 0;) {
        ug_swap_put_back(m, &made.items[i]);
    }
    assert_true(same_markers(m, before));
    ug_swaps_fini(&made);
    ug_markers_destroy(m);
    ug_markers_destroy(before);
    ug_markers_destroy(right);
}

static void test_ordered_by_time(void **state)
{
    (void)state;
    ug_swaps s = { 0 };
    for (size_t i = 0; i < 5; i++) {
        const ug_swap swap = { .count = 2, .markers = { i % 2, 3 }, .first = 40 - 10 * i / 2 * 2 };
        assert_int_equal(ug_swaps_append(&s, &swap, NULL), UG_OK);
    }
    ug_swaps_sort(&s);
    for (size_t i = 1; i < 5; i++) {
        assert_true(s.items[i - 1].first <= s.items[i].first);
    }
    ug_swaps_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlapping_exchanges_and_back),
        cmocka_unit_test(test_ordered_by_time),
    };
    return cmocka_run_group_tests_name("solvers/swap_rounds", tests, NULL, NULL);
}
