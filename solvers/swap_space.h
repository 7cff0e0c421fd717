// SPDX-License-Identifier: MIT
// What a take says about which marker is which: how far apart two of them usually are, and where
// their neighbours carry one that was out of sight. For solvers/swap*.c only.
//
// Robust statistics of the whole take: a label that is on the wrong marker for less than half of
// the time does not move them.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"

/// Points of kind MARKER, and the distances between them.
typedef struct ug_swap_space {
    const ug_markers *markers; ///< borrowed
    size_t count;
    size_t *columns;  ///< owned: column of `markers`                        (count)
    float *median_m;  ///< owned: NaN: not seen together often enough        (count x count)
    float *spread_m;  ///< owned: 1.4826 median absolute deviation           (count x count)
    float *nearest_m; ///< owned: least distance in the frames looked at     (count x count)
} ug_swap_space;

/// Looks at 600 frames at most, evenly spread.
///
/// @param space    `*space` overwritten; ug_swap_space_fini() it
/// @param workers  threads; the result is the same for any
/// @return UG_E_NOMEM
///
/// O(count² · 600 log 600)
UG_CHECKED ug_status ug_swap_space_init(ug_swap_space *space, const ug_markers *markers,
                                        size_t workers, ug_error *err);

/// Releases what is below. NULL is fine.
void ug_swap_space_fini(ug_swap_space *space);

static inline bool ug_swap_seen(const ug_swap_space *space, size_t frame, size_t member)
{
    return ug_markers_present(space->markers, frame, space->columns[member]);
}

static inline ug_vec3 ug_swap_place_m(const ug_swap_space *space, size_t frame, size_t member)
{
    return ug_markers_position_m(space->markers, frame, space->columns[member]);
}

enum { UG_SWAP_CARRIER_MAX = 5 };

/// Markers that say where another one is carried from one frame to a later one.
typedef struct ug_swap_carriers {
    size_t count;
    size_t members[UG_SWAP_CARRIER_MAX];
    double weights[UG_SWAP_CARRIER_MAX];
} ug_swap_carriers;

/// Those seen in both frames whose distance to `member` is steadiest; none of `excluded`. A frame
/// of SIZE_MAX asks nothing.
void ug_swap_carriers_choose(ug_swap_carriers *carriers, const ug_swap_space *space, size_t member,
                             size_t from, size_t to, const size_t *excluded, size_t excluded_count);

/// Where `place_m` of frame `from` is at frame `to` if it moves along: rigidly with three carriers
/// or more, shifted with fewer, at rest with none. The carriers must be seen in both frames.
ug_vec3 ug_swap_carry_m(const ug_swap_space *space, const ug_swap_carriers *carriers,
                        ug_vec3 place_m, size_t from, size_t to);

/// How far off that is for `member` over as many frames, as a rule: the upper quartile over up to
/// 24 stretches of the take in which all are seen at both ends; 0.1 m when there are fewer than 6.
double ug_swap_carry_error_m(const ug_swap_space *space, const ug_swap_carriers *carriers,
                             size_t member, size_t length);
