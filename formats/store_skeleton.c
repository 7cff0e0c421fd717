// SPDX-License-Identifier: MIT
// /skeleton and /attachments of the store: one dataset a field, one row a joint or marker.
#include "formats/store_parts.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

#define PER_JOINT "joint", "(joint_count)"
#define PER_JOINT_3 "joint xyz", "(joint_count x 3)"

static const ug_h5_spec NAMES = { "names", UG_H5_TEXT, PER_JOINT, "1", "joint name", false };
static const ug_h5_spec PARENTS = {
    "parents", UG_H5_I32, PER_JOINT, "1", "index of the parent, before its children; -1 for a root",
    false
};
static const ug_h5_spec OFFSETS = {
    "offsets", UG_H5_F64, PER_JOINT_3, "m", "joint centre in the parent's frame; world for a root",
    false
};
static const ug_h5_spec REST = {
    "rest",       UG_H5_F64,
    "joint wxyz", "(joint_count x 4)",
    "1",          "local rotation of the rest pose, quaternion w x y z",
    false
};
static const ug_h5_spec TYPE = {
    "type", UG_H5_U8, PER_JOINT, "1", "0 fixed, 1 hinge, 2 universal, 3 ball, 4 free", false
};
static const ug_h5_spec AXES = {
    "axes",
    UG_H5_F64,
    "joint axis xyz",
    "(joint_count x 3 x 3)",
    "1",
    "unit axes in the rest frame; the first ones of the degrees of freedom count",
    false
};
static const ug_h5_spec LIMITS = { "limits",
                                   UG_H5_F64,
                                   "joint freedom low_high",
                                   "(joint_count x 3 x 2)",
                                   "rad",
                                   "low and high of each degree of freedom, where flags has 2",
                                   false };
static const ug_h5_spec CHANNELS = {
    "channels",
    UG_H5_U8,
    "joint channel",
    "(joint_count x 9)",
    "1",
    "BVH channels in order: 1-3 x y z position, 4-6 rotation, 7-9 scale, 0 none",
    false
};
static const ug_h5_spec ROLES = {
    "roles", UG_H5_TEXT, PER_JOINT, "1", "role in a body: none, pelvis, left_thigh ...", false
};
static const ug_h5_spec FLAGS = {
    "flags", UG_H5_U32, PER_JOINT, "1", "bits: 1 end site, 2 has limits, 4 has priors, 8 locked",
    false
};
static const ug_h5_spec OFFSET_SIGMA = {
    "offset_sigma", UG_H5_F64, PER_JOINT_3, "m", "prior on offsets: standard deviation per axis",
    false
};
static const ug_h5_spec POSE_SIGMA = { "pose_sigma",
                                       UG_H5_F64,
                                       "joint freedom",
                                       "(joint_count x 3)",
                                       "rad",
                                       "prior on each degree of freedom about rest",
                                       false };

// The numbers of a skeleton as columns; one allocation.
typedef struct columns {
    double *offsets, *rest, *axes, *limits, *offset_sigma, *pose_sigma;
    int32_t *parents;
    uint32_t *flags;
    uint8_t *type, *channels;
    void *memory;
} columns;

static bool columns_init(columns *c, size_t n)
{
    enum { REALS = 3 + 4 + 9 + 6 + 3 + 3, BYTES = REALS * 8 + 4 + 4 + 1 + UG_CHANNELS_MAX };
    *c = (columns){ .memory = calloc(n > 0 ? n : 1, BYTES) };
    if (!c->memory) {
        return false;
    }
    c->offsets = c->memory;
    c->rest = c->offsets + 3 * n;
    c->axes = c->rest + 4 * n;
    c->limits = c->axes + 9 * n;
    c->offset_sigma = c->limits + 6 * n;
    c->pose_sigma = c->offset_sigma + 3 * n;
    c->parents = (int32_t *)(c->pose_sigma + 3 * n);
    c->flags = (uint32_t *)(c->parents + n);
    c->type = (uint8_t *)(c->flags + n);
    c->channels = c->type + n;
    return true;
}

