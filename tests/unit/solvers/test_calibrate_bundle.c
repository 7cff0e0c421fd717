// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate_bundle.c: derivatives against finite differences of the cost,
// the minimum against a problem with a known answer.
#include "solvers/calibrate_bundle.h"

#include "solvers/ik_pose.h"
#include "tests/support/body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 11 };

typedef struct fixture {
    ug_skeleton *skeleton;
    ug_attachments attachments;
    ug_ik_model *model;
    double *poses, *measured, *weight;
    void *memory;
    ug_bundle_frames frames;
} fixture;

// Random poses inside the limits, markers measured exactly there.
static void setup(fixture *fx, double noise_m)
{
    *fx = (fixture){ .skeleton = support_humanoid() };
    assert_non_null(fx->skeleton);
    assert_true(support_markers(&fx->attachments, fx->skeleton));
    assert_int_equal(ug_ik_model_create(&fx->model, fx->skeleton, &fx->attachments, NULL, NULL),
                     UG_OK);
    const size_t n = fx->model->marker_count, d = fx->model->dof_count;
    fx->poses = malloc(FRAMES * fx->model->pose_size * sizeof(double));
    fx->measured = malloc(FRAMES * n * 3 * sizeof(double));
    fx->weight = malloc(FRAMES * n * sizeof(double));
    fx->memory = malloc(ug_ik_frame_bytes(fx->model));
    double *step = malloc(d * sizeof(double));
    assert_true(fx->poses && fx->measured && fx->weight && fx->memory && step);
    uint64_t seed = 5;
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, fx->model, fx->memory);
    for (size_t t = 0; t < FRAMES; t++) {
        double *pose = fx->poses + t * fx->model->pose_size;
        for (size_t i = 0; i < d; i++) {
            step[i] = 0.5 * support_random(&seed);
        }
        ug_ik_pose_rest(pose, fx->model);
        ug_ik_retract(pose, fx->model, pose, step);
        ug_ik_forward(&frame, fx->model, pose);
        for (size_t m = 0; m < n; m++) {
            double *y = fx->measured + 3 * (t * n + m);
            fx->weight[t * n + m] = support_random(&seed) > -0.9 ? 1.0 : 0.0;
            y[0] = frame.marker_m[m].x + noise_m * support_normal(&seed);
            y[1] = frame.marker_m[m].y + noise_m * support_normal(&seed);
            y[2] = frame.marker_m[m].z + noise_m * support_normal(&seed);
            if (fx->weight[t * n + m] == 0.0) {
                y[0] = y[1] = y[2] = NAN; // must not be read
            }
        }
    }
    free(step);
    fx->frames = (ug_bundle_frames){ FRAMES, fx->measured, fx->weight };
}

static void teardown(fixture *fx)
{
    ug_skeleton_destroy(fx->skeleton);
    ug_attachments_fini(&fx->attachments);
    ug_ik_model_destroy(fx->model);
    free(fx->poses);
    free(fx->measured);
    free(fx->weight);
    free(fx->memory);
}

// Every coordinate its own parameter, held at where it is.
static void free_shape(ug_bundle_shape *shape, const fixture *fx, double sigma)
{
    const size_t count = 3 * (fx->model->joint_count + fx->model->marker_count);
    assert_int_equal(ug_bundle_shape_init(shape, fx->model, count, NULL), UG_OK);
    for (size_t i = 0; i < count; i++) {
        shape->parameter[i] = (int)i;
        shape->slope[i] = 1.0;
        shape->value[i] = shape->prior[i] = shape->base[i];
        shape->base[i] = 0.0;
        shape->sigma[i] = sigma;
    }
}

// Groups: parameter 0 scales the offsets, 1 the places on odd joints, 2 those on even joints.
static void scale_shape(ug_bundle_shape *shape, const fixture *fx)
{
    assert_int_equal(ug_bundle_shape_init(shape, fx->model, 3, NULL), UG_OK);
    for (size_t i = 0; i < shape->coordinate_count; i++) {
        const size_t joints = 3 * fx->model->joint_count;
        shape->parameter[i] = i < joints ? 0 : 1 + fx->model->markers[(i - joints) / 3].joint % 2;
        shape->slope[i] = shape->base[i];
        shape->base[i] = 0.0;
    }
    for (size_t k = 0; k < 3; k++) {
        shape->value[k] = shape->prior[k] = 1.0;
        shape->sigma[k] = 0.08;
    }
}

