// SPDX-License-Identifier: MIT
// The numbers a calibration may change, and what is believed about them beforehand.
//
// Shape *coordinates* are the bone offsets and marker places of a model (3 per joint, then 3 per
// marker). They are driven by *parameters* p: coordinate = base + slope · p[parameter]. One
// parameter per coordinate frees everything; one per group of bones scales a group.
//
//     E = Σ_k (p_k − p̄_k)²/σ_k² + Σ_ties (Σ_i c_i p_i + c)²/σ_tie²
#pragma once

#include "motion/status.h"
#include "solvers/ik_model.h"

#include <stddef.h>

enum { UG_BUNDLE_TIE_TERMS = 4 };

/// A soft linear equation between parameters: Σ coefficient · p = 0.
typedef struct ug_bundle_tie {
    int parameter[UG_BUNDLE_TIE_TERMS]; ///< −1 = unused term
    double coefficient[UG_BUNDLE_TIE_TERMS];
    double constant; ///< added to the sum
    double sigma;
} ug_bundle_tie;

typedef struct ug_bundle_shape {
    size_t coordinate_count; ///< 3 (joint_count + marker_count)
    int *parameter;          ///< (coordinate_count) −1 = the coordinate is fixed
    double *slope;           ///< (coordinate_count) d coordinate / d parameter
    double *base;            ///< (coordinate_count) metres, at parameter 0
    size_t parameter_count;
    double *value; ///< (parameter_count) in and out
    double *prior; ///< (parameter_count)
    double *sigma; ///< (parameter_count) > 0; INFINITY = no prior
    size_t tie_count;
    ug_bundle_tie *ties; ///< owned
} ug_bundle_shape;

/// A shape with every coordinate fixed where `model` has it and room for `parameter_count`
/// parameters: value 0, prior 0, sigma INFINITY. ug_bundle_shape_fini() it.
///
/// @return UG_E_NOMEM, `shape` empty then
UG_CHECKED ug_status ug_bundle_shape_init(ug_bundle_shape *shape, const ug_ik_model *model,
                                          size_t parameter_count, ug_error *err);

/// NULL is fine.
void ug_bundle_shape_fini(ug_bundle_shape *shape);

/// Append a tie. @return UG_E_NOMEM
UG_CHECKED ug_status ug_bundle_shape_tie(ug_bundle_shape *shape, const ug_bundle_tie *tie,
                                         ug_error *err);

/// Write the coordinates that `value` stands for into the model.
void ug_bundle_shape_apply(ug_ik_model *model, const ug_bundle_shape *shape);

/// Cost E, and its normal equations added.
///
/// @param hessian   (parameter_count x parameter_count) row-major, lower triangle; NULL = no
/// @param gradient  (parameter_count) −½ dE/dp is added; NULL exactly when `hessian` is
double ug_bundle_shape_cost(double *hessian, double *gradient, const ug_bundle_shape *shape);
