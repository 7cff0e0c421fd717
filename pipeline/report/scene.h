// SPDX-License-Identifier: MIT
// A take as the viewer sees it: one JSON manifest and a row of equally long frame records.
//
// The same two things feed the page of `view` (fetched by byte range) and the player of a report
// (embedded, thinned out to a size). viewer/README.md describes them for the page. Not a format to
// keep: the store is; page and program always come from one build.
#pragma once

#include "motion/take.h"

#include <stddef.h>
#include <stdint.h>

/// How the numbers of a record are stored.
typedef enum ug_scene_precision {
    UG_SCENE_FLOAT32 = 0, ///< exact to float; a missing value is NaN
    UG_SCENE_INT16 = 1,   ///< positions in steps of the scene's longest side / 65 000, turns in
                          ///< steps of 1 / 32 767; missing is -32768
} ug_scene_precision;

typedef struct ug_scene ug_scene;

/// Lay out the records of `take`, which is borrowed and must outlive the scene unchanged. The
/// timeline is the motion's where there is one, else the markers'; the other is taken at the
/// nearest time. World poses are computed when records are packed, so that a long take costs no
/// more memory than it does on its own. O(records · (markers + joints)), for the box around them.
///
/// @param name       what the page calls it: the file's base name, or the character's
/// @param stride     source frames from one record to the next, >= 1
/// @param err        UG_E_NOT_ENOUGH without frames of markers or motion; UG_E_NOMEM
/// @return           ug_scene_destroy() it; NULL on failure
ug_scene *ug_scene_create(const ug_take *take, const char *name, ug_scene_precision precision,
                          size_t stride, ug_error *err);

/// NULL is fine.
void ug_scene_destroy(ug_scene *scene);

size_t ug_scene_record_bytes(const ug_scene *scene);
size_t ug_scene_record_count(const ug_scene *scene);

/// The smallest stride for which all records together stay within `bytes`; 1 where they all fit.
size_t ug_scene_stride_for(const ug_take *take, ug_scene_precision precision, size_t bytes);

/// Pack `count` records from `first` on.
///
/// @param out   (count x ug_scene_record_bytes), little-endian
/// Reentrant for different scenes only. O(count · (markers + joints)), allocates nothing.
void ug_scene_pack(uint8_t *out, ug_scene *scene, size_t first, size_t count);

/// The manifest as JSON text (viewer/README.md lists its keys); free() it. NULL when out of
/// memory. No NaN in it: an unknown number is null. No '<' either, so that it can stand inside a
/// <script> as it is.
char *ug_scene_manifest(const ug_scene *scene);
