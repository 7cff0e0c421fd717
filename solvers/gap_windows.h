// SPDX-License-Identifier: MIT
// Stretches of a take in which a marker was seen and that stand in for a gap of it: what a filler
// learns from, and what it is judged by.
//
// A window has the gap's length where the take has enough such stretches, else a half of it, a
// quarter, …: what is then learned is used as it is, and the error found is an underestimate (see
// `length`). Windows are cut into five folds of whole blocks of time, so that a filler is judged on
// stretches it has not learned from: neighbouring frames are copies of each other.
#pragma once

#include "solvers/gap_frame.h"

enum {
    UG_GAP_WINDOWS_MAX = 300,
    UG_GAP_POSITIONS_MAX = 12,
    UG_GAP_FEATURES_MAX = 40,
    UG_GAP_FOLDS = 5,
    UG_GAP_SLOPE_FRAMES = 3, ///< frames beyond an end that its slope is taken over
};

/// The markers a filler may read, and the frame it works in.
typedef struct ug_gap_company {
    size_t marker; ///< the one to fill
    ug_gap_frame frame;
    size_t feature_count;
    size_t features[UG_GAP_FEATURES_MAX]; ///< the likeliest to help first, but sound ones before
    size_t sound_count;                   ///< others: seen through the gap, or as good as seen
    bool fills;                           ///< FILLED samples count as there; else only SEEN ones
} ug_gap_company;

typedef struct ug_gap_windows {
    size_t length; ///< frames
    size_t count;
    size_t first[UG_GAP_WINDOWS_MAX]; ///< by fold, then by time
    size_t fold_start[UG_GAP_FOLDS + 1];
    size_t position_count;
    size_t position[UG_GAP_POSITIONS_MAX]; ///< frames from `first`, evenly spread
} ug_gap_windows;

/// Choose frame, features and windows for a gap.
///
/// A feature that is there in the gap but rarely elsewhere is left out, so that windows remain.
///
/// @param fills  lean on earlier fills too, in the gap and in the windows
/// @return false when no three markers span a frame through the gap. Where nothing can stand in for
///         it, windows->count is 0
///
/// O(markers · windows), allocates nothing.
bool ug_gap_windows_choose(ug_gap_windows *windows, ug_gap_company *company,
                           const ug_gap_scene *scene, const ug_gap *gap, bool fills);
