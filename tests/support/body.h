// SPDX-License-Identifier: MIT
// A humanoid with 41 markers, built without any file, for tests of solvers: 21 joints with types,
// limits, priors and roles; rest pose a T, every frame parallel to the world.
#pragma once

#include "motion/attachments.h"
#include "motion/skeleton.h"
#include "motion/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct support_joint {
    const char *name, *parent;
    ug_joint_type type;
    ug_role role;
    double offset_m[3];
    const char *axes;
    double limits_deg[3][2], pose_sigma_deg[3], offset_sigma_m[3];
} support_joint;

typedef struct support_marker {
    const char *label, *segment;
    double local_m[3], sigma_m[3];
    ug_marker_kind kind;
} support_marker;

static inline ug_vec3 support_axis(char name)
{
    return (ug_vec3){ name == 'x', name == 'y', name == 'z' };
}

/// NULL when out of memory. ug_skeleton_destroy() it.
static inline ug_skeleton *support_humanoid(void)
{
    static const support_joint joints[] = {
        { "pelvis",
          "",
          UG_JOINT_FREE,
          UG_ROLE_PELVIS,
          { 0.0, 0.0, 0.0 },
          "xyz",
          { { 0, 0 } },
          { 0 },
          { 0.0, 0.0, 0.0 } },
        { "spine",
          "pelvis",
          UG_JOINT_BALL,
          UG_ROLE_SPINE,
          { 0.0, 0.075, -0.045 },
          "xyz",
          { { -35, 75 }, { -30, 30 }, { -35, 35 } },
          { 20, 20, 20 },
          { 0.005, 0.02, 0.02 } },
        { "chest",
          "spine",
          UG_JOINT_BALL,
          UG_ROLE_SPINE,
          { 0.0, 0.16, -0.005 },
          "xyz",
          { { -30, 50 }, { -40, 40 }, { -35, 35 } },
          { 15, 15, 15 },
          { 0.005, 0.02, 0.015 } },
        { "neck",
          "chest",
          UG_JOINT_BALL,
          UG_ROLE_NECK,
          { 0.0, 0.255, -0.015 },
          "xyz",
          { { -50, 60 }, { -60, 60 }, { -40, 40 } },
          { 25, 25, 25 },
          { 0.005, 0.02, 0.02 } },
        { "head",
          "neck",
          UG_JOINT_BALL,
          UG_ROLE_HEAD,
          { 0.0, 0.11, 0.03 },
          "xyz",
          { { -35, 35 }, { -40, 40 }, { -25, 25 } },
          { 10, 10, 10 },
          { 0.005, 0.02, 0.02 } },
        { "l_clavicle",
          "chest",
          UG_JOINT_UNIVERSAL,
          UG_ROLE_L_CLAVICLE,
          { 0.022, 0.215, 0.065 },
          "yz",
          { { -35, 35 }, { -15, 45 } },
          { 15, 15 },
          { 0.008, 0.015, 0.015 } },
        { "l_upperarm",
          "l_clavicle",
          UG_JOINT_BALL,
          UG_ROLE_L_UPPER_ARM,
          { 0.15, 0.0, -0.06 },
          "xyz",
          { { -120, 120 }, { -140, 60 }, { -110, 100 } },
          { 70, 70, 70 },
          { 0.02, 0.02, 0.015 } },
        { "l_forearm",
          "l_upperarm",
          UG_JOINT_UNIVERSAL,
          UG_ROLE_L_FOREARM,
          { 0.283, 0.0, 0.0 },
          "yx",
          { { -150, 5 }, { -100, 100 } },
          { 80, 60 },
          { 0.03, 0.012, 0.012 } },
        { "l_hand",
          "l_forearm",
          UG_JOINT_UNIVERSAL,
          UG_ROLE_L_HAND,
          { 0.27, 0.0, 0.0 },
          "zy",
          { { -90, 80 }, { -40, 40 } },
          { 35, 20 },
          { 0.025, 0.008, 0.008 } },
        { "l_thigh",
          "pelvis",
          UG_JOINT_BALL,
          UG_ROLE_L_THIGH,
          { 0.0865, 0.0, 0.0 },
          "xyz",
          { { -140, 45 }, { -70, 70 }, { -40, 80 } },
          { 70, 40, 40 },
          { 0.01, 0.01, 0.01 } },
        { "l_shank",
          "l_thigh",
          UG_JOINT_HINGE,
          UG_ROLE_L_SHIN,
          { 0.0, -0.4225, 0.0 },
          "x",
          { { -10, 160 } },
          { 90 },
          { 0.012, 0.03, 0.012 } },
        { "l_foot",
          "l_shank",
          UG_JOINT_BALL,
          UG_ROLE_L_FOOT,
          { 0.0, -0.432, 0.0 },
          "xyz",
          { { -50, 75 }, { -45, 45 }, { -40, 40 } },
          { 35, 20, 20 },
          { 0.012, 0.03, 0.012 } },
        { "l_toes",
          "l_foot",
          UG_JOINT_HINGE,
          UG_ROLE_L_TOE,
          { 0.0, -0.05, 0.135 },
          "x",
          { { -70, 45 } },
          { 15 },
          { 0.01, 0.01, 0.02 } },
        { "r_clavicle",
          "chest",
          UG_JOINT_UNIVERSAL,
          UG_ROLE_R_CLAVICLE,
          { -0.022, 0.215, 0.065 },
          "yz",
          { { -35, 35 }, { -45, 15 } },
          { 15, 15 },
          { 0.008, 0.015, 0.015 } },
        { "r_upperarm",
          "r_clavicle",
          UG_JOINT_BALL,
          UG_ROLE_R_UPPER_ARM,
          { -0.15, 0.0, -0.06 },
          "xyz",
          { { -120, 120 }, { -60, 140 }, { -100, 110 } },
          { 70, 70, 70 },
          { 0.02, 0.02, 0.015 } },
        { "r_forearm",
          "r_upperarm",
          UG_JOINT_UNIVERSAL,
          UG_ROLE_R_FOREARM,
          { -0.283, 0.0, 0.0 },
          "yx",
          { { -5, 150 }, { -100, 100 } },
          { 80, 60 },
          { 0.03, 0.012, 0.012 } },
        { "r_hand",
          "r_forearm",
          UG_JOINT_UNIVERSAL,
          UG_ROLE_R_HAND,
          { -0.27, 0.0, 0.0 },
          "zy",
          { { -80, 90 }, { -40, 40 } },
          { 35, 20 },
          { 0.025, 0.008, 0.008 } },
        { "r_thigh",
          "pelvis",
          UG_JOINT_BALL,
          UG_ROLE_R_THIGH,
          { -0.0865, 0.0, 0.0 },
          "xyz",
          { { -140, 45 }, { -70, 70 }, { -80, 40 } },
          { 70, 40, 40 },
          { 0.01, 0.01, 0.01 } },
        { "r_shank",
          "r_thigh",
          UG_JOINT_HINGE,
          UG_ROLE_R_SHIN,
          { 0.0, -0.4225, 0.0 },
          "x",
          { { -10, 160 } },
          { 90 },
          { 0.012, 0.03, 0.012 } },
        { "r_foot",
          "r_shank",
          UG_JOINT_BALL,
          UG_ROLE_R_FOOT,
          { 0.0, -0.432, 0.0 },
          "xyz",
          { { -50, 75 }, { -45, 45 }, { -40, 40 } },
          { 35, 20, 20 },
          { 0.012, 0.03, 0.012 } },
        { "r_toes",
          "r_foot",
          UG_JOINT_HINGE,
          UG_ROLE_R_TOE,
          { -0.0, -0.05, 0.135 },
          "x",
          { { -70, 45 } },
          { 15 },
          { 0.01, 0.01, 0.02 } },
    };
    const size_t count = sizeof joints / sizeof joints[0];
    ug_skeleton *skeleton = ug_skeleton_create(count);
    for (size_t j = 0; j < count && skeleton; j++) {
        const support_joint *from = &joints[j];
        ug_joint *to = &skeleton->joints[j];
        to->name = ug_text_copy(from->name);
        to->parent = from->parent[0] ? ug_skeleton_find(skeleton, from->parent) : -1;
        to->offset_m = ug_vec3_of(from->offset_m);
        to->type = from->type;
        to->role = from->role;
        to->flags = UG_JOINT_HAS_PRIOR | (j > 0 ? UG_JOINT_HAS_LIMITS : 0u);
        to->offset_sigma_m = ug_vec3_of(from->offset_sigma_m);
        for (size_t k = 0; k < strlen(from->axes); k++) {
            to->axes[k] = support_axis(from->axes[k]);
            to->limits_rad[k][0] = from->limits_deg[k][0] * UG_DEG;
            to->limits_rad[k][1] = from->limits_deg[k][1] * UG_DEG;
            to->pose_sigma_rad[k] = from->pose_sigma_deg[k] * UG_DEG;
        }
    }
    if (skeleton) {
        skeleton->stature_m = 1.75;
    }
    return skeleton;
}

