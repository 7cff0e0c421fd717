// SPDX-License-Identifier: MIT
#include "solvers/ik_track.h"

#include "solvers/ik_observe.h"
#include "solvers/residual_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ANCHOR_TRIES = 3, ANCHORS_SHARED = 32 };

static const double HUBER_M = 0.020, GEMAN_M = 0.040;
// pull toward the frame before while something is hidden: keeps an unseen joint from snapping to
// rest, weak enough to be undone by the smooth solve
static const double HOLD_RAD = 0.1;
static const double FAR_M = 1e-3 * UG_OUTLIER_MM;
static const double HIDDEN_COST = 4.0; // (10 mm / 5 mm)²
static const double NO_GAIN = 1e-6;

size_t ug_ik_track_bytes(const ug_ik_track *track)
{
    ug_ik_library grown = track->library;
    grown.count += ANCHORS_SHARED;
    const size_t solving = ug_ik_cold_bytes(track->model, &grown, track->options.stepper) +
                           3 * track->model->pose_size * sizeof(double);
    const size_t observing =
        ug_ik_frame_bytes(track->model) + track->model->joint_count +
        (track->model->marker_count + ug_ik_observe_doubles(track->model)) * sizeof(double);
    const size_t bytes = solving > observing ? solving : observing;
    return (bytes + 63) / 64 * 64; // workers do not share a cache line
}

// The worker's room: three poses, then the solvers' workspace.
typedef struct room {
    double *a, *b, *spare;
    void *solve;
} room;

static room room_of(const ug_ik_track *track, size_t worker)
{
    const size_t size = track->model->pose_size;
    double *start = (double *)(track->workspace + worker * track->workspace_bytes);
    return (room){ start, start + size, start + 2 * size, start + 3 * size };
}

ug_ik_result ug_ik_settle(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                          const ug_ik_options *options, double *spare, void *workspace)
{
    const size_t bytes = model->pose_size * sizeof *pose;
    const double before = ug_ik_cost(model, pose, target, options, workspace);
    memcpy(spare, pose, bytes);
    ug_ik_result result = ug_ik_solve_frame(pose, model, target, options, workspace);
    if (result.cost >= before * (1.0 - NO_GAIN)) {
        memcpy(pose, spare, bytes);
        result.cost = before;
    }
    return result;
}

ug_loss ug_ik_last_loss(const ug_ik_track *track, size_t frame)
{
    return track->lost[frame] ? (ug_loss){ UG_LOSS_HUBER, HUBER_M }
                              : (ug_loss){ UG_LOSS_GEMAN_MCCLURE, GEMAN_M };
}

ug_ik_result ug_ik_near(double *pose, const ug_ik_track *track, size_t frame, const double *toward,
                        double toward_sigma_rad, double *spare, void *workspace)
{
    const ug_ik_target target = ug_ik_track_target(track, frame);
    const size_t bytes = track->model->pose_size * sizeof *pose;
    ug_ik_options o = track->options;
    o.loss = (ug_loss){ UG_LOSS_GEMAN_MCCLURE, GEMAN_M };
    const double before = ug_ik_cost(track->model, pose, &target, &o, workspace);
    memcpy(spare, pose, bytes);
    o.prior.toward = toward;
    o.prior.toward_sigma_rad = toward_sigma_rad;
    o.loss = (ug_loss){ UG_LOSS_HUBER, HUBER_M };
    o.max_iterations = 10;
    o.gain_tolerance = 1e-3;
    const ug_ik_result first = ug_ik_solve_frame(pose, track->model, &target, &o, workspace);
    o.loss = (ug_loss){ UG_LOSS_GEMAN_MCCLURE, GEMAN_M };
    o.max_iterations = 60;
    o.gain_tolerance = 1e-6;
    ug_ik_result result = ug_ik_solve_frame(pose, track->model, &target, &o, workspace);
    result.iterations += first.iterations;
    if (toward) {
        o.prior.toward = NULL;
        result.cost = ug_ik_cost(track->model, pose, &target, &o, workspace);
    } else if (result.cost >= before * (1.0 - NO_GAIN)) {
        memcpy(pose, spare, bytes);
        result.cost = before;
    }
    return result;
}

