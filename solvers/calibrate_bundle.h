// SPDX-License-Identifier: MIT
// The shape of a skeleton and its poses in many frames, estimated together.
//
//     E = ws Σ_t [ Σ_m w_m rho(|y_tm − x_tm|²)/σ² + prior(pose_t) ]
//         + Σ_k (p_k − p̄_k)²/σ_k² + Σ_ties (Σ_i c_i p_i)²/σ_tie²
//
// `ws` makes the frames weigh as a fixed number of independent ones, so that priors do not fade as
// frames are added. What p and ties are: solvers/calibrate_shape.h.
//
// Levenberg–Marquardt on the total cost, poses eliminated by the Schur complement
// (solvers/calibrate_arrow.h). Not for a cold start: poses must be near.
// Source: Triggs et al. 2000, "Bundle adjustment: a modern synthesis", LNCS 1883.
#pragma once

#include "motion/status.h"
#include "solvers/calibrate_arrow.h"
#include "solvers/calibrate_shape.h"
#include "solvers/ik_model.h"
#include "solvers/ik_prior.h"
#include "solvers/robust.h"

#include <stddef.h>

/// What was measured in the chosen frames. Borrowed.
typedef struct ug_bundle_frames {
    size_t count;
    const double *measured_m; ///< (count x marker_count x 3)
    const double *weight;     ///< (count x marker_count) 0 = missing; times the model's weight
} ug_bundle_frames;

typedef struct ug_bundle_options {
    double sigma_m;        ///< of a marker. Default 0.005
    ug_loss loss;          ///< scale in metres. Default Huber 0.05
    double frames_worth;   ///< ws = min(1, frames_worth / count). Default 25
    ug_ik_prior prior;     ///< Default ug_ik_default_prior()
    size_t max_iterations; ///< Default 30
    double gain;           ///< stop when a step lowers E by less than this share. Default 2e-4
    size_t jobs;
} ug_bundle_options;

typedef struct ug_bundle_report {
    double cost; ///< E
    size_t iterations;
} ug_bundle_report;

ug_bundle_options ug_bundle_default_options(void);

/// Cost E of poses and shape as they are in `model`.
///
/// @param memory  ug_ik_frame_bytes(model) bytes, 8-byte aligned
double ug_bundle_cost(const ug_ik_model *model, const ug_bundle_shape *shape, const double *poses,
                      const ug_bundle_frames *frames, const ug_bundle_options *options,
                      void *memory);

/// Normal equations H [step; dp] = g of E in `arrow` (of size frames->count x dof_count x
/// parameter_count), g = −½ dE, H Gauss–Newton with the robust weights. Allocates.
///
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_bundle_normal(ug_arrow *arrow, const ug_ik_model *model,
                                      const ug_bundle_shape *shape, const double *poses,
                                      const ug_bundle_frames *frames,
                                      const ug_bundle_options *options, ug_error *err);

/// Minimise E.
///
/// @param poses   (count x pose_size) in and out
/// @param model   its shape is replaced by `shape`'s
/// @param shape   `value` in and out
/// @param report  may be NULL
/// @return UG_E_NOMEM
/// O(iterations · count · dof_count · (dof_count + parameter_count)²); same bits for any `jobs`.
UG_CHECKED ug_status ug_bundle_solve(double *poses, ug_ik_model *model, ug_bundle_shape *shape,
                                     ug_bundle_report *report, const ug_bundle_frames *frames,
                                     const ug_bundle_options *options, ug_error *err);
