// SPDX-License-Identifier: MIT
// A BVH hierarchy as a skeleton, still in the file's unit and axes.
#include "formats/bvh_parts.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

static const ug_vec3 AXES[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static bool make_unique(ug_skeleton *skeleton, size_t index, bool *changed)
{
    ug_joint *joint = &skeleton->joints[index];
    char *const wanted = joint->name;
    *changed = false;
    for (size_t n = 2; ug_skeleton_find(skeleton, joint->name) != (int)index; n++) {
        char *other = ug_text_format("%s_%zu", wanted, n);
        if (joint->name != wanted) {
            free(joint->name);
        }
        joint->name = other;
        *changed = true;
        if (!other) {
            break;
        }
    }
    if (joint->name != wanted) {
        free(wanted);
    }
    return joint->name != NULL;
}

static ug_joint_type type_of(const ug_bvh_joint *from, ug_vec3 axes[3])
{
    int count = 0;
    for (int i = 0; i < from->channel_count; i++) {
        if (ug_bvh_is_rotation(from->channels[i])) {
            if (count < 3) {
                axes[count] = AXES[ug_bvh_axis(from->channels[i])];
            }
            count++;
        }
    }
    if (count > 2) {
        memcpy(axes, AXES, sizeof AXES); // a ball has no preferred axes
    }
    return count == 0   ? UG_JOINT_FIXED
           : count == 1 ? UG_JOINT_HINGE
           : count == 2 ? UG_JOINT_UNIVERSAL
                        : UG_JOINT_BALL;
}

// Names first for joints, then for End Sites, so that no End Site takes a joint's name.
static ug_status take_names(ug_skeleton *skeleton, ug_bvh_hierarchy *h, ug_warnings *warnings,
                            ug_error *err)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = 0; j < h->joint_count; j++) {
            if (h->joints[j].end_site != (pass == 1)) {
                continue;
            }
            ug_joint *joint = &skeleton->joints[j];
            if (pass == 0) {
                joint->name = h->joints[j].name;
                h->joints[j].name = NULL; // handed over
            } else {
                joint->name = ug_text_format("%s_end", skeleton->joints[joint->parent].name);
            }
            bool changed = false;
            if (!joint->name || !make_unique(skeleton, j, &changed)) {
                return ug_fail(err, UG_E_NOMEM, "out of memory");
            }
            if (changed && pass == 0) {
                ug_warn(warnings, "bvh_name_changed",
                        "a joint's name stands there twice: called '%s'", joint->name);
            }
        }
    }
    return UG_OK;
}

ug_status ug_bvh_skeleton_make(ug_skeleton **out, ug_bvh_hierarchy *h, ug_warnings *warnings,
                               ug_error *err)
{
    ug_skeleton *skeleton = ug_skeleton_create(h->joint_count);
    if (!skeleton) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t j = 0; j < h->joint_count; j++) {
        const ug_bvh_joint *from = &h->joints[j];
        ug_joint *joint = &skeleton->joints[j];
        joint->parent = from->parent;
        joint->offset_m = ug_vec3_of(from->offset);
        joint->type = type_of(from, joint->axes);
        memcpy(joint->channels, from->channels, sizeof joint->channels);
        joint->flags = from->end_site ? UG_JOINT_END_SITE : 0;
    }
    const ug_status status = take_names(skeleton, h, warnings, err);
    if (status != UG_OK) {
        ug_skeleton_destroy(skeleton);
        return status;
    }
    *out = skeleton;
    return UG_OK;
}

void ug_bvh_drop_still(ug_clip *clip, ug_skeleton *skeleton)
{
    double reach = 0.0;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].parent >= 0) {
            reach += ug_vec3_norm(skeleton->joints[j].offset_m);
        }
    }
    const size_t from = clip->translated_count;
    size_t kept = 0;
    for (size_t t = 0; t < from; t++) {
        const int j = clip->translated_joints[t];
        ug_joint *joint = &skeleton->joints[j];
        bool moves = joint->parent < 0;
        for (size_t f = 0; f < clip->frame_count && !moves; f++) {
            moves =
                ug_vec3_distance(clip->translations[f * from + t], joint->offset_m) > 1e-7 * reach;
        }
        if (!moves) {
            continue;
        }
        joint->type = UG_JOINT_FREE;
        clip->translated_joints[kept] = j;
        // the column goes to its place in a fresh layout once all columns are known
        if (kept != t) {
            for (size_t f = 0; f < clip->frame_count; f++) {
                clip->translations[f * from + kept] = clip->translations[f * from + t];
            }
        }
        kept++;
    }
    for (size_t f = 0; kept < from && f < clip->frame_count; f++) {
        memmove(clip->translations + f * kept, clip->translations + f * from,
                kept * sizeof *clip->translations);
    }
    clip->translated_count = kept;
}
