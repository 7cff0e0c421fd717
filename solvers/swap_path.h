// SPDX-License-Identifier: MIT
// The most likely states of a group over a take, and what of them is sure enough to act on.
// For solvers/swap*.c only.
//
// Source: Viterbi 1967, "Error bounds for convolutional codes and an asymptotically optimum
// decoding algorithm", IEEE Trans. Inf. Theory 13; second order, as motion needs two samples back.
#pragma once

#include "solvers/swap_group.h"

/// Frames first … last in which a group is in `state`.
typedef struct ug_swap_stretch {
    size_t first, last;
    size_t state;
    double gain; ///< by how much it is likelier than no exchange, log of the odds
    bool sure;
} ug_swap_stretch;

/// Stretches in a state other than the first, by time; each begins and ends where a sample is.
///
/// @param stretches  `*stretches` (*count) is the caller's to free
/// @return UG_E_NOMEM
///
/// O(frame_count · state_count³); memory frame_count · state_count² bytes.
UG_CHECKED ug_status ug_swap_path(ug_swap_stretch **stretches, size_t *count,
                                  const ug_swap_model *model, ug_error *err);
