// SPDX-License-Identifier: MIT
// One joint of a template file.
#include "formats/template_words.h"
#include "motion/nearest.h"
#include "motion/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const JOINT_KEYS[] = {
    "name",           "parent",     "offset_m",       "rest_wxyz",      "type", "axes",
    "limits_deg",     "limits_rad", "pose_sigma_deg", "pose_sigma_rad", "role", "channels",
    "offset_sigma_m", "end_site",   "locked",         "note",           NULL,
};
static const char *const JOINT_NEEDED[] = { "name", "parent", "offset_m", NULL };

const char *const UG_TEMPLATE_TYPES[] = { "fixed", "hinge", "universal", "ball", "free", NULL };
const char *const UG_TEMPLATE_CHANNELS[] = {
    "none",      "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation",
    "Zrotation", "Xscale",    "Yscale",    "Zscale",    NULL,
};

static ug_status read_vector(ug_vec3 *out, const ug_yaml *node, const char *name, ug_error *err)
{
    double v[3] = { 0 };
    const ug_status status = ug_yaml_numbers(v, 3, node, name, err);
    *out = ug_vec3_of(v);
    return status;
}

static ug_status read_parent(ug_skeleton *s, size_t index, const ug_yaml *node, const char *what,
                             ug_error *err)
{
    const char *parent = NULL;
    if (ug_yaml_is_null(node)) {
        s->joints[index].parent = -1;
        return UG_OK;
    }
    const ug_status status = ug_yaml_text(&parent, node, what, err);
    if (status != UG_OK) {
        return status;
    }
    for (size_t j = 0; j < index; j++) {
        if (strcmp(s->joints[j].name, parent) == 0) {
            s->joints[index].parent = (int)j;
            return UG_OK;
        }
    }
    const char *names[UG_TEMPLATE_JOINTS_MAX];
    for (size_t j = 0; j < index; j++) {
        names[j] = s->joints[j].name;
    }
    const char *near = ug_text_nearest(parent, names, index);
    return ug_yaml_fail(node, node->line, err, "%s: parent '%s' does not stand before it%s%s%s",
                        what, parent, near ? "; did you mean '" : "", near ? near : "",
                        near ? "'?" : "");
}

static ug_status read_type(ug_joint *joint, const ug_yaml *map, const char *what, ug_error *err)
{
    ug_status status = UG_OK;
    bool end_site = false, locked = false;
    int type = joint->parent < 0 ? UG_JOINT_FREE : UG_JOINT_BALL;
    const ug_yaml *node = ug_yaml_get(map, "end_site");
    if (node) {
        status = ug_yaml_bool(&end_site, node, "end_site", err);
        type = end_site ? UG_JOINT_FIXED : type;
    }
    node = ug_yaml_get(map, "locked");
    if (node && status == UG_OK) {
        status = ug_yaml_bool(&locked, node, "locked", err);
    }
    node = ug_yaml_get(map, "type");
    if (node && status == UG_OK) {
        status = ug_yaml_choice(&type, node, "type", UG_TEMPLATE_TYPES, err);
    }
    if (status == UG_OK && end_site && type != UG_JOINT_FIXED) {
        return ug_yaml_fail(map, map->line, err, "%s: an end site has type fixed", what);
    }
    joint->type = (ug_joint_type)type;
    joint->flags |= (end_site ? UG_JOINT_END_SITE : 0u) | (locked ? UG_JOINT_LOCKED : 0u);
    return status;
}

