// SPDX-License-Identifier: MIT
// Optical markers over time, with what is known about every single sample.
//
// Positions stay float, in the *source's* unit (so a take goes out as it came in, bit for bit) but
// in our axes (Y up). `scale_m` takes them to metres. A missing sample is NaN in all three
// coordinates and has no bit set: never zero.
#pragma once

#include "motion/rate.h"
#include "motion/vec3.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where a sample comes from: a bit set, kept to the last stage.
enum {
    UG_ORIGIN_PRESENT = 1u << 0,  ///< there is a value
    UG_ORIGIN_MEASURED = 1u << 1, ///< seen by cameras
    UG_ORIGIN_COMPUTED = 1u << 2, ///< made by a model from other samples
    UG_ORIGIN_FILLED = 1u << 3,   ///< invented in a gap; `method` says how
    UG_ORIGIN_REPAIRED = 1u << 4, ///< moved here from another label
    UG_ORIGIN_FILTERED = 1u << 5, ///< smoothed
    UG_ORIGIN_EDITED = 1u << 6,   ///< changed by hand
};

/// How a FILLED sample was made: the values of `method`.
typedef enum ug_fill_method {
    UG_FILL_NONE = 0,
    UG_FILL_LINEAR = 1,   ///< the marker's own path …
    UG_FILL_CUBIC = 2,    ///< … or a spline through it
    UG_FILL_RIGID = 3,    ///< carried by a moving frame
    UG_FILL_PATTERN = 4,  ///< a neighbour's path
    UG_FILL_PCA = 5,      ///< regression on other markers in a moving frame
    UG_FILL_LOW_RANK = 6, ///< not made so far
    UG_FILL_SKELETON = 7, ///< not made so far
    UG_FILL_STACKED = 8,  ///< a blend of these
} ug_fill_method;

/// What a point of the source is; only MARKER takes part in cleaning and solving by default.
typedef enum ug_point_kind {
    UG_POINT_MARKER = 0,
    UG_POINT_UNLABELLED = 1, ///< "*12": a reconstruction nobody has named
    UG_POINT_ANGLE = 2,      ///< model outputs that share the point table of a C3D …
    UG_POINT_FORCE = 3,
    UG_POINT_MOMENT = 4,
    UG_POINT_POWER = 5,
    UG_POINT_SCALAR = 6,
    UG_POINT_VIRTUAL = 7, ///< … or a point computed by a model (joint centre, centre of mass)
} ug_point_kind;

typedef struct ug_markers {
    size_t frame_count, marker_count;
    ug_rate rate;
    int64_t first_frame; ///< number of frame 0 in the source's own counting
    double scale_m;      ///< metres per unit of `positions`, > 0
    char **labels;       ///< without the subject prefix, unique per subject (marker_count)
    char **subjects;     ///< "" when there is none                   (marker_count)
    uint8_t *kinds;      ///< ug_point_kind                           (marker_count)
    float *positions; ///< source unit, our axes, NaN when missing (frame_count x marker_count x 3)
    uint16_t *origin; ///< UG_ORIGIN_* bits                        (frame_count x marker_count)
    uint8_t *method;  ///< ug_fill_method of FILLED samples        (frame_count x marker_count)
    float *predicted_error_mm; ///< of FILLED samples, NaN elsewhere        (frame_count x
                               ///< marker_count)
    float *residuals;  ///< source unit, reconstruction residual; -1 when missing (frame_count x
                       ///< marker_count)
    uint8_t *cameras;  ///< camera bit mask                         (frame_count x marker_count)
    float *unfiltered; ///< positions before the first filter, where FILTERED, NaN elsewhere; NULL
                       ///< when nothing was ever filtered     (frame_count x marker_count x 3)
} ug_markers;

/// All samples missing, all labels NULL, scale 1, kind MARKER. NULL when out of memory or the
/// size overflows. ug_markers_destroy() it.
ug_markers *ug_markers_create(size_t frame_count, size_t marker_count, ug_rate rate);

/// The same, but positions, origin, predicted errors and residuals hold nothing yet: for a reader
/// that writes every sample, and would else write all that memory twice.
ug_markers *ug_markers_create_unset(size_t frame_count, size_t marker_count, ug_rate rate);

/// NULL is fine.
void ug_markers_destroy(ug_markers *markers);

/// Deep copy; NULL when out of memory.
ug_markers *ug_markers_copy(const ug_markers *markers);

/// A marker's name for a message, cut where it is too long.
typedef struct ug_marker_name {
    char text[96];
} ug_marker_name;

/// "s01:LASI" where the markers belong to more than one subject, else "LASI"; "(unnamed)" without
/// a label. For messages only. O(marker_count)
ug_marker_name ug_markers_name(const ug_markers *markers, size_t marker);

static inline size_t ug_markers_index(const ug_markers *markers, size_t frame, size_t marker)
{
    return frame * markers->marker_count + marker;
}

static inline bool ug_markers_present(const ug_markers *markers, size_t frame, size_t marker)
{
    return (markers->origin[ug_markers_index(markers, frame, marker)] & UG_ORIGIN_PRESENT) != 0;
}

/// World position in metres; NaN when missing.
static inline ug_vec3 ug_markers_position_m(const ug_markers *markers, size_t frame, size_t marker)
{
    const float *p = markers->positions + 3 * ug_markers_index(markers, frame, marker);
    const double s = markers->scale_m;
    return (ug_vec3){ s * (double)p[0], s * (double)p[1], s * (double)p[2] };
}

/// The same before any filter: what was measured, or filled in.
static inline ug_vec3 ug_markers_unfiltered_m(const ug_markers *markers, size_t frame,
                                              size_t marker)
{
    const size_t i = ug_markers_index(markers, frame, marker);
    if (!markers->unfiltered || !(markers->origin[i] & UG_ORIGIN_FILTERED) ||
        isnan(markers->unfiltered[3 * i])) {
        return ug_markers_position_m(markers, frame, marker);
    }
    const float *p = markers->unfiltered + 3 * i;
    const double s = markers->scale_m;
    return (ug_vec3){ s * (double)p[0], s * (double)p[1], s * (double)p[2] };
}

/// Room for `unfiltered`, all NaN where there is none yet. False when out of memory.
bool ug_markers_make_unfiltered(ug_markers *markers);

/// Note that a sample is about to be filtered: its position is kept, unless one from before an
/// earlier filter is there already, and FILTERED is set. After ug_markers_make_unfiltered().
void ug_markers_note_filtered(ug_markers *markers, size_t frame, size_t marker);

/// Write a position given in metres and set the origin bits (PRESENT is added).
void ug_markers_set_m(ug_markers *markers, size_t frame, size_t marker, ug_vec3 position_m,
                      uint16_t origin);

/// Make one sample missing: NaN, no bits, residual -1, no camera.
void ug_markers_clear(ug_markers *markers, size_t frame, size_t marker);

/// Index of the marker called `label` ("LASI", or "subject:LASI" to say whose), or -1.
/// Without a subject the first match of any subject is returned.
ptrdiff_t ug_markers_find(const ug_markers *markers, const char *label);

/// Samples that are not PRESENT, over the points of kind MARKER.
size_t ug_markers_missing_count(const ug_markers *markers);

/// Runs of missing samples of `marker` between two present ones, at the ends, or throughout.
///
/// @param longest_frames  length of the longest; may be NULL
size_t ug_markers_gap_count(const ug_markers *markers, size_t marker, size_t *longest_frames);
