// SPDX-License-Identifier: MIT
// Unit tests for solvers/ik_pose.c: kinematics against motion/, derivatives against central
// differences.
#include "motion/kinematics.h"
#include "solvers/ik_pose.h"
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
    void *memory[2];
    ug_ik_frame frame, moved;
    double pose[POSE_MAX];
} fixture;

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    fx->skeleton = mixed_skeleton();
    mixed_attachments(&fx->attachments);
    if (ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL) != UG_OK) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        fx->memory[i] = malloc(ug_ik_frame_bytes(fx->model));
        memset(fx->memory[i], 0xa5, ug_ik_frame_bytes(fx->model));
        ug_ik_frame_init(i ? &fx->moved : &fx->frame, fx->model, fx->memory[i]);
    }
    double step[DOF_MAX];
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        step[d] = 0.4 * sin(1.7 * (double)d + 0.3);
    }
    ug_ik_pose_rest(fx->pose, fx->model);
    ug_ik_retract(fx->pose, fx->model, fx->pose, step);
    ug_ik_forward(&fx->frame, fx->model, fx->pose);
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    free(fx->memory[0]);
    free(fx->memory[1]);
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx);
    return 0;
}

static void assert_near(ug_vec3 a, ug_vec3 b, double tolerance)
{
    assert_true(ug_vec3_distance(a, b) <= tolerance);
}

static void test_forward_agrees_with_kinematics(void **state)
{
    fixture *fx = *state;
    ug_quat local[MIXED_JOINTS], world_q[MIXED_JOINTS];
    ug_vec3 offset[MIXED_JOINTS], world_m[MIXED_JOINTS];
    ug_ik_pose_to_local(local, offset, fx->model, fx->pose);
    ug_pose_forward(world_q, world_m, fx->skeleton, local, offset);
    for (int j = 0; j < MIXED_JOINTS; j++) {
        assert_near(world_m[j], fx->frame.world_m[j], 1e-14);
        assert_true(ug_quat_angle(world_q[j], fx->frame.world_q[j]) < 1e-14);
    }
    for (size_t m = 0; m < MIXED_MARKERS; m++) {
        const ug_attachment *a = &fx->attachments.items[m];
        assert_near(ug_vec3_add(world_m[a->joint], ug_quat_rotate(world_q[a->joint], a->local_m)),
                    fx->frame.marker_m[m], 1e-14);
    }
    // what nobody sees stays at rest
    assert_true(ug_quat_angle(local[6], fx->skeleton->joints[6].rest) == 0.0);
}

static void test_rest_pose_is_the_skeletons(void **state)
{
    fixture *fx = *state;
    ug_quat world_q[MIXED_JOINTS];
    ug_vec3 world_m[MIXED_JOINTS];
    ug_ik_pose_rest(fx->pose, fx->model);
    ug_ik_forward(&fx->frame, fx->model, fx->pose);
    ug_rest_forward(world_q, world_m, fx->skeleton);
    for (int j = 0; j < MIXED_JOINTS; j++) {
        assert_near(world_m[j], fx->frame.world_m[j], 1e-14);
    }
}

// Central differences with h = 1e-5 err by h² f'''/6 ~ 2e-11 and eps/h ~ 1e-11: 1e-8 has air.
static void test_jacobian_against_differences(void **state)
{
    fixture *fx = *state;
    const size_t n = fx->model->dof_count;
    const double h = 1e-5;
    double *jacobian = malloc(3 * MIXED_MARKERS * n * sizeof *jacobian);
    memset(jacobian, 0xa5, 3 * MIXED_MARKERS * n * sizeof *jacobian);
    ug_ik_jacobian(jacobian, fx->model, &fx->frame);
    for (size_t d = 0; d < n; d++) {
        ug_vec3 side[2][MIXED_MARKERS];
        for (int i = 0; i < 2; i++) {
            double step[DOF_MAX] = { 0 }, pose[POSE_MAX];
            step[d] = i ? h : -h;
            ug_ik_retract(pose, fx->model, fx->pose, step);
            ug_ik_forward(&fx->moved, fx->model, pose);
            memcpy(side[i], fx->moved.marker_m, sizeof side[i]);
        }
        for (size_t m = 0; m < MIXED_MARKERS; m++) {
            const ug_vec3 slope = ug_vec3_scale(ug_vec3_sub(side[1][m], side[0][m]), 0.5 / h);
            const double *j = jacobian + 3 * m * n + d;
            assert_near(slope, (ug_vec3){ j[0], j[n], j[2 * n] }, 1e-8);
        }
    }
    free(jacobian);
}