// A letter (x, y, z) or three numbers of length 1.
static ug_status read_axis(ug_vec3 *axis, const ug_yaml *node, const char *what, ug_error *err)
{
    static const ug_vec3 UNIT[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    if (node->kind == UG_YAML_TEXT) {
        int letter = 0;
        const ug_status status = ug_yaml_choice(&letter, node, "axes",
                                                (const char *const[]){ "x", "y", "z", NULL }, err);
        *axis = UNIT[letter];
        return status;
    }
    const ug_status status = read_vector(axis, node, "axes", err);
    if (status == UG_OK && !(fabs(ug_vec3_norm(*axis) - 1.0) < 1e-6)) {
        return ug_yaml_fail(node, node->line, err, "%s: an axis must have length 1, this has %g",
                            what, ug_vec3_norm(*axis));
    }
    return status;
}

static ug_status read_axes(ug_joint *joint, const ug_yaml *map, const char *what, ug_error *err)
{
    const int dof = ug_joint_rotation_dof(joint->type);
    const ug_yaml *node = ug_yaml_get(map, "axes");
    if (!node) {
        if (dof == 1 || dof == 2) {
            return ug_yaml_fail(map, map->line, err, "%s: a %s joint needs 'axes' (%d of them)",
                                what, UG_TEMPLATE_TYPES[joint->type], dof);
        }
        return UG_OK;
    }
    ug_status status = ug_yaml_sequence(node, "axes", err);
    if (status == UG_OK && node->count != (size_t)dof) {
        return ug_yaml_fail(node, node->line, err, "%s: a %s joint has %d axes, here are %zu", what,
                            UG_TEMPLATE_TYPES[joint->type], dof, node->count);
    }
    for (int k = 0; status == UG_OK && k < dof; k++) {
        status = read_axis(&joint->axes[k], &node->items[k], what, err);
    }
    return status;
}

// `key`_deg or `key`_rad, whichever stands there, and the factor to radians; never both.
static ug_status find_angles(const ug_yaml **node, double *factor, const ug_yaml *map,
                             const char *deg, const char *rad, ug_error *err)
{
    const ug_yaml *in_deg = ug_yaml_get(map, deg), *in_rad = ug_yaml_get(map, rad);
    *node = in_deg ? in_deg : in_rad;
    *factor = in_deg ? UG_DEG : 1.0;
    if (in_deg && in_rad) {
        return ug_yaml_fail(in_rad, in_rad->line, err, "write either %s or %s, not both", deg, rad);
    }
    return *node ? ug_yaml_sequence(*node, in_deg ? deg : rad, err) : UG_OK;
}

static ug_status read_limits(ug_joint *joint, const ug_yaml *map, const char *what, ug_error *err)
{
    const size_t dof = (size_t)ug_joint_rotation_dof(joint->type);
    const ug_yaml *node = NULL;
    double factor = 1.0;
    ug_status status = find_angles(&node, &factor, map, "limits_deg", "limits_rad", err);
    if (status != UG_OK || !node || node->count == 0) {
        return status; // an empty list: no limits
    }
    if (node->count != dof) {
        return ug_yaml_fail(node, node->line, err,
                            "%s: a %s joint has %zu pairs of limits, here are %zu", what,
                            UG_TEMPLATE_TYPES[joint->type], dof, node->count);
    }
    for (size_t k = 0; status == UG_OK && k < dof; k++) {
        double pair[2] = { 0 };
        status = ug_yaml_numbers(pair, 2, &node->items[k], "a limit", err);
        if (status == UG_OK && pair[0] > pair[1]) {
            return ug_yaml_fail(node, node->items[k].line, err,
                                "%s: limit %zu is empty: %g is above %g", what, k, pair[0],
                                pair[1]);
        }
        joint->limits_rad[k][0] = pair[0] * factor;
        joint->limits_rad[k][1] = pair[1] * factor;
    }
    joint->flags |= UG_JOINT_HAS_LIMITS;
    return status;
}

static ug_status read_priors(ug_joint *joint, const ug_yaml *map, const char *what, ug_error *err)
{
    const size_t dof = (size_t)ug_joint_rotation_dof(joint->type);
    const ug_yaml *node = NULL, *offset = ug_yaml_get(map, "offset_sigma_m");
    double factor = 1.0;
    ug_status status = find_angles(&node, &factor, map, "pose_sigma_deg", "pose_sigma_rad", err);
    if (status == UG_OK && offset) {
        status = read_vector(&joint->offset_sigma_m, offset, "offset_sigma_m", err);
    }
    if (status != UG_OK || !node || !offset || (node->count == 0 && dof > 0)) {
        return status; // half a prior is none
    }
    status = ug_yaml_numbers(joint->pose_sigma_rad, dof, node, "pose_sigma", err);
    bool bad =
        joint->offset_sigma_m.x < 0 || joint->offset_sigma_m.y < 0 || joint->offset_sigma_m.z < 0;
    for (size_t k = 0; k < dof; k++) {
        bad = bad || joint->pose_sigma_rad[k] < 0;
        joint->pose_sigma_rad[k] *= factor;
    }
    if (status == UG_OK && bad) {
        return ug_yaml_fail(node, node->line, err, "%s: a standard deviation is negative", what);
    }
    joint->flags |= UG_JOINT_HAS_PRIOR;
    return status;
}

static ug_status read_role(ug_skeleton *s, size_t index, const ug_yaml *map, const char *what,
                           ug_error *err)
{
    const ug_yaml *node = ug_yaml_get(map, "role");
    if (!node) {
        return UG_OK;
    }
    const char *names[UG_ROLE_COUNT + 1] = { NULL };
    for (int r = 0; r < UG_ROLE_COUNT; r++) {
        names[r] = ug_role_name((ug_role)r);
    }
    int role = 0;
    const ug_status status = ug_yaml_choice(&role, node, "role", names, err);
    if (status != UG_OK) {
        return status;
    }
    const bool many = role == UG_ROLE_NONE || role == UG_ROLE_SPINE || role == UG_ROLE_NECK;
    for (size_t j = 0; j < index && !many; j++) {
        if ((int)s->joints[j].role == role) {
            return ug_yaml_fail(node, node->line, err, "%s: joint '%s' has the role %s already",
                                what, s->joints[j].name, names[role]);
        }
    }
    s->joints[index].role = (ug_role)role;
    return UG_OK;
}

static ug_status read_channels(ug_joint *joint, const ug_yaml *map, const char *what, ug_error *err)
{
    const ug_yaml *node = ug_yaml_get(map, "channels");
    if (!node) {
        return UG_OK;
    }
    ug_status status = ug_yaml_sequence(node, "channels", err);
    if (status == UG_OK && node->count > UG_CHANNELS_MAX) {
        return ug_yaml_fail(node, node->line, err, "%s: at most %d channels, here are %zu", what,
                            UG_CHANNELS_MAX, node->count);
    }
    for (size_t k = 0; status == UG_OK && k < node->count; k++) {
        int channel = 0;
        // the first word, "none", ends a list and is not one a file may write
        status =
            ug_yaml_choice(&channel, &node->items[k], "channels", UG_TEMPLATE_CHANNELS + 1, err);
        joint->channels[k] = (uint8_t)(channel + 1);
    }
    return status;
}

static ug_status read_rest(ug_joint *joint, const ug_yaml *map, const char *what, ug_error *err)
{
    const ug_yaml *node = ug_yaml_get(map, "rest_wxyz");
    double q[4] = { 1, 0, 0, 0 };
    const ug_status status = node ? ug_yaml_numbers(q, 4, node, "rest_wxyz", err) : UG_OK;
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (status == UG_OK && !(fabs(norm - 1.0) < 1e-6)) {
        return ug_yaml_fail(node, node->line, err,
                            "%s: rest_wxyz is not a unit quaternion (w, x, "
                            "y, z); its squared length is %g",
                            what, norm);
    }
    joint->rest = (ug_quat){ q[0], q[1], q[2], q[3] };
    return status;
}

ug_status ug_template_joint_read(ug_skeleton *s, size_t index, const ug_yaml *map, ug_error *err)
{
    char what[96];
    const char *name = NULL;
    ug_joint *joint = &s->joints[index];
    (void)snprintf(what, sizeof what, "joint %zu", index);
    ug_status status = ug_yaml_check_keys(map, what, JOINT_KEYS, JOINT_NEEDED, err);
    if (status == UG_OK) {
        status = ug_yaml_text(&name, ug_yaml_get(map, "name"), "name", err);
    }
    if (status != UG_OK) {
        return status;
    }
    (void)snprintf(what, sizeof what, "joint '%.80s'", name);
    for (size_t j = 0; j < index; j++) {
        if (strcmp(s->joints[j].name, name) == 0) {
            return ug_yaml_fail(map, map->line, err, "%s stands twice", what);
        }
    }
    joint->name = ug_text_copy(name);
    if (!joint->name) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    status = read_parent(s, index, ug_yaml_get(map, "parent"), what, err);
    if (status == UG_OK) {
        status = read_vector(&joint->offset_m, ug_yaml_get(map, "offset_m"), "offset_m", err);
    }
    status = status == UG_OK ? read_rest(joint, map, what, err) : status;
    status = status == UG_OK ? read_type(joint, map, what, err) : status;
    status = status == UG_OK ? read_axes(joint, map, what, err) : status;
    status = status == UG_OK ? read_limits(joint, map, what, err) : status;
    status = status == UG_OK ? read_priors(joint, map, what, err) : status;
    status = status == UG_OK ? read_role(s, index, map, what, err) : status;
    return status == UG_OK ? read_channels(joint, map, what, err) : status;
}
