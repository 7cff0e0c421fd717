// SPDX-License-Identifier: MIT
// Fill a short gap with the cubic spline through the samples around it.
//
// Interpolating spline (de Boor 1978, "A Practical Guide to Splines", IV; parabolic ends) through
// 12 seen samples on either side, which is the one through all of them to 1e-6: a knot's influence
// falls by 0.27 per sample. Not for gaps much over 0.06 s of fast motion: it knows nothing of what
// the body did meanwhile (measured: 1.5 mm at 0.1 s, 37 mm at 0.5 s).
#pragma once

#include "solvers/gap_scene.h"

/// Positions in millimetres for the frames of `gap`.
///
/// @param out_mm  (gap length x 3); unchanged when false is returned
/// @return false for a gap with an open end: a cubic is never extrapolated
///
/// O(gap length), allocates nothing.
bool ug_gap_spline_fill(double *out_mm, const ug_gap_scene *scene, const ug_gap *gap);
