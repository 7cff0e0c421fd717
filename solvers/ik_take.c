// SPDX-License-Identifier: MIT
#include "solvers/ik_take.h"

#include "solvers/blas_threads.h"
#include "solvers/ik_job.h"

#include <assert.h>
#include <stdlib.h>

static const size_t SWEEPS = 3;

ug_ik_take_options ug_ik_take_default_options(void)
{
    return (ug_ik_take_options){ .sigma_m = 0.005, .smooth = true, .hard_limits = true, .jobs = 1 };
}

static void warn_unseen(const ug_ik_job *j, const ug_ik_take_result *out)
{
    for (size_t a = 0; a < j->attachments->count; a++) {
        if (ug_ik_is_used(&j->attachments->items[a]) && out->columns[a] >= 0 && !j->seen[a]) {
            ug_warn(j->warnings, "marker_never_seen", "marker '%s' has no sample in the take",
                    j->attachments->items[a].label);
        }
    }
    for (size_t k = 0; k < j->skeleton->joint_count; k++) {
        const ug_joint *joint = &j->skeleton->joints[k];
        if (ug_joint_rotation_dof(joint->type) > 0 && !(joint->flags & UG_JOINT_LOCKED) &&
            j->model->joints[k].dof_count == 0) {
            ug_warn(j->warnings, "joint_unseen",
                    "joint '%s' stays at rest: no visible marker on it or below it", joint->name);
        }
    }
}

// how many markers a frame needs: three place a body, one bends an arm that is fixed to the world
static size_t visible_least(const ug_ik_model *model)
{
    for (size_t k = 0; k < model->joint_count; k++) {
        if (model->joints[k].type == UG_JOINT_FREE) {
            return 3;
        }
    }
    return 1;
}

static ug_status count_visible(ug_ik_job *j, ug_error *err)
{
    ug_ik_track *track = &j->track;
    size_t usable = 0;
    for (size_t f = 0; f < track->frame_count; f++) {
        for (size_t m = 0; m < j->model->marker_count; m++) {
            j->visible[f] += j->weight[f * j->model->marker_count + m] > 0.0 &&
                             j->model->markers[m].weight > 0.0;
        }
        track->visible_most =
            j->visible[f] > track->visible_most ? j->visible[f] : track->visible_most;
        usable += j->visible[f] >= track->visible_least;
    }
    if (usable == 0) {
        return ug_fail(err, UG_E_NOT_ENOUGH,
                       "no frame shows the %zu markers a pose needs; the best has %zu",
                       track->visible_least, track->visible_most);
    }
    return UG_OK;
}

static ug_status prepare(ug_ik_job *j, ug_ik_take_result *out, ug_error *err)
{
    ug_ik_track *track = &j->track;
    ug_status status = ug_ik_model_create(&j->model, j->skeleton, j->attachments, j->seen, err);
    if (status != UG_OK) {
        return status;
    }
    warn_unseen(j, out);
    out->dof_count = j->model->dof_count;
    track->model = j->model;
    track->frame_count = j->markers->frame_count;
    track->measured_m = j->measured_m;
    track->weight = j->weight;
    track->visible = j->visible;
    track->visible_least = visible_least(j->model);
    track->options = ug_ik_default_options();
    track->options.sigma_m = j->options->sigma_m;
    track->workers = j->options->jobs ? j->options->jobs : 1;
    track->progress = j->options->progress;
    status = count_visible(j, err);
    if (status == UG_OK) {
        status = ug_ik_library_create(&track->library, j->model, j->skeleton, err);
    }
    if (status != UG_OK) {
        return status;
    }
    track->workspace_bytes = ug_ik_track_bytes(track);
    const size_t poses = track->frame_count * j->model->pose_size;
    track->workspace = aligned_alloc(64, track->workers * track->workspace_bytes);
    track->poses = malloc(poses * sizeof *track->poses);
    track->scratch = malloc(poses * sizeof *track->scratch);
    if (!track->workspace || !track->poses || !track->scratch) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for the poses of %zu frames",
                       track->frame_count);
    }
    return UG_OK;
}

static ug_status run_passes(ug_ik_track *track, const ug_ik_take_options *options, ug_error *err)
{
    ug_status status = ug_ik_follow(track, err);
    if (status == UG_OK) {
        ug_ik_reseed(track);
        status = ug_ik_fill(track, err);
    }
    if (status == UG_OK && options->smooth) {
        status = ug_ik_smooth(track, SWEEPS, err);
    }
    if (status == UG_OK) {
        status = ug_ik_limit(track, options->smooth, options->hard_limits, err);
    }
    return status;
}

ug_status ug_ik_take_solve(ug_ik_take_result *out, ug_warnings *warnings, const ug_markers *markers,
                           const ug_skeleton *skeleton, const ug_attachments *attachments,
                           const ug_ik_take_options *options, ug_error *err)
{
    const ug_ik_take_options fallback = ug_ik_take_default_options();
    ug_ik_job j = { .markers = markers,
                    .skeleton = skeleton,
                    .attachments = attachments,
                    .options = options ? options : &fallback,
                    .warnings = warnings };
    assert(j.options->sigma_m > 0.0);
    *out = (ug_ik_take_result){ 0 };
    ug_blas_single_thread();
    ug_status status = ug_ik_gather(&j, out, err);
    if (status == UG_OK) {
        status = prepare(&j, out, err);
    }
    if (status == UG_OK) {
        status = run_passes(&j.track, j.options, err);
    }
    if (status == UG_OK) {
        status = ug_ik_report(out, &j, err);
    }
    ug_ik_job_fini(&j);
    if (status != UG_OK) {
        ug_ik_take_result_fini(out);
    }
    return status;
}
