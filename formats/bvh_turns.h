// SPDX-License-Identifier: MIT
// Degrees to quaternions in bulk: the part of a BVH load that would otherwise be all sin and cos.
//
// Half angles are split at multiples of 45/64°, exactly in floating point; a table gives sine and
// cosine there and two short series the rest (remainder below 0.0031 rad, error below 1.5 ulp).
// Branch-free, the same bits on every machine with the same libm.
#pragma once

#include "motion/quat.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { UG_TURN_STEPS = 1024 };

/// Sine and cosine of the half angle at n · 720/1024 degrees.
typedef struct ug_turn_table {
    double sine[UG_TURN_STEPS], cosine[UG_TURN_STEPS];
} ug_turn_table;

void ug_turn_table_init(ug_turn_table *table);

/// Sine and cosine of half of `angle_deg`, |angle_deg| below 1e9.
static inline void ug_turn_half(double *sine, double *cosine, const ug_turn_table *table,
                                double angle_deg)
{
    // adding 1.5·2^52 rounds to a whole number that stands in the low bits
    const double magic = 6755399441055744.0;
    const double shifted = angle_deg * (UG_TURN_STEPS / 720.0) + magic;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    const size_t n = bits & (UG_TURN_STEPS - 1);
    const double rest_deg = angle_deg - (shifted - magic) * (720.0 / UG_TURN_STEPS); // exact
    const double r = rest_deg * (3.14159265358979323846 / 360.0);
    const double r2 = r * r;
    const double s = r - r * r2 * (1.0 / 6.0 - r2 * (1.0 / 120.0));
    const double c = r2 * (0.5 - r2 * (1.0 / 24.0)); // 1 − cos r
    const double sn = table->sine[n], cn = table->cosine[n];
    *sine = sn + (cn * s - sn * c);
    *cosine = cn - (sn * s + cn * c);
}

/// R_i(a) R_j(b) R_k(c) for three different axes.
///
/// @param out   four doubles, w x y z
/// @param axes  0 = x, 1 = y, 2 = z
/// @param sign  1 when axes are cyclic (xyz, yzx, zxy), else -1
static inline void ug_turn_three(double *out, const ug_turn_table *table, const int axes[3],
                                 double sign, double a_deg, double b_deg, double c_deg)
{
    double sa, ca, sb, cb, sc, cc;
    ug_turn_half(&sa, &ca, table, a_deg);
    ug_turn_half(&sb, &cb, table, b_deg);
    ug_turn_half(&sc, &cc, table, c_deg);
    const double cacc = ca * cc, sasc = sa * sc, sacc = sa * cc, casc = ca * sc;
    const double tb = sign * sb;
    out[0] = cacc * cb - sasc * tb;
    out[1 + axes[0]] = sacc * cb + casc * tb;
    out[1 + axes[1]] = cacc * sb - sign * sasc * cb;
    out[1 + axes[2]] = casc * cb + sacc * tb;
}

/// The product of `count` elementary turns in the order written, any axes.
ug_quat ug_turn_product(const ug_turn_table *table, const int axes[], const double angles_deg[],
                        int count);
