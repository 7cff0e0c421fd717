// SPDX-License-Identifier: MIT
// The fills that one gap can get from the other markers, each with what it says of every window it
// has not learned from.
//
// Rigid (no bridge), the marker's own line and cubic, its neighbour's path; ridge regressions on
// none, 5, 10 and all features; kernel ridge on 5 and 12; a level estimate on 5. Which of them to
// believe is for solvers/gap_stack.h.
#pragma once

#include "solvers/gap_kernel.h"
#include "solvers/gap_stack.h"

/// How predicted errors fit those found on windows that had no part in them.
typedef struct ug_gap_check {
    double found_mm2, predicted_mm2; ///< sums of mean squares, per fold and position
    size_t within, count;            ///< of them those found within twice the predicted, and all
} ug_gap_check;

/// Memory of one thread.
typedef struct ug_gap_workspace {
    size_t longest;
    ug_gap_windows windows;
    ug_gap_company company;
    ug_gap_rows rows, ask;
    double *root;                       ///< square roots of the rows' weights
    double *y;                          ///< rows->y times root
    double *x, *question;               ///< of a table
    double *left_out[UG_GAP_STACK_MAX]; ///< of every fill of the pool    (rows x 3)
    double *answer[UG_GAP_STACK_MAX];   ///<                              (longest x 3)
    double noise_mm2[UG_GAP_STACK_MAX];
    ug_fill_method method[UG_GAP_STACK_MAX];
    size_t pool_count;
    ug_fill_method used; ///< what the fill is in the end
    ug_gap_sums sums;
    ug_gap_stack_sums stack_sums;
    ug_gap_check check; ///< all 0 where nothing could be checked
    double noise[UG_GAP_TABLE_COLUMNS_MAX];
    double *mm;      ///< the fill                                 (longest x 3)
    float *error_mm; ///< its predicted error                      (longest)
} ug_gap_workspace;

/// For gaps of up to `longest` frames. ug_gap_workspace_destroy() it; NULL when out of memory.
ug_gap_workspace *ug_gap_workspace_create(size_t longest);
void ug_gap_workspace_destroy(ug_gap_workspace *workspace);

/// Run the fills that make up `method` (UG_FILL_STACKED: all) on the rows that are there.
///
/// @param noise  variance per column of the rows where a feature is a fill (columns)
void ug_gap_pool_fill(ug_gap_workspace *workspace, const double *noise, ug_fill_method method);
