// SPDX-License-Identifier: MIT
#include "solvers/calibrate_fit.h"

#include "motion/kinematics.h"
#include "solvers/blas_threads.h"
#include "solvers/calibrate_body.h"
#include "solvers/calibrate_frames.h"
#include "solvers/calibrate_labels.h"
#include "solvers/ik_pose.h"
#include "solvers/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COARSE_MAX = 40 };

// Priors of a template that brings none of its own.
static const double DEFAULT_BONE_SIGMA_M = 0.015, DEFAULT_MARKER_SIGMA_M = 0.025;
static const double GROUP_SIGMA = 0.08, SYMMETRY_SIGMA_M = 0.003, HIP_SIGMA_M = 0.005;
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

static bool is_hip(const ug_fit *fit, size_t joint)
{
    const ug_role role = fit->skeleton->joints[joint].role;
    return role == UG_ROLE_L_THIGH || role == UG_ROLE_R_THIGH;
}

// One parameter per group of bones, 1 where the bone stays as it is.
static ug_status group_shape(ug_bundle_shape *shape, const ug_fit *fit, const int *group,
                             ug_error *err)
{
    const size_t joints = fit->model->joint_count;
    const ug_status status = ug_bundle_shape_init(shape, fit->model, UG_BODY_GROUP_COUNT, err);
    if (status != UG_OK) {
        return status;
    }
    for (size_t i = 0; i < shape->coordinate_count; i++) {
        const int joint = i < 3 * joints ? fit->model->joints[i / 3].parent
                                         : fit->model->markers[i / 3 - joints].joint;
        // soft tissue makes a pelvis look wide: hips must not follow it (and are not markers)
        if (joint >= 0 && !(i < 3 * joints && is_hip(fit, i / 3))) {
            shape->parameter[i] = group[joint];
            shape->slope[i] = shape->base[i];
            shape->base[i] = 0.0;
        }
    }
    for (size_t k = 0; k < UG_BODY_GROUP_COUNT; k++) {
        shape->value[k] = shape->prior[k] = 1.0;
        shape->sigma[k] = GROUP_SIGMA;
    }
    return UG_OK;
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
        status = group_shape(&shape, fit, group, err);
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

// --- every bone and place its own parameter ------------------------------------------------------

static double axis_of(ug_vec3 v, size_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool bone_is_free(const ug_fit *fit, size_t joint)
{
    const ug_ik_joint *j = &fit->model->joints[joint];
    return !fit->options->keep_bones && j->parent >= 0 && j->dof_count > 0 &&
           j->type != UG_JOINT_FREE;
}

// σ of coordinate i; 0 = the coordinate is fixed.
static double coordinate_sigma(const ug_fit *fit, size_t i)
{
    const size_t joints = fit->model->joint_count, axis = i % 3;
    if (i < 3 * joints) {
        const ug_joint *joint = &fit->skeleton->joints[i / 3];
        const double own = joint->flags & UG_JOINT_HAS_PRIOR ? axis_of(joint->offset_sigma_m, axis)
                                                             : DEFAULT_BONE_SIGMA_M;
        // residuals hardly see how far apart the hips are: their prior decides
        const double sigma = is_hip(fit, i / 3) ? fmin(own, HIP_SIGMA_M) : own;
        return bone_is_free(fit, i / 3) ? fit->options->prior_scale * sigma : 0.0;
    }
    const size_t m = i / 3 - joints;
    const double sigma = axis_of(fit->attachments.items[m].sigma_m, axis);
    return fit->model->markers[m].weight == 0.0
               ? 0.0
               : fit->options->prior_scale * (sigma > 0.0 ? sigma : DEFAULT_MARKER_SIGMA_M);
}

static ug_status tie_pair(ug_bundle_shape *shape, const double A[9], int left, int right,
                          ug_error *err)
{
    ug_status status = UG_OK;
    for (int i = 0; i < 3 && status == UG_OK; i++) {
        ug_bundle_tie tie = { .parameter = { shape->parameter[3 * left + i], -1, -1, -1 },
                              .coefficient = { 1.0 },
                              .sigma = SYMMETRY_SIGMA_M };
        bool complete = tie.parameter[0] >= 0;
        for (int k = 0; k < 3; k++) {
            if (fabs(A[3 * i + k]) > 1e-9) {
                tie.parameter[1 + k] = shape->parameter[3 * right + k];
                tie.coefficient[1 + k] = -A[3 * i + k];
                complete = complete && tie.parameter[1 + k] >= 0;
            }
        }
        status = complete ? ug_bundle_shape_tie(shape, &tie, err) : UG_OK;
    }
    return status;
}

// Soft equations between the left and right bones of a template that is symmetric itself.
static ug_status tie_sides(ug_bundle_shape *shape, const ug_fit *fit, ug_error *err)
{
    const ug_skeleton *skeleton = fit->skeleton;
    const size_t n = skeleton->joint_count;
    int *mirror = malloc(n * sizeof *mirror);
    ug_quat *rest_q = malloc(n * sizeof *rest_q);
    ug_vec3 *rest_m = malloc(n * sizeof *rest_m);
    ug_status status = mirror && rest_q && rest_m ? UG_OK : no_memory(err);
    if (status == UG_OK) {
        ug_body_mirrors(mirror, skeleton);
        ug_rest_forward(rest_q, rest_m, skeleton);
    }
    for (size_t j = 0; j < n && status == UG_OK; j++) {
        const int k = mirror[j];
        const int pj = skeleton->joints[j].parent, pk = k >= 0 ? skeleton->joints[k].parent : -1;
        // each pair once, and only bones between joints that mirror each other themselves
        if (k > (int)j && pj >= 0 && pk >= 0 && (pj == pk || mirror[pj] == pk)) {
            double A[9];
            ug_body_reflection(A, skeleton, rest_q, ug_body_lateral(skeleton, mirror), (int)j, k);
            const ug_vec3 b = skeleton->joints[k].offset_m;
            const ug_vec3 image = { A[0] * b.x + A[1] * b.y + A[2] * b.z,
                                    A[3] * b.x + A[4] * b.y + A[5] * b.z,
                                    A[6] * b.x + A[7] * b.y + A[8] * b.z };
            const ug_vec3 offset = skeleton->joints[j].offset_m;
            if (ug_vec3_distance(image, offset) <= 0.01 + 0.1 * ug_vec3_norm(offset)) {
                status = tie_pair(shape, A, (int)j, k, err);
            }
        }
    }
    free(mirror);
    free(rest_q);
    free(rest_m);
    return status;
}

// Values where the model is, priors where skeleton and attachments are.
static ug_status full_shape(ug_bundle_shape *shape, const ug_fit *fit, ug_error *err)
{
    size_t count = 0;
    const size_t joints = fit->model->joint_count;
    const size_t coordinates = 3 * (joints + fit->model->marker_count);
    for (size_t i = 0; i < coordinates; i++) {
        count += coordinate_sigma(fit, i) > 0.0;
    }
    const ug_status status = ug_bundle_shape_init(shape, fit->model, count, err);
    for (size_t i = 0, k = 0; i < coordinates && status == UG_OK; i++) {
        const double sigma = coordinate_sigma(fit, i);
        if (sigma > 0.0) {
            const ug_vec3 prior = i < 3 * joints ? fit->skeleton->joints[i / 3].offset_m
                                                 : fit->attachments.items[i / 3 - joints].local_m;
            shape->parameter[i] = (int)k;
            shape->slope[i] = 1.0;
            shape->value[k] = shape->base[i];
            shape->base[i] = 0.0;
            shape->prior[k] = axis_of(prior, i % 3);
            shape->sigma[k++] = sigma;
        }
    }
    return status == UG_OK && fit->options->symmetry && !fit->options->keep_bones
               ? tie_sides(shape, fit, err)
               : status;
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
        status = full_shape(&fit->shape, fit, err);
    }
    if (status == UG_OK) {
        status = bundle_chosen(fit, &fit->shape, losses, 3, 30, err);
    }
    free(keep);
    free(scratch);
    return status;
}

// --- exchanged labels ---------------------------------------------------------------------------

static void swap_priors(ug_fit *fit, size_t a, size_t b)
{
    ug_attachment *x = &fit->attachments.items[a], *y = &fit->attachments.items[b];
    const ug_attachment was = *x;
    x->local_m = y->local_m;
    x->sigma_m = y->sigma_m;
    x->kind = y->kind;
    y->local_m = was.local_m;
    y->sigma_m = was.sigma_m;
    y->kind = was.kind;
    ug_fit_prior_to_shape(fit);
}

// Robust total: a few frames that fail either way must not decide.
static double total_cost(const ug_fit *fit)
{
    double sum = 0.0;
    for (size_t t = 0; t < fit->count; t++) {
        sum += isfinite(fit->cost[t]) ? fit->cost[t] : 0.0;
    }
    return sum;
}

// Add to the library each of its poses with `joint` back at rest and all below it where it was in
// the world: what remains when a wrong label no longer turns the joint.
static ug_status add_unturned(ug_fit *fit, int joint, ug_error *err)
{
    const size_t joints = fit->model->joint_count, count = fit->library.count;
    ug_quat *local_q = malloc(2 * joints * sizeof *local_q), *world_q = local_q + joints;
    ug_vec3 *shift_m = malloc(2 * joints * sizeof *shift_m), *world_m = shift_m + joints;
    double *pose = malloc((fit->model->pose_size + 1) * sizeof *pose);
    ug_status status = local_q && shift_m && pose ? UG_OK : no_memory(err);
    for (size_t i = 0; i < count && status == UG_OK; i++) {
        ug_ik_pose_to_local(local_q, shift_m, fit->model,
                            fit->library.poses + i * fit->model->pose_size);
        ug_pose_forward(world_q, world_m, fit->skeleton, local_q, shift_m);
        const int parent = fit->skeleton->joints[joint].parent;
        local_q[joint] = fit->skeleton->joints[joint].rest;
        const ug_quat q =
            parent >= 0 ? ug_quat_mul(world_q[parent], local_q[joint]) : local_q[joint];
        for (size_t j = 0; j < joints; j++) {
            if (fit->skeleton->joints[j].parent == joint) {
                local_q[j] = ug_quat_mul(ug_quat_conj(q), world_q[j]);
            }
        }
        ug_ik_pose_from_local(pose, fit->model, local_q, shift_m);
        status = ug_ik_library_add(&fit->library, pose, err);
    }
    free(local_q);
    free(shift_m);
    free(pose);
    return status;
}

// Solve with one pair exchanged; keep that when it costs clearly less.
static ug_status try_exchange(ug_fit *fit, size_t a, size_t b, double *keep_poses, bool *kept,
                              ug_error *err)
{
    const size_t doubles = fit->count * fit->model->pose_size;
    const double before = total_cost(fit);
    memcpy(keep_poses, fit->poses, doubles * sizeof *keep_poses);
    memcpy(keep_poses + doubles, fit->cost, fit->count * sizeof *keep_poses);
    const size_t library = fit->library.count;
    swap_priors(fit, a, b);
    ug_status status = add_unturned(fit, fit->model->markers[a].joint, err);
    if (status == UG_OK) {
        status = ug_fit_pose(fit, err);
    }
    *kept = status == UG_OK && total_cost(fit) < 0.99 * before;
    if (!*kept) {
        fit->library.count = library;
        swap_priors(fit, a, b);
        memcpy(fit->poses, keep_poses, doubles * sizeof *keep_poses);
        memcpy(fit->cost, keep_poses + doubles, fit->count * sizeof *keep_poses);
    }
    return status;
}

ug_status ug_fit_exchange(ug_fit *fit, int *partner, ug_error *err)
{
    const size_t n = fit->model->marker_count;
    const ug_bundle_frames frames = { fit->count, fit->measured_m, fit->weight };
    ug_vec3 *sigma = calloc(n + 1, sizeof *sigma);
    double *keep_poses =
        malloc((fit->count * (fit->model->pose_size + 1) + 1) * sizeof *keep_poses);
    ug_status status = sigma && keep_poses ? UG_OK : no_memory(err);
    size_t pairs = 0;
    for (size_t m = 0; m < n; m++) {
        partner[m] = -1;
        if (status == UG_OK) {
            const ug_vec3 s = fit->attachments.items[m].sigma_m;
            const double d = DEFAULT_MARKER_SIGMA_M;
            sigma[m] = (ug_vec3){ s.x > 0.0 ? s.x : d, s.y > 0.0 ? s.y : d, s.z > 0.0 ? s.z : d };
        }
    }
    if (status == UG_OK) {
        status =
            ug_labels_find_exchanged(partner, &pairs, fit->model, sigma, fit->poses, &frames, err);
    }
    for (size_t a = 0; a < n && status == UG_OK && pairs > 0; a++) {
        const int b = partner[a];
        if (b > (int)a) {
            bool kept = false;
            status = try_exchange(fit, a, (size_t)b, keep_poses, &kept, err);
            if (!kept) {
                partner[a] = partner[b] = -1;
            }
        }
    }
    free(sigma);
    free(keep_poses);
    return status;
}
