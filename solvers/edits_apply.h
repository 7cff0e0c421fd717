// SPDX-License-Identifier: MIT
// Replay hand edits on a take's markers: fill, swap, keep, clear, rename, merge, drop, split.
//
// Edits are done in the order of the list, each on what the ones before it left, so a rename
// changes the name that later edits must use. Labels may say whose ("subject:LASI"). Contact edits
// are not for markers; they are counted and left to the stage that detects contacts.
//
// What an edit wrote has UG_ORIGIN_EDITED: filled samples with FILLED, those that changed their
// label with REPAIRED. A cleared sample is missing and has no bit. Which labels are right where is
// settled by a swap or a keep: what looks for swaps afterwards leaves them (solvers/swaps.h).
#pragma once

#include "motion/markers.h"
#include "motion/recipe.h"
#include "motion/status.h"
#include "motion/warnings.h"
#include "solvers/swaps.h"

typedef struct ug_edits_report {
    size_t filled_samples, swapped_samples, cleared_samples, renamed_markers;
    size_t merged_samples, split_samples, dropped_markers;
    size_t contact_edits; ///< not done here
    size_t settled_count;
    ug_swap_settled *settled; ///< owned: pairs whose labels a person has seen to
    size_t column_count;
    size_t *columns; ///< owned: of each column now, the one it was; SIZE_MAX: new
} ug_edits_report;

/// Releases what is below. NULL is fine.
void ug_edits_report_fini(ug_edits_report *report);

/// A fill covers the missing samples within its frames; each gap is seen whole, also beyond them,
/// and may be longer than ug_gap_fill() would fill. Without a method: the cubic up to
/// 0.06 s, else what does best (solvers/gap_regress.h).
///
/// A merge gives the first marker those samples of the second in whose frames it has none; over the
/// whole take the second marker goes then, and with it the samples of frames in which both are
/// there (warned of: "merge_overlap"). A split makes a new marker. An unlabelled point that gets a
/// name is a marker.
///
/// Warns "edit_without_effect" for a fill with nothing missing, a clear of nothing, a swap of
/// nothing with nothing, a merge or a split of nothing.
///
/// @param markers   edited in place; unchanged on failure
/// @param report    written on success, ug_edits_report_fini() it; may be NULL
/// @param warnings  may be NULL
/// @return UG_E_DATA, naming the edit's line, for an unknown label, frames outside the take, a
///         label swapped or merged with itself or given to two markers, an unknown method;
///         UG_E_NOT_ENOUGH when a gap cannot be filled; UG_E_DATA as ug_markers_check(); UG_E_NOMEM
///
/// Copies the markers once.
UG_CHECKED ug_status ug_edits_apply(ug_markers *markers, ug_edits_report *report,
                                    ug_warnings *warnings, const ug_edits *edits, ug_error *err);
