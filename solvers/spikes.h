// SPDX-License-Identifier: MIT
// Find samples that jump off a marker's path: ghosts under a label, a digit lost.
//
// A sample is compared with the cubic through its two neighbours on each side. The difference is
// an acceleration the body cannot have when it stands out from the marker's own at that
// time (threshold x 1.4826 median, over half a second around), in absolute terms, and against the
// markers that keep their distance to it, where there are three: a kick jerks them all. A spike
// also spoils the test of its neighbours, so only the largest in five samples counts: of two spikes
// that close the smaller may be missed until the larger is cleared. Wrong stretches of up to 0.1 s
// are found by those neighbours alone (solvers/excursions.h), from twice the height on.
//
// Not for swaps or longer stretches, and not within two samples of a gap, where there is nothing to
// compare with.
//
// Source: the median as a robust scale, Hampel 1974, "The influence curve and its role in robust
// estimation", J. Am. Stat. Assoc. 69.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

typedef struct ug_spike {
    size_t marker, frame;
    double height_mm; ///< distance from where the neighbours put it
} ug_spike;

typedef struct ug_spikes {
    size_t count;
    ug_spike *items; ///< owned, by marker, then by time
} ug_spikes;

typedef struct ug_spikes_opts {
    double threshold; ///< robust standard deviations, > 0. Default 12
    double height_mm; ///< never report less than this, >= 0. Default 5
    bool clear;       ///< make the found samples missing. Default false
} ug_spikes_opts;

ug_spikes_opts ug_spikes_default_opts(void);

/// Releases what is below. NULL is fine.
void ug_spikes_fini(ug_spikes *spikes);

/// Warns "spike" with marker, frame and height of the first; "spike_cleared" when cleared.
///
/// @param markers   changed only with opts->clear; samples with UG_ORIGIN_EDITED never
/// @param spikes    overwritten; ug_spikes_fini() it; may be NULL
/// @param warnings  may be NULL
/// @param opts      NULL means the defaults
/// @return UG_E_USAGE for a threshold or height out of range; UG_E_DATA as ug_markers_check();
///         UG_E_NOMEM
///
/// O(frame_count · marker_count · rate/2).
UG_CHECKED ug_status ug_spikes_find(ug_markers *markers, ug_spikes *spikes, ug_warnings *warnings,
                                    const ug_spikes_opts *opts, ug_error *err);
