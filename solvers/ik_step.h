// SPDX-License-Identifier: MIT
// One frame: the pose whose markers lie nearest to the measured ones.
//
//     E(pose) = Σ_m w_m rho(|y_m − x_m|²) / σ²  +  prior(pose)
//
// Levenberg–Marquardt: solve (H + λ D) d = g with H, g the re-weighted normal equations and
// D = diag(H) + 1, so that a direction without any data keeps its place; take the step when E
// falls (λ x 0.25), else try again (λ x 6). A step turns no joint by more than `step_cap_rad`.
// It ends when E falls by less than gain_tolerance · E, when no joint moves by more than
// step_tolerance, or when no λ helps; all three count as converged.
//
// It finds the *nearest* minimum: the start decides (solvers/ik_cold.h finds one). A missing
// marker has weight 0 and its measured place is not read.
// Source: Wampler 1986; Nakamura & Hanafusa 1986; Marquardt 1963; Huber 1964 for re-weighting.
#pragma once

#include "solvers/ik_pose.h"
#include "solvers/ik_prior.h"
#include "solvers/robust.h"

#include <stdbool.h>
#include <stddef.h>

/// What was measured in one frame. Borrowed.
typedef struct ug_ik_target {
    const double *measured_m; ///< (marker_count x 3)
    const double *weight;     ///< (marker_count) 0 = missing; times the model's weight
} ug_ik_target;

/// One linear solve, exchangeable: the dense reference below, or another with the same answer.
typedef struct ug_ik_stepper {
    /// Bytes of memory a stepper needs for `model` (a multiple of 8).
    size_t (*bytes)(const ug_ik_model *model);
    /// Take in the normal equations at `pose`. `weight` (marker_count) holds w_m rho'/σ²,
    /// `residual_m` (marker_count x 3) y − x where the weight is not 0.
    void (*linearise)(void *memory, const ug_ik_model *model, const ug_ik_frame *frame,
                      const double *pose, const double *residual_m, const double *weight,
                      const ug_ik_prior *prior);
    /// d of (H + λ D) d = g, after linearise. False when the system is not positive definite.
    bool (*solve)(double *step, void *memory, const ug_ik_model *model, double lambda);
} ug_ik_stepper;

/// Normal equations per segment, Cholesky by LAPACK: O(dof³). The reference.
extern const ug_ik_stepper ug_ik_dense_stepper;

typedef struct ug_ik_options {
    double sigma_m; ///< of a marker. Default 0.005
    ug_loss loss;   ///< scale in metres. Default Huber 0.02
    ug_ik_prior prior;
    size_t max_iterations; ///< linearisations. Default 50
    double lambda;         ///< first damping. Default 1e-3
    double step_cap_rad;   ///< Default 1
    double gain_tolerance; ///< Default 1e-6
    double step_tolerance; ///< radians and metres. Default 1e-7
    const ug_ik_stepper *stepper;
} ug_ik_options;

typedef struct ug_ik_result {
    double cost;       ///< E at the pose returned
    size_t iterations; ///< linearisations
    bool converged;    ///< false: the iteration cap came first, or E is not finite
} ug_ik_result;

ug_ik_options ug_ik_default_options(void);

/// Bytes of workspace for ug_ik_solve_frame (a multiple of 8).
size_t ug_ik_solve_bytes(const ug_ik_model *model, const ug_ik_stepper *stepper);

/// Improve `pose` in place. Never returns a pose of higher cost than it was given.
///
/// @param pose       (pose_size) start and answer
/// @param workspace  ug_ik_solve_bytes() bytes, 8-byte aligned, owned by this thread
/// Allocates nothing. About 27 µs an iteration at 66 degrees of freedom and 53 markers.
ug_ik_result ug_ik_solve_frame(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                               const ug_ik_options *options, void *workspace);

/// E of `pose` without solving; `workspace` as above.
double ug_ik_cost(const ug_ik_model *model, const double *pose, const ug_ik_target *target,
                  const ug_ik_options *options, void *workspace);

/// H and g of the markers alone, added segment by segment.
///
/// @param hessian   (dof_count x dof_count) row-major, lower triangle; added to
/// @param gradient  (dof_count) added to; NULL = no
/// @param residual_m  (marker_count x 3), read with `gradient` only
/// @param weight    (marker_count) complete weights
/// @param scratch   ug_ik_normal_doubles(model) doubles
void ug_ik_normal_equations(double *hessian, double *gradient, const ug_ik_model *model,
                            const ug_ik_frame *frame, const double *residual_m,
                            const double *weight, double *scratch);
size_t ug_ik_normal_doubles(const ug_ik_model *model);
