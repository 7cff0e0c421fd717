// SPDX-License-Identifier: MIT
// What the files of the scene share; not for anyone else.
#pragma once

#include "pipeline/report/scene.h"

/// Fields of a record, in the order in which they lie there.
typedef enum ug_scene_field {
    UG_SCENE_MARKERS = 0,
    UG_SCENE_JOINTS,
    UG_SCENE_TURNS,
    UG_SCENE_ORIGIN,
    UG_SCENE_OUTCOME,
    UG_SCENE_FIELD_COUNT
} ug_scene_field;

enum { UG_SCENE_OUTCOME_UNKNOWN = 255, UG_SCENE_CONVERGED = 4, UG_SCENE_MISSING = -32768 };

struct ug_scene {
    const ug_take *take; ///< borrowed
    char *name;
    ug_scene_precision precision;
    size_t stride, frame_count, record_count, record_bytes;
    ug_rate rate; ///< of the timeline; {0, 0} when not known
    int64_t first_frame;
    const ug_markers *markers;   ///< NULL: none to show
    const ug_skeleton *skeleton; ///< NULL: no motion
    const ug_clip *clip;         ///< set when skeleton is
    const ug_series *outcome;    ///< a row per frame of the timeline, or NULL
    bool has[UG_SCENE_FIELD_COUNT];
    size_t offset[UG_SCENE_FIELD_COUNT];
    ug_vec3 low, high, middle;
    double step_m;    ///< one step of an int16 position
    ug_quat *world_q; ///< of the frame being packed (joint_count)
    ug_vec3 *world_m;
};

/// The markers' frame at the time of frame `frame` of the timeline; their frame_count or more
/// where they have ended, or there are none.
size_t ug_scene_marker_frame(const ug_scene *scene, size_t frame);

/// False for the angles, forces … that share the point table of a C3D.
bool ug_scene_is_place(const ug_markers *markers, size_t marker);

/// Row `r` of a series of one column speaks of frame r of the timeline; NULL when there is none.
const ug_series *ug_scene_series(const ug_scene *scene, const char *name);

/// Runs of samples that were not simply measured, as JSON text
/// `[[marker, first, end, class], …]`; free() it. NULL when out of memory. Where there would be
/// more than `most` of them, neighbouring frames are put together until there are not.
char *ug_scene_lanes(const ug_scene *scene, size_t most);
