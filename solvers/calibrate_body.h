// SPDX-License-Identifier: MIT
// What calibration knows about bodies in general: which joints mirror each other, which bones
// grow together, how far apart two markers can be.
#pragma once

#include "motion/attachments.h"
#include "motion/skeleton.h"

#include <stdbool.h>

/// Bones that are scaled together in the coarse stage.
typedef enum ug_body_group {
    UG_BODY_PELVIS = 0,
    UG_BODY_TRUNK = 1,
    UG_BODY_SHOULDER = 2,
    UG_BODY_ARM = 3,
    UG_BODY_LEG = 4,
    UG_BODY_FOOT = 5,
    UG_BODY_HEAD = 6,
    UG_BODY_GROUP_COUNT = 7
} ug_body_group;

/// Group of every joint's own frame, from roles; a joint without role is in its parent's group
/// and a root without role in PELVIS. An offset belongs to the parent's group.
///
/// @param group  (joint_count)
void ug_body_groups(int *group, const ug_skeleton *skeleton);

/// The joint on the other side: by role, else by name (left/right, l_/r_, _l/_r, LThigh/RThigh);
/// −1 where there is none. Always mutual.
///
/// @param mirror  (joint_count)
void ug_body_mirrors(int *mirror, const ug_skeleton *skeleton);

/// Which way is left at rest: the mean direction from right to left joints, or +X when no joint
/// has a mirror.
ug_vec3 ug_body_lateral(const ug_skeleton *skeleton, const int *mirror);

/// A (row-major) with offset_left = A · offset_right for a symmetric body: the reflection in the
/// sagittal plane, between the frames of the two parents at rest.
///
/// @param rest_q  (joint_count) world rest rotations, from ug_rest_forward()
void ug_body_reflection(double A[9], const ug_skeleton *skeleton, const ug_quat *rest_q,
                        ug_vec3 lateral, int left, int right);

/// The most that two markers can be apart whatever the pose, metres: along the bones between
/// their segments. INFINITY when there are more than `bones_max` of these, or no way at all.
double ug_body_reach_m(const ug_skeleton *skeleton, const ug_attachment *a, const ug_attachment *b,
                       int bones_max);

/// Multiply offsets, places and their σ by `scale`, stature included.
void ug_body_scale(ug_skeleton *skeleton, ug_attachments *attachments, double scale);