static void test_offset_derivative_is_exact(void **state)
{
    fixture *fx = *state;
    for (int joint = 0; joint < MIXED_JOINTS; joint++) {
        const ug_vec3 by = { 0.3, -0.2, 0.5 };
        fx->model->joints[joint].offset_m = ug_vec3_add(fx->model->joints[joint].offset_m, by);
        ug_ik_forward(&fx->moved, fx->model, fx->pose);
        for (size_t m = 0; m < MIXED_MARKERS; m++) {
            const double *r = ug_ik_offset_derivative(fx->model, &fx->frame, joint, m);
            ug_vec3 expected = { 0, 0, 0 };
            if (r) {
                expected = (ug_vec3){ r[0] * by.x + r[1] * by.y + r[2] * by.z,
                                      r[3] * by.x + r[4] * by.y + r[5] * by.z,
                                      r[6] * by.x + r[7] * by.y + r[8] * by.z };
            }
            assert_near(ug_vec3_sub(fx->moved.marker_m[m], fx->frame.marker_m[m]), expected, 1e-14);
        }
        fx->model->joints[joint].offset_m = ug_vec3_sub(fx->model->joints[joint].offset_m, by);
    }
    // a place on the segment moves the marker by the segment's rotation
    fx->model->markers[6].local_m.y += 0.25;
    ug_ik_forward(&fx->moved, fx->model, fx->pose);
    const double *r = fx->frame.matrix + 9 * 3;
    assert_near(ug_vec3_sub(fx->moved.marker_m[6], fx->frame.marker_m[6]),
                (ug_vec3){ 0.25 * r[1], 0.25 * r[4], 0.25 * r[7] }, 1e-14);
}

static void test_root_that_is_not_free_has_an_offset_derivative(void **state)
{
    fixture *fx = *state;
    fx->model->joints[0].type = UG_JOINT_BALL; // same layout of the turn is not needed here
    const double *r = ug_ik_offset_derivative(fx->model, &fx->frame, 0, 3);
    assert_non_null(r);
    assert_true(r[0] == 1.0 && r[1] == 0.0 && r[4] == 1.0 && r[8] == 1.0);
}

static void test_angles_and_local_round_trips(void **state)
{
    fixture *fx = *state;
    double angles[DOF_MAX], pose[POSE_MAX];
    ug_quat local[MIXED_JOINTS];
    ug_vec3 translation[MIXED_JOINTS];

    ug_ik_angles(angles, fx->model, fx->pose);
    memset(pose, 0xa5, sizeof pose);
    ug_ik_pose_from_angles(pose, fx->model, angles);
    ug_ik_forward(&fx->moved, fx->model, pose);
    for (size_t m = 0; m < MIXED_MARKERS; m++) {
        assert_near(fx->moved.marker_m[m], fx->frame.marker_m[m], 1e-14);
    }
    ug_ik_pose_to_local(local, translation, fx->model, fx->pose);
    memset(pose, 0xa5, sizeof pose);
    ug_ik_pose_from_local(pose, fx->model, local, translation);
    ug_ik_forward(&fx->moved, fx->model, pose);
    for (size_t m = 0; m < MIXED_MARKERS; m++) {
        assert_near(fx->moved.marker_m[m], fx->frame.marker_m[m], 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_forward_agrees_with_kinematics, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rest_pose_is_the_skeletons, setup, teardown),
        cmocka_unit_test_setup_teardown(test_jacobian_against_differences, setup, teardown),
        cmocka_unit_test_setup_teardown(test_offset_derivative_is_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(test_root_that_is_not_free_has_an_offset_derivative, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_angles_and_local_round_trips, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_pose", tests, NULL, NULL);
}
