// SPDX-License-Identifier: MIT
// Unit tests for solvers/excursions.c.
#include "solvers/excursions.h"

#include "tests/support/rigid_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void push(ug_markers *m, size_t marker, size_t first, size_t last, float mm)
{
    for (size_t f = first; f <= last; f++) {
        m->positions[3 * ug_markers_index(m, f, marker) + 1] += mm;
    }
}

static ug_swap_space space_of(const ug_markers *m)
{
    ug_swap_space s;
    assert_int_equal(ug_swap_space_init(&s, m, 1, NULL), UG_OK);
    return s;
}

static void test_stretches_one_after_another(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(500, 5);
    push(m, 0, 100, 100, 30.0f);
    push(m, 0, 200, 207, -25.0f);
    push(m, 0, 300, 320, 40.0f); // 21 frames at 120 Hz: longer than 0.1 s
    ug_swap_space s = space_of(m);
    ug_excursion e;
    assert_true(ug_excursion_next(&e, &s, 0, 1, 10.0));
    assert_int_equal(e.first, 100);
    assert_int_equal(e.last, 100);
    assert_true(fabs(e.height_mm - 30.0) < 0.01); // the body is rigid
    assert_true(ug_excursion_next(&e, &s, 0, e.last + 1, 10.0));
    assert_int_equal(e.first, 200);
    assert_int_equal(e.last, 207);
    assert_true(fabs(e.height_mm - 25.0) < 0.01);
    assert_false(ug_excursion_next(&e, &s, 0, e.last + 1, 10.0));
    assert_false(ug_excursion_next(&e, &s, 1, 1, 10.0)); // its neighbour's spikes are not its own
    assert_false(ug_excursion_next(&e, &s, 0, 150, 26.0));
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

// The whole body jerks; a marker is pushed and stays; a stretch beside a gap.
static void test_what_is_none(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(500, 5);
    for (size_t k = 0; k < 5; k++) {
        push(m, k, 100, 103, 60.0f);
    }
    push(m, 2, 200, 499, 30.0f);
    push(m, 3, 300, 303, 30.0f);
    hide(m, 3, 304, 310);
    ug_swap_space s = space_of(m);
    ug_excursion e;
    for (size_t k = 0; k < 5; k++) {
        assert_false(ug_excursion_next(&e, &s, k, 1, 10.0));
    }
    assert_true(ug_excursion_step_m(&s, 0, 100) < 1e-5); // all of them made that step
    // marker 2, which helps to carry it, was pushed in the world and so is a little off
    assert_true(fabs(ug_excursion_step_m(&s, 3, 300) - 0.03) < 2e-3);
    assert_true(isnan(ug_excursion_step_m(&s, 3, 311)));
    assert_true(isnan(ug_excursion_step_m(&s, 3, 0)));
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

static void test_too_few_neighbours_tell_nothing(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(500, 3);
    push(m, 0, 100, 100, 30.0f);
    ug_swap_space s = space_of(m);
    ug_excursion e;
    assert_false(ug_excursion_next(&e, &s, 0, 1, 10.0));
    assert_true(isnan(ug_excursion_step_m(&s, 0, 100)));
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stretches_one_after_another),
        cmocka_unit_test(test_what_is_none),
        cmocka_unit_test(test_too_few_neighbours_tell_nothing),
    };
    return cmocka_run_group_tests_name("solvers/excursions", tests, NULL, NULL);
}