static double per_marker(const ug_ik_track *track, size_t frame, double cost)
{
    return cost / (double)(track->visible[frame] ? track->visible[frame] : 1);
}

// Most of the visible markers are beyond reach of the redescending loss, which then pulls nowhere.
static bool is_lost(const ug_ik_track *track, size_t frame, const double *pose, void *workspace)
{
    const ug_ik_target target = ug_ik_track_target(track, frame);
    size_t far = 0;
    ug_ik_frame shown;
    ug_ik_frame_init(&shown, track->model, workspace);
    ug_ik_forward(&shown, track->model, pose);
    for (size_t m = 0; m < track->model->marker_count; m++) {
        far +=
            target.weight[m] * track->model->markers[m].weight > 0.0 &&
            !(ug_vec3_distance(ug_vec3_of(target.measured_m + 3 * m), shown.marker_m[m]) < FAR_M);
    }
    return 2 * far > track->visible[frame];
}

static void keep(ug_ik_track *track, size_t frame, const double *pose, ug_ik_result result)
{
    memcpy(ug_ik_track_pose(track, frame), pose, track->model->pose_size * sizeof *pose);
    track->costs[frame] = result.cost;
    track->settled[frame] = result.converged;
    track->lost[frame] = 0;
}

// Nothing fits this frame: the nearest pose by a loss that keeps pulling, from the frame before
// when that was lost too, so that a target out of reach is answered by standing still.
static void solve_lost(ug_ik_track *track, size_t frame, size_t from, room *r)
{
    const ug_ik_target target = ug_ik_track_target(track, frame);
    const bool again = from != frame && track->lost[from];
    memcpy(r->a, ug_ik_track_pose(track, again ? from : frame),
           track->model->pose_size * sizeof *r->a);
    ug_ik_options o = track->options;
    track->lost[frame] = 1;
    o.loss = ug_ik_last_loss(track, frame);
    o.max_iterations = 200;
    o.gain_tolerance = 1e-10;
    const ug_ik_result result = ug_ik_settle(r->a, track->model, &target, &o, r->spare, r->solve);
    memcpy(ug_ik_track_pose(track, frame), r->a, track->model->pose_size * sizeof *r->a);
    track->settled[frame] = result.converged;
    track->iterations[frame] += result.iterations;
}

// Cold start of `frame` into room->a, ended by the near losses.
static ug_ik_result cold(ug_ik_track *track, size_t frame, room *r)
{
    const ug_ik_target target = ug_ik_track_target(track, frame);
    const ug_ik_result found = ug_ik_cold_solve(r->a, track->model, &target, &track->library,
                                                &track->options, UG_IK_COLD_KEEP, r->solve);
    ug_ik_result result = ug_ik_near(r->a, track, frame, NULL, 0.0, r->spare, r->solve);
    result.iterations += found.iterations;
    track->iterations[frame] += result.iterations;
    return result;
}

typedef struct follow {
    ug_ik_track *track;
    size_t *anchors; // (pieces) frame, SIZE_MAX where no frame of the piece is usable
} follow;

static size_t piece_end(const ug_ik_track *track, size_t piece)
{
    const size_t end = (piece + 1) * UG_IK_PIECE;
    return end < track->frame_count ? end : track->frame_count;
}

// the usable frame of [begin, end) that shows most, the first of equals
static size_t fullest(const ug_ik_track *track, size_t begin, size_t end)
{
    size_t best = SIZE_MAX;
    for (size_t f = begin; f < end; f++) {
        if (ug_ik_track_usable(track, f) &&
            (best == SIZE_MAX || track->visible[f] > track->visible[best])) {
            best = f;
        }
    }
    return best;
}

