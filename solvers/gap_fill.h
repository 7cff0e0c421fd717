// SPDX-License-Identifier: MIT
// Fill the gaps of a take, each by what does best on stretches of it where the answer is known, and
// say what was done and how far off it may be.
//
// Gaps up to `cubic_max_s` with both ends take a cubic (solvers/gap_spline.h) and count as seen
// from then on. Everything else up to `max_gap_s` is filled from the markers seen through it
// (solvers/gap_regress.h), at once for all gaps; then gaps that lie beside others again, now
// leaning on those fills as well, as far as their predicted errors allow. Gaps over `max_gap_s`
// always stay missing, as does a marker that was never seen: nothing is held, repeated or
// extrapolated to please a later stage.
//
// Each filled sample gets UG_ORIGIN_FILLED, its method and its predicted error. Not for points of
// another kind than MARKER: they are never touched.
#pragma once

#include "motion/progress.h"
#include "solvers/gap_report.h"

typedef struct ug_gap_fill_opts {
    double max_gap_s;      ///< longest gap to fill at all, >= 0. Default 2
    double cubic_max_s;    ///< longest gap for the cubic, >= 0. Default 0.06
    double alone_max_s;    ///< longest gap for a path of its own where nobody helps. Default 0.5
    ug_fill_method method; ///< UG_FILL_STACKED: what does best; else this for every gap
    size_t workers;        ///< threads; the result is the same for any. 0 means 1. Default 1
} ug_gap_fill_opts;

ug_gap_fill_opts ug_gap_fill_default_opts(void);

/// Warns "marker_never_seen", "gap_too_long", "gap_without_company" (left open) and
/// "gap_filled_alone" (from its own path beyond cubic_max_s), each with marker and frames of the
/// first.
///
/// @param markers   filled in place; unchanged on failure
/// @param report    overwritten; ug_gap_fill_report_fini() it; may be NULL
/// @param warnings  may be NULL
/// @param progress  may be NULL
/// @param opts      NULL means the defaults
/// @return UG_E_USAGE for a limit that is negative or not finite; UG_E_DATA when the rate is
///         not known or a present sample is not finite; UG_E_INTERRUPTED; UG_E_NOMEM
///
/// About 60 to 100 ms of a core per gap over cubic_max_s with 40 other markers, twice that where
/// gaps overlap, whatever the length of the take. Copies positions once; 25 MB a worker.
UG_CHECKED ug_status ug_gap_fill(ug_markers *markers, ug_gap_fill_report *report,
                                 ug_warnings *warnings, const ug_progress *progress,
                                 const ug_gap_fill_opts *opts, ug_error *err);
