// SPDX-License-Identifier: MIT
// A whole take: labelled markers -> the motion of a skeleton, with what it is worth per frame.
//
// Pieces of 256 frames each find a first pose on their own (solvers/ik_cold.h), then follow the
// markers from frame to frame with losses that narrow (Huber 20 mm, Geman–McClure 40 mm). Where the
// cost jumps, the library of postures is tried again; where a neighbour is much cheaper, its pose
// is. The smooth solve then draws every angle toward the middle of its neighbours in time
// (0.02 rad), which is what fills a joint whose markers are hidden. Last, limits are made to hold
// in what is written.
//
// When NOT: unlabelled points, or a skeleton that was not fitted to the person (solvers/
// calibrate.h): residuals then speak about the skeleton, not the motion.
// Metres, radians, world as in motion/conventions.h; filled samples count by their predicted error.
// The result is the same for any number of threads.
// Source: Wampler 1986; Geman & McClure 1987. tests/real/test_solve_takes.c has its figures.
#pragma once

#include "motion/attachments.h"
#include "motion/clip.h"
#include "motion/markers.h"
#include "motion/progress.h"
#include "motion/skeleton.h"
#include "motion/warnings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UG_IK_LIMIT_HIT_RAD UG_DEG ///< farther past a limit than this is a hit

/// What became of a frame; the first that holds, from the top.
typedef enum ug_ik_outcome {
    UG_IK_UNSOLVED = 0, ///< too few markers, or most of them farther than 60 mm; pose interpolated
                        ///< in the first case
    UG_IK_STOPPED = 1,  ///< the iteration cap came first
    UG_IK_UNDER = 2,    ///< hidden markers leave a joint undecided: weak_joint says which
    UG_IK_LIMITED = 3,  ///< a joint wanted to go more than 1° past its limits
    UG_IK_CONVERGED = 4,
    UG_IK_OUTCOME_COUNT
} ug_ik_outcome;

/// "unsolved", "stopped", "under_determined", "limited", "converged"; static text.
const char *ug_ik_outcome_name(ug_ik_outcome outcome);

typedef struct ug_ik_take_options {
    double sigma_m;        ///< of a marker. Default 0.005
    bool smooth;           ///< the smooth solve. Default true
    bool hard_limits;      ///< make limits hold in the result. Default true
    const char *subject;   ///< of the labels to use; NULL = the first marker of each label
    const uint8_t *hidden; ///< (frame_count x attachments->count) 1 = do not solve with this sample
                           ///< (it still gets a residual): leave-out. NULL = none
    size_t jobs;           ///< threads. Default 1
    const ug_progress *progress; ///< may be NULL
} ug_ik_take_options;

ug_ik_take_options ug_ik_take_default_options(void);

/// Arrays are owned; attachments keep their order, joints the skeleton's.
typedef struct ug_ik_take_result {
    ug_clip *clip; ///< full local rotations; origin: PRESENT | COMPUTED, and FILLED where the
                   ///< joint was undecided and follows its neighbours in time
    size_t frame_count, attachment_count, joint_count;
    ptrdiff_t *columns;    ///< (attachment_count) column in the take's markers, -1 = not there
    float *residual_mm;    ///< (frame_count x attachment_count) distance to the measured place; NaN
                           ///< where there is no sample or the attachment is never solved with
    uint8_t *outcome;      ///< (frame_count) ug_ik_outcome
    int *weak_joint;       ///< (frame_count) first undecided joint, or -1
    float *over_limit_rad; ///< (frame_count x joint_count) how far the joint's worst angle was past
                           ///< its limit before it was enforced; 0 inside
    size_t *limit_hits; ///< (joint_count) frames more than 1° past a limit, before it was enforced
    size_t
        *limit_held;   ///< (joint_count) frames in which a limit had to be enforced, however little
    size_t *undecided; ///< (joint_count) frames in which hidden markers left the joint undecided
    size_t outcome_count[UG_IK_OUTCOME_COUNT];
    size_t limit_hit_frames; ///< frames with a hit
    size_t dof_count;        ///< solved for in every frame
    size_t iterations;       ///< linear solves, all frames
} ug_ik_take_result;

/// NULL is fine.
void ug_ik_take_result_fini(ug_ik_take_result *result);

/// Solve `markers` for the motion of `skeleton`.
///
/// @param out       ug_ik_take_result_fini() it; empty on failure
/// @param warnings  "marker_absent" (in the table, not in the take), "marker_unknown" (in the take,
///                  not in the table), "marker_never_seen", "joint_unseen", "frames_unsolved",
///                  "joint_undecided", "limit_hits"; may be NULL
/// @return UG_E_NOT_ENOUGH when no frame has enough markers, naming labels; UG_E_DATA when an
///         attachment names no joint; UG_E_INTERRUPTED when `progress` asks for an end; UG_E_NOMEM
///
/// About 1 ms a frame and core for a body of 50 degrees of freedom.
UG_CHECKED ug_status ug_ik_take_solve(ug_ik_take_result *out, ug_warnings *warnings,
                                      const ug_markers *markers, const ug_skeleton *skeleton,
                                      const ug_attachments *attachments,
                                      const ug_ik_take_options *options, ug_error *err);
