// SPDX-License-Identifier: MIT
// Smooth marker paths, each run of present samples by itself, never across a gap.
//
// By a zero-phase Butterworth low-pass (solvers/lowpass.h: 4th order in all, gain 1/sqrt 2 at
// `cutoff_hz` after both passes), or by the spline that cross-validation chooses for each run
// (solvers/gcv_spline.h). A run too short for either stays as it is.
//
// Not for making up data: missing stays missing, nothing is extrapolated. Not for spikes, which
// are only smeared (solvers/spikes.h first). 6 Hz is usual for gait and takes 2 mm off fast motion:
// where nobody knows the cut-off, the spline is the safer choice.
//
// Source: Winter 2009, "Biomechanics and Motor Control of Human Movement", 4th ed., ch. 3; start
// values as in Gustafsson 1996, "Determining the initial states in forward-backward filtering",
// IEEE Trans. Signal Process. 44; the spline as in its header.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

#include <stddef.h>

/// Samples a run needs to be smoothed: three times the filter's order.
enum { UG_SMOOTH_RUN_MIN = 12 };

typedef enum ug_smooth_method {
    UG_SMOOTH_BUTTERWORTH = 0,
    UG_SMOOTH_GCV = 1,
} ug_smooth_method;

typedef struct ug_smooth_opts {
    ug_smooth_method method; ///< Default UG_SMOOTH_BUTTERWORTH
    double cutoff_hz; ///< of the Butterworth, -3 dB after both passes; 0 < cutoff < rate / 2.
                      ///< Default 12
} ug_smooth_opts;

/// A run that was smoothed.
typedef struct ug_smooth_run {
    size_t marker, first, count; ///< frames first … first + count - 1
    double cutoff_hz;            ///< -3 dB
    double noise_mm;             ///< standard deviation per axis; NaN with the Butterworth, which
                                 ///< does not ask
} ug_smooth_run;

typedef struct ug_smooth_report {
    size_t run_count;    ///< smoothed
    ug_smooth_run *runs; ///< (run_count) by marker, then by time; owned
    size_t samples_filtered;
    size_t runs_passed, samples_passed; ///< too short, left as they were
    size_t markers_missing;             ///< never seen, left missing
} ug_smooth_report;

ug_smooth_opts ug_smooth_default_opts(void);

/// Releases what is below and zeroes it. NULL is fine.
void ug_smooth_report_fini(ug_smooth_report *report);

/// Smooth every run of every point of kind MARKER, in place; smoothed samples get
/// UG_ORIGIN_FILTERED, their positions before it in `unfiltered`. The same in every axis: no unit
/// or axes are assumed.
///
/// Warns "run_too_short_to_filter" (counted in runs) and "marker_never_seen", naming the first.
///
/// @param report    overwritten; ug_smooth_report_fini() it; may be NULL
/// @param warnings  may be NULL
/// @param opts      NULL means ug_smooth_default_opts()
/// @return UG_E_USAGE when the cut-off is not between 0 and half the rate; UG_E_DATA when the rate
///         is not known or a present sample is not finite, naming marker and frame; UG_E_NOMEM.
///         `markers` unchanged then.
///
/// O(samples); the spline about 2 microseconds each.
UG_CHECKED ug_status ug_smooth_markers(ug_markers *markers, ug_smooth_report *report,
                                       ug_warnings *warnings, const ug_smooth_opts *opts,
                                       ug_error *err);
