// SPDX-License-Identifier: MIT
#include "solvers/ik_take.h"

#include "solvers/blas_threads.h"
#include "solvers/ik_track.h"
#include "solvers/residual_stats.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t SWEEPS = 3;

const char *ug_ik_outcome_name(ug_ik_outcome outcome)
{
    static const char *const NAMES[] = { "unsolved", "stopped", "under_determined", "limited",
                                         "converged" };
    assert(outcome < UG_IK_OUTCOME_COUNT);
    return NAMES[outcome];
}

ug_ik_take_options ug_ik_take_default_options(void)
{
    return (ug_ik_take_options){ .sigma_m = 0.005, .smooth = true, .hard_limits = true, .jobs = 1 };
}

void ug_ik_take_result_fini(ug_ik_take_result *result)
{
    if (!result) {
        return;
    }
    ug_clip_destroy(result->clip);
    free(result->columns);
    free(result->residual_mm);
    free(result->outcome);
    free(result->weak_joint);
    free(result->limit_hits);
    free(result->limit_held);
    free(result->undecided);
    *result = (ug_ik_take_result){ 0 };
}

// Everything a solve needs beside its result.
typedef struct job {
    const ug_markers *markers;
    const ug_skeleton *skeleton;
    const ug_attachments *attachments;
    const ug_ik_take_options *options;
    ug_warnings *warnings;
    ug_ik_model *model;
    ug_ik_track track;
    double *measured_m, *weight; // owned, seen through track
    size_t *visible;
    bool *seen;
} job;

static void job_fini(job *j)
{
    free(j->measured_m);
    free(j->weight);
    free(j->visible);
    free(j->seen);
    free(j->track.workspace);
    free(j->track.poses);
    free(j->track.scratch);
    free(j->track.costs);
    free(j->track.settled);
    free(j->track.lost);
    free(j->track.weak);
    free(j->track.hit);
    free(j->track.iterations);
    ug_ik_library_fini(&j->track.library);
    ug_ik_model_destroy(j->model);
}

static ptrdiff_t find_column(const ug_markers *markers, const char *label, const char *subject)
{
    for (size_t c = 0; c < markers->marker_count; c++) {
        if (markers->labels[c] && strcmp(markers->labels[c], label) == 0 &&
            (!subject || (markers->subjects[c] && strcmp(markers->subjects[c], subject) == 0))) {
            return (ptrdiff_t)c;
        }
    }
    return -1;
}

static bool is_used(const ug_attachment *item)
{
    return item->kind != UG_MARKER_COMPUTED && item->weight > 0.0;
}

static void match_labels(ug_ik_take_result *out, const job *j)
{
    for (size_t a = 0; a < j->attachments->count; a++) {
        const ug_attachment *item = &j->attachments->items[a];
        out->columns[a] = find_column(j->markers, item->label, j->options->subject);
        if (out->columns[a] < 0 && is_used(item)) {
            ug_warn(j->warnings, "marker_absent",
                    "marker '%s' of the table is not in the take: solved without it", item->label);
        }
    }
    for (size_t c = 0; c < j->markers->marker_count; c++) {
        bool known = j->markers->kinds[c] != UG_POINT_MARKER;
        for (size_t a = 0; !known && a < j->attachments->count; a++) {
            known = j->markers->labels[c] &&
                    strcmp(j->markers->labels[c], j->attachments->items[a].label) == 0;
        }
        if (!known) {
            ug_warn(j->warnings, "marker_unknown",
                    "marker '%s' of the take is not in the table: not used",
                    j->markers->labels[c] ? j->markers->labels[c] : "?");
        }
    }
}

// Filled samples speak by the error their filler predicts, or a quarter when it does not.
static double sample_weight(const ug_markers *markers, size_t index, double sigma_m)
{
    if (!(markers->origin[index] & UG_ORIGIN_FILLED)) {
        return 1.0;
    }
    const double e = 1e-3 * (double)markers->predicted_error_mm[index];
    return e >= 0.0 ? sigma_m * sigma_m / (sigma_m * sigma_m + e * e) : 0.25;
}

static void gather(job *j, const ug_ik_take_result *out)
{
    const size_t count = j->attachments->count;
    for (size_t f = 0; f < j->markers->frame_count; f++) {
        for (size_t a = 0; a < count; a++) {
            const size_t i = f * count + a;
            const ptrdiff_t c = out->columns[a];
            j->weight[i] = 0.0;
            if (c < 0 || !ug_markers_present(j->markers, f, (size_t)c)) {
                memset(j->measured_m + 3 * i, 0, 3 * sizeof *j->measured_m);
                continue;
            }
            const ug_vec3 p = ug_markers_position_m(j->markers, f, (size_t)c);
            memcpy(j->measured_m + 3 * i, &p, sizeof p);
            if (ug_vec3_is_finite(p) && !(j->options->hidden && j->options->hidden[i])) {
                j->weight[i] = sample_weight(j->markers, ug_markers_index(j->markers, f, (size_t)c),
                                             j->options->sigma_m);
                j->seen[a] = j->seen[a] || j->weight[i] > 0.0;
            }
        }
    }
}

