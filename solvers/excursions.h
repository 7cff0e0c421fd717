// SPDX-License-Identifier: MIT
// Find stretches of a few samples in which a marker is somewhere else: it leaves the place that its
// neighbours carry it to from one frame to the next, and comes back to it as abruptly. That place
// is carried from the sample before and from the sample after, blended in between; how far off such
// a bridge is as a rule is tried out on the take itself.
//
// The neighbours make the difference: a kick or a landing jerks the whole limb, and no sample of it
// is wrong. Needs three neighbours that keep their distance, seen before, during and after; without
// them nothing is found (solvers/spikes.h then has the marker's own path only).
//
// Not for what lasts longer than 0.1 s, nor for what does not come back (solvers/swaps.h).
#pragma once

#include "solvers/swap_space.h"

enum { UG_EXCURSION_MAX = 32 }; // samples

/// Frames first … last of a member of a space.
typedef struct ug_excursion {
    size_t first, last;
    double height_mm; ///< largest distance from the expected place
} ug_excursion;

/// How far a sample is from where its neighbours carry it from the frame before, metres; NaN where
/// they cannot tell: fewer than three, or one of the two samples is missing.
double ug_excursion_step_m(const ug_swap_space *space, size_t member, size_t frame);

/// The first excursion that begins at `from` or later, before `end`.
///
/// @param height_mm  never less than this
/// @return false when there is none; `out` undefined then
///
/// O(end - from), and about 50 µs where a sample jumps. Allocates nothing.
bool ug_excursion_next(ug_excursion *out, const ug_swap_space *space, size_t member, size_t from,
                       double height_mm);
