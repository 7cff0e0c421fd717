// SPDX-License-Identifier: MIT
// One row of BVH channels as a pose. Part of the reader; see formats/bvh.h.
#pragma once

#include "formats/bvh_parts.h"
#include "formats/bvh_turns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How one joint's channels become its pose.
typedef struct ug_bvh_joint_plan {
    int rotation_count;
    bool three; ///< three different axes: the fast way
    int axes[UG_CHANNELS_MAX];
    uint32_t columns[UG_CHANNELS_MAX];
    double sign;
} ug_bvh_joint_plan;

/// A position column: component `axis` of translated joint `slot`.
typedef struct ug_bvh_position_plan {
    uint32_t column;
    uint32_t slot;
    int axis;
    double base; ///< added: OFFSET where the user says so
} ug_bvh_position_plan;

/// The plan for one row, and room for it. `row` is the caller's to fill.
typedef struct ug_bvh_poser {
    const ug_bvh_hierarchy *hierarchy;
    size_t channel_count;
    double *row;  ///< (channel_count)
    double *half; ///< (channel_count x 2) sine and cosine of half of each, as if all were angles
    ug_bvh_joint_plan *joints;
    size_t position_count;
    ug_bvh_position_plan *positions;
    size_t translated_count;
    ug_vec3 *offsets; ///< (translated_count) what a row starts from
    size_t scale_count;
    uint32_t *scale_columns;
    size_t scale_odd_count; ///< values other than 1; the first of them:
    size_t scale_odd_column, scale_odd_frame;
    double scale_odd_value;
    ug_turn_table turns;
} ug_bvh_poser;

/// @param translated  joints with a translation of their own, ascending
/// NULL when out of memory. ug_bvh_poser_destroy() it; `hierarchy` must outlive it.
ug_bvh_poser *ug_bvh_poser_create(const ug_bvh_hierarchy *hierarchy, const int *translated,
                                  size_t translated_count, bool offset_add);

/// NULL is fine.
void ug_bvh_poser_destroy(ug_bvh_poser *poser);

/// The poser's row as local rotations and translations, in the file's unit and axes. Every value
/// must be finite, every angle below 1e9 degrees.
///
/// @param pose   (joint_count)
/// @param moved  (translated_count)
void ug_bvh_pose(ug_quat *pose, ug_vec3 *moved, ug_bvh_poser *poser, size_t frame);

/// Reduce angles beyond all sense, so that ug_bvh_pose() may take the row.
void ug_bvh_poser_reduce(ug_bvh_poser *poser);

/// Warn about scales other than 1, if there were any.
void ug_bvh_poser_report(const ug_bvh_poser *poser, ug_warnings *warnings);

/// "Hips Zrotation" for a column of the row.
const char *ug_bvh_channel_words(char out[128], const ug_bvh_hierarchy *hierarchy, size_t column);
