// SPDX-License-Identifier: MIT
#include "motion/skeleton.h"

#include "motion/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

ug_skeleton *ug_skeleton_create(size_t joint_count)
{
    ug_skeleton *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->joints = calloc(joint_count > 0 ? joint_count : 1, sizeof *s->joints);
    if (!s->joints) {
        free(s);
        return NULL;
    }
    s->joint_count = joint_count;
    for (size_t j = 0; j < joint_count; j++) {
        s->joints[j].parent = (int)j - 1;
        s->joints[j].rest = UG_QUAT_IDENTITY;
        s->joints[j].type = UG_JOINT_BALL;
        s->joints[j].axes[0] = (ug_vec3){ 1, 0, 0 };
        s->joints[j].axes[1] = (ug_vec3){ 0, 1, 0 };
        s->joints[j].axes[2] = (ug_vec3){ 0, 0, 1 };
    }
    return s;
}

void ug_skeleton_destroy(ug_skeleton *skeleton)
{
    if (skeleton) {
        for (size_t j = 0; j < skeleton->joint_count; j++) {
            free(skeleton->joints[j].name);
        }
        free(skeleton->joints);
        free(skeleton->name);
        free(skeleton);
    }
}

ug_skeleton *ug_skeleton_copy(const ug_skeleton *skeleton)
{
    assert(skeleton);
    ug_skeleton *s = ug_skeleton_create(skeleton->joint_count);
    if (!s) {
        return NULL;
    }
    s->stature_m = skeleton->stature_m;
    bool ok = true;
    if (skeleton->name) {
        s->name = ug_text_copy(skeleton->name);
        ok = s->name != NULL;
    }
    for (size_t j = 0; j < s->joint_count; j++) {
        s->joints[j] = skeleton->joints[j];
        s->joints[j].name = NULL; // never share an owned name, not even on the way out
        if (skeleton->joints[j].name) {
            s->joints[j].name = ug_text_copy(skeleton->joints[j].name);
            ok = ok && s->joints[j].name != NULL;
        }
    }
    if (!ok) {
        ug_skeleton_destroy(s);
        return NULL;
    }
    return s;
}

int ug_skeleton_find(const ug_skeleton *skeleton, const char *name)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].name && strcmp(skeleton->joints[j].name, name) == 0) {
            return (int)j;
        }
    }
    return -1;
}

int ug_skeleton_find_role(const ug_skeleton *skeleton, ug_role role)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].role == role) {
            return (int)j;
        }
    }
    return -1;
}

int ug_joint_rotation_dof(ug_joint_type type)
{
    switch (type) {
    case UG_JOINT_FIXED:
        return 0;
    case UG_JOINT_HINGE:
        return 1;
    case UG_JOINT_UNIVERSAL:
        return 2;
    case UG_JOINT_BALL:
    case UG_JOINT_FREE:
        return 3;
    }
    return 0;
}

static ug_status check_joint(const ug_joint *joint, size_t index, ug_error *err)
{
    if (!joint->name) {
        return ug_fail(err, UG_E_DATA, "joint %zu has no name", index);
    }
    if (joint->parent < -1 || joint->parent >= (int)index) {
        return ug_fail(err, UG_E_DATA, "joint '%s': parent %d does not stand before it",
                       joint->name, joint->parent);
    }
    if (!ug_vec3_is_finite(joint->offset_m)) {
        return ug_fail(err, UG_E_DATA, "joint '%s': offset is not finite", joint->name);
    }
    const double norm = ug_quat_dot(joint->rest, joint->rest);
    if (!(fabs(norm - 1.0) < 1e-6)) {
        return ug_fail(err, UG_E_DATA, "joint '%s': rest rotation is not a unit quaternion",
                       joint->name);
    }
    const int dof = ug_joint_rotation_dof(joint->type);
    if ((joint->flags & UG_JOINT_HAS_PRIOR) && !ug_vec3_is_finite(joint->offset_sigma_m)) {
        return ug_fail(err, UG_E_DATA, "joint '%s': sigma of the offset is not finite",
                       joint->name);
    }
    for (int k = 0; k < dof; k++) {
        if ((joint->flags & UG_JOINT_HAS_PRIOR) && !isfinite(joint->pose_sigma_rad[k])) {
            return ug_fail(err, UG_E_DATA, "joint '%s': sigma of angle %d is not finite",
                           joint->name, k);
        }
        if (!(fabs(ug_vec3_norm(joint->axes[k]) - 1.0) < 1e-6)) {
            return ug_fail(err, UG_E_DATA, "joint '%s': axis %d is not a unit vector", joint->name,
                           k);
        }
        if ((joint->flags & UG_JOINT_HAS_LIMITS) &&
            !(joint->limits_rad[k][0] <= joint->limits_rad[k][1] &&
              isfinite(joint->limits_rad[k][1] - joint->limits_rad[k][0]))) {
            return ug_fail(err, UG_E_DATA, "joint '%s': limit %d is empty or not finite",
                           joint->name, k);
        }
    }
    return UG_OK;
}

ug_status ug_skeleton_check(const ug_skeleton *skeleton, ug_error *err)
{
    assert(skeleton);
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const ug_status status = check_joint(&skeleton->joints[j], j, err);
        if (status != UG_OK) {
            return status;
        }
    }
    return UG_OK;
}

bool ug_skeleton_is_ancestor(const ug_skeleton *skeleton, int ancestor, int joint)
{
    while (joint > ancestor) {
        joint = skeleton->joints[joint].parent;
    }
    return joint == ancestor;
}

double ug_skeleton_size_m(const ug_skeleton *skeleton)
{
    const size_t n = skeleton->joint_count;
    ug_vec3 *centre = calloc(n > 0 ? n : 1, sizeof *centre);
    ug_quat *turn = calloc(n > 0 ? n : 1, sizeof *turn);
    double size = 0.0;
    for (size_t j = 0; centre && turn && j < n; j++) {
        const ug_joint *joint = &skeleton->joints[j];
        const ug_quat up = joint->parent < 0 ? UG_QUAT_IDENTITY : turn[joint->parent];
        const ug_vec3 at = joint->parent < 0 ? (ug_vec3){ 0, 0, 0 } : centre[joint->parent];
        turn[j] = ug_quat_mul(up, joint->rest);
        centre[j] = joint->parent < 0 ? at : ug_vec3_add(at, ug_quat_rotate(up, joint->offset_m));
        for (size_t i = 0; i < j; i++) {
            size = fmax(size, ug_vec3_distance(centre[i], centre[j]));
        }
    }
    free(centre);
    free(turn);
    return size;
}
