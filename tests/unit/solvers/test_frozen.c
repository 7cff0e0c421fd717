// SPDX-License-Identifier: MIT
// Unit tests for solvers/frozen.c.
#include "solvers/frozen.h"

#include "tests/support/rigid_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void freeze(ug_markers *m, size_t marker, size_t first, size_t last)
{
    for (size_t f = first + 1; f <= last; f++) {
        memcpy(m->positions + 3 * ug_markers_index(m, f, marker),
               m->positions + 3 * ug_markers_index(m, first, marker), 3 * sizeof *m->positions);
    }
}

static void test_found_and_cleared(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(300, 5);
    freeze(m, 1, 100, 102);
    freeze(m, 1, 299 - 10, 299); // to the end of the take
    freeze(m, 3, 150, 190);
    freeze(m, 4, 20, 21); // two of a value are chance
    ug_markers *before = ug_markers_copy(m);
    ug_frozen frozen;
    ug_warnings warnings = { 0 };
    memset(&frozen, 0xa5, sizeof frozen);
    assert_int_equal(ug_frozen_find(m, &frozen, &warnings, false, NULL), UG_OK);
    assert_true(same_markers(m, before));
    assert_int_equal(frozen.count, 3);
    assert_int_equal(frozen.items[0].marker, 1);
    assert_int_equal(frozen.items[0].first, 101);
    assert_int_equal(frozen.items[0].last, 102);
    const double went =
        ug_vec3_distance(body_point_mm(BODY_MM[1], 100.0), body_point_mm(BODY_MM[1], 102.0));
    // one of its five carriers may stand still, too, but none does here
    assert_true(fabs(frozen.items[0].missed_mm - went) < 0.01);
    assert_int_equal(frozen.items[1].last, 299);
    assert_int_equal(frozen.items[2].marker, 3);
    assert_int_equal(frozen.sample_count, 2 + 10 + 40);
    assert_int_equal(ug_warnings_count(&warnings, "frozen"), 3);
    ug_frozen_fini(&frozen);

    assert_int_equal(ug_frozen_find(m, &frozen, NULL, true, NULL), UG_OK);
    assert_int_equal(ug_markers_missing_count(m), 52);
    assert_true(ug_markers_present(m, 150, 3)); // this one was measured
    assert_false(ug_markers_present(m, 151, 3));
    ug_frozen_fini(&frozen);
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

// Nobody moves; a value made by hand; too few neighbours.
static void test_what_is_left(void **state)
{
    (void)state;
    ug_markers *still = make_rigid_take(300, 5);
    for (size_t k = 0; k < 5; k++) {
        freeze(still, k, 50, 250);
    }
    ug_markers *hand = make_rigid_take(300, 5);
    freeze(hand, 2, 100, 150);
    for (size_t f = 100; f <= 150; f++) {
        hand->origin[ug_markers_index(hand, f, 2)] |= UG_ORIGIN_EDITED;
    }
    ug_markers *lone = make_rigid_take(300, 3);
    freeze(lone, 2, 100, 150);
    ug_markers *const takes[] = { still, hand, lone, make_markers(0, 3, 100),
                                  make_markers(2, 0, 100) };
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) {
        ug_frozen frozen;
        assert_int_equal(ug_frozen_find(takes[i], &frozen, NULL, true, NULL), UG_OK);
        assert_int_equal(frozen.count, 0);
        ug_frozen_fini(&frozen);
        ug_markers_destroy(takes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_and_cleared),
        cmocka_unit_test(test_what_is_left),
    };
    return cmocka_run_group_tests_name("solvers/frozen", tests, NULL, NULL);
}
