// SPDX-License-Identifier: MIT
// Doubt an exchange once more, sample by sample, before it is let stand. For solvers/swaps.c only.
//
// The search judges groups as a whole and may be wrong where little is seen. An exchange of two is
// doubted when the two are within UG_SWAP_APART_M of each other in its median frame (to exchange
// them gains nothing that is worth the risk); when it begins or ends out of sight and they are
// nearer to each other in it than they mostly are elsewhere (an exchange does not change that
// distance, so something else is wrong); and when it is short and its samples lie nearer to the
// straight path of the label they had than to that of the one they got.
//
// Not for rings, which are never doubted here, nor for how likely an exchange is
// (solvers/swap_path.h).
#pragma once

#include "solvers/swaps.h"

#define UG_SWAP_APART_M 0.01

/// @param markers  with the exchange put right
/// @return true when it is better left alone
///
/// O(frames of the exchange), at most 512 frames of the take beside it; allocates nothing.
bool ug_swap_doubtful(const ug_markers *markers, const ug_swap *swap);
