// SPDX-License-Identifier: MIT
// /motion and /contacts of the store, and the small checks that parts share.
#include "formats/store_parts.h"

#include "motion/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ug_h5_spec ROTATIONS = { "rotations",
                                      UG_H5_F64,
                                      "frame joint wxyz",
                                      "(frame_count x joint_count x 4)",
                                      "1",
                                      "full local rotations, rest included, quaternion w x y z",
                                      true };
static const ug_h5_spec TRANSLATIONS = { "translations",
                                         UG_H5_F64,
                                         "frame translated_joint xyz",
                                         "(frame_count x translated_count x 3)",
                                         "m",
                                         "in the parent's frame, in place of the joint's offset",
                                         true };
static const ug_h5_spec TRANSLATED = { "translated_joints",
                                       UG_H5_I32,
                                       "translated_joint",
                                       "(translated_count)",
                                       "1",
                                       "joints whose translation is animated, ascending",
                                       false };
static const ug_h5_spec ORIGIN = { "origin",      UG_H5_U16,
                                   "frame joint", "(frame_count x joint_count)",
                                   "1",           "bits as in /markers/origin",
                                   true };

void ug_store_put_rate(const ug_h5_group *group, ug_rate rate, int64_t first_frame)
{
    const bool unknown = rate.num == 0 && rate.den == 0;
    if (!unknown && !(rate.num > 0 && rate.den > 0)) {
        ug_h5_fail(group->file, UG_E_DATA, "group '%s': the rate is not positive", group->path);
    }
    ug_h5_put_int(group, NULL, "rate_num", rate.num);
    ug_h5_put_int(group, NULL, "rate_den", rate.den);
    ug_h5_put_int(group, NULL, "first_frame", first_frame);
}

void ug_store_get_rate(ug_rate *rate, int64_t *first_frame, const ug_h5_group *group)
{
    rate->num = ug_h5_get_int(group, NULL, "rate_num", 0, INT64_MAX);
    rate->den = ug_h5_get_int(group, NULL, "rate_den", 0, INT64_MAX);
    *first_frame = ug_h5_get_int(group, NULL, "first_frame", INT64_MIN, INT64_MAX);
    if ((rate->num == 0) != (rate->den == 0)) {
        ug_h5_fail(group->file, UG_E_DATA, "group '%s': the rate is not positive", group->path);
    }
}

void ug_store_check_scale(const ug_h5_group *group, const char *name, double value)
{
    if (!(isfinite(value) && value > 0.0)) {
        ug_h5_fail(group->file, UG_E_DATA, "group '%s': %s is %g, must be above 0", group->path,
                   name, value);
    }
}

void ug_store_check_codes(const ug_h5_group *group, const char *dataset, const uint8_t *codes,
                          size_t count, int most)
{
    for (size_t i = 0; ug_h5_ok(group) && i < count; i++) {
        if (codes[i] > most) {
            ug_h5_fail(group->file, UG_E_DATA,
                       "dataset '%s/%s': value %zu is %d, must be at most %d", group->path, dataset,
                       i, codes[i], most);
        }
    }
}

// The clip has one column a joint of the skeleton in the same file, if there is one.
static void check_joint_count(const ug_h5_group *root, size_t joints)
{
    const size_t have = ug_store_joint_count(root);
    if (ug_h5_ok(root) && have != SIZE_MAX && have != joints) {
        ug_h5_fail(root->file, UG_E_DATA, "the motion has %zu joints, the skeleton %zu", joints,
                   have);
    }
}

static void check_translated(const ug_h5_group *group, const int32_t *joints, size_t count,
                             size_t joint_count)
{
    for (size_t i = 0; ug_h5_ok(group) && i < count; i++) {
        if (joints[i] < 0 || (size_t)joints[i] >= joint_count ||
            (i > 0 && joints[i] <= joints[i - 1])) {
            ug_h5_fail(group->file, UG_E_DATA,
                       "dataset '%s/translated_joints': %d is no joint or not ascending",
                       group->path, (int)joints[i]);
        }
    }
}

_Static_assert(sizeof(int) == sizeof(int32_t), "joint indices are stored as they are");

void ug_store_put_motion(const ug_h5_group *root, const ug_take *take)
{
    const ug_clip *c = take->clip;
    if (!c || !ug_h5_ok(root)) {
        return;
    }
    check_joint_count(root, c->joint_count);
    ug_h5_group group = ug_h5_group_make(root, "motion");
    ug_h5_put_text(&group, NULL, "meaning", "the motion of /skeleton");
    ug_store_put_rate(&group, c->rate, c->first_frame);
    const size_t frames = c->frame_count, joints = c->joint_count, moved = c->translated_count;
    check_translated(&group, c->translated_joints, moved, joints);
    ug_h5_put(&group, &ROTATIONS, (size_t[]){ frames, joints, 4 }, c->rotations);
    ug_h5_put(&group, &TRANSLATED, &moved, c->translated_joints);
    ug_h5_put(&group, &TRANSLATIONS, (size_t[]){ frames, moved, 3 }, c->translations);
    if (c->origin) {
        ug_h5_put(&group, &ORIGIN, (size_t[]){ frames, joints }, c->origin);
    }
    ug_h5_group_close(&group);
}

static void get_clip(ug_take *take, const ug_h5_group *group, const size_t dims[3], size_t moved)
{
    const size_t frames = dims[0], joints = dims[1];
    int *translated = calloc(moved > 0 ? moved : 1, sizeof *translated);
    if (!translated) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        return;
    }
    ug_h5_get(translated, group, &TRANSLATED, &moved);
    check_translated(group, translated, moved, joints);
    if (ug_h5_ok(group)) {
        take->clip = ug_clip_create_unset(frames, joints, translated, moved, (ug_rate){ 0, 0 });
    }
    free(translated);
    ug_clip *c = take->clip;
    if (!c) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        return;
    }
    ug_store_get_rate(&c->rate, &c->first_frame, group);
    ug_h5_get(c->rotations, group, &ROTATIONS, (size_t[]){ frames, joints, 4 });
    ug_h5_get(c->translations, group, &TRANSLATIONS, (size_t[]){ frames, moved, 3 });
    if (ug_h5_has(group, ORIGIN.name)) {
        c->origin = calloc(frames * joints > 0 ? frames * joints : 1, sizeof *c->origin);
        if (c->origin) {
            ug_h5_get(c->origin, group, &ORIGIN, (size_t[]){ frames, joints });
        } else {
            ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        }
    }
}

void ug_store_get_motion(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group group;
    size_t dims[3], moving[3], moved = 0;
    if (ug_h5_group_open(&group, root, "motion") && ug_h5_shape(dims, &group, &ROTATIONS) &&
        ug_h5_shape(&moved, &group, &TRANSLATED) && ug_h5_shape(moving, &group, &TRANSLATIONS)) {
        // both big arrays are checked against the file's size before memory is taken for them
        if (moving[0] != dims[0] || moving[1] != moved) {
            ug_h5_fail(root->file, UG_E_FORMAT,
                       "dataset 'motion/translations' is (%zu x %zu x %zu), must be %s = "
                       "(%zu x %zu x 3)",
                       moving[0], moving[1], moving[2], TRANSLATIONS.shape, dims[0], moved);
        }
        check_joint_count(root, dims[1]);
        if (ug_h5_ok(root)) {
            get_clip(take, &group, dims, moved);
        }
    }
    ug_h5_group_close(&group);
}
