// SPDX-License-Identifier: MIT
#include "motion/clip.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

ug_clip *ug_clip_create(size_t frame_count, size_t joint_count, const int *translated_joints,
                        size_t translated_count, ug_rate rate)
{
    ug_clip *clip = calloc(1, sizeof *clip);
    if (!clip) {
        return NULL;
    }
    const size_t rotations = frame_count * joint_count;
    const size_t translations = frame_count * translated_count;
    clip->frame_count = frame_count;
    clip->joint_count = joint_count;
    clip->translated_count = translated_count;
    clip->rate = rate;
    clip->rotations = malloc((rotations > 0 ? rotations : 1) * sizeof *clip->rotations);
    clip->translations = calloc(translations > 0 ? translations : 1, sizeof *clip->translations);
    clip->translated_joints =
        calloc(translated_count > 0 ? translated_count : 1, sizeof *clip->translated_joints);
    if (!clip->rotations || !clip->translations || !clip->translated_joints) {
        ug_clip_destroy(clip);
        return NULL;
    }
    for (size_t i = 0; i < rotations; i++) {
        clip->rotations[i] = UG_QUAT_IDENTITY;
    }
    for (size_t i = 0; i < translated_count; i++) {
        assert(translated_joints[i] >= 0 && (size_t)translated_joints[i] < joint_count);
        clip->translated_joints[i] = translated_joints[i];
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
    ug_clip *copy = ug_clip_create(clip->frame_count, clip->joint_count, clip->translated_joints,
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
        copy->origin = malloc((rotations > 0 ? rotations : 1) * sizeof *copy->origin);
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
