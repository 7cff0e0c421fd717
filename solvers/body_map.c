// SPDX-License-Identifier: MIT
#include "solvers/body_map.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

// "Hips, Spine, … (24 more)", as much as fits
static void list_names(char *text, size_t size, const ug_skeleton *skeleton)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const char *name = skeleton->joints[j].name;
        if (skeleton->joints[j].flags & UG_JOINT_END_SITE) {
            continue;
        }
        const size_t left = skeleton->joint_count - j;
        name = name && *name ? name : "(unnamed)";
        if (used + strlen(name) + 24 > size) {
            snprintf(text + used, size - used, " … (%zu more)", left);
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    }
}

static void words_of_role(char text[32], ug_role role)
{
    snprintf(text, 32, "%s", ug_role_name(role));
    for (char *c = text; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
}

static ug_status require(const ug_body_map *body, const ug_skeleton *skeleton, ug_error *err)
{
    static const ug_role NEEDED[] = {
        UG_ROLE_PELVIS,  UG_ROLE_L_THIGH, UG_ROLE_L_SHIN, UG_ROLE_L_FOOT,
        UG_ROLE_R_THIGH, UG_ROLE_R_SHIN,  UG_ROLE_R_FOOT,
    };
    for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++) {
        if (body->joint[NEEDED[i]] < 0) {
            char names[256], what[32];
            list_names(names, sizeof names, skeleton);
            words_of_role(what, NEEDED[i]);
            return ug_fail(err, UG_E_NOT_ENOUGH, "no %s found among: %s", what, names);
        }
    }
    return UG_OK;
}

// each role of a limb must hang below the one before
static ug_status check_order(const ug_body_map *body, const ug_skeleton *skeleton, ug_error *err)
{
    static const ug_role LIMBS[2][5] = {
        { UG_ROLE_PELVIS, UG_ROLE_L_THIGH, UG_ROLE_L_SHIN, UG_ROLE_L_FOOT, UG_ROLE_L_TOE },
        { UG_ROLE_PELVIS, UG_ROLE_L_CLAVICLE, UG_ROLE_L_UPPER_ARM, UG_ROLE_L_FOREARM,
          UG_ROLE_L_HAND },
    };
    for (int i = 0; i < 4; i++) {
        int above = -1;
        for (int k = 0; k < 5; k++) {
            const ug_role role = k == 0 ? LIMBS[i / 2][0] : ug_role_on_side(LIMBS[i / 2][k], i % 2);
            const int joint = body->joint[role];
            if (joint < 0) {
                continue;
            }
            if (above >= 0 &&
                (joint == above || !ug_skeleton_is_ancestor(skeleton, above, joint))) {
                return ug_fail(
                    err, UG_E_DATA, "joint '%s' (%s) does not hang below '%s': check the roles",
                    skeleton->joints[joint].name, ug_role_name(role), skeleton->joints[above].name);
            }
            above = joint;
        }
    }
    return UG_OK;
}

// the child that lies farthest out, -1 when there is none
static int farthest_child(const ug_skeleton *skeleton, int joint)
{
    int best = -1;
    for (int j = joint + 1; joint >= 0 && j < (int)skeleton->joint_count; j++) {
        if (skeleton->joints[j].parent == joint &&
            (best < 0 || ug_vec3_norm(skeleton->joints[j].offset_m) >
                             ug_vec3_norm(skeleton->joints[best].offset_m))) {
            best = j;
        }
    }
    return best;
}

static int thumb_of(const ug_skeleton *skeleton, int hand)
{
    for (int j = hand + 1; hand >= 0 && j < (int)skeleton->joint_count; j++) {
        const char *name = skeleton->joints[j].name;
        if (name && strcasestr(name, "thumb") && ug_skeleton_is_ancestor(skeleton, hand, j)) {
            return j;
        }
    }
    return -1;
}

static ug_status gather(ug_body_map *body, const ug_skeleton *skeleton, ug_error *err)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const ug_role role = skeleton->joints[j].role;
        const bool chain = role == UG_ROLE_SPINE || role == UG_ROLE_NECK;
        if (role == UG_ROLE_NONE) {
            continue;
        }
        if (chain) {
            size_t *count = role == UG_ROLE_SPINE ? &body->spine_count : &body->neck_count;
            int *list = role == UG_ROLE_SPINE ? body->spine : body->neck;
            if (*count == UG_CHAIN_MAX) {
                return ug_fail(err, UG_E_DATA, "joint '%s': more than %d %s joints",
                               skeleton->joints[j].name, UG_CHAIN_MAX, ug_role_name(role));
            }
            if (*count > 0 && !ug_skeleton_is_ancestor(skeleton, list[*count - 1], (int)j)) {
                return ug_fail(err, UG_E_DATA, "joint '%s' (%s) does not hang below '%s'",
                               skeleton->joints[j].name, ug_role_name(role),
                               skeleton->joints[list[*count - 1]].name);
            }
            list[(*count)++] = (int)j;
        } else if (body->joint[role] >= 0) {
            return ug_fail(err, UG_E_DATA, "joints '%s' and '%s' both have the role %s",
                           skeleton->joints[body->joint[role]].name, skeleton->joints[j].name,
                           ug_role_name(role));
        }
        if (body->joint[role] < 0) {
            body->joint[role] = (int)j;
        }
    }
    return UG_OK;
}

ug_status ug_body_map_init(ug_body_map *body, const ug_skeleton *skeleton, ug_error *err)
{
    assert(body && skeleton);
    *body = (ug_body_map){ 0 };
    for (int r = 0; r < UG_ROLE_COUNT; r++) {
        body->joint[r] = -1;
    }
    ug_status status = gather(body, skeleton, err);
    if (status == UG_OK) {
        status = require(body, skeleton, err);
    }
    if (status == UG_OK) {
        status = check_order(body, skeleton, err);
    }
    for (int s = 0; s < 2; s++) {
        const int toe = body->joint[ug_role_on_side(UG_ROLE_L_TOE, s)];
        const int foot = body->joint[ug_role_on_side(UG_ROLE_L_FOOT, s)];
        body->ball[s] = toe >= 0 ? toe : farthest_child(skeleton, foot);
        body->tip[s] = farthest_child(skeleton, toe);
        body->thumb[s] = thumb_of(skeleton, body->joint[ug_role_on_side(UG_ROLE_L_HAND, s)]);
    }
    return status;
}

double ug_bone_length_m(const ug_skeleton *skeleton, int ancestor, int joint)
{
    double length_m = 0.0;
    while (joint > ancestor) {
        length_m += ug_vec3_norm(skeleton->joints[joint].offset_m);
        joint = skeleton->joints[joint].parent;
    }
    return length_m;
}

double ug_body_leg_m(const ug_body_map *body, const ug_skeleton *skeleton)
{
    double sum = 0.0;
    for (int s = 0; s < 2; s++) {
        sum += ug_bone_length_m(skeleton, body->joint[ug_role_on_side(UG_ROLE_L_THIGH, s)],
                                body->joint[ug_role_on_side(UG_ROLE_L_FOOT, s)]);
    }
    return 0.5 * sum;
}
