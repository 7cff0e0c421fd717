// SPDX-License-Identifier: MIT
// The state of a calibration between its steps, and the steps: poses of the candidate frames from
// a cold start, coarse proportions, bundles.
//
// Not an interface for other rooms: see solvers/calibrate.h. Steps are called in the order they
// stand in here.
#pragma once

#include "solvers/calibrate_bundle.h"
#include "solvers/calibrate_samples.h"
#include "solvers/ik_cold.h"

typedef struct ug_fit {
    const ug_calibrate_options *options;
    ug_skeleton *skeleton;      ///< scaled to the person: the priors, owned
    ug_attachments attachments; ///< the priors, owned
    ug_ik_model *model;         ///< the shape as it is now, owned
    size_t count;               ///< candidate frames
    double *measured_m;         ///< (count x marker_count x 3)
    double *weight;             ///< (count x marker_count)
    double *poses;              ///< (count x pose_size)
    double *cost;               ///< robust cost of a frame over its visible markers (count)
    ug_ik_library library;      ///< where solves start from
    size_t *chosen;             ///< frames of the last bundle (count), chosen_count of them
    size_t chosen_count;
    ug_bundle_shape shape; ///< of the last bundle: values, priors and σ
} ug_fit;

/// Copy `skeleton` and `attachments`, pick `rows` (row_count) out of `samples`.
///
/// @param fit  ug_fit_fini() it, also on failure
/// @return what ug_ik_model_create returns; UG_E_NOMEM
UG_CHECKED ug_status ug_fit_init(ug_fit *fit, const ug_skeleton *skeleton,
                                 const ug_attachments *attachments, const ug_samples *samples,
                                 const size_t *rows, size_t row_count,
                                 const ug_calibrate_options *options, ug_error *err);

/// NULL is fine.
void ug_fit_fini(ug_fit *fit);

/// Take the weights of `rows` again, after samples were left out.
void ug_fit_take_weights(ug_fit *fit, const ug_samples *samples, const size_t *rows);

/// Poses and costs of all candidates from the library: canonical postures at first, the poses of
/// the last bundle afterwards.
UG_CHECKED ug_status ug_fit_pose(ug_fit *fit, ug_error *err);

/// One scale for each group of bones and markers, on the best quarter of the candidates; becomes
/// the prior. Hips keep to the body's size.
UG_CHECKED ug_status ug_fit_proportions(ug_fit *fit, ug_error *err);

/// Choose frames (the worst `drop_share` excepted) and estimate bones, places and poses together.
UG_CHECKED ug_status ug_fit_bundle(ug_fit *fit, double drop_share, ug_error *err);

/// Make the model's shape the prior, or the other way round.
void ug_fit_shape_to_prior(ug_fit *fit);
void ug_fit_prior_to_shape(ug_fit *fit);