static double cost_at(fixture *fx, ug_bundle_shape *shape, const ug_bundle_options *options,
                      size_t frame, size_t dof, double step, size_t parameter, double shift)
{
    const size_t size = fx->model->pose_size;
    double keep[256], d[256] = { 0 };
    assert_true(size < 256 && fx->model->dof_count < 256);
    memcpy(keep, fx->poses + frame * size, size * sizeof(double));
    const double value = shape->value[parameter];
    d[dof] = step;
    ug_ik_retract(fx->poses + frame * size, fx->model, keep, d);
    shape->value[parameter] += shift;
    ug_bundle_shape_apply(fx->model, shape);
    const double cost =
        ug_bundle_cost(fx->model, shape, fx->poses, &fx->frames, options, fx->memory);
    memcpy(fx->poses + frame * size, keep, size * sizeof(double));
    shape->value[parameter] = value;
    ug_bundle_shape_apply(fx->model, shape);
    return cost;
}

// The right-hand side is −½ of the cost's gradient. Central differences with h = 1e-5 of a cost
// near 1e4 have rounding errors of 1e4 · 1e-16 / 1e-5 = 1e-7 and truncation near 1e-10 · E'''.
static void check_gradient(fixture *fx, ug_bundle_shape *shape, const ug_bundle_options *options)
{
    ug_arrow arrow;
    const size_t n = fx->model->dof_count, p = shape->parameter_count;
    assert_int_equal(ug_arrow_init(&arrow, FRAMES, n, p, NULL), UG_OK);
    ug_bundle_shape_apply(fx->model, shape);
    assert_int_equal(
        ug_bundle_normal(&arrow, fx->model, shape, fx->poses, &fx->frames, options, NULL), UG_OK);
    const double h = 1e-5;
    double largest = 1.0;
    for (size_t i = 0; i < FRAMES * n; i++) {
        largest = fmax(largest, fabs(arrow.a[i]));
    }
    for (size_t t = 0; t < FRAMES; t += 5) {
        for (size_t i = 0; i < n; i++) {
            const double slope = (cost_at(fx, shape, options, t, i, h, 0, 0.0) -
                                  cost_at(fx, shape, options, t, i, -h, 0, 0.0)) /
                                 (2.0 * h);
            assert_true(fabs(arrow.a[t * n + i] + 0.5 * slope) < 1e-6 * largest);
        }
    }
    for (size_t k = 0; k < p; k++) {
        const double slope = (cost_at(fx, shape, options, 0, 0, 0.0, k, h) -
                              cost_at(fx, shape, options, 0, 0, 0.0, k, -h)) /
                             (2.0 * h);
        assert_true(fabs(arrow.s[k] + 0.5 * slope) < 1e-6 * fmax(largest, fabs(arrow.s[k])));
    }
    ug_arrow_fini(&arrow);
}

static void test_bundle_gradient_is_the_costs(void **state)
{
    (void)state;
    const ug_loss losses[] = { { UG_LOSS_SQUARE, 1.0 },
                               { UG_LOSS_HUBER, 0.015 },
                               { UG_LOSS_GEMAN_MCCLURE, 0.03 } };
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        setup(&fx, 0.02);
        ug_bundle_options options = ug_bundle_default_options();
        options.loss = losses[i];
        options.frames_worth = 7.0; // ws = 7/11
        ug_bundle_shape shape;
        free_shape(&shape, &fx, 0.02);
        shape.value[70] += 0.01; // off the prior
        const ug_bundle_tie tie = { { 3, 64, 5, -1 }, { 1.0, -0.5, 2.0, 9.0 }, 0.1, 0.003 };
        assert_int_equal(ug_bundle_shape_tie(&shape, &tie, NULL), UG_OK);
        check_gradient(&fx, &shape, &options);
        ug_bundle_shape_fini(&shape);
        scale_shape(&shape, &fx);
        shape.value[1] = 1.03;
        check_gradient(&fx, &shape, &options);
        ug_bundle_shape_fini(&shape);
        teardown(&fx);
    }
}

