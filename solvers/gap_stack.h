// SPDX-License-Identifier: MIT
// Blend several fills of one gap by how they do on windows they have not learned from.
//
// Weights are not negative and sum to 1, so that a blend is never wilder than its parts and few
// weights are not 0; one set for the whole gap and one per quarter of it, averaged half and half.
// Source: Wolpert 1992, "Stacked generalization"; Breiman 1996, "Stacked regressions"; Lawson &
// Hanson 1974, "Solving Least Squares Problems", ch. 23 (NNLS).
#pragma once

#include "solvers/gap_windows.h"

enum { UG_GAP_STACK_MAX = 24, UG_GAP_STACK_BINS = 4 };

typedef struct ug_gap_stack {
    size_t count;                                     ///< fills
    double whole[UG_GAP_STACK_MAX];                   ///< weights
    double bins[UG_GAP_STACK_BINS][UG_GAP_STACK_MAX]; ///< weights per quarter
} ug_gap_stack;

/// Products of what fills get wrong, by fold and quarter.
typedef struct ug_gap_stack_sums {
    size_t count; ///< fills
    size_t rows[UG_GAP_FOLDS][UG_GAP_STACK_BINS];
    double gram[UG_GAP_FOLDS][UG_GAP_STACK_BINS][UG_GAP_STACK_MAX * UG_GAP_STACK_MAX];
} ug_gap_stack_sums;

/// @param fills     what each says of every row                (count pointers to rows x 3)
/// @param truth     (rows x 3); rows of both times the square root of their weight
/// @param share     where in the gap a row is, 0 … 1           (rows)
/// @param fold_row  first row of every fold, and the end       (UG_GAP_FOLDS + 1)
void ug_gap_stack_sum(ug_gap_stack_sums *sums, const double *const *fills, size_t count,
                      const double *truth, const double *share, const size_t *fold_row);

/// @param without  a fold that does not count, to see how the others' weights do on it;
///                 UG_GAP_FOLDS: all count
void ug_gap_stack_fit(ug_gap_stack *stack, const ug_gap_stack_sums *sums, size_t without);

/// Weights at a place in the gap, linear between the middles of the quarters.
///
/// @param weights  (stack->count)
void ug_gap_stack_weights(double *weights, const ug_gap_stack *stack, double share);

/// Minimise a' G a - 2 c' a for a >= 0 with sum 1.
///
/// @param a     (n), n <= UG_GAP_STACK_MAX
/// @param gram  G, symmetric, positive semidefinite   (n x n)
void ug_gap_simplex_least_squares(double *a, const double *gram, const double *c, size_t n);
