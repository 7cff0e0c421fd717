// SPDX-License-Identifier: MIT
// Forward kinematics: local rotations -> world rotations and joint centres.
#pragma once

#include "motion/clip.h"
#include "motion/skeleton.h"

/// World pose of every joint for one set of local values.
///
/// @param world_q       (joint_count) G_j; may not alias `local`
/// @param world_m       (joint_count) joint centres, metres
/// @param skeleton      offsets and parents
/// @param local         (joint_count) full local rotations
/// @param offset_m      (joint_count) offsets to use instead of the skeleton's; NULL for those
///
/// O(joint_count), allocates nothing.
void ug_pose_forward(ug_quat *world_q, ug_vec3 *world_m, const ug_skeleton *skeleton,
                     const ug_quat *local, const ug_vec3 *offset_m);

/// World pose of frame `frame` of `clip`, whose joint_count is the skeleton's. Animated
/// translations replace offsets.
///
/// O(joint_count · translated_count) at worst, allocates nothing.
void ug_clip_forward(ug_quat *world_q, ug_vec3 *world_m, const ug_skeleton *skeleton,
                     const ug_clip *clip, size_t frame);

/// World rest pose: every local rotation at its rest, offsets as they are.
void ug_rest_forward(ug_quat *world_q, ug_vec3 *world_m, const ug_skeleton *skeleton);

/// Local rotations from world rotations: local_j = G_parent* G_j. `local` may alias `world_q`.
void ug_pose_to_local(ug_quat *local, const ug_skeleton *skeleton, const ug_quat *world_q);
