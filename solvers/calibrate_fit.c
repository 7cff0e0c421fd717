// SPDX-License-Identifier: MIT
#include "solvers/calibrate_fit.h"

#include "solvers/blas_threads.h"
#include "solvers/calibrate_body.h"
#include "solvers/calibrate_frames.h"
#include "solvers/calibrate_parameters.h"
#include "solvers/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COARSE_MAX = 40 };

static const double POSE_PRIOR_SCALE = 3.0;

static ug_status no_memory(ug_error *err)
{
    return ug_fail(err, UG_E_NOMEM, "out of memory");
}

static ug_status copy_rows(ug_fit *fit, const ug_samples *samples, const size_t *rows,
                           ug_error *err)
{
    const size_t n = samples->marker_count;
    fit->measured_m = malloc((3 * fit->count * n + 1) * sizeof *fit->measured_m);
    fit->weight = malloc((fit->count * n + 1) * sizeof *fit->weight);
    fit->poses = calloc(fit->count * fit->model->pose_size + 1, sizeof *fit->poses);
    fit->cost = calloc(fit->count + 1, sizeof *fit->cost);
    fit->chosen = calloc(fit->count + 1, sizeof *fit->chosen);
    if (!fit->measured_m || !fit->weight || !fit->poses || !fit->cost || !fit->chosen) {
        return no_memory(err);
    }
    for (size_t t = 0; t < fit->count; t++) {
        memcpy(fit->measured_m + 3 * t * n, samples->measured_m + 3 * rows[t] * n,
               3 * n * sizeof(double));
    }
    ug_fit_take_weights(fit, samples, rows);
    return UG_OK;
}

void ug_fit_take_weights(ug_fit *fit, const ug_samples *samples, const size_t *rows)
{
    const size_t n = samples->marker_count;
    for (size_t i = 0; i < fit->count * n; i++) {
        fit->weight[i] = fmax(samples->weight[rows[i / n] * n + i % n], 0.0);
    }
}

ug_status ug_fit_init(ug_fit *fit, const ug_skeleton *skeleton, const ug_attachments *attachments,
                      const ug_samples *samples, const size_t *rows, size_t row_count,
                      const ug_calibrate_options *options, ug_error *err)
{
    *fit = (ug_fit){ .options = options, .count = row_count };
    const size_t n = samples->marker_count;
    fit->skeleton = ug_skeleton_copy(skeleton);
    bool *seen = malloc(n + 1);
    ug_status status = fit->skeleton && seen
                           ? ug_attachments_copy(&fit->attachments, attachments, err)
                           : no_memory(err);
    if (status == UG_OK) {
        for (size_t m = 0; m < n; m++) {
            seen[m] = samples->seen[m] > 0;
        }
        status = ug_ik_model_create(&fit->model, fit->skeleton, &fit->attachments, seen, err);
    }
    if (status == UG_OK) {
        status = copy_rows(fit, samples, rows, err);
    }
    if (status == UG_OK) {
        status = ug_ik_library_create(&fit->library, fit->model, fit->skeleton, err);
    }
    free(seen);
    return status;
}

void ug_fit_fini(ug_fit *fit)
{
    if (fit) {
        ug_skeleton_destroy(fit->skeleton);
        ug_attachments_fini(&fit->attachments);
        ug_ik_model_destroy(fit->model);
        free(fit->measured_m);
        free(fit->weight);
        free(fit->poses);
        free(fit->cost);
        ug_ik_library_fini(&fit->library);
        free(fit->chosen);
        ug_bundle_shape_fini(&fit->shape);
        *fit = (ug_fit){ 0 };
    }
}

void ug_fit_shape_to_prior(ug_fit *fit)
{
    for (size_t j = 0; j < fit->model->joint_count; j++) {
        fit->skeleton->joints[j].offset_m = fit->model->joints[j].offset_m;
    }
    for (size_t m = 0; m < fit->model->marker_count; m++) {
        fit->attachments.items[m].local_m = fit->model->markers[m].local_m;
    }
}

