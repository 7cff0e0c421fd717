// SPDX-License-Identifier: MIT
// Target characters made in code: human-like, any leg length, joint count, rest pose and axes.
#pragma once

#include "motion/skeleton.h"
#include "motion/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct test_character {
    double leg;               // times a human's
    double foot;              // times a human's
    int spine_count;          // 1 … 8
    double arm_down_rad;      // 0: T pose
    uint32_t axes_seed;       // 0: every joint's axes are the world's
    bool roles;               // set, else left to be found by name
    const char *left, *right; // what stands before the names of the sides
} test_character;

static inline uint32_t test_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline double test_uniform(uint32_t *state) // in [-1, 1)
{
    return (double)test_random(state) / 8388608.0 - 1.0;
}

typedef struct test_builder {
    ug_skeleton *skeleton;
    ug_quat world[64];
    ug_vec3 at[64];
    int count;
    uint32_t random;
    bool turned, roles;
} test_builder;

// a joint at `at` in the world
static inline int test_add(test_builder *b, const char *side, const char *name, int parent,
                           ug_vec3 at, ug_role role)
{
    const int j = b->count++;
    ug_joint *joint = &b->skeleton->joints[j];
    const ug_quat q = { test_uniform(&b->random), test_uniform(&b->random),
                        test_uniform(&b->random), test_uniform(&b->random) };
    b->world[j] = b->turned ? ug_quat_normalize(q) : UG_QUAT_IDENTITY;
    b->at[j] = at;
    joint->name = ug_text_format("%s%s", side, name);
    joint->parent = parent;
    const ug_quat up = parent < 0 ? UG_QUAT_IDENTITY : b->world[parent];
    const ug_vec3 from = parent < 0 ? (ug_vec3){ 0, 0, 0 } : b->at[parent];
    joint->offset_m = ug_quat_unrotate(up, ug_vec3_sub(at, from));
    joint->rest = ug_quat_mul(ug_quat_conj(up), b->world[j]);
    joint->type = parent < 0 ? UG_JOINT_FREE : UG_JOINT_BALL;
    joint->role = b->roles ? role : UG_ROLE_NONE;
    return j;
}

static inline void test_add_leg(test_builder *b, const test_character *c, int side, int pelvis,
                                double hip_height)
{
    const char *name = side ? c->right : c->left;
    const double x = side ? -0.09 : 0.09, f = c->foot, ankle = 0.08 * f;
    const double knee = ankle + 0.42 * c->leg;
    const int d = side ? UG_ROLE_R_THIGH - UG_ROLE_L_THIGH : 0;
    int j = test_add(b, name, "Thigh", pelvis, (ug_vec3){ x, hip_height, 0 },
                     (ug_role)(UG_ROLE_L_THIGH + d));
    j = test_add(b, name, "Calf", j, (ug_vec3){ x, knee, 0.005 }, (ug_role)(UG_ROLE_L_SHIN + d));
    j = test_add(b, name, "Ankle", j, (ug_vec3){ x, ankle, 0 }, (ug_role)(UG_ROLE_L_FOOT + d));
    j = test_add(b, name, "Toes", j, (ug_vec3){ x, 0.02 * f, 0.13 * f },
                 (ug_role)(UG_ROLE_L_TOE + d));
    j = test_add(b, name, "Toes end", j, (ug_vec3){ x, 0.0, 0.20 * f }, UG_ROLE_NONE);
    b->skeleton->joints[j].type = UG_JOINT_FIXED;
    b->skeleton->joints[j].flags = UG_JOINT_END_SITE;
}

static inline void test_add_arm(test_builder *b, const test_character *c, int side, int chest,
                                double height)
{
    const char *name = side ? c->right : c->left;
    const double s = side ? -1.0 : 1.0, cx = cos(c->arm_down_rad), cy = -sin(c->arm_down_rad);
    const int d = side ? UG_ROLE_R_CLAVICLE - UG_ROLE_L_CLAVICLE : 0;
    const ug_vec3 along = { s * cx, cy, 0 };
    const ug_vec3 shoulder = { s * 0.17, height, -0.01 };
    int j = test_add(b, name, "Collar", chest, (ug_vec3){ s * 0.03, height, 0.02 },
                     (ug_role)(UG_ROLE_L_CLAVICLE + d));
    j = test_add(b, name, "UpperArm", j, shoulder, (ug_role)(UG_ROLE_L_UPPER_ARM + d));
    j = test_add(b, name, "Forearm", j, ug_vec3_madd(shoulder, 0.29, along),
                 (ug_role)(UG_ROLE_L_FOREARM + d));
    j = test_add(b, name, "Wrist", j, ug_vec3_madd(shoulder, 0.55, along),
                 (ug_role)(UG_ROLE_L_HAND + d));
    j = test_add(b, name, "Wrist end", j, ug_vec3_madd(shoulder, 0.70, along), UG_ROLE_NONE);
    b->skeleton->joints[j].type = UG_JOINT_FIXED;
    b->skeleton->joints[j].flags = UG_JOINT_END_SITE;
}

/// ug_skeleton_destroy() it. Stands with its soles on y = 0, looking along +Z.
static inline ug_skeleton *test_character_create(const test_character *c)
{
    test_builder b = { .skeleton = ug_skeleton_create((size_t)(23 + c->spine_count)),
                       .random = c->axes_seed,
                       .turned = c->axes_seed != 0,
                       .roles = c->roles };
    const double hip = 0.08 * c->foot + 0.84 * c->leg;
    const int pelvis = test_add(&b, "", "Hips", -1, (ug_vec3){ 0, hip, 0 }, UG_ROLE_PELVIS);
    int top = pelvis;
    for (int i = 0; i < c->spine_count; i++) {
        char name[24];
        snprintf(name, sizeof name, "Spine%d", i + 1);
        const double share = (double)(i + 1) / (double)c->spine_count;
        top = test_add(&b, "", name, top, (ug_vec3){ 0, hip + 0.05 + 0.30 * share, -0.02 },
                       UG_ROLE_SPINE);
    }
    int j = test_add(&b, "", "Neck", top, (ug_vec3){ 0, hip + 0.55, -0.02 }, UG_ROLE_NECK);
    test_add(&b, "", "Head", j, (ug_vec3){ 0, hip + 0.65, 0.0 }, UG_ROLE_HEAD);
    test_add_arm(&b, c, 0, top, hip + 0.50);
    test_add_arm(&b, c, 1, top, hip + 0.50);
    test_add_leg(&b, c, 0, pelvis, hip);
    test_add_leg(&b, c, 1, pelvis, hip);
    return b.skeleton;
}
