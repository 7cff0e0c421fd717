// SPDX-License-Identifier: MIT
// Every filler behind one call, by its ug_fill_method. A new filler gets its case here.
//
// Which method a gap gets is not decided here (solvers/gap_fill.h does that); how a method tunes
// itself to a gap is: the rigid one tries several clusters and keeps the one that does best on
// stretches where the marker was seen (solvers/gap_check.h).
#pragma once

#include "solvers/gap.h"
#include "solvers/gap_rigid.h"

/// Memory of one thread, the caller's.
typedef struct ug_gap_scratch {
    ug_vec3 *out_m;                 ///< (longest gap to fill): the fill, metres
    ug_rigid_neighbour *neighbours; ///< (marker_count)
} ug_gap_scratch;

/// "cubic" -> UG_FILL_CUBIC, "spline" the same, "rigid" -> UG_FILL_RIGID: the methods there are.
/// @return false when there is no such
bool ug_gap_method_from_name(ug_fill_method *method, const char *name);

/// Fill `gap` into scratch->out_m. `markers` is only read, and not in the gap itself.
///
/// @param error_mm  predicted error, NaN when it cannot be known; written on success
/// @return false when this method cannot fill this gap: the cubic an open end, the rigid one
///         without three neighbours; out_m undefined then
///
/// Allocates nothing. The rigid method: about 25 ms for a gap of 1 s at 120 Hz.
bool ug_gap_method_fill(ug_gap_scratch *scratch, double *error_mm, const ug_markers *markers,
                        const ug_gap *gap, ug_fill_method method);