void ug_fit_prior_to_shape(ug_fit *fit)
{
    for (size_t j = 0; j < fit->model->joint_count; j++) {
        fit->model->joints[j].offset_m = fit->skeleton->joints[j].offset_m;
    }
    for (size_t m = 0; m < fit->model->marker_count; m++) {
        fit->model->markers[m].local_m = fit->attachments.items[m].local_m;
    }
}

// --- poses of the candidates, a frame a piece --------------------------------------------------

typedef struct posing {
    ug_fit *fit;
    ug_ik_options options;
    size_t keep;
    char *memory;
    size_t bytes; // a worker's
} posing;

static ug_ik_target target_of(const ug_fit *fit, size_t t)
{
    const size_t n = fit->model->marker_count;
    return (ug_ik_target){ fit->measured_m + 3 * t * n, fit->weight + t * n };
}

static void pose_frame(void *context, size_t t, size_t worker)
{
    const posing *p = context;
    ug_fit *fit = p->fit;
    const ug_ik_target target = target_of(fit, t);
    double *pose = fit->poses + t * fit->model->pose_size;
    void *memory = p->memory + worker * p->bytes;
    const ug_ik_result result =
        ug_ik_cold_solve(pose, fit->model, &target, &fit->library, &p->options, p->keep, memory);
    double weight = 0.0;
    for (size_t m = 0; m < fit->model->marker_count; m++) {
        weight += target.weight[m] * fit->model->markers[m].weight;
    }
    // a frame with few markers must not look better than it is
    fit->cost[t] = weight > 0.0 ? result.cost / weight : INFINITY;
}

ug_status ug_fit_pose(ug_fit *fit, ug_error *err)
{
    posing p = { .fit = fit,
                 .options = ug_ik_default_options(),
                 .keep = fit->chosen_count > 0 ? 2 : UG_IK_COLD_KEEP };
    const size_t jobs = fit->options->jobs ? fit->options->jobs : 1;
    p.bytes = ug_ik_cold_bytes(fit->model, &fit->library, p.options.stepper);
    p.memory = malloc(jobs * p.bytes);
    if (!p.memory) {
        return no_memory(err);
    }
    ug_blas_single_thread();
    ug_parallel_for(fit->count, jobs, pose_frame, &p);
    free(p.memory);
    return UG_OK;
}

// --- bundles over chosen candidates -------------------------------------------------------------

// A pose prior as strong as a single frame wants it shrinks every angle a little, and pays by
// stretching bones: on a synthetic person it puts wrist and neck 25 mm off, three times wider 4 mm.
static void scale_pose_prior(ug_ik_model *model, double factor)
{
    for (size_t i = 0; i < model->dof_count; i++) {
        model->sigma_rad[i] *= factor;
    }
}

// Minimise over the chosen candidates; their poses become the library.
static ug_status bundle_chosen(ug_fit *fit, ug_bundle_shape *shape, const ug_loss *losses,
                               size_t loss_count, size_t max_iterations, ug_error *err)
{
    const size_t n = fit->model->marker_count, size = fit->model->pose_size;
    double *measured = malloc((3 * fit->chosen_count * n + 1) * sizeof *measured);
    double *weight = malloc((fit->chosen_count * n + 1) * sizeof *weight);
    double *poses = malloc((fit->chosen_count * size + 1) * sizeof *poses);
    ug_status status = measured && weight && poses ? UG_OK : no_memory(err);
    for (size_t i = 0; i < fit->chosen_count && status == UG_OK; i++) {
        const size_t t = fit->chosen[i];
        memcpy(measured + 3 * i * n, fit->measured_m + 3 * t * n, 3 * n * sizeof *measured);
        memcpy(weight + i * n, fit->weight + t * n, n * sizeof *weight);
        memcpy(poses + i * size, fit->poses + t * size, size * sizeof *poses);
    }
    const ug_bundle_frames frames = { fit->chosen_count, measured, weight };
    ug_bundle_options options = ug_bundle_default_options();
    options.jobs = fit->options->jobs;
    options.max_iterations = max_iterations;
    ug_blas_single_thread();
    scale_pose_prior(fit->model, POSE_PRIOR_SCALE);
    for (size_t i = 0; i < loss_count && status == UG_OK; i++) {
        options.loss = losses[i];
        status = ug_bundle_solve(poses, fit->model, shape, NULL, &frames, &options, err);
    }
    scale_pose_prior(fit->model, 1.0 / POSE_PRIOR_SCALE);
    if (status == UG_OK) {
        fit->library.count = 0;
        for (size_t i = 0; i < fit->chosen_count && status == UG_OK; i++) {
            memcpy(fit->poses + fit->chosen[i] * size, poses + i * size, size * sizeof *poses);
            status = ug_ik_library_add(&fit->library, poses + i * size, err);
        }
    }
    free(measured);
    free(weight);
    free(poses);
    return status;
}

