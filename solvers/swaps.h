// SPDX-License-Identifier: MIT
// Find where two markers exchange their places from one frame to the next: labels that swapped.
//
// Each marker is expected where its last two samples lead. Two markers that both leave that place
// by 10 mm or more, and that each land where the *other* was expected (four times closer), are a
// candidate: the start or the end of a stretch with exchanged labels. Nothing is changed.
//
// When NOT: a swap that begins or ends in a gap (two samples in a row must be there before it), or
// one of three markers in a ring, shows no such pair. A swap of one single frame shows its start
// only. Labels exchanged throughout never jump: calibrate finds those (solvers/calibrate_labels.h).
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

typedef struct ug_swap {
    size_t marker, other; ///< marker < other
    size_t frame;         ///< the first after the exchange
} ug_swap;

typedef struct ug_swaps {
    size_t count;
    ug_swap *items; ///< owned, by time
} ug_swaps;

/// Releases what is below. NULL is fine.
void ug_swaps_fini(ug_swaps *swaps);

/// Warns "swap_suspected" with both markers and the frame of the first.
///
/// @param swaps     overwritten; ug_swaps_fini() it
/// @param warnings  may be NULL
/// @return UG_E_DATA as ug_markers_check(); UG_E_NOMEM
///
/// O(frame_count · marker_count), and the square of the markers that jump in one frame.
UG_CHECKED ug_status ug_swaps_find(ug_swaps *swaps, const ug_markers *markers,
                                   ug_warnings *warnings, ug_error *err);
