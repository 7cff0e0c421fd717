// SPDX-License-Identifier: MIT
// A skeleton with markers on it, compiled for solving: which numbers make a pose, and where they
// stand in vectors and matrices.
//
// A *pose* is a row of `pose_size` doubles: per joint, in order, FREE: translation (3, parent's
// frame, metres) and quaternion Q (4, wxyz); BALL: quaternion Q (4); UNIVERSAL: two angles; HINGE:
// one. The joint's local rotation is rest · Q. A *step* is a row of `dof_count` doubles: FREE 6
// (shift in the parent's frame, then turn), BALL 3, UNIVERSAL 2, HINGE 1; a ball turns by
// Q <- Q exp(step). Angles are radians. A ball's three *angles* are the rotation vector log Q in
// the rest frame (short arc), along x, y and z whatever ug_joint.axes says.
//
// A joint has no degree of freedom when it is FIXED, LOCKED, or no used marker sits on it or
// below it: what data cannot see is not solved, and stays at rest. A root that is to move must be
// FREE; any other root stays where its offset says.
//
// Shape (bone offsets, marker places) is open to change between calls; types and counts are not.
// Not for writing files: ug_ik_pose_to_local (solvers/ik_pose.h) gives a clip's rotations.
#pragma once

#include "motion/attachments.h"
#include "motion/skeleton.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ug_ik_joint {
    int parent;
    ug_joint_type type; ///< as solved: FIXED when the joint has no degree of freedom here
    int dof_count;      ///< 0, 1, 2, 3 or 6
    int dof;            ///< first place in a step; meaningless without degrees of freedom
    int state;          ///< first place in a pose
    ug_vec3 offset_m;   ///< shape: may be changed. A FREE joint's pose replaces it
    ug_quat rest;
    ug_vec3 axes[2];  ///< of HINGE and UNIVERSAL, in the rest frame
    int chain;        ///< this joint's list of degrees of freedom starts at model->chains[chain]
    int chain_length; ///< its own and its ancestors', ascending
} ug_ik_joint;

/// Marker m is attachment m; unused ones are predicted too, with weight 0.
typedef struct ug_ik_marker {
    int joint;
    ug_vec3 local_m; ///< shape: may be changed
    double weight;   ///< 0 = known but not solved with
} ug_ik_marker;

typedef struct ug_ik_model {
    size_t joint_count, marker_count;
    size_t pose_size, dof_count;
    ug_ik_joint *joints;   ///< (joint_count), the skeleton's order
    ug_ik_marker *markers; ///< (marker_count), the attachments' order
    double *low_rad;       ///< (dof_count) −INFINITY where there is no limit
    double *high_rad;      ///< (dof_count)  INFINITY where there is no limit
    double *sigma_rad;     ///< (dof_count) pose prior, INFINITY where there is none
    int *dof_joint;        ///< (dof_count) the joint of each degree of freedom
    int *chains;           ///< every joint's list, see ug_ik_joint.chain
    int *by_joint;         ///< (marker_count) marker indices grouped by joint, ascending inside
    int *by_joint_start;   ///< (joint_count + 1) where each joint's group starts
} ug_ik_model;

/// Compile `skeleton` and `attachments`.
///
/// @param out    ug_ik_model_destroy() it; NULL on failure
/// @param seen   (attachments->count) false = never visible in the data at hand: weight 0, as for
///               COMPUTED markers. NULL = all are seen
/// @return UG_E_DATA when an attachment names no joint of the skeleton; UG_E_NOT_ENOUGH when no
///         joint is left to solve; UG_E_NOMEM
/// O(joint_count² + marker_count).
UG_CHECKED ug_status ug_ik_model_create(ug_ik_model **out, const ug_skeleton *skeleton,
                                        const ug_attachments *attachments, const bool *seen,
                                        ug_error *err);

/// Deep copy; NULL when out of memory.
ug_ik_model *ug_ik_model_copy(const ug_ik_model *model);

/// NULL is fine.
void ug_ik_model_destroy(ug_ik_model *model);

/// True when `ancestor` is `joint` or above it. O(depth).
bool ug_ik_is_ancestor(const ug_ik_model *model, int ancestor, int joint);
