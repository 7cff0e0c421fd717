// SPDX-License-Identifier: MIT
#include "solvers/ik_postures.h"

#include "motion/conventions.h"
#include "motion/kinematics.h"

#include <assert.h>

enum { TURNS_MAX = 12 };

// A segment's turn against its parent, from the T-pose: Rx(x) Ry(y) Rz(z) in the body's axes,
// degrees. `both`: the right side does the mirror image of what is written for the left.
typedef struct turn {
    ug_role role;
    double x, y, z;
    bool both;
} turn;

typedef struct stance {
    const char *name;
    turn turns[TURNS_MAX];
} stance;

#define ARM UG_ROLE_L_UPPER_ARM
#define FOREARM UG_ROLE_L_FOREARM
#define THIGH UG_ROLE_L_THIGH
#define SHIN UG_ROLE_L_SHIN
#define FOOT UG_ROLE_L_FOOT
#define R_ARM UG_ROLE_R_UPPER_ARM
#define R_THIGH UG_ROLE_R_THIGH
#define R_SHIN UG_ROLE_R_SHIN

// In the T-pose the left arm points to +X and the elbow bends forward by a turn about −Y; a hanging
// arm or leg goes forward by a turn about −X.
static const stance POSTURES[] = {
    { "t", { { 0 } } },
    { "a", { { ARM, 0, 0, -45, true } } },
    { "arms_down", { { ARM, 0, 0, -80, true } } },
    { "arms_forward", { { ARM, -80, 0, -80, true } } },
    { "arms_forward_up", { { ARM, -150, 0, -80, true } } },
    { "elbows_bent", { { ARM, 0, 0, -75, true }, { FOREARM, 0, -90, 0, true } } },
    { "guard", { { ARM, -40, 0, -70, true }, { FOREARM, 0, -125, 0, true } } },
    { "stride_left",
      { { ARM, 25, 0, -80, false },
        { R_ARM, -25, 0, 80, false },
        { FOREARM, 0, -25, 0, true },
        { THIGH, -30, 0, 0, false },
        { SHIN, 5, 0, 0, false },
        { R_THIGH, 15, 0, 0, false },
        { R_SHIN, 30, 0, 0, false } } },
    { "stride_right",
      { { ARM, -25, 0, -80, false },
        { R_ARM, 25, 0, 80, false },
        { FOREARM, 0, -25, 0, true },
        { R_THIGH, -30, 0, 0, false },
        { R_SHIN, 5, 0, 0, false },
        { THIGH, 15, 0, 0, false },
        { SHIN, 30, 0, 0, false } } },
    { "left_leg_up",
      { { ARM, 0, 0, -70, true }, { THIGH, -80, 0, 0, false }, { SHIN, 80, 0, 0, false } } },
    { "right_leg_up",
      { { ARM, 0, 0, -70, true }, { R_THIGH, -80, 0, 0, false }, { R_SHIN, 80, 0, 0, false } } },
    { "sit",
      { { ARM, 0, 0, -75, true },
        { FOREARM, 0, -60, 0, true },
        { THIGH, -85, 0, 0, true },
        { SHIN, 85, 0, 0, true } } },
    { "squat",
      { { ARM, -60, 0, -80, true },
        { UG_ROLE_SPINE, 20, 0, 0, false },
        { THIGH, -80, 0, 0, true },
        { SHIN, 95, 0, 0, true },
        { FOOT, -20, 0, 0, true } } },
    { "deep_squat",
      { { ARM, -70, 0, -80, true },
        { UG_ROLE_SPINE, 35, 0, 0, false },
        { THIGH, -120, 0, 0, true },
        { SHIN, 135, 0, 0, true },
        { FOOT, -25, 0, 0, true } } },
    { "bow",
      { { ARM, -60, 0, -80, true },
        { UG_ROLE_SPINE, 60, 0, 0, false },
        { THIGH, -30, 0, 0, true } } },
    { "arms_up", { { ARM, 0, 0, 80, true } } },
};

size_t ug_posture_count(void)
{
    return sizeof POSTURES / sizeof *POSTURES;
}

const char *ug_posture_name(size_t posture)
{
    assert(posture < ug_posture_count());
    return POSTURES[posture].name;
}

// turn of `role` in the posture, identity when there is none
static ug_quat role_turn(const stance *p, ug_role role)
{
    const int axes[3] = { 0, 1, 2 };
    for (size_t i = 0; role != UG_ROLE_NONE && i < TURNS_MAX; i++) {
        const turn *t = &p->turns[i];
        const bool mirrored = t->both && t->role != UG_ROLE_NONE && ug_role_mirror(t->role) == role;
        if (t->role == role || mirrored) {
            const double side = t->role == role ? 1.0 : -1.0;
            return ug_quat_from_euler(
                axes, (double[]){ t->x * UG_DEG, side * t->y * UG_DEG, side * t->z * UG_DEG }, 3);
        }
    }
    return UG_QUAT_IDENTITY;
}

