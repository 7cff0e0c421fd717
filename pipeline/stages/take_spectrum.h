// SPDX-License-Identifier: MIT
// What smoothing took out of a take, frequency by frequency: for the report, which may not call
// solvers.
//
// Of the positions before the first filter, which `clean` keeps beside the smoothed ones, and of
// both and of their difference. Only markers, and of each only runs that were filtered throughout.
#pragma once

#include "motion/take.h"

#include <stddef.h>

typedef struct ug_take_spectrum {
    size_t count;   ///< of bins, from one above 0 Hz up to half the rate; 0: nothing was filtered
    double step_hz; ///< bin i is at (i + 1) · step_hz
    double *before_mm2_hz;  ///< (count) power spectral density of the three axes together, median
    double *after_mm2_hz;   ///< over the markers; owned, one block
    double *removed_mm2_hz; ///< of before minus after
    size_t marker_count;    ///< that have a run long enough
    double removed_rms_mm;  ///< 3-D distance of before from after, rms over all filtered samples
} ug_take_spectrum;

/// @param out  overwritten; ug_take_spectrum_fini() it. Empty, and all is well, for a take that was
///             not filtered, whose rate is not known, or whose runs are all shorter than 32 samples
/// @return UG_E_NOMEM
///
/// Segments of about two seconds, of a long take at most 64 a marker, evenly spread. O(markers ·
/// frames).
UG_CHECKED ug_status ug_take_spectrum_read(ug_take_spectrum *out, const ug_take *take,
                                           ug_error *err);

/// NULL is fine.
void ug_take_spectrum_fini(ug_take_spectrum *spectrum);
