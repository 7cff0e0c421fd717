// SPDX-License-Identifier: MIT
// Labels lie: markers that follow something else for a stretch, labels exchanged on one segment.
#pragma once

#include "solvers/calibrate_bundle.h"
#include "solvers/calibrate_samples.h"

/// Leave out (UG_SAMPLE_STRAY) every sample that is farther from two or more of its neighbours than
/// the bones allow in any pose: by more than 1.3 times and 15 cm when the bones are only guessed,
/// 1.05 times and 5 cm when they are known. Neighbours are the markers within three bones; in each
/// frame the marker that most others contradict goes first.
///
/// @param skeleton, attachments  guessed: the template scaled to the person; known: calibrated
/// @return UG_E_NOMEM. O(frames · markers · neighbours)
UG_CHECKED ug_status ug_labels_drop_strays(ug_samples *samples, const ug_skeleton *skeleton,
                                           const ug_attachments *attachments, bool bones_known,
                                           ug_error *err);

/// Find pairs of markers on one segment that seem to wear each other's label: their median places,
/// as seen from the solved segment (or, where a ball joint stays more than 100° from rest, from the
/// segment at rest), fit the other's prior clearly better than their own. A suspicion only: solve
/// again with the labels exchanged and keep what costs less.
///
/// @param partner  (marker_count) the marker whose label each one wears, −1 as a rule
/// @param pairs    how many
/// @param model    its places are the priors
/// @param sigma_m  (marker_count) σ of the priors, > 0
/// @param poses    (frames->count x pose_size) solved with the labels as they are
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_labels_find_exchanged(int *partner, size_t *pairs, const ug_ik_model *model,
                                              const ug_vec3 *sigma_m, const double *poses,
                                              const ug_bundle_frames *frames, ug_error *err);
