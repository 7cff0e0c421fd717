// SPDX-License-Identifier: MIT
// Where a skeleton keeps its body: joint index for each role, and what hangs on what.
#pragma once

#include "motion/skeleton.h"

enum { UG_CHAIN_MAX = 32 }; ///< spine or neck joints that are told apart

/// Built from the `role` of each joint. A joint that is absent is -1.
typedef struct ug_body_map {
    int joint[UG_ROLE_COUNT]; ///< first joint of the role; SPINE and NECK: see below
    size_t spine_count, neck_count;
    int spine[UG_CHAIN_MAX]; ///< pelvis side first
    int neck[UG_CHAIN_MAX];  ///< chest side first
    int tip[2];              ///< child of the toe joint farthest out, left and right
    int ball[2];             ///< toe joint, else the farthest child of the foot, else -1
    int thumb[2];            ///< a child of the hand whose name says thumb, else -1
} ug_body_map;

/// Check and gather. The legs (pelvis, thighs, shins, feet) are required and must be in order.
///
/// @return UG_E_NOT_ENOUGH: "no left foot found among: …" lists the joints' names;
///         UG_E_DATA: a role given twice, or a limb out of order, by joint name
UG_CHECKED ug_status ug_body_map_init(ug_body_map *body, const ug_skeleton *skeleton,
                                      ug_error *err);

/// Thigh plus shin length in the rest pose, metres: mean of both legs. Uses offsets, so animated
/// translations do not count.
double ug_body_leg_m(const ug_body_map *body, const ug_skeleton *skeleton);

/// Length of the way from `joint` up to `ancestor`, metres: the sum of the offsets between.
double ug_bone_length_m(const ug_skeleton *skeleton, int ancestor, int joint);

static inline ug_role ug_role_on_side(ug_role left, int side)
{
    return side == 0 ? left : ug_role_mirror(left);
}
