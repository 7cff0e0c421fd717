// SPDX-License-Identifier: MIT
// Find markers that fell off or slipped: the distances to their three nearest neighbours change,
// all of them, and stay changed, while the neighbours keep theirs to one another.
//
// Distances are looked at as medians over a quarter of a second, against those of the take's first
// 1.5 s. From one moment on every one must differ by 15 mm or more, and by twice what any before it
// did; 1 s must follow.
//
// When NOT: a marker that moves by less, or one across a joint by less than the joint moves it.
// Labels that were exchanged for the rest of the take look the same (solvers/swaps.h comes first).
// Nothing is changed: whether to clear the rest or to treat it as a new marker is a person's choice
// (the edits clear and split).
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

typedef struct ug_fallen_marker {
    size_t marker;
    size_t frame;    ///< the first that is off, to a few frames
    double moved_mm; ///< median change of the distances
} ug_fallen_marker;

typedef struct ug_fallen {
    size_t count;
    ug_fallen_marker *items; ///< owned, by marker
} ug_fallen;

/// Releases what is below. NULL is fine.
void ug_fallen_fini(ug_fallen *fallen);

/// Warns "marker_fell_off" with marker, frame and change of the first.
///
/// @param fallen    overwritten; ug_fallen_fini() it
/// @param warnings  may be NULL
/// @return UG_E_DATA as ug_markers_check(); UG_E_NOMEM
///
/// O(frame_count · marker_count · 8).
UG_CHECKED ug_status ug_fallen_find(ug_fallen *fallen, const ug_markers *markers,
                                    ug_warnings *warnings, ug_error *err);
