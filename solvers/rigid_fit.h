// SPDX-License-Identifier: MIT
// The rotation and shift that bring one set of points nearest to another.
//
// Least squares with weights (Kabsch 1976), by the largest eigenvector of Horn's 4 x 4 matrix (Horn
// 1987, "Closed-form solution of absolute orientation using unit quaternions", JOSA A 4): always a
// rotation, never a mirror image. Points on a line leave the turn about it open: check the shape
// first (ug_rigid_spread). Not for points with outliers.
#pragma once

#include "motion/quat.h"

#include <stddef.h>

/// to ~ rotate(q, from - from_centre) + to_centre
typedef struct ug_rigid {
    ug_quat q;
    ug_vec3 from_centre, to_centre;
} ug_rigid;

/// Best fit of `count` >= 1 point pairs.
///
/// @param from, to  any unit, finite
/// @param weights   (count) >= 0 with a positive sum; NULL means equal
///
/// About 1 µs for 4 points, allocates nothing.
ug_rigid ug_rigid_fit(const ug_vec3 *from, const ug_vec3 *to, const double *weights, size_t count);

static inline ug_vec3 ug_rigid_apply(const ug_rigid *fit, ug_vec3 from)
{
    return ug_vec3_add(fit->to_centre, ug_quat_rotate(fit->q, ug_vec3_sub(from, fit->from_centre)));
}

static inline ug_vec3 ug_rigid_invert(const ug_rigid *fit, ug_vec3 to)
{
    return ug_vec3_add(fit->from_centre, ug_quat_unrotate(fit->q, ug_vec3_sub(to, fit->to_centre)));
}

/// Root of the two largest eigenvalues of the scatter of points about their mean: how long and how
/// broad the set is. Three points on a line have a breadth of 0.
void ug_rigid_spread(double spread[2], const ug_vec3 *points, size_t count);