static size_t role_count(const ug_skeleton *skeleton, ug_role role)
{
    size_t count = 0;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        count += skeleton->joints[j].role == role;
    }
    return count;
}

// The joint that ends the bone of joint j: the first child that carries the next role of the limb.
static int limb_end(const ug_skeleton *skeleton, size_t j)
{
    static const ug_role NEXT[UG_ROLE_COUNT] = {
        [UG_ROLE_L_UPPER_ARM] = UG_ROLE_L_FOREARM, [UG_ROLE_L_FOREARM] = UG_ROLE_L_HAND,
        [UG_ROLE_R_UPPER_ARM] = UG_ROLE_R_FOREARM, [UG_ROLE_R_FOREARM] = UG_ROLE_R_HAND,
        [UG_ROLE_L_THIGH] = UG_ROLE_L_SHIN,        [UG_ROLE_L_SHIN] = UG_ROLE_L_FOOT,
        [UG_ROLE_R_THIGH] = UG_ROLE_R_SHIN,        [UG_ROLE_R_SHIN] = UG_ROLE_R_FOOT,
    };
    const ug_role next = NEXT[skeleton->joints[j].role];
    for (size_t k = j + 1; next != UG_ROLE_NONE && k < skeleton->joint_count; k++) {
        if (skeleton->joints[k].role == next && ug_skeleton_is_ancestor(skeleton, (int)j, (int)k)) {
            return (int)k;
        }
    }
    return -1;
}

static ug_vec3 limb_direction(ug_role role)
{
    switch (role) {
    case UG_ROLE_L_UPPER_ARM:
    case UG_ROLE_L_FOREARM:
        return (ug_vec3){ 1, 0, 0 };
    case UG_ROLE_R_UPPER_ARM:
    case UG_ROLE_R_FOREARM:
        return (ug_vec3){ -1, 0, 0 };
    default:
        return (ug_vec3){ 0, -1, 0 };
    }
}

// World rotations of the T-pose: the rest pose with every limb swung to its T direction. A few
// degrees of bend are the skeleton's own shape and stay.
static void t_pose(ug_quat *world_q, const ug_skeleton *skeleton)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const ug_joint *joint = &skeleton->joints[j];
        world_q[j] =
            joint->parent < 0 ? joint->rest : ug_quat_mul(world_q[joint->parent], joint->rest);
        const int end = limb_end(skeleton, j);
        if (end < 0) {
            continue;
        }
        // joints between the two are taken at rest
        ug_vec3 bone = { 0, 0, 0 };
        for (int k = end; k != (int)j; k = skeleton->joints[k].parent) {
            bone = ug_vec3_add(skeleton->joints[k].offset_m, bone);
            const int parent = skeleton->joints[k].parent;
            if (parent != (int)j) {
                bone = ug_quat_rotate(skeleton->joints[parent].rest, bone);
            }
        }
        const ug_quat swing =
            ug_quat_between(ug_quat_rotate(world_q[j], bone), limb_direction(joint->role));
        if (ug_quat_angle(swing, UG_QUAT_IDENTITY) > 15.0 * UG_DEG) {
            world_q[j] = ug_quat_mul(swing, world_q[j]);
        }
    }
}

void ug_posture_apply(ug_quat *local_q, size_t posture, const ug_skeleton *skeleton,
                      ug_quat *scratch)
{
    assert(posture < ug_posture_count());
    const size_t n = skeleton->joint_count;
    ug_quat *t = scratch, *turned = scratch + n, *world = scratch + 2 * n;
    t_pose(t, skeleton);
    for (size_t j = 0; j < n; j++) {
        const ug_joint *joint = &skeleton->joints[j];
        ug_quat own = role_turn(&POSTURES[posture], joint->role);
        if (joint->role == UG_ROLE_SPINE || joint->role == UG_ROLE_NECK) {
            own = ug_quat_slerp(UG_QUAT_IDENTITY, own,
                                1.0 / (double)role_count(skeleton, joint->role));
        }
        turned[j] = joint->parent < 0 ? own : ug_quat_mul(turned[joint->parent], own);
        world[j] = ug_quat_mul(turned[j], t[j]);
    }
    ug_pose_to_local(local_q, skeleton, world);
}
