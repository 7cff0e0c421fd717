// SPDX-License-Identifier: MIT
// How far off a filler is likely to be on a gap: try it where the answer is known.
//
// The filler is run on stretches of the gap's length, with the same ends open, in which the
// marker was seen, evenly spread over the take. Their rms distance is the predicted error of the
// gap. Deterministic; the same stretches for every filler, so that fillers can be compared.
#pragma once

#include "solvers/gap.h"

enum { UG_GAP_CHECKS = 12 };

/// Positions in metres for the frames of `gap`, without reading the gap's marker in them. `model`
/// is the filler's own. @return false when it cannot fill this gap
typedef bool (*ug_gap_filler)(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap,
                              const void *model);

/// Predicted error of `filler` on `gap`, millimetres; NaN when there is no stretch on which the
/// marker was seen (filled samples do not count) and the filler works.
///
/// @param scratch_m  (ug_gap_length(gap))
///
/// Up to UG_GAP_CHECKS calls of the filler, allocates nothing.
double ug_gap_predict_error_mm(ug_vec3 *scratch_m, const ug_markers *markers, const ug_gap *gap,
                               ug_gap_filler filler, const void *model);