// The cheapest `count` candidates, ascending.
static void choose_best(ug_fit *fit, size_t count, bool *keep, double *scratch)
{
    ug_frames_drop_worst(keep, scratch, fit->cost, fit->count,
                         1.0 - (double)count / (double)fit->count);
    fit->chosen_count = 0;
    for (size_t t = 0; t < fit->count && fit->chosen_count < count; t++) {
        if (keep[t]) {
            fit->chosen[fit->chosen_count++] = t;
        }
    }
}

ug_status ug_fit_proportions(ug_fit *fit, ug_error *err)
{
    static const ug_loss loss[] = { { UG_LOSS_HUBER, 0.05 } };
    int *group = malloc(fit->model->joint_count * sizeof *group);
    bool *keep = malloc(fit->count + 1);
    double *scratch = malloc((fit->count + 1) * sizeof *scratch);
    ug_bundle_shape shape = { 0 };
    ug_status status = group && keep && scratch ? UG_OK : no_memory(err);
    if (status == UG_OK) {
        ug_body_groups(group, fit->skeleton);
        size_t best = (fit->count + 3) / 4;
        best = best < 10 ? 10 : best > COARSE_MAX ? COARSE_MAX : best;
        choose_best(fit, best < fit->count ? best : fit->count, keep, scratch);
        status = ug_parameters_of_groups(&shape, fit, group, err);
    }
    if (status == UG_OK) {
        status = bundle_chosen(fit, &shape, loss, 1, 12, err);
    }
    if (status == UG_OK) {
        ug_fit_shape_to_prior(fit);
    }
    ug_bundle_shape_fini(&shape);
    free(group);
    free(keep);
    free(scratch);
    return status;
}

ug_status ug_fit_bundle(ug_fit *fit, double drop_share, ug_error *err)
{
    // a redescending loss needs a start near the answer
    static const ug_loss losses[] = { { UG_LOSS_HUBER, 0.05 },
                                      { UG_LOSS_HUBER, 0.015 },
                                      { UG_LOSS_GEMAN_MCCLURE, 0.03 } };
    bool *keep = malloc(fit->count + 1);
    double *scratch = malloc((fit->count + 1) * sizeof *scratch);
    ug_status status = keep && scratch ? UG_OK : no_memory(err);
    ug_bundle_shape_fini(&fit->shape);
    if (status == UG_OK) {
        ug_frames_drop_worst(keep, scratch, fit->cost, fit->count, drop_share);
        status =
            ug_frames_farthest(fit->chosen, &fit->chosen_count, fit->options->frames, fit->model,
                               fit->poses, fit->weight, fit->cost, keep, fit->count, err);
    }
    if (status == UG_OK) {
        status = ug_parameters_of_coordinates(&fit->shape, fit, err);
    }
    if (status == UG_OK) {
        status = bundle_chosen(fit, &fit->shape, losses, 3, 30, err);
    }
    free(keep);
    free(scratch);
    return status;
}
