// SPDX-License-Identifier: MIT
// Which frames to calibrate on: spread over the takes, free of the worst, as different as possible.
#pragma once

#include "solvers/calibrate_samples.h"
#include "solvers/ik_model.h"

/// `count` usable rows (or all, when there are fewer) spread evenly over each take; each take gets
/// at least 6 where it has them, the rest by its number of usable rows.
///
/// @param out     (min(count, usable_count) + 6 · take_count) ascending
/// @param usable  (usable_count) ascending rows
/// @return rows written
size_t ug_frames_spread(size_t *out, size_t count, const ug_samples *samples, const size_t *usable,
                        size_t usable_count, size_t take_count);

/// Mark the worst `share` of the frames by `cost` (ties: later ones).
///
/// @param keep     (count) written
/// @param scratch  (count)
void ug_frames_drop_worst(bool *keep, double *scratch, const double *cost, size_t count,
                          double share);

/// Farthest-point sampling: start at the cheapest kept frame, then always the kept frame whose
/// nearest chosen one is farthest, by the markers' predicted places in the root's frame. Measured
/// places would prefer mislabelled frames. Then, for every marker seen in fewer than 3 chosen
/// frames, kept frames that show it.
///
/// Gonzalez 1985, "Clustering to minimize the maximum intercluster distance".
///
/// @param chosen  (count) ascending
/// @param keep    (count)
/// @param poses   (count x pose_size)
/// @param weight  (count x marker_count)
/// @param chosen_count  how many; 0 only when nothing is kept
/// @return UG_E_NOMEM. O(count · wanted · marker_count)
UG_CHECKED ug_status ug_frames_farthest(size_t *chosen, size_t *chosen_count, size_t wanted,
                                        const ug_ik_model *model, const double *poses,
                                        const double *weight, const double *cost, const bool *keep,
                                        size_t count, ug_error *err);
