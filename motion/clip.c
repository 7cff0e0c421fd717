// SPDX-License-Identifier: MIT
#include "motion/clip.h"

#include "motion/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool product_fits(size_t a, size_t b, size_t item)
{
    return a == 0 || b == 0 || item <= SIZE_MAX / 2 / a / b;
}

ug_clip *ug_clip_create_unset(size_t frame_count, size_t joint_count, const int *translated_joints,
                              size_t translated_count, ug_rate rate)
{
    if (!product_fits(frame_count, joint_count, sizeof(ug_quat)) ||
        !product_fits(frame_count, translated_count, sizeof(ug_vec3))) {
        return NULL;
    }
    ug_clip *clip = calloc(1, sizeof *clip);
    if (!clip) {
        return NULL;
    }
    clip->frame_count = frame_count;
    clip->joint_count = joint_count;
    clip->translated_count = translated_count;
    clip->rate = rate;
    clip->rotations = ug_memory_create(frame_count * joint_count * sizeof *clip->rotations);
    clip->translations =
        ug_memory_create(frame_count * translated_count * sizeof *clip->translations);
    clip->translated_joints =
        calloc(translated_count > 0 ? translated_count : 1, sizeof *clip->translated_joints);
    if (!clip->rotations || !clip->translations || !clip->translated_joints) {
        ug_clip_destroy(clip);
        return NULL;
    }
    for (size_t i = 0; i < translated_count; i++) {
        assert(translated_joints[i] >= 0 && (size_t)translated_joints[i] < joint_count);
        clip->translated_joints[i] = translated_joints[i];
    }
    return clip;
}

ug_clip *ug_clip_create(size_t frame_count, size_t joint_count, const int *translated_joints,
                        size_t translated_count, ug_rate rate)
{
    ug_clip *clip =
        ug_clip_create_unset(frame_count, joint_count, translated_joints, translated_count, rate);
    if (clip) {
        for (size_t i = 0; i < frame_count * joint_count; i++) {
            clip->rotations[i] = UG_QUAT_IDENTITY;
        }
        memset(clip->translations, 0, frame_count * translated_count * sizeof *clip->translations);
    }
    return clip;
}

void ug_clip_destroy(ug_clip *clip)
{
    if (clip) {
        free(clip->rotations);
        free(clip->translations);
        free(clip->translated_joints);
        free(clip->origin);
        free(clip);
    }
}

ug_clip *ug_clip_copy(const ug_clip *clip)
{
    assert(clip);
    ug_clip *copy =
        ug_clip_create_unset(clip->frame_count, clip->joint_count, clip->translated_joints,
                             clip->translated_count, clip->rate);
    if (!copy) {
        return NULL;
    }
    const size_t rotations = clip->frame_count * clip->joint_count;
    copy->first_frame = clip->first_frame;
    memcpy(copy->rotations, clip->rotations, rotations * sizeof *clip->rotations);
    memcpy(copy->translations, clip->translations,
           clip->frame_count * clip->translated_count * sizeof *clip->translations);
    if (clip->origin) {
        copy->origin = ug_memory_create(rotations * sizeof *copy->origin);
        if (!copy->origin) {
            ug_clip_destroy(copy);
            return NULL;
        }
        memcpy(copy->origin, clip->origin, rotations * sizeof *clip->origin);
    }
    return copy;
}

ptrdiff_t ug_clip_translation_column(const ug_clip *clip, int joint)
{
    for (size_t i = 0; i < clip->translated_count; i++) {
        if (clip->translated_joints[i] == joint) {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

void ug_clip_make_signs_continuous(ug_clip *clip)
{
    for (size_t f = 1; f < clip->frame_count; f++) {
        const ug_quat *before = ug_clip_rotations(clip, f - 1);
        ug_quat *now = ug_clip_rotations(clip, f);
        for (size_t j = 0; j < clip->joint_count; j++) {
            if (ug_quat_dot(before[j], now[j]) < 0.0) {
                now[j] = ug_quat_negate(now[j]);
            }
        }
    }
}
