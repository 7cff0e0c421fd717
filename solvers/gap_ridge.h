// SPDX-License-Identifier: MIT
// Ridge regression whose penalty is chosen, and whose error is known, by folds left out.
//
// Rows come by fold, each already times the square root of its weight, so that sums of squares are
// weighted ones. Sums of products are taken once per fold; leaving a fold out is a subtraction.
// Not for columns of very unlike size: scale them (ug_gap_table_scale).
// Source: Hoerl & Kennard 1970, "Ridge regression"; errors in variables as a penalty: Fuller 1987,
// "Measurement error models", ch. 2.
#pragma once

#include "solvers/gap_windows.h"

enum { UG_GAP_TABLE_COLUMNS_MAX = 320 };

/// What is learned from, and what is asked.
typedef struct ug_gap_table {
    size_t columns;                    ///< of x and ask, and their stride
    double *x;                         ///< (fold_row[UG_GAP_FOLDS] x columns)
    const double *y;                   ///< (rows x 3)
    size_t fold_row[UG_GAP_FOLDS + 1]; ///< first row of every fold, and the end
    double *ask;                       ///< rows to answer, not weighted  (ask_count x columns)
    size_t ask_count;
    double *noise;     ///< variance of every column where it is asked beyond that in x; may be NULL
    double weight_sum; ///< of all rows
} ug_gap_table;

/// Sums of products of a table. ug_gap_sums_fini() it.
typedef struct ug_gap_sums {
    size_t columns;
    double *xx, *xy; ///< (UG_GAP_FOLDS + 1 x columns x columns), (… x columns x 3); the last: all
    double *work;    ///< (columns x columns + 3 columns)
} ug_gap_sums;

/// Room for tables of up to `columns`. False when out of memory; then too ug_gap_sums_fini() it.
bool ug_gap_sums_init(ug_gap_sums *sums, size_t columns);
void ug_gap_sums_fini(ug_gap_sums *sums);

/// Bring every column of x to a mean square of 1 (ask and noise with it); one that is 0 stays.
void ug_gap_table_scale(ug_gap_table *table);

/// O(rows · columns²)
void ug_gap_sums_take(ug_gap_sums *sums, const ug_gap_table *table);

/// Regress y on the first `columns` columns.
///
/// @param left_out  what folds left out say of every row, weighted like y (rows x 3)
/// @param answer    of all rows together, for `ask`                       (ask_count x 3)
/// @param noise_mm2 added to the mean square error of an answer by the noise of its columns
/// @return false when nothing could be solved; then all is 0
///
/// About 10 · columns³ operations; allocates nothing.
bool ug_gap_ridge(double *left_out, double *answer, double *noise_mm2, ug_gap_sums *sums,
                  const ug_gap_table *table, size_t columns);
