// SPDX-License-Identifier: MIT
// Judge every suspected group, act on the likeliest, and judge again what that changes: an exchange
// spoils the distances and the motion that its neighbours are judged by. For solvers/swaps.c only.
#pragma once

#include "solvers/swaps.h"

/// @param made      every exchange put right in `markers`, in the order it was done, each first
///                  and last frame with samples; undo them in reverse with ug_swap_put_back().
///                  Start from empty; filled in as far as it came on failure, too
/// @param unsure    those that were not sure at the end. Start from empty
/// @param markers   samples moved; no origin bit set
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_swap_rounds(ug_swaps *made, ug_swaps *unsure, ug_markers *markers,
                                    const ug_swaps_opts *opts, ug_error *err);

/// Undo one exchange of `made`.
void ug_swap_put_back(ug_markers *markers, const ug_swap *swap);

/// Append a copy. @return UG_E_NOMEM
UG_CHECKED ug_status ug_swaps_append(ug_swaps *swaps, const ug_swap *swap, ug_error *err);

/// By first frame, then by markers.
void ug_swaps_sort(ug_swaps *swaps);
