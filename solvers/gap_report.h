// SPDX-License-Identifier: MIT
// What became of the gaps of a take: per gap, and counted.
#pragma once

#include "motion/warnings.h"
#include "solvers/gap.h"

/// Why a gap was left open.
typedef enum ug_gap_reason {
    UG_GAP_CLOSED = 0,     ///< it was filled
    UG_GAP_NEVER_SEEN = 1, ///< the marker has no sample in the whole take
    UG_GAP_TOO_LONG = 2,   ///< over max_gap_s
    UG_GAP_NO_COMPANY = 3, ///< fewer than three usable neighbours through the gap
    UG_GAP_REASON_COUNT = 4
} ug_gap_reason;

/// "no_company" …; static text, for metrics.
const char *ug_gap_reason_name(ug_gap_reason reason);

typedef struct ug_gap_record {
    ug_gap gap;
    ug_gap_reason reason;
    ug_fill_method method;         ///< UG_FILL_NONE when open
    double predicted_error_mm;     ///< root mean square over the gap; NaN when open or not known
    double found_mm2, checked_mm2; ///< of the check below: mean squares found and predicted, summed
    size_t within, checks; ///< stretches hidden for a check: off by up to twice the prediction; all
} ug_gap_record;

enum { UG_FILL_METHOD_COUNT = UG_FILL_STACKED + 1 };

typedef struct ug_gap_fill_report {
    size_t gap_count;                         ///< gaps found
    size_t filled_gaps[UG_FILL_METHOD_COUNT]; ///< by ug_fill_method
    size_t filled_samples[UG_FILL_METHOD_COUNT];
    size_t open_gaps[UG_GAP_REASON_COUNT]; ///< by ug_gap_reason; [CLOSED] is 0
    size_t open_samples[UG_GAP_REASON_COUNT];
    size_t unchecked_gaps; ///< filled without a predicted error
    /// Over stretches of all blended gaps' lengths that had no part in the prediction: rms error
    /// found / rms predicted, and the share whose error is within twice the predicted; NaN: none.
    double check_ratio, check_share;
    size_t longest_gap_frames;
    ug_gap_record *records; ///< (gap_count), by marker, then by time; owned
} ug_gap_fill_report;

/// Releases what is below and zeroes it. NULL is fine.
void ug_gap_fill_report_fini(ug_gap_fill_report *report);

/// What the checks of all records say: check_ratio and check_share.
void ug_gap_fill_sum_checks(ug_gap_fill_report *report);

/// Count a gap in, and warn of it where ug_gap_fill() says so.
///
/// @param cubic_max_s  longest gap that a path of its own is no matter of warning for
void ug_gap_fill_note(ug_gap_fill_report *report, ug_warnings *warnings, const ug_markers *markers,
                      const ug_gap_record *record, double cubic_max_s);
