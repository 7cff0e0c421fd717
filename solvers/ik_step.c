// SPDX-License-Identifier: MIT
#include "solvers/ik_step.h"

#include <assert.h>
#include <math.h>
#include <string.h>

ug_ik_options ug_ik_default_options(void)
{
    return (ug_ik_options){ .sigma_m = 0.005,
                            .loss = { UG_LOSS_HUBER, 0.02 },
                            .prior = ug_ik_default_prior(),
                            .max_iterations = 50,
                            .lambda = 1e-3,
                            .step_cap_rad = 1.0,
                            .gain_tolerance = 1e-6,
                            .step_tolerance = 1e-7,
                            .stepper = &ug_ik_dense_stepper };
}

typedef struct work {
    ug_ik_frame frame;
    double *candidate;  // (pose_size)
    double *residual_m; // (marker_count x 3)
    double *weight;     // (marker_count)
    double *step;       // (dof_count)
    void *stepper;
} work;

size_t ug_ik_solve_bytes(const ug_ik_model *model, const ug_ik_stepper *stepper)
{
    return ug_ik_frame_bytes(model) + stepper->bytes(model) +
           (model->pose_size + 4 * model->marker_count + model->dof_count) * sizeof(double);
}

static work work_at(const ug_ik_model *model, void *memory)
{
    work w;
    ug_ik_frame_init(&w.frame, model, memory);
    w.candidate = (double *)((char *)memory + ug_ik_frame_bytes(model));
    w.residual_m = w.candidate + model->pose_size;
    w.weight = w.residual_m + 3 * model->marker_count;
    w.step = w.weight + model->marker_count;
    w.stepper = w.step + model->dof_count;
    return w;
}

// kinematics, residuals, complete weights and E at `pose`
static double evaluate(work *w, const ug_ik_model *model, const double *pose,
                       const ug_ik_target *target, const ug_ik_options *options)
{
    const double information = 1.0 / (options->sigma_m * options->sigma_m);
    double cost = 0.0;
    ug_ik_forward(&w->frame, model, pose);
    for (size_t m = 0; m < model->marker_count; m++) {
        const double weight = target->weight[m] * model->markers[m].weight * information;
        w->weight[m] = 0.0;
        if (!(weight > 0.0)) {
            continue;
        }
        const ug_vec3 r = ug_vec3_sub(ug_vec3_of(target->measured_m + 3 * m), w->frame.marker_m[m]);
        const double square = ug_vec3_dot(r, r);
        w->residual_m[3 * m] = r.x;
        w->residual_m[3 * m + 1] = r.y;
        w->residual_m[3 * m + 2] = r.z;
        w->weight[m] = weight * ug_loss_weight(options->loss, square);
        cost += weight * ug_loss_cost(options->loss, square);
    }
    return cost + ug_ik_prior_add(NULL, NULL, model, pose, &options->prior);
}

double ug_ik_cost(const ug_ik_model *model, const double *pose, const ug_ik_target *target,
                  const ug_ik_options *options, void *workspace)
{
    work w = work_at(model, workspace);
    return evaluate(&w, model, pose, target, options);
}

static bool is_shift(const ug_ik_model *model, size_t dof)
{
    const ug_ik_joint *joint = &model->joints[model->dof_joint[dof]];
    return joint->type == UG_JOINT_FREE && (int)dof - joint->dof < 3;
}

// Shorten the whole step so that no joint turns by more than the cap; returns its largest entry.
static double cap_step(double *step, const ug_ik_model *model, double cap_rad)
{
    double turn = 0.0, largest = 0.0;
    for (size_t d = 0; d < model->dof_count; d++) {
        const double size = fabs(step[d]);
        largest = fmax(largest, size);
        if (!is_shift(model, d)) {
            turn = fmax(turn, size);
        }
    }
    if (turn <= cap_rad) {
        return largest;
    }
    for (size_t d = 0; d < model->dof_count; d++) {
        step[d] *= cap_rad / turn;
    }
    return largest * cap_rad / turn;
}

enum { TRIES_MAX = 16 };

// One linearisation and the damped steps tried from it. Returns the new cost, or `cost` when no
// step helped; `*moved` is the largest entry of the step taken.
static double improve(double *moved, double *lambda, double *pose, double cost, work *w,
                      const ug_ik_model *model, const ug_ik_target *target,
                      const ug_ik_options *options)
{
    options->stepper->linearise(w->stepper, model, &w->frame, pose, w->residual_m, w->weight,
                                &options->prior);
    *moved = 0.0;
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        if (options->stepper->solve(w->step, w->stepper, model, *lambda)) {
            const double size = cap_step(w->step, model, options->step_cap_rad);
            ug_ik_retract(w->candidate, model, pose, w->step);
            const double next = evaluate(w, model, w->candidate, target, options);
            if (next < cost) {
                memcpy(pose, w->candidate, model->pose_size * sizeof *pose);
                *lambda = fmax(*lambda * 0.25, 1e-9);
                *moved = size;
                return next;
            }
            if (size < options->step_tolerance) {
                break; // at the minimum to rounding: a smaller step cannot help either
            }
        }
        *lambda *= 6.0;
    }
    (void)evaluate(w, model, pose, target, options); // the frame must show the pose returned
    return cost;
}

ug_ik_result ug_ik_solve_frame(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                               const ug_ik_options *options, void *workspace)
{
    assert(options->sigma_m > 0.0 && options->step_cap_rad > 0.0);
    work w = work_at(model, workspace);
    ug_ik_result result = { .cost = evaluate(&w, model, pose, target, options) };
    double lambda = options->lambda;
    if (!isfinite(result.cost)) {
        return result;
    }
    while (result.iterations < options->max_iterations) {
        double moved;
        const double before = result.cost;
        result.cost = improve(&moved, &lambda, pose, before, &w, model, target, options);
        result.iterations++;
        if (moved <= options->step_tolerance ||
            before - result.cost <= options->gain_tolerance * before) {
            result.converged = true;
            break;
        }
    }
    return result;
}
