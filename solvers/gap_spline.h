// SPDX-License-Identifier: MIT
// Fill a short gap with one cubic that meets both ends in value and slope.
//
// Cubic Hermite (de Boor 1978, "A Practical Guide to Splines", IV) between the last sample before
// and the first after the gap; the end slopes are fitted by least squares to a few samples, since a
// difference of two turns their noise into a bulge. Not for gaps much over 0.1 s of fast motion:
// it knows nothing of what the body did meanwhile (measured: 1.5 mm at 0.1 s, 37 mm at 0.5 s).
#pragma once

#include "solvers/gap.h"

/// Positions in metres for the frames of `gap`.
///
/// A side with a single sample takes the slope that a parabola through the three known figures
/// has; with single samples on both sides the fill is the straight line.
///
/// @param out_m    (ug_gap_length(gap)); unchanged when false is returned
/// @param markers  the gap's own frames of the gap's marker are not read
/// @return false for a gap with an open end: a cubic is never extrapolated
///
/// O(gap length), allocates nothing.
bool ug_gap_spline_fill(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap);