static void warn_unseen(const job *j, const ug_ik_take_result *out)
{
    for (size_t a = 0; a < j->attachments->count; a++) {
        if (is_used(&j->attachments->items[a]) && out->columns[a] >= 0 && !j->seen[a]) {
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

static ug_status allocate(job *j, ug_ik_take_result *out, ug_error *err)
{
    const size_t frames = j->markers->frame_count, count = j->attachments->count;
    const size_t joints = j->skeleton->joint_count, samples = frames * count;
    out->frame_count = frames;
    out->attachment_count = count;
    out->joint_count = joints;
    out->columns = malloc((count + 1) * sizeof *out->columns);
    out->residual_mm = malloc((samples + 1) * sizeof *out->residual_mm);
    out->outcome = calloc(frames + 1, sizeof *out->outcome);
    out->weak_joint = malloc((frames + 1) * sizeof *out->weak_joint);
    out->limit_hits = calloc(joints + 1, sizeof *out->limit_hits);
    out->limit_held = calloc(joints + 1, sizeof *out->limit_held);
    out->undecided = calloc(joints + 1, sizeof *out->undecided);
    j->measured_m = malloc((3 * samples + 1) * sizeof *j->measured_m);
    j->weight = malloc((samples + 1) * sizeof *j->weight);
    j->visible = calloc(frames + 1, sizeof *j->visible);
    j->seen = calloc(count + 1, sizeof *j->seen);
    j->track.costs = malloc((frames + 1) * sizeof *j->track.costs);
    j->track.settled = calloc(frames + 1, sizeof *j->track.settled);
    j->track.lost = calloc(frames + 1, sizeof *j->track.lost);
    j->track.weak = calloc(frames * joints + 1, sizeof *j->track.weak);
    j->track.hit = calloc(frames * joints + 1, sizeof *j->track.hit);
    j->track.iterations = calloc(frames + 1, sizeof *j->track.iterations);
    if (!out->columns || !out->residual_mm || !out->outcome || !out->weak_joint ||
        !out->limit_hits || !out->limit_held || !out->undecided || !j->measured_m || !j->weight ||
        !j->visible || !j->seen || !j->track.costs || !j->track.settled || !j->track.lost ||
        !j->track.weak || !j->track.hit || !j->track.iterations) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu frames of %zu markers", frames,
                       count);
    }
    return UG_OK;
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

static ug_status count_visible(job *j, ug_error *err)
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

static ug_status prepare(job *j, ug_ik_take_result *out, ug_error *err)
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

// Joints with an animated translation: every root and every FREE joint.
static ug_clip *make_clip(const job *j)
{
    const size_t joints = j->model->joint_count;
    int *moved = malloc((joints + 1) * sizeof *moved);
    size_t count = 0;
    for (size_t k = 0; moved && k < joints; k++) {
        if (j->model->joints[k].parent < 0 || j->model->joints[k].type == UG_JOINT_FREE) {
            moved[count++] = (int)k;
        }
    }
    ug_clip *clip =
        moved ? ug_clip_create(j->markers->frame_count, joints, moved, count, j->markers->rate)
              : NULL;
    free(moved);
    if (clip) {
        clip->first_frame = j->markers->first_frame;
        clip->origin = calloc(j->markers->frame_count * joints + 1, sizeof *clip->origin);
        if (!clip->origin) {
            ug_clip_destroy(clip);
            return NULL;
        }
    }
    return clip;
}

static void write_frame(ug_clip *clip, const job *j, size_t f, ug_vec3 *offset_m)
{
    const size_t joints = clip->joint_count;
    ug_ik_pose_to_local(ug_clip_rotations(clip, f), offset_m, j->model,
                        ug_ik_track_pose(&j->track, f));
    for (size_t t = 0; t < clip->translated_count; t++) {
        ug_clip_translations(clip, f)[t] = offset_m[clip->translated_joints[t]];
    }
    for (size_t k = 0; k < joints; k++) {
        clip->origin[f * joints + k] =
            (uint16_t)(UG_ORIGIN_PRESENT | UG_ORIGIN_COMPUTED |
                       (j->track.weak[f * joints + k] ? UG_ORIGIN_FILLED : 0));
    }
}

// Distances of a frame; true when most of its solved samples lie beyond the outlier bound.
static bool measure_frame(ug_ik_take_result *out, const job *j, size_t f, ug_ik_frame *frame)
{
    size_t far = 0;
    ug_ik_forward(frame, j->model, ug_ik_track_pose(&j->track, f));
    for (size_t a = 0; a < out->attachment_count; a++) {
        const size_t i = f * out->attachment_count + a;
        const ptrdiff_t c = out->columns[a];
        out->residual_mm[i] = NAN;
        if (c < 0 || !is_used(&j->attachments->items[a]) ||
            !ug_markers_present(j->markers, f, (size_t)c)) {
            continue;
        }
        const double mm =
            1e3 * ug_vec3_distance(ug_vec3_of(j->measured_m + 3 * i), frame->marker_m[a]);
        out->residual_mm[i] = (float)mm;
        far += j->weight[i] > 0.0 && mm >= UG_OUTLIER_MM;
    }
    return 2 * far > j->visible[f];
}

static void judge_frame(ug_ik_take_result *out, const job *j, size_t f, bool far)
{
    const uint8_t *weak = j->track.weak + f * out->joint_count;
    const uint8_t *hit = j->track.hit + f * out->joint_count;
    bool limited = false;
    out->weak_joint[f] = -1;
    for (size_t k = 0; k < out->joint_count; k++) {
        out->limit_hits[k] += (hit[k] & UG_IK_LIMIT_HIT) != 0;
        out->limit_held[k] += (hit[k] & UG_IK_LIMIT_HELD) != 0;
        out->undecided[k] += weak[k];
        limited = limited || (hit[k] & UG_IK_LIMIT_HIT);
        if (weak[k] && out->weak_joint[f] < 0) {
            out->weak_joint[f] = (int)k;
        }
    }
    ug_ik_outcome outcome = UG_IK_CONVERGED;
    if (!ug_ik_track_usable(&j->track, f) || far) {
        outcome = UG_IK_UNSOLVED;
    } else if (!j->track.settled[f]) {
        outcome = UG_IK_STOPPED;
    } else if (out->weak_joint[f] >= 0) {
        outcome = UG_IK_UNDER;
    } else if (limited) {
        outcome = UG_IK_LIMITED;
    }
    out->outcome[f] = (uint8_t)outcome;
    out->outcome_count[outcome]++;
    out->limit_hit_frames += limited;
    out->iterations += j->track.iterations[f];
}

static void warn_outcome(const ug_ik_take_result *out, const job *j)
{
    for (size_t f = 0; f < out->frame_count; f++) {
        if (out->outcome[f] == UG_IK_UNSOLVED) {
            const bool usable = ug_ik_track_usable(&j->track, f);
            ug_warn_times(j->warnings, out->outcome_count[UG_IK_UNSOLVED], "frames_unsolved",
                          usable
                              ? "frame %lld: most of its %zu markers are farther than 60 mm from "
                                "the skeleton: wrong labels or wrong subject?"
                              : "frame %lld: %zu markers are too few for a pose; it lies between "
                                "its neighbours",
                          (long long)(j->markers->first_frame + (int64_t)f), j->visible[f]);
            break;
        }
    }
    for (size_t k = 0; k < out->joint_count; k++) {
        const char *name = j->skeleton->joints[k].name;
        ug_warn_times(j->warnings, out->undecided[k], "joint_undecided",
                      "joint '%s': hidden markers leave it undecided in %zu frames; it follows its "
                      "neighbours in time there",
                      name, out->undecided[k]);
        ug_warn_times(j->warnings, out->limit_hits[k], "limit_hits",
                      "joint '%s' wanted to go more than 1° past its limits in %zu frames", name,
                      out->limit_hits[k]);
    }
}

static ug_status report(ug_ik_take_result *out, job *j, ug_error *err)
{
    void *memory = malloc(ug_ik_frame_bytes(j->model));
    ug_vec3 *offset_m = malloc((out->joint_count + 1) * sizeof *offset_m);
    ug_status status = UG_OK;
    out->clip = make_clip(j);
    if (!memory || !offset_m || !out->clip) {
        status =
            ug_fail(err, UG_E_NOMEM, "out of memory for a motion of %zu frames", out->frame_count);
        goto done;
    }
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, j->model, memory);
    for (size_t f = 0; f < out->frame_count; f++) {
        write_frame(out->clip, j, f, offset_m);
        judge_frame(out, j, f, measure_frame(out, j, f, &frame));
    }
    ug_clip_make_signs_continuous(out->clip);
    warn_outcome(out, j);
done:
    free(memory);
    free(offset_m);
    return status;
}

ug_status ug_ik_take_solve(ug_ik_take_result *out, ug_warnings *warnings, const ug_markers *markers,
                           const ug_skeleton *skeleton, const ug_attachments *attachments,
                           const ug_ik_take_options *options, ug_error *err)
{
    const ug_ik_take_options fallback = ug_ik_take_default_options();
    job j = { .markers = markers,
              .skeleton = skeleton,
              .attachments = attachments,
              .options = options ? options : &fallback,
              .warnings = warnings };
    assert(j.options->sigma_m > 0.0);
    *out = (ug_ik_take_result){ 0 };
    ug_blas_single_thread();
    ug_status status = allocate(&j, out, err);
    if (status == UG_OK) {
        match_labels(out, &j);
        gather(&j, out);
        status = prepare(&j, out, err);
    }
    if (status == UG_OK) {
        status = run_passes(&j.track, j.options, err);
    }
    if (status == UG_OK) {
        status = report(out, &j, err);
    }
    job_fini(&j);
    if (status != UG_OK) {
        ug_ik_take_result_fini(out);
    }
    return status;
}
