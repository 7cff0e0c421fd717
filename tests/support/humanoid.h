// SPDX-License-Identifier: MIT
// A humanoid with markers for tests of solvers, which cannot read template files: 21 joints like
// the built-in template's, T-pose, three markers or more on every segment.
#pragma once

#include "motion/attachments.h"
#include "motion/skeleton.h"
#include "motion/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { HUMANOID_JOINTS = 21, HUMANOID_MARKERS = 65 };

typedef struct humanoid_row {
    const char *name;
    int parent;
    ug_role role;
    ug_joint_type type;
    ug_vec3 offset_m;
    const char *axes; // of hinge and universal
    double limits_deg[3][2];
    double sigma_deg[3];
    int markers;
} humanoid_row;

// clang-format off
static const humanoid_row HUMANOID[HUMANOID_JOINTS] = {
    { "pelvis", -1, UG_ROLE_PELVIS, UG_JOINT_FREE, { 0, 0.95, 0 }, "", { { 0 } }, { 0 }, 4 },
    { "spine", 0, UG_ROLE_SPINE, UG_JOINT_BALL, { 0, 0.075, -0.045 }, "", { { -35, 75 }, { -30, 30 }, { -35, 35 } }, { 20, 20, 20 }, 3 },
    { "chest", 1, UG_ROLE_SPINE, UG_JOINT_BALL, { 0, 0.16, -0.005 }, "", { { -30, 50 }, { -40, 40 }, { -35, 35 } }, { 15, 15, 15 }, 4 },
    { "neck", 2, UG_ROLE_NECK, UG_JOINT_BALL, { 0, 0.255, -0.015 }, "", { { -50, 60 }, { -60, 60 }, { -40, 40 } }, { 25, 25, 25 }, 3 },
    { "head", 3, UG_ROLE_HEAD, UG_JOINT_BALL, { 0, 0.11, 0.03 }, "", { { -35, 35 }, { -40, 40 }, { -25, 25 } }, { 10, 10, 10 }, 3 },
    { "l_clavicle", 2, UG_ROLE_L_CLAVICLE, UG_JOINT_UNIVERSAL, { 0.022, 0.215, 0.065 }, "yz", { { -35, 35 }, { -15, 45 } }, { 15, 15 }, 3 },
    { "l_upperarm", 5, UG_ROLE_L_UPPER_ARM, UG_JOINT_BALL, { 0.15, 0, -0.06 }, "", { { -120, 120 }, { -140, 60 }, { -110, 100 } }, { 70, 70, 70 }, 3 },
    { "l_forearm", 6, UG_ROLE_L_FOREARM, UG_JOINT_UNIVERSAL, { 0.283, 0, 0 }, "yx", { { -150, 5 }, { -100, 100 } }, { 80, 60 }, 3 },
    { "l_hand", 7, UG_ROLE_L_HAND, UG_JOINT_UNIVERSAL, { 0.27, 0, 0 }, "zy", { { -90, 80 }, { -40, 40 } }, { 35, 20 }, 3 },
    { "l_thigh", 0, UG_ROLE_L_THIGH, UG_JOINT_BALL, { 0.0865, 0, 0 }, "", { { -140, 45 }, { -70, 70 }, { -40, 80 } }, { 70, 40, 40 }, 3 },
    { "l_shank", 9, UG_ROLE_L_SHIN, UG_JOINT_HINGE, { 0, -0.4225, 0 }, "x", { { -10, 160 } }, { 90 }, 3 },
    { "l_foot", 10, UG_ROLE_L_FOOT, UG_JOINT_BALL, { 0, -0.432, 0 }, "", { { -50, 75 }, { -45, 45 }, { -40, 40 } }, { 35, 20, 20 }, 3 },
    { "l_toes", 11, UG_ROLE_L_TOE, UG_JOINT_HINGE, { 0, -0.05, 0.135 }, "x", { { -70, 45 } }, { 15 }, 3 },
    { "r_clavicle", 2, UG_ROLE_R_CLAVICLE, UG_JOINT_UNIVERSAL, { -0.022, 0.215, 0.065 }, "yz", { { -35, 35 }, { -45, 15 } }, { 15, 15 }, 3 },
    { "r_upperarm", 13, UG_ROLE_R_UPPER_ARM, UG_JOINT_BALL, { -0.15, 0, -0.06 }, "", { { -120, 120 }, { -60, 140 }, { -100, 110 } }, { 70, 70, 70 }, 3 },
    { "r_forearm", 14, UG_ROLE_R_FOREARM, UG_JOINT_UNIVERSAL, { -0.283, 0, 0 }, "yx", { { -5, 150 }, { -100, 100 } }, { 80, 60 }, 3 },
    { "r_hand", 15, UG_ROLE_R_HAND, UG_JOINT_UNIVERSAL, { -0.27, 0, 0 }, "zy", { { -80, 90 }, { -40, 40 } }, { 35, 20 }, 3 },
    { "r_thigh", 0, UG_ROLE_R_THIGH, UG_JOINT_BALL, { -0.0865, 0, 0 }, "", { { -140, 45 }, { -70, 70 }, { -80, 40 } }, { 70, 40, 40 }, 3 },
    { "r_shank", 17, UG_ROLE_R_SHIN, UG_JOINT_HINGE, { 0, -0.4225, 0 }, "x", { { -10, 160 } }, { 90 }, 3 },
    { "r_foot", 18, UG_ROLE_R_FOOT, UG_JOINT_BALL, { 0, -0.432, 0 }, "", { { -50, 75 }, { -45, 45 }, { -40, 40 } }, { 35, 20, 20 }, 3 },
    { "r_toes", 19, UG_ROLE_R_TOE, UG_JOINT_HINGE, { 0, -0.05, 0.135 }, "x", { { -70, 45 } }, { 15 }, 3 },
};
// clang-format on

