// SPDX-License-Identifier: MIT
// What a linear regression cannot say: regressions on likeness to examples.
//
// ug_gap_kernel_table: columns of Gaussian likeness to 200 example rows, in bridge space, beside
// the linear ones: for ug_gap_ridge (kernel ridge with anchors). ug_gap_level: where the marker was
// in frames with a like pose (a weighted mean of 500 of them), less the line between what that
// gives at both ends. Neither for few windows: then stacking gives them no weight.
// Source: Smola & Schölkopf 2000, sparse greedy kernel ridge; Specht 1991, "A general regression
// neural network" (Nadaraya-Watson).
#pragma once

#include "solvers/gap_ridge.h"
#include "solvers/gap_rows.h"

enum { UG_GAP_ANCHORS = 100, UG_GAP_EXAMPLES = 500 };

/// Fill table->x and ->ask with the first `linear` columns of the rows and one per anchor.
///
/// @param table    columns and ->noise are set here; x has room for
///                 (rows x UG_GAP_TABLE_COLUMNS_MAX); y, folds, weights: the caller's
/// @param root     square roots of the rows' weights          (rows)
/// @param noise    of the linear columns, as ug_gap_table; read only when table->noise is not NULL
void ug_gap_kernel_table(ug_gap_table *table, const ug_gap_rows *rows, const ug_gap_rows *ask,
                         const double *root, const double *noise, size_t linear);

/// @param left_out  for every row, from examples of other folds, not weighted (rows x 3)
/// @param answer    for every row of `ask`                                    (ask x 3)
/// @param columns   of `near` that a pose is compared by
void ug_gap_level(double *left_out, double *answer, const ug_gap_rows *rows, const ug_gap_rows *ask,
                  const size_t *fold_row, size_t columns);
