// SPDX-License-Identifier: MIT
// What a series of exchanges comes to. For solvers/swaps.c only.
//
// Two exchanges of the same labels undo each other where they overlap, and two that share a label
// make a ring: what is said of a take is which label held what, not how that was found out.
#pragma once

#include "solvers/swaps.h"

/// @param net   start from empty; exchanges by time, no label in two of them in one frame. Rings of
///              more than UG_SWAP_MARKERS_MAX are given as the exchanges they were made of
/// @param made  exchanges in the order they were put right
/// @return UG_E_NOMEM
///
/// O(made²)
UG_CHECKED ug_status ug_swap_net(ug_swaps *net, const ug_swaps *made, ug_error *err);
