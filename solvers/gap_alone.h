// SPDX-License-Identifier: MIT
// Fill a gap from the marker's own path, and say how far off that is.
//
// The error is what the same fill gets wrong on up to 24 stretches of the gap's length in which the
// marker was seen, evenly spread over the take; per frame of the gap, rms. Not for gaps much over
// 0.06 s when others were seen through them (solvers/gap_regress.h).
#pragma once

#include "solvers/gap_scene.h"

/// Positions and predicted errors, in millimetres, for the frames of `gap`.
///
/// @param mm        (gap length x 3)
/// @param error_mm  (gap length); NaN when no stretch of that length was seen
/// @param scratch   (gap length x 3)
/// @param method    UG_FILL_LINEAR or UG_FILL_CUBIC
/// @return false for a gap with an open end: nothing is extrapolated; all undefined then
///
/// O(25 · gap length), allocates nothing.
bool ug_gap_alone_fill(double *mm, float *error_mm, double *scratch, const ug_gap_scene *scene,
                       const ug_gap *gap, ug_fill_method method);
