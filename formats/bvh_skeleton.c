// SPDX-License-Identifier: MIT
// A BVH hierarchy as a skeleton, still in the file's unit and axes.
#include "formats/bvh_parts.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

static const ug_vec3 AXES[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

// Names in use, with the number that the next joint of that name will try.
typedef struct name_slot {
    const char *name; // borrowed from the skeleton
    size_t next;
} name_slot;

typedef struct name_set {
    size_t mask;
    name_slot *slots; // (mask + 1), more than twice the names
} name_set;

static bool name_set_init(name_set *set, size_t count)
{
    size_t size = 16;
    while (size < 4 * count) {
        size *= 2;
    }
    *set = (name_set){ size - 1, calloc(size, sizeof *set->slots) };
    return set->slots != NULL;
}

// The slot of `name`, empty when it is not in use.
static name_slot *name_set_find(const name_set *set, const char *name)
{
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (const char *p = name; *p; p++) {
        hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    }
    size_t at = hash & set->mask;
    while (set->slots[at].name && strcmp(set->slots[at].name, name) != 0) {
        at = (at + 1) & set->mask;
    }
    return &set->slots[at];
}

// Give joint its name, or the name with the first free number behind it.
static bool take_name(name_set *set, ug_joint *joint, bool *changed)
{
    name_slot *slot = name_set_find(set, joint->name);
    *changed = slot->name != NULL && slot->name != joint->name;
    if (!*changed) {
        *slot = (name_slot){ joint->name, 2 };
        return true;
    }
    char *other = NULL;
    do {
        free(other);
        other = ug_text_format("%s_%zu", joint->name, slot->next++);
    } while (other && name_set_find(set, other)->name);
    free(joint->name);
    joint->name = other;
    if (other) {
        *name_set_find(set, other) = (name_slot){ other, 2 };
    }
    return other != NULL;
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

// First every name as written, so that no number takes one; then the joints in the way of another;
// End Sites last.
static ug_status take_names(ug_skeleton *skeleton, ug_bvh_hierarchy *h, name_set *set,
                            ug_warnings *warnings, ug_error *err)
{
    for (size_t j = 0; j < h->joint_count; j++) {
        if (!h->joints[j].end_site) {
            skeleton->joints[j].name = h->joints[j].name;
            h->joints[j].name = NULL; // handed over
            name_slot *slot = name_set_find(set, skeleton->joints[j].name);
            if (!slot->name) {
                *slot = (name_slot){ skeleton->joints[j].name, 2 };
            }
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = 0; j < h->joint_count; j++) {
            ug_joint *joint = &skeleton->joints[j];
            if (h->joints[j].end_site != (pass == 1)) {
                continue;
            }
            if (pass == 1) {
                joint->name = ug_text_format("%s_end", skeleton->joints[joint->parent].name);
            }
            bool changed = false;
            if (!joint->name || !take_name(set, joint, &changed)) {
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
    name_set set;
    const ug_status status = name_set_init(&set, h->joint_count)
                                 ? take_names(skeleton, h, &set, warnings, err)
                                 : ug_fail(err, UG_E_NOMEM, "out of memory");
    free(set.slots);
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
