// SPDX-License-Identifier: MIT
#include "solvers/calibrate_exchange.h"

#include "motion/kinematics.h"
#include "solvers/calibrate_labels.h"
#include "solvers/calibrate_parameters.h"
#include "solvers/ik_pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ug_status no_memory(ug_error *err)
{
    return ug_fail(err, UG_E_NOMEM, "out of memory");
}

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
            sigma[m] = ug_parameters_place_sigma(&fit->attachments.items[m]);
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
