// SPDX-License-Identifier: MIT
// The rigid motion that lays one point cloud on another.
//
// Least squares over weighted pairs; never a reflection. Collinear or coincident points leave
// turns undecided: some best rotation is returned then.
// Source: Horn 1987, "Closed-form solution of absolute orientation using unit quaternions",
// J. Opt. Soc. Am. A 4(4); the problem is Kabsch 1976's.
#pragma once

#include "motion/quat.h"

#include <stddef.h>

typedef struct ug_rigid {
    ug_quat q;
    ug_vec3 t;         ///< to ≈ q from q* + t
    double square;     ///< Σ w |to − (q from q* + t)|²
    double weight_sum; ///< 0 = no pair: q identity, t zero
} ug_rigid;

/// @param from, to  (count x 3); not read where the weight is 0, so NaN may stand there
/// @param weight    (count) >= 0; NULL = all 1
/// O(count), allocates nothing. Relative accuracy of `square` about 1e-15 of Σ w |from|².
ug_rigid ug_kabsch(const double *from, const double *to, const double *weight, size_t count);
