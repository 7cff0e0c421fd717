// SPDX-License-Identifier: MIT
// Unit tests for solvers/swap_suspects.c.
#include "solvers/swap_suspects.h"

#include "solvers/markers_move.h"
#include "tests/support/swap_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void exchange(ug_markers *m, size_t a, size_t b, size_t first, size_t last)
{
    for (size_t f = first; f <= last; f++) {
        ug_markers_exchange(m, f, a, b);
    }
}

static ug_swap_suspects find(ug_markers *m)
{
    ug_swap_space s = make_space(m);
    ug_swap_suspects out;
    assert_int_equal(ug_swap_suspects_find(&out, &s, NULL), UG_OK);
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
    return out;
}

static bool has(const ug_swap_suspects *s, size_t count, size_t a, size_t b, size_t c)
{
    size_t found = 0;
    for (size_t i = 0; i < s->count; i++) {
        const ug_swap_group *g = &s->groups[i];
        found += g->count == count && g->members[0] == a && g->members[1] == b &&
                 (count == 2 || g->members[2] == c);
    }
    return found == 1; // each once
}

static void test_nothing_in_a_right_take(void **state)
{
    (void)state;
    ug_swap_suspects s = find(make_rigid_take(600, 5));
    assert_int_equal(s.count, 0);
    ug_swap_suspects_fini(&s);
}

static void test_jumps_and_rings(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    exchange(m, 3, 1, 100, 100);
    exchange(m, 3, 1, 200, 250);
    exchange(m, 0, 2, 400, 420);
    exchange(m, 2, 4, 400, 420);
    ug_swap_suspects s = find(m);
    assert_true(has(&s, 2, 1, 3, 0));
    assert_true(has(&s, 3, 0, 2, 4));
    ug_swap_suspects_fini(&s);
}

static void test_returns_and_hidden_partners(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    hide(m, 0, 100, 150);
    hide(m, 2, 110, 145);
    exchange(m, 0, 2, 146, 599); // back exchanged for good
    hide(m, 3, 400, 440);        // while 3 is hidden, label 4 goes to it and back
    exchange(m, 3, 4, 410, 430);
    hide(m, 3, 410, 430);
    for (size_t f = 410; f <= 430; f++) {
        const ug_vec3 p = body_point_mm(BODY_MM[3], (double)f);
        put_mm(m, f, 4, p.x, p.y, p.z);
    }
    ug_swap_suspects s = find(m);
    assert_true(has(&s, 2, 0, 2, 0));
    assert_true(has(&s, 2, 3, 4, 0));
    ug_swap_suspects_fini(&s);
}

// Two that come closer than they move in a frame; and one marker under two labels, which is none.
static void test_crossings_and_twins(void **state)
{
    (void)state;
    ug_markers *m = make_markers(200, 4, 100);
    for (size_t f = 0; f < 200; f++) {
        const double t = (double)f - 100.0;
        put_mm(m, f, 0, 8.0 * t, 0.0, 0.0);
        put_mm(m, f, 1, -8.0 * t, 3.0, 0.0);
        put_mm(m, f, 2, 0.0, 500.0, 4.0 * t);
        put_mm(m, f, 3, 0.5, 500.0, 4.0 * t); // always half a millimetre off 2
    }
    ug_swap_suspects s = find(m);
    assert_int_equal(s.count, 1);
    assert_true(has(&s, 2, 0, 1, 0));
    ug_swap_suspects_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_in_a_right_take),
        cmocka_unit_test(test_jumps_and_rings),
        cmocka_unit_test(test_returns_and_hidden_partners),
        cmocka_unit_test(test_crossings_and_twins),
    };
    return cmocka_run_group_tests_name("solvers/swap_suspects", tests, NULL, NULL);
}
