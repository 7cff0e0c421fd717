// SPDX-License-Identifier: MIT
// A gap in one marker's path, and what every filler needs to know about its two ends.
//
// A filler is a function that writes positions for the frames of an ug_gap and reads the gap's
// marker only *outside* those frames. So the same call works on a real hole and, to learn how far
// off it is, on a stretch where the marker was seen (solvers/gap_windows.h).
#pragma once

#include "motion/markers.h"
#include "motion/status.h"

/// Frames first … last (both included, from 0) of `marker`.
typedef struct ug_gap {
    size_t marker, first, last;
    bool has_start; ///< the marker is present at first - 1, and the filler may use it
    bool has_end;   ///< the marker is present at last + 1, and the filler may use it
} ug_gap;

static inline size_t ug_gap_length(const ug_gap *gap)
{
    return gap->last - gap->first + 1;
}

/// Every run of missing samples of every point of kind MARKER, by marker, then by time.
/// free() `*gaps`; NULL when there is none. @return UG_E_NOMEM
UG_CHECKED ug_status ug_gaps_list(ug_gap **gaps, size_t *count, const ug_markers *markers,
                                  ug_error *err);
