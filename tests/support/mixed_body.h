// SPDX-License-Identifier: MIT
// A small skeleton with one joint of every type, tilted rests and axes, for derivative tests.
#pragma once

#include "motion/attachments.h"
#include "motion/skeleton.h"
#include "motion/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { MIXED_JOINTS = 8, MIXED_MARKERS = 12 };

// root FREE - ball - universal - hinge, root - free (a prop) - fixed, root - ball nobody sees
static inline ug_skeleton *mixed_skeleton(void)
{
    static const int PARENT[MIXED_JOINTS] = { -1, 0, 1, 2, 0, 4, 0, 3 };
    static const ug_joint_type TYPE[MIXED_JOINTS] = { UG_JOINT_FREE,      UG_JOINT_BALL,
                                                      UG_JOINT_UNIVERSAL, UG_JOINT_HINGE,
                                                      UG_JOINT_FREE,      UG_JOINT_FIXED,
                                                      UG_JOINT_BALL,      UG_JOINT_BALL };
    ug_skeleton *s = ug_skeleton_create(MIXED_JOINTS);
    for (int j = 0; s && j < MIXED_JOINTS; j++) {
        ug_joint *joint = &s->joints[j];
        char name[24];
        snprintf(name, sizeof name, "joint%d", j);
        joint->name = ug_text_copy(name);
        joint->parent = PARENT[j];
        joint->type = TYPE[j];
        joint->offset_m = (ug_vec3){ 0.1 + 0.03 * j, 0.2 - 0.05 * j, 0.07 * j };
        joint->rest = ug_quat_exp((ug_vec3){ 0.3 * j, -0.2, 0.1 * j });
        joint->axes[0] = ug_vec3_unit((ug_vec3){ 1.0, 0.2 * j, 0.1 }, (ug_vec3){ 1, 0, 0 });
        joint->axes[1] = ug_vec3_unit(ug_vec3_cross(joint->axes[0], (ug_vec3){ 0.1, 0.2, 1.0 }),
                                      (ug_vec3){ 0, 1, 0 });
        joint->axes[2] = ug_vec3_cross(joint->axes[0], joint->axes[1]);
        joint->flags = UG_JOINT_HAS_LIMITS | UG_JOINT_HAS_PRIOR;
        for (int k = 0; k < 3; k++) {
            joint->limits_rad[k][0] = -0.2 - 0.1 * k;
            joint->limits_rad[k][1] = 0.15 + 0.1 * k;
            joint->pose_sigma_rad[k] = 0.5 + 0.1 * k;
        }
    }
    return s;
}

// markers on joints 0 to 5 and 7; none on 6
static inline void mixed_attachments(ug_attachments *out)
{
    static const int JOINT[MIXED_MARKERS] = { 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 7 };
    *out = (ug_attachments){ 0 };
    for (int m = 0; m < MIXED_MARKERS; m++) {
        char label[24], segment[24];
        snprintf(label, sizeof label, "M%d", m);
        snprintf(segment, sizeof segment, "joint%d", JOINT[m]);
        const ug_attachment item = { .label = label,
                                     .segment = segment,
                                     .joint = JOINT[m],
                                     .local_m = { 0.05 * (m % 3), 0.04 - 0.01 * m, 0.03 * m },
                                     .sigma_m = { 0.01, 0.01, 0.01 },
                                     .weight = 1.0 };
        if (ug_attachments_add(out, &item, NULL) != UG_OK) {
            abort();
        }
    }
}
