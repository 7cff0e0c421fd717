// SPDX-License-Identifier: MIT
// Three doubles with arithmetic. The unit is whatever the variable's suffix says.
//
// Header-only: every function is a few flops that must inline. An array of ug_vec3 is laid out
// as (n x 3) doubles.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct ug_vec3 {
    double x, y, z;
} ug_vec3;

_Static_assert(sizeof(ug_vec3) == 3 * sizeof(double), "ug_vec3 arrays are (n x 3) doubles");

static inline ug_vec3 ug_vec3_of(const double *p)
{
    return (ug_vec3){ p[0], p[1], p[2] };
}

static inline ug_vec3 ug_vec3_add(ug_vec3 a, ug_vec3 b)
{
    return (ug_vec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline ug_vec3 ug_vec3_sub(ug_vec3 a, ug_vec3 b)
{
    return (ug_vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline ug_vec3 ug_vec3_scale(ug_vec3 a, double s)
{
    return (ug_vec3){ a.x * s, a.y * s, a.z * s };
}

/// a + s b
static inline ug_vec3 ug_vec3_madd(ug_vec3 a, double s, ug_vec3 b)
{
    return (ug_vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double ug_vec3_dot(ug_vec3 a, ug_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ug_vec3 ug_vec3_cross(ug_vec3 a, ug_vec3 b)
{
    return (ug_vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double ug_vec3_norm(ug_vec3 a)
{
    return sqrt(ug_vec3_dot(a, a));
}

static inline double ug_vec3_distance(ug_vec3 a, ug_vec3 b)
{
    return ug_vec3_norm(ug_vec3_sub(a, b));
}

/// Unit vector along `a`; `fallback` when `a` is shorter than 1e-12.
static inline ug_vec3 ug_vec3_unit(ug_vec3 a, ug_vec3 fallback)
{
    const double n = ug_vec3_norm(a);
    return n > 1e-12 ? ug_vec3_scale(a, 1.0 / n) : fallback;
}

static inline ug_vec3 ug_vec3_lerp(ug_vec3 a, ug_vec3 b, double t)
{
    return ug_vec3_madd(a, t, ug_vec3_sub(b, a));
}

static inline bool ug_vec3_is_finite(ug_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
