// SPDX-License-Identifier: MIT
// A frame on every bone that means the same on every skeleton, whatever axes its joints have.
//
// Two rigs agree when G_a B_a = G_b B_b for each role: G is a joint's world rotation, B the
// constant found here. So retargeting is G_b = G_a B_a B_b* (solvers/retarget.h). Thighs, shins,
// arms: y along the bone, x the hinge, found from how the limb bends in the motion; where it
// hardly bends, or without a motion, z is the character's forward in the reference pose. Feet
// and toes: y up and z ahead of the flat foot. Pelvis, spine, neck, head, clavicles: the
// character's own axes in the reference pose (their bones' directions differ by design).
#pragma once

#include "motion/clip.h"
#include "motion/skeleton.h"
#include "motion/status.h"
#include "solvers/body_map.h"
#include "solvers/foot_model.h"

typedef struct ug_bone_frames {
    size_t joint_count;
    ug_quat *frame;       ///< B: bone axes -> joint axes, identity without a role (joint_count)
    ug_quat *reference_q; ///< world pose of the reference                         (joint_count)
    ug_vec3 *reference_m; ///<                                                     (joint_count)
    ug_quat character;    ///< its axes there: x left, y up, z forward
    ptrdiff_t reference_frame;             ///< frame of the clip, -1: the rest pose
    double reference_angle_rad;            ///< worst of thighs and shins off the vertical there
    bool hinge_from_motion[UG_ROLE_COUNT]; ///< upper arm, forearm, thigh, shin
    bool has_thumb[2];
    ug_quat hand_by_thumb[2]; ///< B of the hand when the thumb tells its roll
    ug_quat foot_by_bone[2];  ///< B of the foot and toe when a rig stands on tiptoe: along
                              ///< ankle to ball
    ug_quat toe_by_bone[2];
} ug_bone_frames;

/// Find the frames of `skeleton`.
///
/// The reference pose is the rest pose if thighs and shins point down within 40 degrees and the
/// head is above the pelvis, else the frame of `clip` nearest to that.
///
/// @param out   overwritten; ug_bone_frames_fini() it
/// @param clip  a motion of the skeleton, or NULL
/// @param feet  left and right
/// @return UG_E_NOMEM, `out` empty then
///
/// O(frame_count · joint_count).
UG_CHECKED ug_status ug_bone_frames_init(ug_bone_frames *out, const ug_skeleton *skeleton,
                                         const ug_body_map *body, const ug_foot_model feet[2],
                                         const ug_clip *clip, ug_error *err);

/// Releases what is below. NULL is fine.
void ug_bone_frames_fini(ug_bone_frames *frames);

/// Bone frame of a joint in the reference pose, in the character's axes: comparable between rigs.
ug_quat ug_bone_frames_pose(const ug_bone_frames *frames, int joint);
