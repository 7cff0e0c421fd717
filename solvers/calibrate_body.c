// SPDX-License-Identifier: MIT
#include "solvers/calibrate_body.h"

#include "motion/kinematics.h"
#include "motion/text.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int group_of_role(ug_role role)
{
    switch (role) {
    case UG_ROLE_PELVIS:
        return UG_BODY_PELVIS;
    case UG_ROLE_SPINE:
        return UG_BODY_TRUNK;
    case UG_ROLE_NECK:
    case UG_ROLE_HEAD:
        return UG_BODY_HEAD;
    case UG_ROLE_L_CLAVICLE:
    case UG_ROLE_R_CLAVICLE:
        return UG_BODY_SHOULDER;
    case UG_ROLE_L_UPPER_ARM:
    case UG_ROLE_R_UPPER_ARM:
    case UG_ROLE_L_FOREARM:
    case UG_ROLE_R_FOREARM:
    case UG_ROLE_L_HAND:
    case UG_ROLE_R_HAND:
        return UG_BODY_ARM;
    case UG_ROLE_L_THIGH:
    case UG_ROLE_R_THIGH:
    case UG_ROLE_L_SHIN:
    case UG_ROLE_R_SHIN:
        return UG_BODY_LEG;
    case UG_ROLE_L_FOOT:
    case UG_ROLE_R_FOOT:
    case UG_ROLE_L_TOE:
    case UG_ROLE_R_TOE:
        return UG_BODY_FOOT;
    default:
        return -1;
    }
}

void ug_body_groups(int *group, const ug_skeleton *skeleton)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const ug_joint *joint = &skeleton->joints[j];
        group[j] = group_of_role(joint->role);
        if (group[j] < 0) {
            group[j] = joint->parent >= 0 ? group[joint->parent] : UG_BODY_PELVIS;
        }
    }
}

// Remove `word` from lower-case `name`; false when it is not there.
static bool cut(char *name, const char *word)
{
    char *at = strstr(name, word);
    if (at) {
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
    }
    return at != NULL;
}

// Side 'l', 'r' or 0 and the lower-case name without it.
static char side_of(char core[64], const char *name)
{
    snprintf(core, 64, "%s", name);
    const bool camel = (name[0] == 'L' || name[0] == 'R') && isupper((unsigned char)name[1]);
    for (char *c = core; *c; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    if (cut(core, "left")) {
        return 'l';
    }
    if (cut(core, "right")) {
        return 'r';
    }
    const size_t n = strlen(core);
    if (n > 2 && (core[0] == 'l' || core[0] == 'r') && strchr("_.-: ", core[1])) {
        const char side = core[0];
        memmove(core, core + 2, n - 1);
        return side;
    }
    if (n > 2 && (core[n - 1] == 'l' || core[n - 1] == 'r') && strchr("_.-: ", core[n - 2])) {
        const char side = core[n - 1];
        core[n - 2] = '\0';
        return side;
    }
    if (camel) {
        const char side = core[0];
        memmove(core, core + 1, n);
        return side;
    }
    return 0;
}

static int mirror_by_name(const ug_skeleton *skeleton, size_t j)
{
    char mine[64], other[64];
    const char side = side_of(mine, skeleton->joints[j].name);
    for (size_t k = 0; k < skeleton->joint_count && side; k++) {
        const char theirs = side_of(other, skeleton->joints[k].name);
        if (theirs && theirs != side && strcmp(mine, other) == 0) {
            return (int)k;
        }
    }
    return -1;
}

void ug_body_mirrors(int *mirror, const ug_skeleton *skeleton)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const ug_role role = skeleton->joints[j].role;
        const ug_role other = ug_role_mirror(role);
        mirror[j] =
            other != role ? ug_skeleton_find_role(skeleton, other) : mirror_by_name(skeleton, j);
    }
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (mirror[j] >= 0 && mirror[mirror[j]] != (int)j) {
            mirror[j] = -1;
        }
    }
}

// True when `joint` is the left one of its pair.
static bool is_left(const ug_skeleton *skeleton, size_t joint)
{
    char core[64];
    const ug_role role = skeleton->joints[joint].role;
    return role != UG_ROLE_NONE ? role < ug_role_mirror(role)
                                : side_of(core, skeleton->joints[joint].name) == 'l';
}

ug_vec3 ug_body_lateral(const ug_skeleton *skeleton, const int *mirror)
{
    // each pair's own offsets, in the world at rest, without arrays for the whole pose
    ug_vec3 sum = { 0 };
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (mirror[j] < 0 || !is_left(skeleton, j)) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            ug_vec3 p = { 0 };
            for (int k = side ? mirror[j] : (int)j; k >= 0; k = skeleton->joints[k].parent) {
                const ug_joint *joint = &skeleton->joints[k];
                // `p` stands in k's frame; into its parent's
                p = ug_vec3_add(ug_quat_rotate(joint->rest, p), joint->offset_m);
            }
            sum = ug_vec3_madd(sum, side ? -1.0 : 1.0, p);
        }
    }
    return ug_vec3_unit(sum, (ug_vec3){ 1.0, 0.0, 0.0 });
}

void ug_body_reflection(double A[9], const ug_skeleton *skeleton, const ug_quat *rest_q,
                        ug_vec3 lateral, int left, int right)
{
    const int pl = skeleton->joints[left].parent, pr = skeleton->joints[right].parent;
    for (int k = 0; k < 3; k++) {
        const ug_vec3 axis = { k == 0, k == 1, k == 2 };
        const ug_vec3 v = pr >= 0 ? ug_quat_rotate(rest_q[pr], axis) : axis;
        const ug_vec3 w = ug_vec3_madd(v, -2.0 * ug_vec3_dot(v, lateral), lateral);
        const ug_vec3 u = pl >= 0 ? ug_quat_unrotate(rest_q[pl], w) : w;
        A[k] = u.x;
        A[3 + k] = u.y;
        A[6 + k] = u.z;
    }
}

double ug_body_reach_m(const ug_skeleton *skeleton, const ug_attachment *a, const ug_attachment *b,
                       int bones_max)
{
    // climb from both ends; a parent's index is the smaller one, so the larger climbs
    int ja = a->joint, jb = b->joint, bones = 0;
    ug_vec3 pa = a->local_m, pb = b->local_m;
    double length = 0.0;
    while (ja != jb) {
        int *joint = ja > jb ? &ja : &jb;
        ug_vec3 *point = ja > jb ? &pa : &pb;
        length += ug_vec3_norm(*point);
        *point = skeleton->joints[*joint].offset_m;
        *joint = skeleton->joints[*joint].parent;
        if (++bones > bones_max || *joint < 0) {
            return INFINITY;
        }
    }
    return length + ug_vec3_distance(pa, pb);
}

void ug_body_scale(ug_skeleton *skeleton, ug_attachments *attachments, double scale)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        ug_joint *joint = &skeleton->joints[j];
        joint->offset_m = ug_vec3_scale(joint->offset_m, scale);
        joint->offset_sigma_m = ug_vec3_scale(joint->offset_sigma_m, scale);
    }
    for (size_t a = 0; a < attachments->count; a++) {
        ug_attachment *item = &attachments->items[a];
        item->local_m = ug_vec3_scale(item->local_m, scale);
        item->sigma_m = ug_vec3_scale(item->sigma_m, scale);
    }
    skeleton->stature_m *= scale;
}
