// SPDX-License-Identifier: MIT
// Which joints the visible markers decide, and which only priors or neighbours in time do.
//
// The markers' normal equations are eliminated from the leaves to the root. What is left of a
// degree of freedom's own entry then is what the markers say about it when everything below it is
// free and everything above it is known; less than 1 / (0.5 rad)² is "undecided".
// Not an error estimate: use the full covariance for that.
#pragma once

#include "solvers/ik_step.h"

/// Doubles of `scratch`.
size_t ug_ik_observe_doubles(const ug_ik_model *model);

/// Mark the joints that `weight` leaves undecided in the pose of `frame`.
///
/// @param undecided  (joint_count) 1 or 0; 0 for joints without a degree of freedom
/// @param weight     (marker_count) w_m rho'/σ² with σ in metres, 0 = missing
/// O(dof³ / 3), allocates nothing.
void ug_ik_undecided(unsigned char *undecided, const ug_ik_model *model, const ug_ik_frame *frame,
                     const double *weight, double *scratch);
