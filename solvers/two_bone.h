// SPDX-License-Identifier: MIT
// Put the end of a two-bone limb on a target, in closed form, with the plane of its hinge kept.
//
// Exact for any hinge axis, also one that is not perpendicular to the bones. Not for limbs with
// more joints. Near a straight limb the plane through three points is noise and flips; there
// ug_two_bone_normal() leans on the hinge known from the whole motion.
#pragma once

#include "motion/quat.h"

#include <stdbool.h>

/// World positions of hip, knee, ankle (or shoulder, elbow, wrist), metres.
typedef struct ug_two_bone {
    ug_vec3 root_m, mid_m, end_m;
} ug_two_bone;

/// Unit normal to bend about, world: the limb's own plane where it is bent, the hinge where it
/// is nearly straight or bent the wrong way, a smooth blend between (sines of the bend about the
/// hinge of 0.12 and 0.40).
///
/// @param hinge  world direction of the limb's hinge, oriented as cross(root - mid, end - mid)
ug_vec3 ug_two_bone_normal(const ug_two_bone *limb, ug_vec3 hinge);

/// Rotations, in the world, that take the end to `target_m`: first the lower bone by `mid_turn`
/// about the middle joint, then the whole limb by `root_turn` about the root joint.
/// So G_lower' = root_turn mid_turn G_lower and G_upper' = root_turn G_upper.
///
/// Of the two ways to bend, the one whose cross(root - mid, end - mid) points along `normal` is
/// taken. With the limb's own normal and target both turns are the identity.
///
/// @param normal  unit
/// @return false when the target is out of reach (too far or too near): the limb then points at
///         it, as near as it gets. Zero-length bones: identity turns, false.
bool ug_two_bone_solve(ug_quat *root_turn, ug_quat *mid_turn, const ug_two_bone *limb,
                       ug_vec3 target_m, ug_vec3 normal);
