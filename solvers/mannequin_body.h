// SPDX-License-Identifier: MIT
// For solvers/mannequin.c: the skeleton at rest as a body, its size, and which bones have a shape.
#pragma once

#include "motion/clip.h"
#include "motion/skeleton.h"
#include "solvers/mannequin_loft.h"

#include <stdbool.h>

/// Lengths are metres in the world, in the pose the body is made in.
typedef struct ug_mannequin {
    const ug_skeleton *skeleton;
    ug_quat *world_q;        ///< (joint_count): where the body is made
    ug_vec3 *world_m;        ///< (joint_count)
    ug_quat *rest_q;         ///< (joint_count): the rest pose
    ug_vec3 *rest_m;         ///< (joint_count)
    bool is_carried;         ///< the two are not the same
    int role[UG_ROLE_COUNT]; ///< first joint of each role, −1 without; SPINE and NECK: lowest
    bool *shaped;    ///< (joint_count): the bone from its parent to this joint has its shape
    double *reach_m; ///< (joint_count): length of the longest bone that leaves the joint
    double size_m;   ///< stature as legs and trunk tell it; without roles the largest distance
    bool is_body;    ///< there is a pelvis, or a leg
    ug_vec3 left, up, forward; ///< of the body, unit, perpendicular
    ug_vec3 hips_m;            ///< between the hip joints
    ug_loft loft;
} ug_mannequin;

/// `clip` (NULL: none) shows how a rig stands whose rest pose does not.
///
/// @return UG_E_NOMEM; ug_mannequin_fini() it either way
UG_CHECKED ug_status ug_mannequin_measure(ug_mannequin *body, const ug_skeleton *skeleton,
                                          const ug_clip *clip, ug_error *err);
UG_CHECKED ug_status ug_mannequin_stand(ug_mannequin *body, const ug_clip *clip, ug_error *err);

/// Take a finished mesh from where it was made into the rest pose, so that skinning takes it back.
void ug_mannequin_carry_back(const ug_mannequin *body, ug_mesh *mesh);

void ug_mannequin_fini(ug_mannequin *body);

/// Length of the bone between joint and parent; 0 for a root.
double ug_mannequin_bone_m(const ug_mannequin *body, int joint);

/// The direction from joint `from` to joint `to`; `fallback` when either is −1 or both coincide.
ug_vec3 ug_mannequin_direction(const ug_mannequin *body, int from, int to, ug_vec3 fallback);

/// Half the width of the weights' crossing at a joint: about a radius, never past half a bone.
double ug_mannequin_blend_m(const ug_mannequin *body, int joint, double radius_m);

/// Mark every bone from `joint` up to `ancestor` as shaped. False, and nothing marked, when
/// `ancestor` does not stand above it.
bool ug_mannequin_claim(ug_mannequin *body, int joint, int ancestor);

/// A child of `joint` that carries nothing more: its End Site, or a leaf; −1 without.
int ug_mannequin_tip(const ug_mannequin *body, int joint);

/// Shapes of the parts; each marks the bones it covers and does nothing without its joints.
UG_CHECKED ug_status ug_mannequin_add_trunk(ug_mannequin *body, ug_error *err);
UG_CHECKED ug_status ug_mannequin_add_head(ug_mannequin *body, ug_error *err);
UG_CHECKED ug_status ug_mannequin_add_limbs(ug_mannequin *body, ug_error *err);
UG_CHECKED ug_status ug_mannequin_add_hands(ug_mannequin *body, ug_error *err);
UG_CHECKED ug_status ug_mannequin_add_feet(ug_mannequin *body, ug_error *err);
