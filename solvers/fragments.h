// SPDX-License-Identifier: MIT
// Join what nobody has named to the marker it continues: a run of an unlabelled point that lies in
// a gap of a labelled one, where that one must be.
//
// A marker that was out of sight is expected where its neighbours carry it, from the gap's start
// and, backwards, from its end; how far off that is over as many frames is tried out on the take
// itself (solvers/swap_space.h). A fragment is joined when it begins and ends where one marker is
// expected, keeps that marker's distances to its neighbours, and fits no other marker half as well.
//
// When NOT: a marker never seen under its label has no place to be expected at; a fragment that
// overlaps the label is another point, or a double of it. Both are left. Ghosts near nobody's gap
// are counted and left: unlabelled points take no part in what follows.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

/// Frames first … last of `point` (column) belong to `marker` (column).
typedef struct ug_fragment {
    size_t point, marker;
    size_t first, last;
    double miss_mm; ///< from the expected place, the worse of its two ends
} ug_fragment;

typedef struct ug_fragments {
    size_t count;
    ug_fragment *items;  ///< owned, by first frame
    size_t sample_count; ///< in them
    size_t left;         ///< runs of unlabelled points that continue no marker for sure
    size_t short_left;   ///< of these, shorter than 0.1 s
} ug_fragments;

/// Releases what is below. NULL is fine.
void ug_fragments_fini(ug_fragments *fragments);

/// Joined samples go to the marker with all that is known of them, and get UG_ORIGIN_REPAIRED. The
/// point keeps its column, with what is left in it.
///
/// Warns "fragment_joined" with point, marker and frames of the first.
///
/// @param fragments  overwritten; ug_fragments_fini() it
/// @param markers    changed only with `join`; unchanged on failure
/// @param warnings   may be NULL
/// @return UG_E_DATA as ug_markers_check(); UG_E_NOMEM
///
/// O(frame_count · marker_count), and about 50 µs for a fragment and a marker missing then.
UG_CHECKED ug_status ug_fragments_find(ug_fragments *fragments, ug_markers *markers,
                                       ug_warnings *warnings, bool join, ug_error *err);
