// SPDX-License-Identifier: MIT
// What is believed about a pose before a marker is seen: a spread about rest, soft limits, and a
// pull toward a given pose.
//
//     E = Σ (θ − θ̄)²/σ²  +  Σ over(θ)²/σ_limit²  +  Σ |log(Q_toward* Q)|²/σ_toward²
//
// `over` is how far an angle lies outside its limits. Angles of a ball are its rotation vector;
// d θ / d step is the inverse right Jacobian of the rotation group. FREE joints have none of it.
// Source: Sola, Deray & Atchuthan 2018, "A micro Lie theory for state estimation", eq. 144.
#pragma once

#include "solvers/ik_model.h"

typedef struct ug_ik_prior {
    bool pose;               ///< use model->sigma_rad
    const double *centre;    ///< (dof_count) θ̄; NULL = rest
    double limit_sigma_rad;  ///< 0 = no soft limits
    const double *toward;    ///< (pose_size) NULL = no pull
    double toward_sigma_rad; ///< > 0 with `toward`
} ug_ik_prior;

/// The pose prior and limits of the recipe: sigma as in the model, limits at 0.03 rad.
ug_ik_prior ug_ik_default_prior(void);

/// Cost E of `pose`, and its normal equations added to `hessian` and `gradient`.
///
/// @param hessian   (dof_count x dof_count) row-major, the lower triangle is added to; NULL = no
/// @param gradient  (dof_count) −½ dE/dstep is added (the right side of H d = g); NULL = no
double ug_ik_prior_add(double *hessian, double *gradient, const ug_ik_model *model,
                       const double *pose, const ug_ik_prior *prior);

/// How far each angle lies outside its limits: positive above, negative below, 0 inside; radians.
///
/// @param over    (dof_count)
/// @param angles  (dof_count) from ug_ik_angles
void ug_ik_over_limits(double *over, const ug_ik_model *model, const double *angles);

/// Put every angle inside its limits, in place. Translations and FREE joints are exempt.
///
/// @return how many angles were moved
size_t ug_ik_clamp(double *pose, const ug_ik_model *model);

/// Inverse right Jacobian of SO(3) at rotation vector `theta`: log(exp(theta) exp(d)) ≈ theta +
/// J d. |theta| < 2 pi.
void ug_ik_right_jacobian_inverse(double m[9], ug_vec3 theta);