/// `attachments` must be empty; false when out of memory.
static inline bool support_markers(ug_attachments *attachments, const ug_skeleton *skeleton)
{
    static const support_marker markers[] = {
        { "LFHD", "head", { 0.075, 0.085, 0.085 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RFHD", "head", { -0.075, 0.085, 0.085 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LBHD", "head", { 0.065, 0.08, -0.085 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RBHD", "head", { -0.065, 0.08, -0.085 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "C7", "chest", { 0.0, 0.28, -0.07 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "T10", "chest", { 0.0, 0.05, -0.085 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "CLAV", "chest", { 0.0, 0.205, 0.085 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "STRN", "chest", { 0.0, 0.075, 0.125 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RBAC", "chest", { -0.09, 0.16, -0.095 }, { 0.035, 0.08, 0.035 }, UG_MARKER_TECHNICAL },
        { "LSHO", "l_clavicle", { 0.135, 0.055, -0.055 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RSHO",
          "r_clavicle",
          { -0.135, 0.055, -0.055 },
          { 0.025, 0.025, 0.025 },
          UG_MARKER_BONY },
        { "LUPA",
          "l_upperarm",
          { 0.14, 0.045, -0.0 },
          { 0.08, 0.035, 0.035 },
          UG_MARKER_TECHNICAL },
        { "RUPA",
          "r_upperarm",
          { -0.14, 0.045, -0.0 },
          { 0.08, 0.035, 0.035 },
          UG_MARKER_TECHNICAL },
        { "LELB", "l_upperarm", { 0.283, 0.04, -0.005 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RELB", "r_upperarm", { -0.283, 0.04, -0.005 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LFRM", "l_forearm", { 0.13, 0.035, 0.0 }, { 0.08, 0.035, 0.035 }, UG_MARKER_TECHNICAL },
        { "RFRM", "r_forearm", { -0.13, 0.035, 0.0 }, { 0.08, 0.035, 0.035 }, UG_MARKER_TECHNICAL },
        { "LWRA", "l_forearm", { 0.265, 0.01, 0.04 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RWRA", "r_forearm", { -0.265, 0.01, 0.04 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LWRB", "l_forearm", { 0.265, 0.01, -0.04 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RWRB", "r_forearm", { -0.265, 0.01, -0.04 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LFIN", "l_hand", { 0.08, 0.02, 0.0 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RFIN", "r_hand", { -0.08, 0.02, 0.0 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LFWT", "pelvis", { 0.12, 0.085, 0.075 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RFWT", "pelvis", { -0.12, 0.085, 0.075 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LBWT", "pelvis", { 0.05, 0.095, -0.1 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RBWT", "pelvis", { -0.05, 0.095, -0.1 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LTHI", "l_thigh", { 0.075, -0.24, 0.02 }, { 0.035, 0.08, 0.035 }, UG_MARKER_TECHNICAL },
        { "RTHI", "r_thigh", { -0.075, -0.24, 0.02 }, { 0.035, 0.08, 0.035 }, UG_MARKER_TECHNICAL },
        { "LKNE", "l_thigh", { 0.06, -0.422, 0.0 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RKNE", "r_thigh", { -0.06, -0.422, 0.0 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LSHN", "l_shank", { 0.05, -0.2, 0.02 }, { 0.035, 0.08, 0.035 }, UG_MARKER_TECHNICAL },
        { "RSHN", "r_shank", { -0.05, -0.2, 0.02 }, { 0.035, 0.08, 0.035 }, UG_MARKER_TECHNICAL },
        { "LANK", "l_shank", { 0.045, -0.425, -0.005 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RANK", "r_shank", { -0.045, -0.425, -0.005 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LHEE", "l_foot", { 0.0, -0.04, -0.065 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "RHEE", "r_foot", { 0.0, -0.04, -0.065 }, { 0.025, 0.025, 0.025 }, UG_MARKER_BONY },
        { "LMT5", "l_foot", { 0.05, -0.05, 0.085 }, { 0.035, 0.035, 0.08 }, UG_MARKER_TECHNICAL },
        { "RMT5", "r_foot", { -0.05, -0.05, 0.085 }, { 0.035, 0.035, 0.08 }, UG_MARKER_TECHNICAL },
        { "LTOE", "l_foot", { 0.0, -0.045, 0.125 }, { 0.035, 0.035, 0.08 }, UG_MARKER_TECHNICAL },
        { "RTOE", "r_foot", { 0.0, -0.045, 0.125 }, { 0.035, 0.035, 0.08 }, UG_MARKER_TECHNICAL },
    };
    for (size_t m = 0; m < sizeof markers / sizeof markers[0]; m++) {
        const support_marker *from = &markers[m];
        const ug_attachment item = { .label = (char *)(uintptr_t)from->label,
                                     .segment = (char *)(uintptr_t)from->segment,
                                     .joint = ug_skeleton_find(skeleton, from->segment),
                                     .local_m = ug_vec3_of(from->local_m),
                                     .sigma_m = ug_vec3_of(from->sigma_m),
                                     .weight = 1.0,
                                     .kind = from->kind };
        if (ug_attachments_add(attachments, &item, NULL) != UG_OK) {
            return false;
        }
    }
    return true;
}

/// Uniform in [-1, 1), the same sequence on every machine.
static inline double support_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

/// Standard normal, near enough: the sum of twelve uniform numbers.
static inline double support_normal(uint64_t *seed)
{
    double sum = 0.0;
    for (int i = 0; i < 12; i++) {
        sum += 0.5 * support_random(seed);
    }
    return sum;
}
