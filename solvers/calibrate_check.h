// SPDX-License-Identifier: MIT
// A finished calibration held against the takes it came from, frame by frame: residuals of every
// marker, and stretches in which a marker is on something else.
#pragma once

#include "solvers/calibrate_fit.h"

/// Solve the usable rows (at most 3000, spread evenly) and fill `rms_m`, `outlier_pct`,
/// `checked_count` and stray_* of the markers, and rms_m, outlier_pct, checked_frames of `report`.
///
/// A marker that lies more than 10 cm from its place for 5 checked rows on end is a stray, as are
/// samples that were left out for being out of reach; both count as outliers.
///
/// @param usable  (usable_count) rows of `samples`
/// @return UG_E_NOMEM. About 0.3 ms a row; same result for any number of threads
UG_CHECKED ug_status ug_check_takes(ug_calibrate_report *report, const ug_fit *fit,
                                    const ug_samples *samples, const size_t *usable,
                                    size_t usable_count, ug_error *err);
