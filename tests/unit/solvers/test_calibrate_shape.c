// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate_shape.c: the cost by its formula, its derivatives by
// differences.
#include "solvers/calibrate_shape.h"

#include "tests/support/humanoid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { PARAMETERS = 3 };

typedef struct fixture {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_ik_model *model;
    ug_bundle_shape shape;
} fixture;

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    fx->skeleton = humanoid_skeleton();
    humanoid_attachments(&fx->attachments);
    *state = fx;
    if (ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL) != UG_OK ||
        ug_bundle_shape_init(&fx->shape, fx->model, PARAMETERS, NULL) != UG_OK) {
        return -1;
    }
    static const double VALUE[] = { 0.3, -0.2, 0.7 }, PRIOR[] = { 0.1, 0.0, 0.0 };
    static const double SIGMA[] = { 0.5, 2.0, INFINITY };
    for (size_t k = 0; k < PARAMETERS; k++) {
        fx->shape.value[k] = VALUE[k];
        fx->shape.prior[k] = PRIOR[k];
        fx->shape.sigma[k] = SIGMA[k];
    }
    const ug_bundle_tie tie = { .parameter = { 0, 2, -1, -1 },
                                .coefficient = { 1.0, -2.0, 9.0, 9.0 },
                                .constant = 0.25,
                                .sigma = 0.1 };
    return ug_bundle_shape_tie(&fx->shape, &tie, NULL) == UG_OK ? 0 : -1;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    ug_bundle_shape_fini(&fx->shape);
    ug_ik_model_destroy(fx->model);
    ug_attachments_fini(&fx->attachments);
    ug_skeleton_destroy(fx->skeleton);
    free(fx);
    return 0;
}

static void test_cost_is_priors_and_ties(void **state)
{
    const fixture *fx = *state;
    // (0.2 / 0.5)^2 + (0.2 / 2)^2 + nothing for the free one + ((0.3 - 1.4 + 0.25) / 0.1)^2
    const double want = 0.16 + 0.01 + 72.25;
    assert_true(fabs(ug_bundle_shape_cost(NULL, NULL, &fx->shape) - want) < 1e-12);
}

static void test_derivatives_are_the_differences(void **state)
{
    fixture *fx = *state;
    double hessian[PARAMETERS * PARAMETERS] = { 0 }, gradient[PARAMETERS] = { 0 };
    const double cost = ug_bundle_shape_cost(hessian, gradient, &fx->shape);
    const double h = 1e-4; // the cost is quadratic: central differences are exact but for rounding
    for (size_t i = 0; i < PARAMETERS; i++) {
        double at[2];
        for (int side = 0; side < 2; side++) {
            fx->shape.value[i] += side ? h : -h;
            at[side] = ug_bundle_shape_cost(NULL, NULL, &fx->shape);
            fx->shape.value[i] -= side ? h : -h;
        }
        assert_true(fabs(gradient[i] + 0.5 * (at[1] - at[0]) / (2.0 * h)) < 1e-7);
        const double second = 0.5 * (at[1] - 2.0 * cost + at[0]) / (h * h);
        assert_true(fabs(hessian[i * PARAMETERS + i] - second) < 1e-4);
    }
    assert_true(fabs(hessian[2 * PARAMETERS] + 200.0) < 1e-9); // of the tie: 1 · -2 / 0.1^2
}

static void test_parameters_drive_their_coordinates_only(void **state)
{
    fixture *fx = *state;
    const size_t first = 3 * fx->model->joint_count; // the first marker's x
    ug_vec3 before = fx->model->markers[0].local_m, other = fx->model->markers[1].local_m;
    fx->shape.parameter[first + 1] = 1;
    fx->shape.slope[first + 1] = 10.0;
    ug_bundle_shape_apply(fx->model, &fx->shape);
    const ug_vec3 after = fx->model->markers[0].local_m;
    assert_true(after.x == before.x && after.z == before.z);
    assert_true(fabs(after.y - (before.y - 2.0)) < 1e-15);
    assert_memory_equal(&fx->model->markers[1].local_m, &other, sizeof other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cost_is_priors_and_ties, setup, teardown),
        cmocka_unit_test_setup_teardown(test_derivatives_are_the_differences, setup, teardown),
        cmocka_unit_test_setup_teardown(test_parameters_drive_their_coordinates_only, setup,
                                        teardown),
    };
    return cmocka_run_group_tests_name("solvers/calibrate_shape", tests, NULL, NULL);
}
