// SPDX-License-Identifier: MIT
// The mathematics of foot planting on plain series: displacements between contacts, envelopes.
//
// Used by solvers/foot_plant.c. All functions work on one point over time and allocate nothing.
#pragma once

#include "motion/vec3.h"

#include <stddef.h>
#include <stdint.h>

/// Extend displacements that are known on planted frames over the free ones, C1 at both ends:
/// smoothstep between the ends, plus a bump that starts with the slope the planted side has and
/// dies within `ease_frames`. Before the first and after the last planted frame the value is held,
/// with the bump. All zero when nothing is planted.
///
/// @param d        (count) read where planted, written elsewhere
/// @param planted  (count)
void ug_displacement_extend(ug_vec3 *d, const uint8_t *planted, size_t count, double ease_frames);

/// Smooth curve that is never below `need`: running maximum over ±half frames, then a Hann mean
/// of the same width. Negative needs count as 0.
///
/// @param out, work  (count) written; neither may alias `need`
void ug_envelope(double *out, double *work, const double *need, size_t count, size_t half);

/// Height that never passes `soft` below 0 and is the input from 0 on; C1.
double ug_soft_floor(double height, double soft);

/// 3u² − 2u³ on [0, 1], constant outside.
double ug_smoothstep(double u);
