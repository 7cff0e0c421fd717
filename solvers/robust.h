// SPDX-License-Identifier: MIT
// Losses that keep one wrong marker from bending a skeleton.
//
// A loss turns a squared residual s² into a cost rho(s²); all are s² near zero, so their unit is
// the residual's, squared. Iteratively re-weighted least squares uses weight = d rho / d(s²).
// Not for a cold start: GEMAN_MCCLURE has a pull only near the answer (start with HUBER).
// Source: Huber 1964, "Robust estimation of a location parameter"; Geman & McClure 1987.
#pragma once

typedef enum ug_loss_kind {
    UG_LOSS_SQUARE = 0, ///< s²
    UG_LOSS_HUBER = 1,  ///< s² up to scale, then 2 scale s − scale²: the pull stays constant
    UG_LOSS_GEMAN_MCCLURE = 2, ///< s² scale² / (scale² + s²): the pull ends
} ug_loss_kind;

typedef struct ug_loss {
    ug_loss_kind kind;
    double scale; ///< > 0, unit of the residual; ignored by SQUARE
} ug_loss;

/// rho(s²) for `square` = s² >= 0.
double ug_loss_cost(ug_loss loss, double square);

/// d rho / d(s²), in [0, 1].
double ug_loss_weight(ug_loss loss, double square);
