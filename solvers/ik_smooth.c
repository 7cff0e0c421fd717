// SPDX-License-Identifier: MIT
// Passes that look at neighbours in time: fill, smooth, limit.
#include "solvers/ik_observe.h"
#include "solvers/ik_take.h"
#include "solvers/ik_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SMOOTH_RAD = 0.02, STIFF_RAD = 0.001;

static ug_quat quat_of(const double *p)
{
    return (ug_quat){ p[0], p[1], p[2], p[3] };
}

// state between two of one joint, `t` of the way
static void between(double *out, ug_joint_type type, const double *a, const double *b, double t)
{
    switch (type) {
    case UG_JOINT_FREE:
        for (int i = 0; i < 3; i++) {
            out[i] = a[i] + t * (b[i] - a[i]);
        }
        out += 3;
        a += 3;
        b += 3;
        // fall through to the rotation
        __attribute__((fallthrough));
    case UG_JOINT_BALL: {
        const ug_quat q = ug_quat_slerp(quat_of(a), quat_of(b), t);
        memcpy(out, (double[]){ q.w, q.x, q.y, q.z }, 4 * sizeof *out);
        break;
    }
    case UG_JOINT_UNIVERSAL:
        out[1] = a[1] + t * (b[1] - a[1]);
        __attribute__((fallthrough));
    case UG_JOINT_HINGE:
        out[0] = a[0] + t * (b[0] - a[0]);
        break;
    case UG_JOINT_FIXED:
        break;
    }
}

// Weights as the last solve saw them (Geman–McClure), or all seen markers at weight 1.
static void weights_at(double *weight, const ug_ik_track *track, const ug_ik_frame *frame, size_t f,
                       bool all)
{
    const ug_ik_target target = ug_ik_track_target(track, f);
    const double information = 1.0 / (track->options.sigma_m * track->options.sigma_m);
    const ug_loss loss = ug_ik_last_loss(track, f);
    for (size_t m = 0; m < track->model->marker_count; m++) {
        const double w = information * track->model->markers[m].weight;
        weight[m] = all ? w : w * target.weight[m];
        if (!all && weight[m] > 0.0) {
            const ug_vec3 r =
                ug_vec3_sub(ug_vec3_of(target.measured_m + 3 * m), frame->marker_m[m]);
            weight[m] *= ug_loss_weight(loss, ug_vec3_dot(r, r));
        }
    }
}

// What is undecided now but would not be with every marker in view.
static void observe_piece(void *context, size_t piece, size_t worker)
{
    ug_ik_track *track = context;
    const ug_ik_model *model = track->model;
    const size_t joints = model->joint_count;
    char *memory = track->workspace + worker * track->workspace_bytes;
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, model, memory);
    double *weight = (double *)(memory + ug_ik_frame_bytes(model));
    double *scratch = weight + model->marker_count;
    unsigned char *structural = (unsigned char *)(scratch + ug_ik_observe_doubles(model));
    const size_t end = (piece + 1) * UG_IK_PIECE;
    for (size_t f = piece * UG_IK_PIECE; f < end && f < track->frame_count; f++) {
        uint8_t *weak = track->weak + f * joints;
        memset(weak, 0, joints);
        if (!ug_ik_track_usable(track, f)) {
            for (size_t j = 0; j < joints; j++) {
                weak[j] = model->joints[j].dof_count > 0;
            }
            continue;
        }
        ug_ik_forward(&frame, model, ug_ik_track_pose(track, f));
        weights_at(weight, track, &frame, f, false);
        bool complete = true;
        for (size_t m = 0; m < model->marker_count; m++) {
            const double full =
                model->markers[m].weight / (track->options.sigma_m * track->options.sigma_m);
            complete = complete && weight[m] >= 0.1 * full;
        }
        if (complete) {
            continue;
        }
        ug_ik_undecided(weak, model, &frame, weight, scratch);
        weights_at(weight, track, &frame, f, true);
        ug_ik_undecided(structural, model, &frame, weight, scratch);
        for (size_t j = 0; j < joints; j++) {
            weak[j] = weak[j] && !structural[j];
        }
    }
}