static void vec3_put(double to[3], ug_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static ug_vec3 vec3_get(const double from[3])
{
    return (ug_vec3){ from[0], from[1], from[2] };
}

static void joint_to_row(columns *c, size_t j, const ug_joint *joint)
{
    vec3_put(c->offsets + 3 * j, joint->offset_m);
    memcpy(c->rest + 4 * j, &joint->rest, sizeof joint->rest);
    for (size_t k = 0; k < 3; k++) {
        vec3_put(c->axes + 9 * j + 3 * k, joint->axes[k]);
    }
    memcpy(c->limits + 6 * j, joint->limits_rad, sizeof joint->limits_rad);
    vec3_put(c->offset_sigma + 3 * j, joint->offset_sigma_m);
    memcpy(c->pose_sigma + 3 * j, joint->pose_sigma_rad, sizeof joint->pose_sigma_rad);
    c->parents[j] = (int32_t)joint->parent;
    c->flags[j] = joint->flags;
    c->type[j] = (uint8_t)joint->type;
    memcpy(c->channels + UG_CHANNELS_MAX * j, joint->channels, UG_CHANNELS_MAX);
}

static void row_to_joint(ug_joint *joint, const columns *c, size_t j)
{
    joint->offset_m = vec3_get(c->offsets + 3 * j);
    memcpy(&joint->rest, c->rest + 4 * j, sizeof joint->rest);
    for (size_t k = 0; k < 3; k++) {
        joint->axes[k] = vec3_get(c->axes + 9 * j + 3 * k);
    }
    memcpy(joint->limits_rad, c->limits + 6 * j, sizeof joint->limits_rad);
    joint->offset_sigma_m = vec3_get(c->offset_sigma + 3 * j);
    memcpy(joint->pose_sigma_rad, c->pose_sigma + 3 * j, sizeof joint->pose_sigma_rad);
    joint->parent = c->parents[j];
    joint->flags = c->flags[j];
    joint->type = (ug_joint_type)c->type[j];
    memcpy(joint->channels, c->channels + UG_CHANNELS_MAX * j, UG_CHANNELS_MAX);
}

static void put_columns(const ug_h5_group *group, const columns *c, size_t n)
{
    ug_h5_put(group, &PARENTS, &n, c->parents);
    ug_h5_put(group, &OFFSETS, (size_t[]){ n, 3 }, c->offsets);
    ug_h5_put(group, &REST, (size_t[]){ n, 4 }, c->rest);
    ug_h5_put(group, &TYPE, &n, c->type);
    ug_h5_put(group, &AXES, (size_t[]){ n, 3, 3 }, c->axes);
    ug_h5_put(group, &LIMITS, (size_t[]){ n, 3, 2 }, c->limits);
    ug_h5_put(group, &CHANNELS, (size_t[]){ n, UG_CHANNELS_MAX }, c->channels);
    ug_h5_put(group, &FLAGS, &n, c->flags);
    ug_h5_put(group, &OFFSET_SIGMA, (size_t[]){ n, 3 }, c->offset_sigma);
    ug_h5_put(group, &POSE_SIGMA, (size_t[]){ n, 3 }, c->pose_sigma);
}

static void get_columns(columns *c, const ug_h5_group *group, size_t n)
{
    ug_h5_get(c->parents, group, &PARENTS, &n);
    ug_h5_get(c->offsets, group, &OFFSETS, (size_t[]){ n, 3 });
    ug_h5_get(c->rest, group, &REST, (size_t[]){ n, 4 });
    ug_h5_get(c->type, group, &TYPE, &n);
    ug_h5_get(c->axes, group, &AXES, (size_t[]){ n, 3, 3 });
    ug_h5_get(c->limits, group, &LIMITS, (size_t[]){ n, 3, 2 });
    ug_h5_get(c->channels, group, &CHANNELS, (size_t[]){ n, UG_CHANNELS_MAX });
    ug_h5_get(c->flags, group, &FLAGS, &n);
    ug_h5_get(c->offset_sigma, group, &OFFSET_SIGMA, (size_t[]){ n, 3 });
    ug_h5_get(c->pose_sigma, group, &POSE_SIGMA, (size_t[]){ n, 3 });
    ug_store_check_codes(group, TYPE.name, c->type, n, UG_JOINT_FREE);
    ug_store_check_codes(group, CHANNELS.name, c->channels, n * UG_CHANNELS_MAX,
                         UG_CHANNEL_Z_SCALE);
}

// What no reader of a skeleton could live with is refused on both sides.
static void check_skeleton(const ug_h5_group *root, const ug_skeleton *skeleton)
{
    ug_error err = { 0 };
    if (ug_h5_ok(root) && ug_skeleton_check(skeleton, &err) != UG_OK) {
        ug_h5_fail(root->file, UG_E_DATA, "skeleton: %s", err.message);
    }
}

void ug_store_put_skeleton(const ug_h5_group *root, const ug_take *take)
{
    const ug_skeleton *s = take->skeleton;
    if (!s || !ug_h5_ok(root)) {
        return;
    }
    const size_t n = s->joint_count;
    columns c;
    char **texts = calloc(n > 0 ? n : 1, sizeof *texts);
    if (!columns_init(&c, n) || !texts) {
        ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
    }
    check_skeleton(root, s);
    ug_h5_group group = ug_h5_group_make(root, "skeleton");
    ug_h5_put_text(&group, NULL, "meaning", "joints, parents before their children");
    ug_h5_put_real(&group, NULL, "stature_m", s->stature_m);
    if (s->name) {
        ug_h5_put_text(&group, NULL, "name", s->name);
    }
    if (ug_h5_ok(root)) {
        for (size_t j = 0; j < n; j++) {
            joint_to_row(&c, j, &s->joints[j]);
            texts[j] = s->joints[j].name;
        }
        ug_h5_put_texts(&group, &NAMES, n, texts);
        for (size_t j = 0; j < n; j++) {
            texts[j] = (char *)ug_role_name(s->joints[j].role);
        }
        ug_h5_put_texts(&group, &ROLES, n, texts);
        put_columns(&group, &c, n);
    }
    ug_h5_group_close(&group);
    free(texts);
    free(c.memory);
}

static void get_names_and_roles(ug_skeleton *s, const ug_h5_group *group)
{
    const size_t n = s->joint_count;
    char **names = ug_h5_get_texts(group, &NAMES, n);
    for (size_t j = 0; names && j < n; j++) {
        s->joints[j].name = names[j];
    }
    free(names);
    char **roles = ug_h5_get_texts(group, &ROLES, n);
    for (size_t j = 0; roles && j < n; j++) {
        if (!ug_role_from_name(&s->joints[j].role, roles[j])) {
            ug_h5_fail(group->file, UG_E_DATA,
                       "dataset 'skeleton/roles': joint %zu has the unknown "
                       "role '%.60s'",
                       j, roles[j]);
        }
    }
    ug_text_list_destroy(roles, n);
}

void ug_store_get_skeleton(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group group;
    size_t n = 0;
    if (ug_h5_group_open(&group, root, "skeleton") && ug_h5_shape(&n, &group, &PARENTS)) {
        columns c = { 0 };
        take->skeleton = ug_skeleton_create(n);
        if (take->skeleton && columns_init(&c, n)) {
            take->skeleton->stature_m = ug_h5_get_real(&group, NULL, "stature_m");
            if (ug_h5_has_attribute(&group, NULL, "name")) {
                take->skeleton->name = ug_h5_get_text(&group, NULL, "name");
            }
            get_names_and_roles(take->skeleton, &group);
            get_columns(&c, &group, n);
            for (size_t j = 0; ug_h5_ok(root) && j < n; j++) {
                row_to_joint(&take->skeleton->joints[j], &c, j);
            }
            check_skeleton(root, take->skeleton);
        } else {
            ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
        }
        free(c.memory);
    }
    ug_h5_group_close(&group);
}

size_t ug_store_joint_count(const ug_h5_group *root)
{
    ug_h5_group group;
    size_t n = SIZE_MAX;
    if (ug_h5_group_open(&group, root, "skeleton") && !ug_h5_shape(&n, &group, &PARENTS)) {
        n = SIZE_MAX;
    }
    ug_h5_group_close(&group);
    return n;
}
