// SPDX-License-Identifier: MIT
// Unit tests for solvers/ik_step.c and ik_dense.c: the step against normal equations built
// entry by entry, the answer against the pose that made the markers.
#include "solvers/ik_step.h"
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
    ug_ik_options options;
    void *workspace, *memory;
    ug_ik_frame frame;
    double pose[POSE_MAX], truth[POSE_MAX];
    double measured[3 * MIXED_MARKERS], weight[MIXED_MARKERS];
} fixture;

static void observe(fixture *fx)
{
    ug_ik_forward(&fx->frame, fx->model, fx->truth);
    memcpy(fx->measured, fx->frame.marker_m, sizeof fx->measured);
}

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    fx->skeleton = mixed_skeleton();
    mixed_attachments(&fx->attachments);
    if (ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL) != UG_OK) {
        return -1;
    }
    fx->options = ug_ik_default_options();
    const size_t bytes = ug_ik_solve_bytes(fx->model, fx->options.stepper);
    fx->workspace = malloc(bytes);
    memset(fx->workspace, 0xa5, bytes);
    fx->memory = malloc(ug_ik_frame_bytes(fx->model));
    ug_ik_frame_init(&fx->frame, fx->model, fx->memory);
    double step[DOF_MAX];
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        step[d] = 0.12 * sin(1.7 * (double)d + 0.3);
    }
    ug_ik_pose_rest(fx->pose, fx->model);
    ug_ik_retract(fx->truth, fx->model, fx->pose, step);
    for (int m = 0; m < MIXED_MARKERS; m++) {
        fx->weight[m] = 1.0;
    }
    observe(fx);
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    free(fx->workspace);
    free(fx->memory);
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx);
    return 0;
}

// (H + λ(diag H + 1)) d = g with H, g summed from the full Jacobian.
static void test_dense_step_solves_the_normal_equations(void **state)
{
    fixture *fx = *state;
    const ug_ik_model *model = fx->model;
    const size_t n = model->dof_count;
    const double lambda = 0.37;
    double residual[3 * MIXED_MARKERS], weight[MIXED_MARKERS], step[DOF_MAX],
        gradient[DOF_MAX] = { 0 };
    static double jacobian[3 * MIXED_MARKERS * DOF_MAX], prior[DOF_MAX * DOF_MAX];
    memset(prior, 0, sizeof prior);
    ug_ik_forward(&fx->frame, model, fx->pose);
    for (int m = 0; m < MIXED_MARKERS; m++) {
        const ug_vec3 r = ug_vec3_sub(ug_vec3_of(fx->measured + 3 * m), fx->frame.marker_m[m]);
        memcpy(residual + 3 * m, &r, sizeof r);
        weight[m] = m == 5 ? 0.0 : 100.0 + m;
    }
    void *memory = malloc(ug_ik_dense_stepper.bytes(model));
    ug_ik_dense_stepper.linearise(memory, model, &fx->frame, fx->pose, residual, weight,
                                  &fx->options.prior);
    assert_true(ug_ik_dense_stepper.solve(step, memory, model, lambda));
    free(memory);

    ug_ik_jacobian(jacobian, model, &fx->frame);
    (void)ug_ik_prior_add(prior, gradient, model, fx->pose, &fx->options.prior);
    for (size_t a = 0; a < n; a++) {
        double left = 0.0, right = gradient[a], scale = 0.0;
        for (size_t b = 0; b < n; b++) {
            double h = prior[a >= b ? a * n + b : b * n + a];
            for (size_t row = 0; row < 3 * MIXED_MARKERS; row++) {
                h += weight[row / 3] * jacobian[row * n + a] * jacobian[row * n + b];
            }
            h += a == b ? lambda * (h + 1.0) : 0.0;
            left += h * step[b];
            scale += fabs(h * step[b]);
        }
        for (size_t row = 0; row < 3 * MIXED_MARKERS; row++) {
            right += weight[row / 3] * jacobian[row * n + a] * residual[row];
        }
        assert_true(fabs(left - right) <= 1e-12 * scale);
    }
}

static void test_recovers_the_pose_without_prior(void **state)
{
    fixture *fx = *state;
    fx->options.prior = (ug_ik_prior){ .pose = false };
    const ug_ik_target target = { fx->measured, fx->weight };
    const ug_ik_result r =
        ug_ik_solve_frame(fx->pose, fx->model, &target, &fx->options, fx->workspace);
    assert_true(r.converged && r.cost < 1e-9);
    ug_ik_forward(&fx->frame, fx->model, fx->pose);
    for (int m = 0; m < MIXED_MARKERS; m++) {
        assert_true(ug_vec3_distance(fx->frame.marker_m[m], ug_vec3_of(fx->measured + 3 * m)) <
                    1e-7);
    }
    // started at its own answer it stops at once and stays
    double again[POSE_MAX];
    memcpy(again, fx->pose, sizeof again);
    const ug_ik_result s =
        ug_ik_solve_frame(again, fx->model, &target, &fx->options, fx->workspace);
    assert_true(s.converged && s.iterations <= 2 && s.cost <= r.cost);
}