// One joint over time: runs of undecided frames take what lies between their ends.
static void fill_joint(ug_ik_track *track, size_t j)
{
    const ug_ik_joint *joint = &track->model->joints[j];
    const size_t frames = track->frame_count, joints = track->model->joint_count;
    for (size_t f = 0; f < frames;) {
        if (!track->weak[f * joints + j]) {
            f++;
            continue;
        }
        const size_t begin = f;
        while (f < frames && track->weak[f * joints + j]) {
            f++;
        }
        if (begin == 0 && f == frames) {
            return; // never decided: nothing to go by
        }
        const double *a = ug_ik_track_pose(track, begin ? begin - 1 : f) + joint->state;
        const double *b = ug_ik_track_pose(track, f < frames ? f : begin - 1) + joint->state;
        for (size_t k = begin; k < f; k++) {
            between(ug_ik_track_pose(track, k) + joint->state, joint->type, a, b,
                    (double)(k - begin + 1) / (double)(f - begin + 1));
        }
    }
}

ug_status ug_ik_fill(ug_ik_track *track, ug_error *err)
{
    const ug_status status =
        ug_ik_run(track, ug_ik_piece_count(track), observe_piece, track, 0.6, 0.65, err);
    for (size_t j = 0; status == UG_OK && j < track->model->joint_count; j++) {
        if (track->model->joints[j].dof_count > 0) {
            fill_joint(track, j);
        }
    }
    return status;
}

// The pose halfway between the neighbours of `f`; at the ends of the take the one that continues
// the two frames beside it. False when the take is too short for either.
static bool halfway(double *out, const ug_ik_track *track, size_t f)
{
    const ug_ik_model *model = track->model;
    const size_t last = track->frame_count - 1;
    if (track->frame_count < 3) {
        return false;
    }
    const bool end = f == 0 || f == last;
    const size_t first = f == 0 ? 2 : f == last ? last - 2 : f - 1;
    const size_t second = f == 0 ? 1 : f == last ? last - 1 : f + 1;
    const double *a = track->scratch + first * model->pose_size;
    const double *b = track->scratch + second * model->pose_size;
    for (size_t j = 0; j < model->joint_count; j++) {
        const int state = model->joints[j].state;
        between(out + state, model->joints[j].type, a + state, b + state, end ? 2.0 : 0.5);
    }
    return true;
}

static ug_ik_options late_options(const ug_ik_track *track, size_t frame)
{
    ug_ik_options o = track->options;
    o.loss = ug_ik_last_loss(track, frame);
    o.max_iterations = 30;
    o.gain_tolerance = 1e-6;
    return o;
}

typedef struct sweep {
    ug_ik_track *track;
    size_t parity;
} sweep;

static void sweep_piece(void *context, size_t piece, size_t worker)
{
    const sweep *job = context;
    ug_ik_track *track = job->track;
    char *memory = track->workspace + worker * track->workspace_bytes;
    double *toward = (double *)memory;
    double *spare = toward + track->model->pose_size;
    const size_t end = (piece + 1) * UG_IK_PIECE;
    for (size_t f = piece * UG_IK_PIECE + job->parity; f < end && f < track->frame_count; f += 2) {
        if (!ug_ik_track_usable(track, f) || !halfway(toward, track, f)) {
            continue;
        }
        const ug_ik_target target = ug_ik_track_target(track, f);
        ug_ik_options o = late_options(track, f);
        o.prior.toward = toward;
        o.prior.toward_sigma_rad = SMOOTH_RAD;
        const ug_ik_result result = ug_ik_settle(ug_ik_track_pose(track, f), track->model, &target,
                                                 &o, spare, spare + track->model->pose_size);
        track->settled[f] = result.converged;
        track->iterations[f] += result.iterations;
    }
}

