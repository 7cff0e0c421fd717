// SPDX-License-Identifier: MIT
// Unit tests for solvers/foot_plant_toes.c.
#include "solvers/foot_plant_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const ug_foot_model FOOT = { .ankle = 0,
                                    .toe = 1,
                                    .tip = 2,
                                    .heel_m = { 0, -0.08, -0.05 },
                                    .ball_m = { 0, -0.07, 0.12 },
                                    .tip_m = { 0, 0, 0.07 } };

// height of the tip, written out again: the ball's, and the toes' bone turned with foot and toes
static double tip_height(ug_quat foot_q, ug_quat toe, double ball_m)
{
    return ball_m + ug_quat_rotate(ug_quat_mul(foot_q, toe), FOOT.tip_m).y;
}

static void test_toes_above_the_floor_are_left_alone(void **state)
{
    (void)state;
    ug_quat toe = ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, -0.2); // up
    const ug_quat before = toe;
    const double height = ug_plant_bend_toes(&toe, &FOOT, UG_QUAT_IDENTITY, 0.02, 0.0);
    assert_memory_equal(&toe, &before, sizeof toe);
    assert_true(fabs(height - tip_height(UG_QUAT_IDENTITY, before, 0.02)) < 1e-15);
}

static void test_toes_in_the_floor_are_bent_just_out_of_it(void **state)
{
    (void)state;
    for (double pitch = 0.1; pitch < 1.2; pitch += 0.1) { // the heel rises, the toes point down
        const ug_quat foot_q = ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, pitch);
        ug_quat toe = UG_QUAT_IDENTITY;
        const double ball_m = 0.01;
        if (tip_height(foot_q, toe, ball_m) >= 0.0) {
            continue;
        }
        const double height = ug_plant_bend_toes(&toe, &FOOT, foot_q, ball_m, 0.0);
        assert_true(fabs(height - tip_height(foot_q, toe, ball_m)) < 1e-12);
        assert_true(fabs(height) < 1e-12);
        assert_true(fabs(ug_quat_dot(toe, toe) - 1.0) < 1e-12);
    }
}

static void test_a_foot_without_length_has_no_hinge(void **state)
{
    (void)state;
    ug_foot_model foot = FOOT;
    foot.heel_m = foot.ball_m = (ug_vec3){ 0, -0.05, 0 };
    ug_quat toe = UG_QUAT_IDENTITY;
    const ug_quat down = ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, 1.0);
    const double height = ug_plant_bend_toes(&toe, &foot, down, 0.01, 0.0);
    assert_true(toe.w == 1.0 && height < 0.0);
}

static void test_only_toes_that_hang_on_the_ankle_bend(void **state)
{
    (void)state;
    ug_skeleton *s = ug_skeleton_create(3);
    s->joints[1].parent = 0;
    const ug_plant_job job = { .skeleton = s };
    ug_foot_model foot = FOOT;
    assert_true(ug_plant_has_toes(&job, &foot));
    foot.tip = -1;
    assert_false(ug_plant_has_toes(&job, &foot));
    foot = FOOT;
    s->joints[1].parent = -1;
    assert_false(ug_plant_has_toes(&job, &foot));
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toes_above_the_floor_are_left_alone),
        cmocka_unit_test(test_toes_in_the_floor_are_bent_just_out_of_it),
        cmocka_unit_test(test_a_foot_without_length_has_no_hinge),
        cmocka_unit_test(test_only_toes_that_hang_on_the_ankle_bend),
    };
    return cmocka_run_group_tests_name("solvers/foot_plant_toes", tests, NULL, NULL);
}
