// SPDX-License-Identifier: MIT
// Kinematics of a compiled model: pose -> joints, markers and their derivatives.
//
//     R_j = R_parent · rest_j · Q_j      c_j = c_parent + R_parent · offset_j      x_m = c_s + R_s
//     · local_m
//
// A turn by d about world axis a of joint j moves a marker below it by d · a × (x_m − c_j): exact
// derivatives, no Euler angle anywhere. Working relative to the joint keeps digits far from the
// origin. Nothing here allocates; all lengths are metres, world frame.
// Source: Wampler 1986; Featherstone 2008, "Rigid Body Dynamics Algorithms", ch. 4.
#pragma once

#include "solvers/ik_model.h"

/// The model in one pose. Pointers go into memory given to ug_ik_frame_init.
typedef struct ug_ik_frame {
    ug_quat *world_q;  ///< (joint_count) R_j
    double *matrix;    ///< (joint_count x 9) R_j, row-major
    ug_vec3 *world_m;  ///< (joint_count) c_j
    ug_vec3 *axis;     ///< (dof_count) world axis a degree of freedom turns about or shifts along
    ug_vec3 *marker_m; ///< (marker_count) x_m
} ug_ik_frame;

/// Bytes a frame needs (a multiple of 8).
size_t ug_ik_frame_bytes(const ug_ik_model *model);

/// Lay a frame into `memory` (8-byte aligned, ug_ik_frame_bytes() long). Values are not set.
void ug_ik_frame_init(ug_ik_frame *frame, const ug_ik_model *model, void *memory);

/// Rest pose: every Q identity, every angle 0, FREE joints at their offset.
///
/// @param pose  (pose_size)
void ug_ik_pose_rest(double *pose, const ug_ik_model *model);

/// Q of one joint from its part of a pose, `state` = pose + joint->state.
ug_quat ug_ik_joint_rotation(const ug_ik_joint *joint, const double *state);

/// Fill `frame` for `pose`. O(joints + markers).
void ug_ik_forward(ug_ik_frame *frame, const ug_ik_model *model, const double *pose);

/// Move `pose` by `step` (see ug_ik_model.h for what a step means); quaternions come out unit.
///
/// @param out  (pose_size), may be `pose`
void ug_ik_retract(double *out, const ug_ik_model *model, const double *pose, const double *step);

/// d x_m / d step of every marker, zeros included.
///
/// @param jacobian  (3 marker_count x dof_count), row-major
void ug_ik_jacobian(double *jacobian, const ug_ik_model *model, const ug_ik_frame *frame);

/// The same for one marker without the zeros.
///
/// @param rows  (3 x chain_length of the marker's joint), columns in the order of its chain
void ug_ik_marker_jacobian(double *rows, const ug_ik_model *model, const ug_ik_frame *frame,
                           size_t marker);

/// d x_marker / d offset_joint: R of the parent (exact, the shape enters linearly), or NULL where
/// the offset does not move the marker: not an ancestor, or a FREE joint, whose pose replaces it.
/// A root that is not FREE gives the identity. @return (9) row-major, borrowed
///
/// d x_marker / d local_m of the marker is frame->matrix + 9 · its joint, always.
const double *ug_ik_offset_derivative(const ug_ik_model *model, const ug_ik_frame *frame, int joint,
                                      size_t marker);

/// What limits and priors speak about: angles of hinges, rotation vectors of balls and of FREE
/// joints; the translation of FREE joints as it is.
///
/// @param angles  (dof_count)
void ug_ik_angles(double *angles, const ug_ik_model *model, const double *pose);

/// Inverse of ug_ik_angles.
void ug_ik_pose_from_angles(double *pose, const ug_ik_model *model, const double *angles);

/// Full local rotations (rest included) and local translations of every joint.
///
/// @param local_q        (joint_count)
/// @param translation_m  (joint_count) offset_m of all but FREE joints; may be NULL
void ug_ik_pose_to_local(ug_quat *local_q, ug_vec3 *translation_m, const ug_ik_model *model,
                         const double *pose);

/// Nearest pose to given local rotations: hinges keep the turn about their axes, joints without a
/// degree of freedom keep nothing.
///
/// @param local_q        (joint_count) full local rotations
/// @param translation_m  (joint_count) for FREE joints; NULL = their offset
void ug_ik_pose_from_local(double *pose, const ug_ik_model *model, const ug_quat *local_q,
                           const ug_vec3 *translation_m);
