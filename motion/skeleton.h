// SPDX-License-Identifier: MIT
// A tree of joints: where each sits in its parent, how it rests, how it may turn.
//
// Parents stand before their children. The frame of joint j in the world is
//     G_j = G_parent · rotation_j          c_j = c_parent + G_parent · offset_j
// where rotation_j = rest_j · Q_j(θ) is the full local rotation (an ug_clip stores that product).
// A BVH joint has rest identity. End Sites are joints of type UG_JOINT_FIXED with
// UG_JOINT_END_SITE.
#pragma once

#include "motion/conventions.h"
#include "motion/roles.h"
#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ug_joint_type {
    UG_JOINT_FIXED = 0,     ///< no degree of freedom
    UG_JOINT_HINGE = 1,     ///< about axes[0]
    UG_JOINT_UNIVERSAL = 2, ///< Q = turn(axes[0], θ0) · turn(axes[1], θ1)   (Hardy-Spicer)
    UG_JOINT_BALL = 3,      ///< Q = exp(θ), a rotation vector in the rest frame
    UG_JOINT_FREE = 4,      ///< ball plus translation
} ug_joint_type;

/// ug_joint.flags
enum {
    UG_JOINT_END_SITE = 1u << 0,   ///< BVH End Site: a point, no name of its own
    UG_JOINT_HAS_LIMITS = 1u << 1, ///< limits_rad holds for the joint's degrees of freedom
    UG_JOINT_HAS_PRIOR = 1u << 2,  ///< pose_sigma_rad and offset_sigma_m hold
    UG_JOINT_LOCKED = 1u << 3,     ///< a typed joint that the data cannot see: not solved
};

/// BVH channels, in the order of the file. 0 ends the list.
typedef enum ug_channel {
    UG_CHANNEL_NONE = 0,
    UG_CHANNEL_X_POSITION = 1,
    UG_CHANNEL_Y_POSITION = 2,
    UG_CHANNEL_Z_POSITION = 3,
    UG_CHANNEL_X_ROTATION = 4,
    UG_CHANNEL_Y_ROTATION = 5,
    UG_CHANNEL_Z_ROTATION = 6,
    UG_CHANNEL_X_SCALE = 7,
    UG_CHANNEL_Y_SCALE = 8,
    UG_CHANNEL_Z_SCALE = 9,
} ug_channel;

enum { UG_CHANNELS_MAX = 9 };

typedef struct ug_joint {
    char *name;       ///< owned UTF-8, unique after import (see ug_skeleton_find)
    int parent;       ///< index < own index; -1 for a root
    ug_vec3 offset_m; ///< joint centre in the parent's frame; world for a root
    ug_quat rest;     ///< local rotation of the rest pose
    ug_joint_type type;
    ug_vec3 axes[3];                   ///< unit, in the rest frame; the first `dof` of them count
    double limits_rad[3][2];           ///< per degree of freedom: low, high
    uint8_t channels[UG_CHANNELS_MAX]; ///< ug_channel, as a BVH listed or should list them
    ug_role role;
    uint32_t flags;
    ug_vec3 offset_sigma_m;   ///< prior on offset_m, per axis of the parent's frame
    double pose_sigma_rad[3]; ///< prior on each degree of freedom, about rest
} ug_joint;

typedef struct ug_skeleton {
    size_t joint_count;
    ug_joint *joints; ///< (joint_count), owned
    double stature_m; ///< body height the offsets belong to; 0 when unknown
    char *name;       ///< owned, may be NULL
} ug_skeleton;

/// `joint_count` joints: parent −1 for the first, else the joint before; rest identity, type
/// BALL, axes x y z. Names are NULL. NULL when out of memory. ug_skeleton_destroy() it.
ug_skeleton *ug_skeleton_create(size_t joint_count);

/// NULL is fine.
void ug_skeleton_destroy(ug_skeleton *skeleton);

/// Deep copy; NULL when out of memory.
ug_skeleton *ug_skeleton_copy(const ug_skeleton *skeleton);

/// Index of the joint called `name`, or -1. First match.
int ug_skeleton_find(const ug_skeleton *skeleton, const char *name);

/// Index of the first joint with `role`, or -1.
int ug_skeleton_find_role(const ug_skeleton *skeleton, ug_role role);

/// Rotational degrees of freedom of a type: 0, 1, 2 or 3 (FREE: 3; its translation is extra).
int ug_joint_rotation_dof(ug_joint_type type);

/// Every number finite, parents before children, unit rests and axes, low <= high, names present.
///
/// @return UG_E_DATA, naming the joint
UG_CHECKED ug_status ug_skeleton_check(const ug_skeleton *skeleton, ug_error *err);

/// True when `ancestor` is `joint` or stands above it.
bool ug_skeleton_is_ancestor(const ug_skeleton *skeleton, int ancestor, int joint);

/// Largest distance between two joint centres in the rest pose, metres: what "of the skeleton's
/// size" means in tolerances. O(joint_count²).
double ug_skeleton_size_m(const ug_skeleton *skeleton);
