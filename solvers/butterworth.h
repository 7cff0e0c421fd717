// SPDX-License-Identifier: MIT
// Smooth marker paths with a zero-phase Butterworth low-pass that never looks across a gap.
//
// Every run of present samples goes by itself through solvers/lowpass.h: 4th order in all, gain
// 1/sqrt 2 (-3 dB) at `cutoff_hz` after both passes. A run too short for the filter stays as it is.
//
// Not for making up data: missing stays missing, nothing is extrapolated. Not for spikes, which
// it only smears (solvers/spikes.h first). 6 Hz is usual for gait and takes 2 mm off fast motion.
//
// Source: Winter 2009, "Biomechanics and Motor Control of Human Movement", 4th ed., ch. 3; start
// values as in Gustafsson 1996, "Determining the initial states in forward-backward filtering",
// IEEE Trans. Signal Process. 44.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

#include <stddef.h>

/// Samples a run needs to be filtered: three times the order.
enum { UG_BUTTERWORTH_ORDER = 4, UG_BUTTERWORTH_RUN_MIN = 3 * UG_BUTTERWORTH_ORDER };

typedef struct ug_butterworth_opts {
    double cutoff_hz; ///< -3 dB after both passes; 0 < cutoff < rate / 2. Default 12
} ug_butterworth_opts;

typedef struct ug_butterworth_report {
    size_t runs_filtered, samples_filtered;
    size_t runs_passed, samples_passed; ///< too short, left as they were
    size_t markers_missing;             ///< never seen, left missing
} ug_butterworth_report;

ug_butterworth_opts ug_butterworth_default_opts(void);

/// Filter every run of every point of kind MARKER, in place; filtered samples get
/// UG_ORIGIN_FILTERED, their positions before it in `unfiltered`. Linear and in every axis alike:
/// no unit or axes are assumed.
///
/// Warns "run_too_short_to_filter" (counted in runs) and "marker_never_seen", naming the first.
///
/// @param report    written on success; may be NULL
/// @param warnings  may be NULL
/// @param opts      NULL means ug_butterworth_default_opts()
/// @return UG_E_USAGE when the cut-off is not between 0 and half the rate; UG_E_DATA when the rate
///         is not known or a present sample is not finite, naming marker and frame; UG_E_NOMEM.
///         `markers` unchanged then.
///
/// O(samples).
UG_CHECKED ug_status ug_butterworth_markers(ug_markers *markers, ug_butterworth_report *report,
                                            ug_warnings *warnings, const ug_butterworth_opts *opts,
                                            ug_error *err);
