// SPDX-License-Identifier: MIT
// Unit tests for solvers/ik_prior.c: costs by hand, gradients against central differences.
#include "solvers/ik_pose.h"
#include "solvers/ik_prior.h"
#include "tests/support/mixed_body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { DOF_MAX = 6 * MIXED_JOINTS, POSE_MAX = 7 * MIXED_JOINTS };

typedef struct fixture {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_ik_model *model;
    double pose[POSE_MAX], toward[POSE_MAX], centre[DOF_MAX];
} fixture;

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    fx->skeleton = mixed_skeleton();
    mixed_attachments(&fx->attachments);
    if (ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL) != UG_OK) {
        return -1;
    }
    double step[DOF_MAX];
    ug_ik_pose_rest(fx->pose, fx->model);
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        step[d] = 0.7 * sin(1.7 * (double)d + 0.3);
        fx->centre[d] = 0.1 * cos((double)d);
    }
    ug_ik_retract(fx->pose, fx->model, fx->pose, step);
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        step[d] = 0.3 * cos(2.1 * (double)d);
    }
    ug_ik_retract(fx->toward, fx->model, fx->pose, step);
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx);
    return 0;
}

static void check_gradient(const fixture *fx, const ug_ik_prior *prior)
{
    const size_t n = fx->model->dof_count;
    const double h = 1e-5;
    double gradient[DOF_MAX] = { 0 };
    const double cost = ug_ik_prior_add(NULL, gradient, fx->model, fx->pose, prior);
    assert_true(cost > 0.0);
    for (size_t d = 0; d < n; d++) {
        double side[2];
        for (int i = 0; i < 2; i++) {
            double step[DOF_MAX] = { 0 }, pose[POSE_MAX];
            step[d] = i ? h : -h;
            ug_ik_retract(pose, fx->model, fx->pose, step);
            side[i] = ug_ik_prior_add(NULL, NULL, fx->model, pose, prior);
        }
        const double slope = (side[1] - side[0]) / (2.0 * h);
        // relative to the cost, which reaches hundreds with stiff limits
        assert_true(fabs(slope + 2.0 * gradient[d]) <= 1e-8 * fmax(1.0, cost));
    }
}

static void test_gradients_against_differences(void **state)
{
    const fixture *fx = *state;
    check_gradient(fx, &(ug_ik_prior){ .pose = true });
    check_gradient(fx, &(ug_ik_prior){ .pose = true, .centre = fx->centre });
    check_gradient(fx, &(ug_ik_prior){ .limit_sigma_rad = 0.03 });
    check_gradient(fx, &(ug_ik_prior){ .toward = fx->toward, .toward_sigma_rad = 0.02 });
}

// With a quadratic cost in the angles, H is JᵀWJ: for hinges 1/σ² exactly.
static void test_hessian_of_a_hinge(void **state)
{
    const fixture *fx = *state;
    const size_t n = fx->model->dof_count;
    const size_t d = (size_t)fx->model->joints[3].dof;
    double hessian[DOF_MAX * DOF_MAX] = { 0 }, gradient[DOF_MAX] = { 0 };
    (void)ug_ik_prior_add(hessian, gradient, fx->model, fx->pose, &(ug_ik_prior){ .pose = true });
    assert_true(fabs(hessian[d * n + d] - 1.0 / 0.25) < 1e-12);
    // FREE joints are exempt
    for (size_t i = 0; i < 6; i++) {
        assert_true(hessian[i * n + i] == 0.0 && gradient[i] == 0.0);
    }
    // only the lower triangle is written
    const size_t ball = (size_t)fx->model->joints[1].dof;
    assert_true(hessian[ball * n + ball + 1] == 0.0 && hessian[(ball + 1) * n + ball] != 0.0);
}

// A ball's Hessian is JᵀJ/σ² with d angles / d step by differences: not merely symmetric.
static void test_hessian_of_a_ball(void **state)
{
    const fixture *fx = *state;
    const ug_vec3 theta = { 0.9, -1.4, 0.5 };
    double m[9];
    ug_ik_right_jacobian_inverse(m, theta);
    for (int i = 0; i < 3; i++) {
        const double h = 1e-6;
        const ug_vec3 d = { h * (i == 0), h * (i == 1), h * (i == 2) };
        const ug_vec3 up = ug_quat_log(ug_quat_mul(ug_quat_exp(theta), ug_quat_exp(d)));
        const ug_vec3 down =
            ug_quat_log(ug_quat_mul(ug_quat_exp(theta), ug_quat_exp(ug_vec3_scale(d, -1.0))));
        const ug_vec3 slope = ug_vec3_scale(ug_vec3_sub(up, down), 0.5 / h);
        assert_true(ug_vec3_distance(slope, (ug_vec3){ m[i], m[3 + i], m[6 + i] }) < 1e-8);
    }
    // the series joins the closed form: both sides of the switch agree to its next term
    double a[9], b[9];
    ug_ik_right_jacobian_inverse(a, (ug_vec3){ 0.00999999, 0, 0 });
    ug_ik_right_jacobian_inverse(b, (ug_vec3){ 0.01000001, 0, 0 });
    assert_true(fabs(a[4] - b[4]) < 1e-9);
    (void)fx;
}

static void test_limits_clamp_and_are_counted(void **state)
{
    fixture *fx = *state;
    double angles[DOF_MAX], over[DOF_MAX];
    ug_ik_angles(angles, fx->model, fx->pose);
    ug_ik_over_limits(over, fx->model, angles);
    size_t outside = 0;
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        outside += over[d] != 0.0;
    }
    assert_true(outside > 3);
    assert_int_equal(ug_ik_clamp(fx->pose, fx->model), outside);
    ug_ik_angles(angles, fx->model, fx->pose);
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        assert_true(angles[d] >= fx->model->low_rad[d] - 1e-12);
        assert_true(angles[d] <= fx->model->high_rad[d] + 1e-12);
    }
    assert_int_equal(ug_ik_prior_add(NULL, NULL, fx->model, fx->pose,
                                     &(ug_ik_prior){ .limit_sigma_rad = 0.03 }) < 1e-18,
                     1);
}

static void test_cost_by_hand(void **state)
{
    const fixture *fx = *state;
    double pose[POSE_MAX];
    ug_ik_pose_rest(pose, fx->model);
    pose[fx->model->joints[3].state] = 0.25; // sigma 0.5, limit 0.15
    const ug_ik_prior prior = { .pose = true, .limit_sigma_rad = 0.05 };
    const double cost = ug_ik_prior_add(NULL, NULL, fx->model, pose, &prior);
    assert_true(fabs(cost - (0.25 + 4.0)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gradients_against_differences, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hessian_of_a_hinge, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hessian_of_a_ball, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limits_clamp_and_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cost_by_hand, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_prior", tests, NULL, NULL);
}
