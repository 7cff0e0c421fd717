// SPDX-License-Identifier: MIT
// The passes of a take over its frames: follow, re-seed, fill, smooth, limit. Shared state of
// solvers/ik_take.c; every pass gives the same result for any number of workers.
#pragma once

#include "motion/progress.h"
#include "solvers/ik_cold.h"
#include "solvers/parallel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UG_IK_PIECE = 256 }; ///< frames that share one first pose

/// Bits of ug_ik_track.hit.
enum {
    UG_IK_LIMIT_HIT = 1,  ///< more than 1° past a limit before it was enforced
    UG_IK_LIMIT_HELD = 2, ///< past a limit at all, and put back
};

typedef struct ug_ik_track {
    const ug_ik_model *model;
    ug_ik_library library; ///< owned by the caller of ug_ik_follow, which adds to it
    size_t frame_count;
    const double *measured_m; ///< (frame_count x marker_count x 3)
    const double *weight;     ///< (frame_count x marker_count) 0 = missing
    const size_t *visible;    ///< (frame_count) markers solved with
    size_t visible_most;      ///< the largest of them: fewer means something is hidden
    size_t visible_least;     ///< a frame with fewer is not solved
    ug_ik_options options;    ///< sigma, prior, stepper
    size_t workers;
    char *workspace;        ///< (workers x workspace_bytes)
    size_t workspace_bytes; ///< ug_ik_track_bytes()
    const ug_progress *progress;
    double *poses;    ///< (frame_count x pose_size)
    double *scratch;  ///< (frame_count x pose_size) a copy where a pass needs the state before it
    double *costs;    ///< (frame_count) E with Geman–McClure 40 mm, INFINITY where not solved
    uint8_t *settled; ///< (frame_count) the last solve converged
    uint8_t *weak;    ///< (frame_count x joint_count) 1 = undecided
    float *over_rad;  ///< (frame_count x joint_count) past a limit before it was enforced; 0 inside
    uint8_t *hit;     ///< (frame_count x joint_count) UG_IK_LIMIT_ bits
    uint8_t *lost;    ///< (frame_count) most markers beyond 60 mm: solved with Huber 20 mm instead
    size_t *iterations; ///< (frame_count)
} ug_ik_track;

/// Workspace of one worker; `library` with room for what ug_ik_follow adds to it.
size_t ug_ik_track_bytes(const ug_ik_track *track);

/// True when frame `f` has enough markers.
static inline bool ug_ik_track_usable(const ug_ik_track *track, size_t f)
{
    return track->visible[f] >= track->visible_least;
}

static inline double *ug_ik_track_pose(const ug_ik_track *track, size_t f)
{
    return track->poses + f * track->model->pose_size;
}

static inline ug_ik_target ug_ik_track_target(const ug_ik_track *track, size_t f)
{
    const size_t m = track->model->marker_count;
    return (ug_ik_target){ track->measured_m + 3 * m * f, track->weight + m * f };
}

/// Pieces of UG_IK_PIECE frames.
size_t ug_ik_piece_count(const ug_ik_track *track);

/// Run `fn` over pieces on the track's workers, reporting progress between rounds.
/// @return UG_E_INTERRUPTED when the listener asks for an end
UG_CHECKED ug_status ug_ik_run(const ug_ik_track *track, size_t piece_count, ug_piece_fn fn,
                               void *context, double share_from, double share_to, ug_error *err);

/// Losses of the near solve: Huber 20 mm, then Geman–McClure 40 mm; the cost returned is the
/// latter's without `toward`. A pose that can be bettered by less than a millionth of its cost is
/// left as it is, so that a body that stands still does not creep.
///
/// @param spare  (pose_size) scratch
ug_ik_result ug_ik_near(double *pose, const ug_ik_track *track, size_t frame, const double *toward,
                        double toward_sigma_rad, double *spare, void *workspace);

/// ug_ik_solve_frame, but the pose stays when the gain is below a millionth.
ug_ik_result ug_ik_settle(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                          const ug_ik_options *options, double *spare, void *workspace);

/// Loss of the last passes for `frame`.
ug_loss ug_ik_last_loss(const ug_ik_track *track, size_t frame);

/// First poses, then frame after frame. @return UG_E_NOMEM, UG_E_INTERRUPTED
UG_CHECKED ug_status ug_ik_follow(ug_ik_track *track, ug_error *err);

/// Seed frames that cost much more than a neighbour (1.3 times) from it, forwards and backwards.
void ug_ik_reseed(ug_ik_track *track);

/// Mark what hidden markers leave undecided (`weak`), and give those joints, and frames that
/// could not be solved, the rotation between their decided neighbours in time.
/// ug_ik_undecided (solvers/ik_observe.h) says what that means.
UG_CHECKED ug_status ug_ik_fill(ug_ik_track *track, ug_error *err);

/// `sweeps` passes over even, then odd frames, each drawn toward the middle of its neighbours.
UG_CHECKED ug_status ug_ik_smooth(ug_ik_track *track, size_t sweeps, ug_error *err);

/// Note which joints are past their limits (`hit`); with `enforce`, solve those frames again with
/// stiff limits and clamp the rest.
UG_CHECKED ug_status ug_ik_limit(ug_ik_track *track, bool smooth, bool enforce, ug_error *err);