static void find_anchor(void *context, size_t piece, size_t worker)
{
    const follow *job = context;
    ug_ik_track *track = job->track;
    room r = room_of(track, worker);
    const size_t begin = piece * UG_IK_PIECE, end = piece_end(track, piece);
    double best = (double)INFINITY;
    job->anchors[piece] = SIZE_MAX;
    for (size_t i = 0; i < ANCHOR_TRIES; i++) {
        const size_t f = fullest(track, begin + i * (end - begin) / ANCHOR_TRIES,
                                 begin + (i + 1) * (end - begin) / ANCHOR_TRIES);
        if (f == SIZE_MAX) {
            continue;
        }
        const ug_ik_result result = cold(track, f, &r);
        // a hidden marker costs nothing, so it is charged as if 10 mm off: the piece had better
        // start where every joint is seen
        const double hidden = (double)(track->visible_most - track->visible[f]);
        const double score = result.cost + hidden * HIDDEN_COST;
        if (score < best || job->anchors[piece] == SIZE_MAX) {
            best = score;
            job->anchors[piece] = f;
            keep(track, f, r.a, result);
        }
    }
}

// With the other pieces' first poses in the library: a bad cold start is put right by a good one.
static void improve_anchor(void *context, size_t piece, size_t worker)
{
    const follow *job = context;
    ug_ik_track *track = job->track;
    const size_t f = job->anchors[piece];
    if (f == SIZE_MAX) {
        return;
    }
    room r = room_of(track, worker);
    const ug_ik_result result = cold(track, f, &r);
    if (result.cost < track->costs[f]) {
        keep(track, f, r.a, result);
    }
}

static void solve_next(ug_ik_track *track, size_t frame, size_t from, room *r)
{
    const double *before = ug_ik_track_pose(track, from);
    const size_t bytes = track->model->pose_size * sizeof(double);
    const bool hold = track->visible[frame] < track->visible_most;
    memcpy(r->b, before, bytes);
    const ug_ik_result result =
        ug_ik_near(r->b, track, frame, hold ? before : NULL, HOLD_RAD, r->spare, r->solve);
    track->iterations[frame] += result.iterations;
    keep(track, frame, r->b, result);
    const double was = per_marker(track, from, track->costs[from]);
    if (!(per_marker(track, frame, result.cost) <= 1.5 * was + 2.0)) {
        // lost it, or a marker went astray: look again from scratch
        const ug_ik_result again = cold(track, frame, r);
        if (again.cost < result.cost) {
            keep(track, frame, r->a, again);
        }
    }
    if (is_lost(track, frame, ug_ik_track_pose(track, frame), r->solve)) {
        solve_lost(track, frame, from, r);
    }
}

static void follow_piece(void *context, size_t piece, size_t worker)
{
    const follow *job = context;
    ug_ik_track *track = job->track;
    room r = room_of(track, worker);
    const size_t begin = piece * UG_IK_PIECE, end = piece_end(track, piece);
    const size_t anchor = job->anchors[piece];
    if (anchor == SIZE_MAX) {
        return;
    }
    if (is_lost(track, anchor, ug_ik_track_pose(track, anchor), r.solve)) {
        solve_lost(track, anchor, anchor, &r);
    }
    size_t last = anchor;
    for (size_t f = anchor + 1; f < end; f++) {
        if (ug_ik_track_usable(track, f)) {
            solve_next(track, f, last, &r);
            last = f;
        }
    }
    last = anchor;
    for (size_t f = anchor; f-- > begin;) {
        if (ug_ik_track_usable(track, f)) {
            solve_next(track, f, last, &r);
            last = f;
        }
    }
}

