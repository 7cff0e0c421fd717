// SPDX-License-Identifier: MIT
// A body to look at, made from nothing but a skeleton: closed shapes around its bones, skinned.
//
// With roles (motion/roles.h; solvers/roles_find.h finds them) the trunk, head, hands and feet
// have shapes of their own and limbs swell and taper as an adult's do, in fractions of the
// stature that legs and trunk tell; every other bone is a capsule, as are all bones of a skeleton
// without roles. Weights pass smoothly from bone to bone across each joint.
//
// The mesh is bound to the rest pose. A body whose rest pose does not stand (rigs whose zero pose
// is no body's) is made where it stands best in its motion and carried back into the rest pose by
// inverse skinning: it looks like a body where the motion does, and may be creased at rest.
//
// Not a likeness: nothing of the person's shape is known here, only where the joints are.
//
// Where the proportions come from: segment lengths as in datasets/templates/humanoid.yaml; girths
// are set by eye.
#pragma once

#include "motion/clip.h"
#include "motion/mesh.h"
#include "motion/skeleton.h"

/// `*mesh` is fresh, ug_mesh_destroy() it: several closed surfaces (each edge has two triangles),
/// in world space, the skeleton in its rest pose. Zero-length bones give nothing; a skeleton of
/// nothing else gives a ball at each root, of 1 cm.
///
/// @param clip  a motion of the skeleton that shows how it stands; NULL: made in the rest pose
///
/// About 150 vertices a bone; O(joint_count² + frame_count · joint_count).
///
/// @return UG_E_NOT_ENOUGH (no joints); UG_E_DATA (ug_skeleton_check); UG_E_NOMEM
UG_CHECKED ug_status ug_mannequin_create(ug_mesh **mesh, const ug_skeleton *skeleton,
                                         const ug_clip *clip, ug_error *err);