// At the answer the gradient of the whole cost vanishes: checked by differences of E itself.
static void test_answer_is_a_minimum_of_the_stated_cost(void **state)
{
    fixture *fx = *state;
    for (int i = 0; i < 3 * MIXED_MARKERS; i++) {
        fx->measured[i] += 0.004 * sin(5.0 * i);
    }
    fx->measured[7] += 0.5; // one marker is wrong
    fx->options.loss = (ug_loss){ UG_LOSS_HUBER, 0.02 };
    fx->options.gain_tolerance = 1e-14;
    fx->options.max_iterations = 500;
    const ug_ik_target target = { fx->measured, fx->weight };
    const ug_ik_result r =
        ug_ik_solve_frame(fx->pose, fx->model, &target, &fx->options, fx->workspace);
    assert_true(r.converged);
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        const double h = 1e-4;
        double side[2];
        for (int i = 0; i < 2; i++) {
            double step[DOF_MAX] = { 0 }, pose[POSE_MAX];
            step[d] = i ? h : -h;
            ug_ik_retract(pose, fx->model, fx->pose, step);
            side[i] = ug_ik_cost(fx->model, pose, &target, &fx->options, fx->workspace);
        }
        assert_true(side[0] >= r.cost - 1e-9 && side[1] >= r.cost - 1e-9);
        // a slope that a step of 1e-6 would not notice
        assert_true(fabs(side[1] - side[0]) <= 0.02 * (side[1] + side[0] - 2.0 * r.cost) + 1e-9);
    }
}

static void test_missing_marker_is_not_read_and_needs_no_data(void **state)
{
    fixture *fx = *state;
    const ug_ik_target target = { fx->measured, fx->weight };
    for (int m = 0; m < MIXED_MARKERS; m++) {
        if (m >= 6 && m != 8) { // joint 3 and below unseen, the prop sees one marker
            fx->weight[m] = 0.0;
            fx->measured[3 * m] = (double)NAN;
        }
    }
    double before[POSE_MAX];
    memcpy(before, fx->pose, sizeof before);
    fx->options.prior = (ug_ik_prior){ .pose = false };
    const ug_ik_result r =
        ug_ik_solve_frame(fx->pose, fx->model, &target, &fx->options, fx->workspace);
    assert_true(isfinite(r.cost) && r.converged);
    // nothing is known about joint 7: it keeps its place
    const ug_ik_joint *unseen = &fx->model->joints[7];
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(fx->pose[unseen->state + i] - before[unseen->state + i]) < 1e-12);
    }
}

static void test_no_marker_at_all(void **state)
{
    fixture *fx = *state;
    const ug_ik_target target = { fx->measured, fx->weight };
    memset(fx->weight, 0, sizeof fx->weight);
    memset(fx->measured, 0xff, sizeof fx->measured); // NaN
    fx->options.prior = (ug_ik_prior){ .pose = false };
    const ug_ik_result r =
        ug_ik_solve_frame(fx->pose, fx->model, &target, &fx->options, fx->workspace);
    assert_true(r.cost == 0.0 && r.converged);
}

// Far from the answer a full step overshoots; whatever is returned must be no worse than the start.
static void test_never_worse_than_the_start(void **state)
{
    fixture *fx = *state;
    const ug_ik_target target = { fx->measured, fx->weight };
    for (int trial = 0; trial < 40; trial++) {
        double step[DOF_MAX];
        for (size_t d = 0; d < fx->model->dof_count; d++) {
            step[d] = 2.5 * sin(3.7 * (double)d + 1.9 * trial);
        }
        ug_ik_pose_rest(fx->pose, fx->model);
        ug_ik_retract(fx->pose, fx->model, fx->pose, step);
        double last = ug_ik_cost(fx->model, fx->pose, &target, &fx->options, fx->workspace);
        fx->options.max_iterations = 1;
        for (int i = 0; i < 12; i++) {
            const ug_ik_result r =
                ug_ik_solve_frame(fx->pose, fx->model, &target, &fx->options, fx->workspace);
            const double is = ug_ik_cost(fx->model, fx->pose, &target, &fx->options, fx->workspace);
            assert_true(r.cost <= last && fabs(is - r.cost) <= 1e-12 * is);
            last = is;
        }
    }
}

static void test_step_cap_holds(void **state)
{
    fixture *fx = *state;
    const ug_ik_target target = { fx->measured, fx->weight };
    fx->options.step_cap_rad = 0.01;
    fx->options.max_iterations = 1;
    double before[DOF_MAX], after[DOF_MAX];
    ug_ik_angles(before, fx->model, fx->pose);
    const ug_ik_result r =
        ug_ik_solve_frame(fx->pose, fx->model, &target, &fx->options, fx->workspace);
    assert_false(r.converged);
    ug_ik_angles(after, fx->model, fx->pose);
    double most = 0.0;
    for (size_t d = 0; d < fx->model->dof_count; d++) {
        if (d > 2 && (d < 12 || d > 14)) { // turns; 12…14 shift the prop
            most = fmax(most, fabs(after[d] - before[d]));
        }
    }
    assert_true(most > 0.005 && most <= 0.01 + 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_dense_step_solves_the_normal_equations, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_recovers_the_pose_without_prior, setup, teardown),
        cmocka_unit_test_setup_teardown(test_answer_is_a_minimum_of_the_stated_cost, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_missing_marker_is_not_read_and_needs_no_data, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_no_marker_at_all, setup, teardown),
        cmocka_unit_test_setup_teardown(test_never_worse_than_the_start, setup, teardown),
        cmocka_unit_test_setup_teardown(test_step_cap_holds, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_step", tests, NULL, NULL);
}
