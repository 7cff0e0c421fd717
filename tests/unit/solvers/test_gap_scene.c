// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_scene.c.
#include "solvers/gap_scene.h"

#include "tests/support/rigid_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_nothing_of_the_missing_is_copied(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(50, 4);
    hide(m, 1, 10, 19);
    m->kinds[2] = UG_POINT_VIRTUAL;
    m->positions[3 * ug_markers_index(m, 12, 1)] = 123.0f; // left behind in a missing sample
    m->positions[3 * ug_markers_index(m, 12, 1) + 1] = 4.0f;
    ug_gap_scene *s = ug_gap_scene_create(m);
    assert_non_null(s);
    assert_true(isnan(s->mm[3 * ug_scene_index(s, 12, 1)]));
    assert_true(isnan(s->mm[3 * ug_scene_index(s, 12, 1) + 1]));
    assert_int_equal(ug_scene_state(s, 12, 1), UG_SCENE_MISSING);
    assert_int_equal(ug_scene_state(s, 12, 2), UG_SCENE_MISSING); // no marker
    assert_int_equal(ug_scene_state(s, 12, 0), UG_SCENE_SEEN);
    // float millimetres near 1 m
    assert_true(ug_vec3_distance(ug_scene_mm(s, 7, 0), body_point_mm(BODY_MM[0], 7)) < 1e-3);
    ug_gap_scene_destroy(s);
    ug_markers_destroy(m);
}

static void test_counts_answer_for_any_stretch(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(50, 2);
    hide(m, 1, 10, 19);
    ug_gap_scene *s = ug_gap_scene_create(m);
    assert_true(ug_scene_seen(s, 1, 0, 9) && ug_scene_seen(s, 1, 20, 49));
    assert_false(ug_scene_seen(s, 1, 9, 10) || ug_scene_there(s, 1, 19, 19));
    const ug_gap gap = { 1, 10, 14, true, true };
    const double mm[15] = { 1, 2, 3 };
    const float error_mm[5] = { 4.0f, 5.0f };
    ug_gap_scene_lay(s, &gap, mm, error_mm, UG_SCENE_FILLED);
    ug_gap_scene_count(s);
    assert_true(ug_scene_there(s, 1, 0, 14) && !ug_scene_there(s, 1, 0, 15));
    assert_false(ug_scene_seen(s, 1, 0, 10));
    assert_true(s->error_mm[ug_scene_index(s, 11, 1)] == 5.0f);
    assert_true(ug_scene_mm(s, 10, 1).z == 3.0);
    ug_gap_scene_destroy(s);
    ug_markers_destroy(m);
}

static void test_pairs_of_a_rigid_body_keep_their_distance(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(400, 4);
    hide(m, 3, 0, 395); // four frames: not enough to say anything
    ug_gap_scene *s = ug_gap_scene_create(m);
    ug_gap_scene_measure_pairs(s);
    const ug_scene_pair pair = s->pair[4 * 0 + 1];
    assert_true(fabs((double)pair.mean_mm - 120.0) < 1e-3);
    assert_true((double)pair.spread_mm < 1e-3);
    assert_true(s->pair[4 * 1 + 0].mean_mm == pair.mean_mm);
    assert_true(isinf(s->pair[4 * 0 + 3].spread_mm) && isinf(s->pair[0].spread_mm));
    ug_gap_scene_destroy(s);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_of_the_missing_is_copied),
        cmocka_unit_test(test_counts_answer_for_any_stretch),
        cmocka_unit_test(test_pairs_of_a_rigid_body_keep_their_distance),
    };
    return cmocka_run_group_tests_name("solvers/gap_scene", tests, NULL, NULL);
}
