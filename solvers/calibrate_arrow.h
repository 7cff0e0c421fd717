// SPDX-License-Identifier: MIT
// Least squares with many private blocks and one shared set of unknowns: the arrow matrix of
// calibration, where the pose of a frame is private and the bones are shared.
//
//     [ A_1          B_1 ] [x_1]   [a_1]
//     [      A_2     B_2 ] [x_2] = [a_2]         A_t (block x block), S (shared x shared),
//     [ B_1' B_2' …  S   ] [ y ]   [ s ]         both symmetric positive definite once damped
//
// The blocks are eliminated (Schur complement), so the cost is linear in their number. Not for
// unknowns shared by a few blocks only.
// Source: Triggs et al. 2000, "Bundle adjustment: a modern synthesis", LNCS 1883, §6.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ug_arrow {
    size_t count;  ///< private blocks
    size_t block;  ///< unknowns of a block
    size_t shared; ///< shared unknowns
    double *A;     ///< row-major, lower triangle    (count x block x block)
    double *B;     ///< d²E / d private d shared     (count x block x shared)
    double *a;     ///< right-hand side              (count x block)
    double *S;     ///< row-major, lower triangle    (shared x shared)
    double *s;     ///< right-hand side              (shared)
    double *work;  ///< of the solution; contents are nobody's business
} ug_arrow;

/// Zeroed arrays, one of the sizes may be 0. ug_arrow_fini() it.
///
/// @return UG_E_NOMEM, `arrow` empty then
UG_CHECKED ug_status ug_arrow_init(ug_arrow *arrow, size_t count, size_t block, size_t shared,
                                   ug_error *err);

/// NULL is fine.
void ug_arrow_fini(ug_arrow *arrow);

/// Set every coefficient to zero.
void ug_arrow_clear(ug_arrow *arrow);

/// Solve with every diagonal entry d raised to d (1 + lambda) + floor: Marquardt's scaling, and a
/// floor for unknowns that nothing speaks of. The coefficients stay as they are, so that another
/// lambda can be tried.
///
/// @param x       (count x block)
/// @param y       (shared)
/// @param jobs    threads; the result does not depend on it
/// @return false when a pivot is not positive (raise lambda); x and y are garbage then
///
/// O(count · block · (block + shared)²), allocates nothing.
bool ug_arrow_solve(double *x, double *y, ug_arrow *arrow, double lambda, double floor,
                    size_t jobs);
