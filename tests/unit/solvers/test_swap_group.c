// SPDX-License-Identifier: MIT
// Unit tests for solvers/swap_group.c.
#include "tests/support/swap_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Every permutation once, the first of them none, and never two members under one label.
static void test_states_are_all_permutations(void **state)
{
    (void)state;
    for (size_t members = 2; members <= 3; members++) {
        size_t count = 0;
        const uint8_t(*states)[UG_SWAP_GROUP_MAX] = ug_swap_states(members, &count);
        assert_int_equal(count, members == 2 ? 2 : 6);
        for (size_t s = 0; s < count; s++) {
            unsigned labels = 0;
            for (size_t i = 0; i < members; i++) {
                assert_true(s > 0 || states[s][i] == i);
                labels |= 1u << states[s][i];
            }
            assert_int_equal(labels, (1u << members) - 1);
            for (size_t t = 0; t < s; t++) {
                assert_true(memcmp(states[s], states[t], members) != 0);
            }
        }
    }
}

static void test_distances_know_their_own(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    ug_swap_space s = make_space(m);
    ug_swap_model model = make_model(&s, 2, 0, 3, 0);
    assert_int_equal(model.neighbour_count, 3); // the rest of the body
    for (size_t f = 0; f < 600; f += 50) {
        double own[2], other[2];
        assert_true(ug_swap_misfits(own, &model, f, ug_swap_place_m(&s, f, 0)));
        assert_true(ug_swap_misfits(other, &model, f, ug_swap_place_m(&s, f, 3)));
        assert_true(own[0] < 0.01 && own[1] > 5.0);
        assert_true(other[1] < 0.01 && other[0] > 5.0);
        // what tells them apart says so of each label's own sample
        const ug_swap_leaning *l = &model.leanings[0][1];
        assert_true(l->gain > 0.0 && l->gain * (own[1] - own[0] - l->centre) > 1.0);
    }
    size_t company[UG_SWAP_COMPANY_MAX];
    const size_t count = ug_swap_model_company(company, &model);
    assert_int_equal(count, 3 + 3 + 3); // neighbours, and the carriers of both
    for (size_t i = 0; i < count; i++) {
        assert_true(company[i] != 0 && company[i] != 3);
    }
    ug_swap_model_fini(&model);
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

// Nothing is said where nothing is known: two markers alone, and neighbours out of sight.
static void test_without_neighbours(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 2);
    ug_swap_space s = make_space(m);
    ug_swap_model model = make_model(&s, 2, 0, 1, 0);
    double u[2];
    assert_int_equal(model.neighbour_count, 0);
    assert_false(ug_swap_misfits(u, &model, 5, ug_swap_place_m(&s, 5, 0)));
    assert_true(model.leanings[0][1].gain == 0.0);
    ug_swap_model_fini(&model);
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

static void test_scales_follow_the_motion(void **state)
{
    (void)state;
    ug_markers *m = make_markers(240, 2, 120);
    for (size_t f = 0; f < 240; f++) { // still, then every frame the other way by 10 mm
        const double jerk = f >= 120 && f % 2 ? 10.0 : 0.0;
        put_mm(m, f, 0, 0.0, 0.0, 0.0);
        put_mm(m, f, 1, 200.0 + jerk, 0.0, 0.0);
    }
    ug_swap_space s = make_space(m);
    ug_swap_model model = make_model(&s, 2, 0, 1, 0);
    const ug_swap_scale *first = &model.scales[0], *last = &model.scales[239 / model.block];
    assert_true((double)first->turn_m < 0.0006); // the floor
    // half of a second difference of 20 mm each, centre taken out
    assert_true(fabs((double)last->turn_m - 0.010) < 1e-6);
    assert_true(fabs((double)last->step_m - 0.005) < 1e-6);
    ug_swap_model_fini(&model);
    ug_swap_space_fini(&s);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_all_permutations),
        cmocka_unit_test(test_distances_know_their_own),
        cmocka_unit_test(test_without_neighbours),
        cmocka_unit_test(test_scales_follow_the_motion),
    };
    return cmocka_run_group_tests_name("solvers/swap_group", tests, NULL, NULL);
}