// With plain squares and no pose prior the Gauss–Newton matrix is exact in the shape, in which
// the markers are linear: second differences of the cost are 2 S.
static void test_bundle_shape_hessian_is_exact(void **state)
{
    (void)state;
    fixture fx;
    setup(&fx, 0.0);
    ug_bundle_options options = ug_bundle_default_options();
    options.loss = (ug_loss){ UG_LOSS_SQUARE, 1.0 };
    ug_bundle_shape shape;
    free_shape(&shape, &fx, 0.02);
    const ug_bundle_tie tie = { { 30, 50, -1, -1 }, { 1.0, -1.0, 0, 0 }, 0.0, 0.003 };
    assert_int_equal(ug_bundle_shape_tie(&shape, &tie, NULL), UG_OK);
    ug_arrow arrow;
    const size_t p = shape.parameter_count;
    assert_int_equal(ug_arrow_init(&arrow, FRAMES, fx.model->dof_count, p, NULL), UG_OK);
    assert_int_equal(
        ug_bundle_normal(&arrow, fx.model, &shape, fx.poses, &fx.frames, &options, NULL), UG_OK);
    const double h = 1e-3;
    const double base = cost_at(&fx, &shape, &options, 0, 0, 0.0, 0, 0.0);
    for (size_t i = 0; i < p; i += 7) {
        for (size_t j = 0; j <= i; j += 3) {
            const double ci = cost_at(&fx, &shape, &options, 0, 0, 0.0, i, h);
            const double cj = cost_at(&fx, &shape, &options, 0, 0, 0.0, j, h);
            shape.value[i] += h;
            const double both = cost_at(&fx, &shape, &options, 0, 0, 0.0, j, h);
            shape.value[i] -= h;
            ug_bundle_shape_apply(fx.model, &shape);
            // every term is a square of a linear function: no truncation, rounding of 1e-12 / h²
            const double second = (both - ci - cj + base) / (h * h);
            assert_true(fabs(arrow.S[i * p + j] - 0.5 * second) <
                        1e-5 * fmax(1e4, fabs(arrow.S[i * p + j])));
        }
    }
    ug_arrow_fini(&arrow);
    ug_bundle_shape_fini(&shape);
    teardown(&fx);
}

// Exact measurements: scales that were wrong by up to 10 % come back, and the cost goes to what
// the pose priors leave.
static void test_bundle_recovers_scales(void **state)
{
    (void)state;
    fixture fx;
    setup(&fx, 0.0);
    ug_bundle_options options = ug_bundle_default_options();
    options.prior.pose = false;
    options.prior.limit_sigma_rad = 0.0;
    options.max_iterations = 60;
    options.gain = 1e-12;
    ug_bundle_shape shape;
    scale_shape(&shape, &fx);
    shape.value[0] = 0.9;
    shape.value[1] = 1.1;
    shape.value[2] = 0.95;
    for (size_t k = 0; k < 3; k++) {
        shape.sigma[k] = INFINITY;
    }
    ug_bundle_report report;
    assert_int_equal(
        ug_bundle_solve(fx.poses, fx.model, &shape, &report, &fx.frames, &options, NULL), UG_OK);
    assert_true(report.cost < 1e-6);
    assert_true(report.iterations > 0 && report.iterations <= 60);
    for (size_t k = 0; k < 3; k++) {
        assert_true(fabs(shape.value[k] - 1.0) < 1e-6);
    }
    ug_bundle_shape_fini(&shape);
    teardown(&fx);
}

static void test_bundle_same_bits_for_any_jobs(void **state)
{
    (void)state;
    double first[3] = { 0 };
    for (size_t jobs = 1; jobs <= 3; jobs++) {
        fixture fx;
        setup(&fx, 0.004);
        ug_bundle_options options = ug_bundle_default_options();
        options.jobs = jobs;
        ug_bundle_shape shape;
        scale_shape(&shape, &fx);
        shape.value[0] = 0.95;
        assert_int_equal(
            ug_bundle_solve(fx.poses, fx.model, &shape, NULL, &fx.frames, &options, NULL), UG_OK);
        if (jobs == 1) {
            memcpy(first, shape.value, sizeof first);
        }
        assert_memory_equal(first, shape.value, sizeof first);
        ug_bundle_shape_fini(&shape);
        teardown(&fx);
    }
}

static void test_bundle_without_frames_is_the_prior(void **state)
{
    (void)state;
    fixture fx;
    setup(&fx, 0.0);
    fx.frames.count = 0;
    ug_bundle_options options = ug_bundle_default_options();
    ug_bundle_shape shape;
    free_shape(&shape, &fx, 0.02);
    shape.value[10] += 0.05;
    const double prior = shape.prior[10];
    ug_bundle_report report;
    assert_int_equal(
        ug_bundle_solve(fx.poses, fx.model, &shape, &report, &fx.frames, &options, NULL), UG_OK);
    assert_true(fabs(shape.value[10] - prior) < 1e-6);
    ug_bundle_shape_fini(&shape);
    ug_bundle_shape_fini(NULL);
    teardown(&fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bundle_gradient_is_the_costs),
        cmocka_unit_test(test_bundle_shape_hessian_is_exact),
        cmocka_unit_test(test_bundle_recovers_scales),
        cmocka_unit_test(test_bundle_same_bits_for_any_jobs),
        cmocka_unit_test(test_bundle_without_frames_is_the_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
