// SPDX-License-Identifier: MIT
// A motion of a skeleton: local rotations for every joint and frame, translations where they move.
//
// Not tied to one skeleton object: joint j of the clip is joint j of whatever skeleton it is
// evaluated on (motion/kinematics.h), which must have the same joint_count.
#pragma once

#include "motion/quat.h"
#include "motion/rate.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ug_clip {
    size_t frame_count, joint_count;
    ug_rate rate;
    int64_t first_frame;     ///< number of frame 0 in the source's own counting
    ug_quat *rotations;      ///< local, full (rest included)     (frame_count x joint_count)
    size_t translated_count; ///< joints whose translation is animated, each root among them
    int *translated_joints;  ///< ascending joint indices         (translated_count)
    ug_vec3 *translations;   ///< metres, parent frame, replaces offset_m
                             ///<                           (frame_count x translated_count)
    uint16_t *origin; ///< ug_origin bits, NULL when nothing is known (frame_count x joint_count)
} ug_clip;

/// Identity rotations, zero translations for `translated_joints` (copied), no origin.
/// NULL when out of memory. ug_clip_destroy() it.
ug_clip *ug_clip_create(size_t frame_count, size_t joint_count, const int *translated_joints,
                        size_t translated_count, ug_rate rate);

/// The same with rotations and translations not set to anything, for a caller that writes them all.
ug_clip *ug_clip_create_unset(size_t frame_count, size_t joint_count, const int *translated_joints,
                              size_t translated_count, ug_rate rate);

/// NULL is fine.
void ug_clip_destroy(ug_clip *clip);

/// Deep copy; NULL when out of memory.
ug_clip *ug_clip_copy(const ug_clip *clip);

static inline ug_quat *ug_clip_rotations(const ug_clip *clip, size_t frame)
{
    return clip->rotations + frame * clip->joint_count;
}

static inline ug_vec3 *ug_clip_translations(const ug_clip *clip, size_t frame)
{
    return clip->translations + frame * clip->translated_count;
}

/// Column of `joint` in `translations`, or -1 when it only rotates.
ptrdiff_t ug_clip_translation_column(const ug_clip *clip, int joint);

/// Choose each quaternion's sign so that neighbours in time are less than pi apart in 4-space.
/// In place; rotations do not change.
void ug_clip_make_signs_continuous(ug_clip *clip);
