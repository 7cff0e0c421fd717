// SPDX-License-Identifier: MIT
// What the fillers of gaps see of a take: the samples that are there, and nothing of those that
// are not.
//
// Positions in millimetres of the points of kind MARKER. Everything that is missing is NaN here
// whatever the take holds in its place, so no filler can read what it should guess. Frames and
// markers count as in the take; points of another kind stay missing.
#pragma once

#include "motion/markers.h"
#include "solvers/gap.h"

/// What a sample of a scene is.
enum {
    UG_SCENE_MISSING = 0,
    UG_SCENE_SEEN = 1,   ///< measured, or a short fill as good as measured
    UG_SCENE_FILLED = 2, ///< a fill with an error worth reckoning with
};

/// How steadily two markers keep their distance over the take, millimetres.
typedef struct ug_scene_pair {
    float mean_mm, spread_mm; ///< spread: standard deviation; infinite when hardly seen together
} ug_scene_pair;

typedef struct ug_gap_scene {
    size_t frame_count, marker_count;
    double hz;
    float *mm;           ///< NaN when missing                    (frame_count x marker_count x 3)
    uint8_t *state;      ///< UG_SCENE_*                          (frame_count x marker_count)
    float *error_mm;     ///< predicted, of FILLED samples, else 0 (frame_count x marker_count)
    uint32_t *unseen;    ///< not SEEN in the frames before       (frame_count + 1 x marker_count)
    uint32_t *absent;    ///< MISSING in the frames before        (frame_count + 1 x marker_count)
    ug_scene_pair *pair; ///<                                     (marker_count x marker_count)
} ug_gap_scene;

/// Copies what is present. ug_gap_scene_destroy() it; NULL when out of memory.
ug_gap_scene *ug_gap_scene_create(const ug_markers *markers);

/// NULL is fine.
void ug_gap_scene_destroy(ug_gap_scene *scene);

/// Count anew what is seen and missing; after fills were laid down. O(frames · markers)
void ug_gap_scene_count(ug_gap_scene *scene);

/// Distances of all pairs, from at most 2000 frames. O(markers² · 2000)
void ug_gap_scene_measure_pairs(ug_gap_scene *scene);

/// Lay a fill down as `state`, with its predicted error per frame.
///
/// @param mm        (gap length x 3)
/// @param error_mm  (gap length)
void ug_gap_scene_lay(ug_gap_scene *scene, const ug_gap *gap, const double *mm,
                      const float *error_mm, uint8_t state);

static inline size_t ug_scene_index(const ug_gap_scene *scene, size_t frame, size_t marker)
{
    return frame * scene->marker_count + marker;
}

static inline uint8_t ug_scene_state(const ug_gap_scene *scene, size_t frame, size_t marker)
{
    return scene->state[ug_scene_index(scene, frame, marker)];
}

static inline ug_vec3 ug_scene_mm(const ug_gap_scene *scene, size_t frame, size_t marker)
{
    const float *p = scene->mm + 3 * ug_scene_index(scene, frame, marker);
    return (ug_vec3){ (double)p[0], (double)p[1], (double)p[2] };
}

/// Seen in every frame of first … last. O(1), right after ug_gap_scene_count().
static inline bool ug_scene_seen(const ug_gap_scene *scene, size_t marker, size_t first,
                                 size_t last)
{
    return scene->unseen[(last + 1) * scene->marker_count + marker] ==
           scene->unseen[first * scene->marker_count + marker];
}

/// Seen or filled in every frame of first … last.
static inline bool ug_scene_there(const ug_gap_scene *scene, size_t marker, size_t first,
                                  size_t last)
{
    return scene->absent[(last + 1) * scene->marker_count + marker] ==
           scene->absent[first * scene->marker_count + marker];
}
