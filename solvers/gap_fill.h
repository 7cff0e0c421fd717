// SPDX-License-Identifier: MIT
// Fill the gaps of a take, each by the method that suits it, and say what was done and how far
// off it may be.
//
// Gaps up to `spline_max_s` take a cubic (solvers/gap_spline.h) and count as seen from then on;
// longer ones up to `max_gap_s` are carried by a rigid cluster of neighbours
// (solvers/gap_rigid.h), of several possible ones by that which does best in the check below. Where
// there is no such cluster a gap up to `lone_spline_max_s` still takes the cubic, anything longer
// stays open. Gaps over `max_gap_s` always stay missing, as does a marker that was never seen:
// nothing is held, repeated or extrapolated to please a later stage.
//
// Each filled sample gets UG_ORIGIN_FILLED, its method and the predicted error of its gap
// (solvers/gap_check.h), NaN where that cannot be known.
//
// A new filler gets its case in solvers/gap_methods.c and its place in fill_by_neighbours(). Not
// for points of another kind than MARKER: they are never touched.
#pragma once

#include "motion/progress.h"
#include "motion/warnings.h"
#include "solvers/gap.h"

typedef struct ug_gap_fill_opts {
    double max_gap_s;         ///< longest gap to fill at all, > 0. Default 2
    double spline_max_s;      ///< longest gap for the cubic, >= 0. Default 0.1
    double lone_spline_max_s; ///< the same where no cluster is found. Default 0.5
    size_t workers;           ///< threads; the result is the same for any. 0 means 1. Default 1
} ug_gap_fill_opts;

/// Why a gap was left open.
typedef enum ug_gap_reason {
    UG_GAP_CLOSED = 0,     ///< it was filled
    UG_GAP_NEVER_SEEN = 1, ///< the marker has no sample in the whole take
    UG_GAP_TOO_LONG = 2,   ///< over max_gap_s
    UG_GAP_NO_CLUSTER = 3, ///< fewer than three usable neighbours through the gap
    UG_GAP_REASON_COUNT = 4
} ug_gap_reason;

/// "no_cluster" …; static text, for metrics.
const char *ug_gap_reason_name(ug_gap_reason reason);

typedef struct ug_gap_record {
    ug_gap gap;
    ug_gap_reason reason;
    ug_fill_method method;     ///< UG_FILL_NONE when open
    double predicted_error_mm; ///< NaN when open or not known
} ug_gap_record;

enum { UG_FILL_METHOD_COUNT = UG_FILL_STACKED + 1 };

typedef struct ug_gap_fill_report {
    size_t gap_count;                         ///< gaps found
    size_t filled_gaps[UG_FILL_METHOD_COUNT]; ///< by ug_fill_method
    size_t filled_samples[UG_FILL_METHOD_COUNT];
    size_t open_gaps[UG_GAP_REASON_COUNT]; ///< by ug_gap_reason; [CLOSED] is 0
    size_t open_samples[UG_GAP_REASON_COUNT];
    size_t unchecked_gaps; ///< filled without a predicted error
    size_t longest_gap_frames;
    ug_gap_record *records; ///< (gap_count), by marker, then by time; owned
} ug_gap_fill_report;

/// Releases what is below and zeroes it. NULL is fine.
void ug_gap_fill_report_fini(ug_gap_fill_report *report);

ug_gap_fill_opts ug_gap_fill_default_opts(void);

/// Warns "marker_never_seen", "gap_too_long", "gap_without_cluster" (left open) and
/// "gap_filled_alone" (the cubic beyond spline_max_s), each with marker and frames of the first.
///
/// @param markers   filled in place; unchanged on failure
/// @param report    overwritten; ug_gap_fill_report_fini() it; may be NULL
/// @param warnings  may be NULL
/// @param progress  may be NULL
/// @param opts      NULL means the defaults
/// @return UG_E_USAGE for a limit that is negative or not finite; UG_E_DATA when the rate is
///         not known or a present sample is not finite; UG_E_INTERRUPTED; UG_E_NOMEM
///
/// O(gaps · marker_count · min(frame_count, 2000)), and about 25 ms a core for a gap of 1 s at
/// 120 Hz. Copies the markers once.
UG_CHECKED ug_status ug_gap_fill(ug_markers *markers, ug_gap_fill_report *report,
                                 ug_warnings *warnings, const ug_progress *progress,
                                 const ug_gap_fill_opts *opts, ug_error *err);