// Passes read their neighbours here, so that nobody sees a frame half written.
static void snapshot(ug_ik_track *track)
{
    memcpy(track->scratch, track->poses,
           track->frame_count * track->model->pose_size * sizeof *track->scratch);
}

ug_status ug_ik_smooth(ug_ik_track *track, size_t sweeps, ug_error *err)
{
    ug_status status = UG_OK;
    for (size_t i = 0; status == UG_OK && i < 2 * sweeps; i++) {
        sweep job = { track, i % 2 };
        snapshot(track);
        const double share = (double)i / (double)(2 * sweeps);
        status = ug_ik_run(track, ug_ik_piece_count(track), sweep_piece, &job, 0.65 + 0.3 * share,
                           0.65 + 0.3 * (share + 0.5 / (double)sweeps), err);
    }
    return status;
}

typedef struct limit {
    ug_ik_track *track;
    bool smooth, enforce;
} limit;

// True when some angle is outside; notes the joints that are more than a degree outside.
static bool note_hits(ug_ik_track *track, size_t f, bool enforce, double *angles, double *over)
{
    const ug_ik_model *model = track->model;
    bool outside = false;
    ug_ik_angles(angles, model, ug_ik_track_pose(track, f));
    ug_ik_over_limits(over, model, angles);
    for (size_t d = 0; d < model->dof_count; d++) {
        if (over[d] != 0.0) {
            const size_t i = f * model->joint_count + (size_t)model->dof_joint[d];
            outside = true;
            track->over_rad[i] = fmaxf(track->over_rad[i], (float)fabs(over[d]));
            track->hit[i] |= (uint8_t)((fabs(over[d]) > UG_IK_LIMIT_HIT_RAD ? UG_IK_LIMIT_HIT : 0) |
                                       (enforce ? UG_IK_LIMIT_HELD : 0));
        }
    }
    return outside;
}

static void limit_piece(void *context, size_t piece, size_t worker)
{
    const limit *job = context;
    ug_ik_track *track = job->track;
    const ug_ik_model *model = track->model;
    double *toward = (double *)(track->workspace + worker * track->workspace_bytes);
    double *angles = toward + model->pose_size, *over = angles + model->dof_count;
    void *solve = over + model->dof_count;
    const size_t end = (piece + 1) * UG_IK_PIECE;
    for (size_t f = piece * UG_IK_PIECE; f < end && f < track->frame_count; f++) {
        memset(track->hit + f * model->joint_count, 0, model->joint_count);
        memset(track->over_rad + f * model->joint_count, 0,
               model->joint_count * sizeof *track->over_rad);
        if (!note_hits(track, f, job->enforce, angles, over) || !job->enforce) {
            continue;
        }
        double *pose = ug_ik_track_pose(track, f);
        if (ug_ik_track_usable(track, f)) {
            // stiff limits let the other joints answer; what still sticks out is tiny
            const ug_ik_target target = ug_ik_track_target(track, f);
            ug_ik_options o = late_options(track, f);
            o.prior.limit_sigma_rad = STIFF_RAD;
            if (job->smooth && halfway(toward, track, f)) {
                o.prior.toward = toward;
                o.prior.toward_sigma_rad = SMOOTH_RAD;
            }
            const ug_ik_result result = ug_ik_solve_frame(pose, model, &target, &o, solve);
            track->settled[f] = result.converged;
            track->iterations[f] += result.iterations;
        }
        (void)ug_ik_clamp(pose, model);
    }
}

ug_status ug_ik_limit(ug_ik_track *track, bool smooth, bool enforce, ug_error *err)
{
    limit job = { track, smooth, enforce };
    snapshot(track);
    return ug_ik_run(track, ug_ik_piece_count(track), limit_piece, &job, 0.95, 1.0, err);
}
