// SPDX-License-Identifier: MIT
// Find labels that were exchanged, and put them right: two markers or a ring of three, for one
// frame or for long, from one frame to the next or while all of them were out of sight.
//
// A group of markers is looked at where its labels may have changed (solvers/swap_suspects.h). The
// most likely course of its labels over the whole take follows from how each marker moves, where
// its neighbours carry it while it is hidden, and whether it keeps its distances to them
// (solvers/swap_group.h): a long exchange is so put right on its right side. Only what is far
// likelier than no exchange is acted on; what is not sure is listed and left.
//
// When NOT: labels exchanged for more than half of the take look right to themselves, and those
// exchanged throughout never jump: calibrate finds these (solvers/calibrate_labels.h). One label
// that goes astray, with no partner to change with, is no exchange (solvers/spikes.h). Markers that
// lie alike to everything around them and were hidden for long cannot be told apart.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

enum { UG_SWAP_MARKERS_MAX = 4 };

typedef enum ug_swap_outcome {
    UG_SWAP_UNSURE = 0,   ///< may be one: left as it is
    UG_SWAP_FOUND = 1,    ///< is one: left, as was asked for
    UG_SWAP_REPAIRED = 2, ///< was one: the samples are with their own labels now
} ug_swap_outcome;

/// From frame `first` to `last`, both with samples, label markers[i] held what belongs to
/// markers[i + 1], and the last what belongs to the first.
typedef struct ug_swap {
    size_t count;                        ///< 2, or more: a ring
    size_t markers[UG_SWAP_MARKERS_MAX]; ///< columns, the lowest first
    size_t first, last;
    double gain; ///< log of the odds against no exchange
    ug_swap_outcome outcome;
} ug_swap;

typedef struct ug_swaps {
    size_t count;
    ug_swap *items; ///< owned, by first frame
} ug_swaps;

/// Labels a person has settled: no exchange of any two of them is made within these frames.
typedef struct ug_swap_settled {
    size_t first, last;
    size_t markers[2];
} ug_swap_settled;

typedef struct ug_swaps_opts {
    bool repair;                    ///< Default true
    size_t workers;                 ///< threads; the result is the same for any. Default 1
    const ug_swap_settled *settled; ///< borrowed (settled_count). Default NULL
    size_t settled_count;
} ug_swaps_opts;

ug_swaps_opts ug_swaps_default_opts(void);

/// Releases what is below. NULL is fine.
void ug_swaps_fini(ug_swaps *swaps);

/// A sample that moves takes along all that is known of it, and gets UG_ORIGIN_REPAIRED; so does a
/// gap, which leaves nothing behind.
///
/// Warns "swap_repaired" or "swap_found" (opts->repair off), "swap_unsure" for what was left:
/// labels and frames of the first.
///
/// @param swaps     overwritten; ug_swaps_fini() it
/// @param markers   changed only with opts->repair; unchanged on failure
/// @param warnings  may be NULL
/// @param opts      NULL means the defaults
/// @return UG_E_DATA as ug_markers_check(); UG_E_NOMEM
///
/// O(frame_count · marker_count²) to look, O(frame_count) for each group that is suspected.
UG_CHECKED ug_status ug_swaps_find(ug_swaps *swaps, ug_markers *markers, ug_warnings *warnings,
                                   const ug_swaps_opts *opts, ug_error *err);
