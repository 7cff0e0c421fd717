// SPDX-License-Identifier: MIT
// Smooth marker paths with a zero-phase Butterworth low-pass that never looks across a gap.
//
// Every run of present samples is filtered by itself, forwards and backwards. The cut-off holds
// for both passes together: the gain at `cutoff_hz` is 1/sqrt 2 (-3 dB) after the second pass, so
// the single pass is designed for a higher frequency (for order 4 by 1/0.802).
//
// Not for making up data: missing stays missing, nothing is extrapolated. Not for spikes, which
// it only smears (solvers/spikes.h first). 6 Hz is usual for gait and takes 2 mm off fast motion.
//
// Source: Winter 2009, "Biomechanics and Motor Control of Human Movement", 4th ed., 2.2.4.4;
// Robertson & Dowling 2003, "Design and responses of Butterworth and critically damped digital
// filters", J. Electromyogr. Kinesiol. 13 (correction of the cut-off); start values and odd
// reflection as in Gustafsson 1996, "Determining the initial states in forward-backward
// filtering", IEEE Trans. Signal Process. 44.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

#include <stddef.h>

enum { UG_BUTTERWORTH_ORDER_MAX = 16, UG_BUTTERWORTH_SECTIONS_MAX = 4 };

/// One pass: second-order sections in series, each with gain 1 at 0 Hz.
/// y = b0 x + z1, z1' = b1 x - a1 y + z2, z2' = b2 x - a2 y.
typedef struct ug_butterworth {
    int section_count;
    struct {
        double b0, b1, b2, a1, a2;
    } sections[UG_BUTTERWORTH_SECTIONS_MAX];
    size_t run_min; ///< samples a run needs to be filtered: 3 x order
} ug_butterworth;

typedef struct ug_butterworth_opts {
    double cutoff_hz; ///< -3 dB after both passes; 0 < cutoff < rate / 2. Default 12
    int order;        ///< of both passes together: even, 2 … 16. Default 4
} ug_butterworth_opts;

typedef struct ug_butterworth_report {
    size_t runs_filtered, samples_filtered;
    size_t runs_passed, samples_passed; ///< too short, left as they were
    size_t markers_missing;             ///< never seen, left missing
} ug_butterworth_report;

ug_butterworth_opts ug_butterworth_default_opts(void);

/// Coefficients of one of two passes.
///
/// @return UG_E_USAGE when the order is odd or out of range, or the cut-off is not between 0 and
///         half the rate
UG_CHECKED ug_status ug_butterworth_design(ug_butterworth *filter, double rate_hz,
                                           const ug_butterworth_opts *opts, ug_error *err);

/// Doubles of workspace that ug_butterworth_run() needs for `count` samples.
size_t ug_butterworth_workspace(const ug_butterworth *filter, size_t count);

/// Both passes over one run without holes, in place. Runs shorter than filter->run_min are left
/// alone. O(count), allocates nothing.
///
/// @param values     (count), any unit
/// @param workspace  ug_butterworth_workspace(filter, count) doubles, content irrelevant
void ug_butterworth_run(double *values, size_t count, const ug_butterworth *filter,
                        double *workspace);

/// Filter every run of every point of kind MARKER, in place; filtered samples get
/// UG_ORIGIN_FILTERED.
///
/// Warns "run_too_short_to_filter" (counted in runs) and "marker_never_seen", naming the first.
///
/// @param report    written on success; may be NULL
/// @param warnings  may be NULL
/// @param opts      NULL means ug_butterworth_default_opts()
/// @return UG_E_USAGE as the design; UG_E_DATA when the rate is not known or a present sample is
///         not finite, naming marker and frame; UG_E_NOMEM. `markers` unchanged then.
UG_CHECKED ug_status ug_butterworth_markers(ug_markers *markers, ug_butterworth_report *report,
                                            ug_warnings *warnings, const ug_butterworth_opts *opts,
                                            ug_error *err);