// up to ANCHORS_SHARED first poses, spread over the take
static ug_status share_anchors(ug_ik_track *track, const size_t *anchors, size_t pieces,
                               ug_error *err)
{
    const size_t count = pieces < ANCHORS_SHARED ? pieces : ANCHORS_SHARED;
    ug_status status = UG_OK;
    for (size_t i = 0; status == UG_OK && i < count; i++) {
        const size_t f = anchors[i * pieces / count];
        if (f != SIZE_MAX) {
            status = ug_ik_library_add(&track->library, ug_ik_track_pose(track, f), err);
        }
    }
    return status;
}

// One round of pieces that starts at `first`.
typedef struct round_job {
    ug_piece_fn fn;
    void *context;
    size_t first;
} round_job;

static void run_piece(void *context, size_t piece, size_t worker)
{
    const round_job *job = context;
    job->fn(job->context, job->first + piece, worker);
}

ug_status ug_ik_run(const ug_ik_track *track, size_t piece_count, ug_piece_fn fn, void *context,
                    double share_from, double share_to, ug_error *err)
{
    // a few pieces a worker at a time, so that the caller hears of progress between them
    const size_t size = 4 * (track->workers ? track->workers : 1);
    for (size_t first = 0; first < piece_count; first += size) {
        const double share = (double)first / (double)piece_count;
        if (!ug_progress_report(track->progress, share_from + (share_to - share_from) * share)) {
            return ug_fail(err, UG_E_INTERRUPTED, "stopped while solving");
        }
        round_job job = { fn, context, first };
        ug_parallel_for(piece_count - first < size ? piece_count - first : size, track->workers,
                        run_piece, &job);
    }
    return UG_OK;
}

size_t ug_ik_piece_count(const ug_ik_track *track)
{
    return (track->frame_count + UG_IK_PIECE - 1) / UG_IK_PIECE;
}

ug_status ug_ik_follow(ug_ik_track *track, ug_error *err)
{
    const size_t pieces = ug_ik_piece_count(track);
    size_t *anchors = malloc((pieces ? pieces : 1) * sizeof *anchors);
    if (!anchors) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu pieces", pieces);
    }
    follow job = { track, anchors };
    for (size_t f = 0; f < track->frame_count; f++) {
        track->costs[f] = (double)INFINITY;
        ug_ik_pose_rest(ug_ik_track_pose(track, f), track->model);
    }
    ug_status status = ug_ik_run(track, pieces, find_anchor, &job, 0.0, 0.1, err);
    if (status == UG_OK) {
        status = share_anchors(track, anchors, pieces, err);
    }
    if (status == UG_OK && pieces > 1) {
        status = ug_ik_run(track, pieces, improve_anchor, &job, 0.1, 0.2, err);
    }
    if (status == UG_OK) {
        status = ug_ik_run(track, pieces, follow_piece, &job, 0.2, 0.6, err);
    }
    free(anchors);
    return status;
}

// Try `frame` from the pose of `from`; keep what is cheaper.
static void try_from(ug_ik_track *track, size_t frame, size_t from)
{
    const double limit = 1.3 * per_marker(track, from, track->costs[from]) + 0.2;
    if (!ug_ik_track_usable(track, frame) || !ug_ik_track_usable(track, from) ||
        per_marker(track, frame, track->costs[frame]) <= limit) {
        return;
    }
    room r = room_of(track, 0);
    memcpy(r.a, ug_ik_track_pose(track, from), track->model->pose_size * sizeof *r.a);
    const ug_ik_result result = ug_ik_near(r.a, track, frame, NULL, 0.0, r.spare, r.solve);
    track->iterations[frame] += result.iterations;
    if (result.cost < track->costs[frame]) {
        keep(track, frame, r.a, result);
    }
}

void ug_ik_reseed(ug_ik_track *track)
{
    for (size_t f = 1; f < track->frame_count; f++) {
        try_from(track, f, f - 1);
    }
    for (size_t f = track->frame_count; f-- > 1;) {
        try_from(track, f - 1, f);
    }
}
