// SPDX-License-Identifier: MIT
// Which groups of markers are worth a closer look: a cheap pass over the whole take.
// For solvers/swap*.c only.
//
// Generous on purpose: what is suspected is judged by solvers/swap_path.h. A group is suspected
// when, in some frame, its members are where the others were expected; when they were out of
// sight together and come back so; or when two of them come nearer to each other than they move
// between two frames.
#pragma once

#include "solvers/swap_group.h"

typedef struct ug_swap_suspects {
    size_t count;
    ug_swap_group *groups; ///< owned; each once, in ascending order of the members
} ug_swap_suspects;

/// @return UG_E_NOMEM. ug_swap_suspects_fini() it in any case.
///
/// O(frame_count · count²)
UG_CHECKED ug_status ug_swap_suspects_find(ug_swap_suspects *suspects, const ug_swap_space *space,
                                           ug_error *err);

/// NULL is fine.
void ug_swap_suspects_fini(ug_swap_suspects *suspects);
