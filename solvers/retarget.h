// SPDX-License-Identifier: MIT
// Move a motion from one humanoid to another: other proportions, rest pose, axes, joint counts.
//
// World rotations go over bone by bone through frames that mean the same on both rigs
// (solvers/bone_frames.h); the path of the middle between the hips goes over scaled by leg
// length, whatever joint carries it in the source. Spine and neck with other joint counts share
// the turn along their length. Feet are a second step (solvers/foot_plant.h).
// Not for keeping hands off a wider body, nor for limbs with more than two bones.
// A skeleton needs its roles (solvers/roles_find.h); world up is +Y and the floor at height 0
// (solvers/floor.h).
#pragma once

#include "motion/clip.h"
#include "motion/progress.h"
#include "motion/skeleton.h"
#include "motion/status.h"
#include "motion/warnings.h"
#include "solvers/body_map.h"
#include "solvers/foot_model.h"

/// Where a target joint's rotation comes from.
typedef enum ug_retarget_how {
    UG_RETARGET_KEPT = 0,    ///< no counterpart: stays in its rest rotation
    UG_RETARGET_MAPPED,      ///< a source joint of the same role
    UG_RETARGET_DISTRIBUTED, ///< between source joints, along the spine or neck
    UG_RETARGET_COPIED,      ///< no role, but the same joint (name, offset, rest) in the source
} ug_retarget_how;

typedef struct ug_retarget_joint {
    ug_retarget_how how;
    int source_joint;      ///< -1 when kept
    double correction_deg; ///< between the bones' frames of both reference poses, roll included
    double direction_deg;  ///< the part of it that turns the bone's direction
} ug_retarget_joint;

typedef struct ug_retarget_report {
    double ratio; ///< path scale: target leg / source leg
    double source_leg_m, target_leg_m;
    size_t joint_count;
    ug_retarget_joint *joints;        ///< of the target, owned      (joint_count)
    int dropped[UG_ROLE_COUNT];       ///< source joint of a role the target does not have, else -1
    ptrdiff_t source_reference_frame; ///< -1: its rest pose
    bool same_rig;                    ///< equal up to scale: no correction was needed
    bool hinge_from_motion[UG_ROLE_COUNT];        ///< of the source
    ug_foot_model source_feet[2], target_feet[2]; ///< as they were used
} ug_retarget_report;

typedef struct ug_retarget_opts {
    double ratio;          ///< path scale; 0: from leg lengths
    bool keep_foot_height; ///< do not account for other ankle heights: y is scaled from the floor
    const ug_clip *target_motion; ///< some motion of the target, to learn its hinges and reference
                                  ///< pose from; NULL: its rest pose stands upright
    const ug_progress *progress;  ///< NULL: nobody listens
} ug_retarget_opts;

/// Releases what is below. NULL is fine.
void ug_retarget_report_fini(ug_retarget_report *report);

/// Retarget `clip`.
///
/// The result animates rotations of every joint and the translation of every root. With the same
/// skeleton on both sides it equals the source to rounding where the source keeps its bone
/// lengths.
///
/// @param out       the target's motion, ug_clip_destroy() it; NULL on failure
/// @param report    overwritten, ug_retarget_report_fini() it; may be NULL
/// @param opts      NULL means all zero
/// @param warnings  "retarget_role_kept", "retarget_role_dropped", "retarget_root_elsewhere",
///                  "retarget_rest_pose"; may be NULL
/// @return UG_E_NOT_ENOUGH / UG_E_DATA when a skeleton's roles are missing or contradict (names
///         the part and which skeleton); UG_E_DATA for legs of no length; UG_E_INTERRUPTED;
///         UG_E_NOMEM
///
/// O(frame_count · joint_count).
UG_CHECKED ug_status ug_retarget(ug_clip **out, ug_retarget_report *report,
                                 const ug_skeleton *source, const ug_clip *clip,
                                 const ug_skeleton *target, const ug_retarget_opts *opts,
                                 ug_warnings *warnings, ug_error *err);
