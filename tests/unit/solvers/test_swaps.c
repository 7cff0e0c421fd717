// SPDX-License-Identifier: MIT
// Unit tests for solvers/swaps.c.
#include "solvers/swaps.h"

#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void exchange(ug_markers *m, size_t a, size_t b, size_t first, size_t end)
{
    for (size_t f = first; f < end; f++) {
        for (size_t k = 0; k < 3; k++) {
            float *p = m->positions + 3 * ug_markers_index(m, f, a) + k;
            float *q = m->positions + 3 * ug_markers_index(m, f, b) + k;
            const float kept = *p;
            *p = *q;
            *q = kept;
        }
    }
}

static void test_both_ends_of_every_exchange(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    exchange(m, 1, 3, 100, 180);
    exchange(m, 0, 4, 150, 151); // one frame: only where it starts
    exchange(m, 2, 1, 500, 600); // to the end
    ug_swaps swaps;
    ug_warnings warnings = { 0 };
    memset(&swaps, 0xa5, sizeof swaps);
    assert_int_equal(ug_swaps_find(&swaps, m, &warnings, NULL), UG_OK);
    const ug_swap wanted[] = { { 1, 3, 100 }, { 0, 4, 150 }, { 1, 3, 180 }, { 1, 2, 500 } };
    assert_int_equal(swaps.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(swaps.items[i].marker, wanted[i].marker);
        assert_int_equal(swaps.items[i].other, wanted[i].other);
        assert_int_equal(swaps.items[i].frame, wanted[i].frame);
    }
    assert_int_equal(ug_warnings_count(&warnings, "swap_suspected"), 4);
    assert_string_equal(warnings.items[0].first,
                        "markers 'M1' and 'M3' exchange their places at frame 100");
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
}

// A spike, a step, two that jump together, and an exchange across a gap are none.
static void test_what_is_no_exchange(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    for (size_t f = 300; f < 600; f++) { // both jump the same way
        m->positions[3 * ug_markers_index(m, f, 2) + 1] += 40.0f;
        m->positions[3 * ug_markers_index(m, f, 3) + 1] += 40.0f;
    }
    m->positions[3 * ug_markers_index(m, 200, 0)] += 80.0f;
    exchange(m, 0, 1, 400, 600);
    hide(m, 0, 398, 403);
    ug_swaps swaps;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL), UG_OK);
    assert_int_equal(swaps.count, 0);
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
}

static void test_empty_takes_and_wrong_ones(void **state)
{
    (void)state;
    ug_swaps swaps;
    for (size_t frames = 0; frames < 4; frames++) {
        ug_markers *m = make_markers(frames, 2, 100);
        assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL), UG_OK);
        assert_int_equal(swaps.count, 0);
        ug_markers_destroy(m);
    }
    ug_error err = { 0 };
    ug_markers *m = make_rigid_take(5, 2);
    m->scale_m = 0.0;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, &err), UG_E_DATA);
    assert_null(swaps.items);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ends_of_every_exchange),
        cmocka_unit_test(test_what_is_no_exchange),
        cmocka_unit_test(test_empty_takes_and_wrong_ones),
    };
    return cmocka_run_group_tests_name("solvers/swaps", tests, NULL, NULL);
}