static inline ug_vec3 humanoid_axis(char name)
{
    return (ug_vec3){ name == 'x', name == 'y', name == 'z' };
}

static inline ug_skeleton *humanoid_skeleton(void)
{
    ug_skeleton *s = ug_skeleton_create(HUMANOID_JOINTS);
    for (int j = 0; s && j < HUMANOID_JOINTS; j++) {
        const humanoid_row *row = &HUMANOID[j];
        ug_joint *joint = &s->joints[j];
        joint->name = ug_text_copy(row->name);
        joint->parent = row->parent;
        joint->role = row->role;
        joint->type = row->type;
        joint->offset_m = row->offset_m;
        for (int k = 0; row->axes[0] && k < 2 && row->axes[k]; k++) {
            joint->axes[k] = humanoid_axis(row->axes[k]);
        }
        for (int k = 0; k < 3; k++) {
            joint->limits_rad[k][0] = row->limits_deg[k][0] * UG_DEG;
            joint->limits_rad[k][1] = row->limits_deg[k][1] * UG_DEG;
            joint->pose_sigma_rad[k] = row->sigma_deg[k] * UG_DEG;
        }
        joint->flags = j ? UG_JOINT_HAS_LIMITS | UG_JOINT_HAS_PRIOR : 0;
    }
    if (s) {
        s->stature_m = 1.75;
    }
    return s;
}

// Markers around each bone, not on one line; labels "<joint>_<n>".
static inline void humanoid_attachments(ug_attachments *out)
{
    *out = (ug_attachments){ 0 };
    for (int j = 0; j < HUMANOID_JOINTS; j++) {
        for (int i = 0; i < HUMANOID[j].markers; i++) {
            char label[48], segment[32];
            snprintf(segment, sizeof segment, "%s", HUMANOID[j].name);
            snprintf(label, sizeof label, "%s_%d", segment, i);
            const double turn = 2.1 * i + 0.4 * j, along = 0.04 + 0.05 * i;
            // along the bone: down the legs, out the arms, up the trunk
            const ug_vec3 bone = (j >= 9 && j <= 12) || j >= 17 ? (ug_vec3){ 0, -1, 0 }
                                 : j >= 13                      ? (ug_vec3){ -1, 0, 0 }
                                 : j >= 5                       ? (ug_vec3){ 1, 0, 0 }
                                                                : (ug_vec3){ 0, 1, 0 };
            const ug_vec3 side = bone.x != 0.0 ? (ug_vec3){ 0, 1, 0 } : (ug_vec3){ 1, 0, 0 };
            ug_vec3 p = ug_vec3_scale(bone, along);
            p = ug_vec3_madd(p, 0.06 * cos(turn), side);
            p.z += 0.06 * sin(turn);
            const ug_attachment item = { .label = label,
                                         .segment = segment,
                                         .joint = j,
                                         .local_m = p,
                                         .sigma_m = { 0.02, 0.02, 0.02 },
                                         .weight = 1.0 };
            if (ug_attachments_add(out, &item, NULL) != UG_OK) {
                abort();
            }
        }
    }
}
