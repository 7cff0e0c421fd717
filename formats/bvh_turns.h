// SPDX-License-Identifier: MIT
// Degrees to quaternions in bulk: the part of a BVH load that would otherwise be all sin and cos.
//
// Half angles are split at multiples of 45/64°, exactly in floating point; a table gives sine and
// cosine there and two short series the rest (remainder below 0.0031 rad, error below 1.5 ulp).
// Without a branch, so that it runs in vector registers; the same bits whatever their width.
#pragma once

#include "motion/quat.h"

#include <stddef.h>

enum { UG_TURN_STEPS = 1024 };

/// Sine and cosine of the half angle at n · 720/1024 degrees.
typedef struct ug_turn_table {
    double sine_cosine[UG_TURN_STEPS][2];
} ug_turn_table;

void ug_turn_table_init(ug_turn_table *table);

/// Sine and cosine of half of every angle, |angle| below 1e9 degrees.
///
/// @param half        (count x 2) sine, cosine
/// @param angles_deg  (count)
void ug_turn_halves(double *half, const ug_turn_table *table, const double *angles_deg,
                    size_t count);

/// R_i(a) R_j(b) R_k(c) for three different axes.
///
/// @param out      four doubles, w x y z
/// @param axes     0 = x, 1 = y, 2 = z
/// @param sign     1 when axes are cyclic (xyz, yzx, zxy), else -1
/// @param a, b, c  sine and cosine of the three half angles
static inline void ug_turn_three(double *out, const int axes[3], double sign, const double *a,
                                 const double *b, const double *c)
{
    const double cc = a[1] * c[1], ss = a[0] * c[0], sc = a[0] * c[1], cs = a[1] * c[0];
    const double tb = sign * b[0];
    out[0] = cc * b[1] - ss * tb;
    out[1 + axes[0]] = sc * b[1] + cs * tb;
    out[1 + axes[1]] = cc * b[0] - sign * ss * b[1];
    out[1 + axes[2]] = cs * b[1] + sc * tb;
}

/// `q` turned by one more elementary turn: q · R_axis.
static inline ug_quat ug_turn_append(ug_quat q, int axis, const double *half)
{
    return ug_quat_mul(q, (ug_quat){ half[1], axis == 0 ? half[0] : 0.0, axis == 1 ? half[0] : 0.0,
                                     axis == 2 ? half[0] : 0.0 });
}
