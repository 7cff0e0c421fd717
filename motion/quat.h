// SPDX-License-Identifier: MIT
// Unit quaternions, w first: v' = q v q*. `q_parent_child` maps child coordinates to the parent's.
//
// Rotations are averaged and interpolated here, never as matrices or Euler angles. Small
// functions are inline; an array of ug_quat is laid out as (n x 4) doubles, w x y z.
// Source: Shoemake 1985, "Animating rotation with quaternion curves", SIGGRAPH.
#pragma once

#include "motion/vec3.h"

typedef struct ug_quat {
    double w, x, y, z;
} ug_quat;

_Static_assert(sizeof(ug_quat) == 4 * sizeof(double), "ug_quat arrays are (n x 4) doubles");

#define UG_QUAT_IDENTITY ((ug_quat){ 1.0, 0.0, 0.0, 0.0 })

/// Hamilton product: rotate by `b`, then by `a`.
static inline ug_quat ug_quat_mul(ug_quat a, ug_quat b)
{
    return (ug_quat){ a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
}

static inline ug_quat ug_quat_conj(ug_quat q)
{
    return (ug_quat){ q.w, -q.x, -q.y, -q.z };
}

static inline double ug_quat_dot(ug_quat a, ug_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The same rotation, written with the other sign.
static inline ug_quat ug_quat_negate(ug_quat q)
{
    return (ug_quat){ -q.w, -q.x, -q.y, -q.z };
}

/// q v q*, for unit q; 15 multiplications.
static inline ug_vec3 ug_quat_rotate(ug_quat q, ug_vec3 v)
{
    const ug_vec3 u = { q.x, q.y, q.z };
    const ug_vec3 t = ug_vec3_scale(ug_vec3_cross(u, v), 2.0);
    return ug_vec3_add(ug_vec3_madd(v, q.w, t), ug_vec3_cross(u, t));
}

/// q* v q
static inline ug_vec3 ug_quat_unrotate(ug_quat q, ug_vec3 v)
{
    return ug_quat_rotate(ug_quat_conj(q), v);
}

/// Divide by the norm; identity when the norm is below 1e-12 or not finite.
ug_quat ug_quat_normalize(ug_quat q);

/// Right-handed turn by `angle_rad` about `axis` (any length > 0; identity for a zero axis).
ug_quat ug_quat_from_axis_angle(ug_vec3 axis, double angle_rad);

/// Exponential map of a rotation vector (axis times angle, radians), exact near zero.
ug_quat ug_quat_exp(ug_vec3 rotation_rad);

/// Rotation vector of the short arc, |result| <= pi.
ug_vec3 ug_quat_log(ug_quat q);

/// Angle between two rotations on the short arc, radians in [0, pi].
double ug_quat_angle(ug_quat a, ug_quat b);

/// Shortest rotation that takes direction `from` to `to` (any length). Opposite directions turn
/// by pi about some perpendicular axis; a zero direction gives identity.
ug_quat ug_quat_between(ug_vec3 from, ug_vec3 to);

/// Constant-speed interpolation on the short arc; t outside 0…1 extrapolates.
/// t = 0 returns `a` and t = 1 returns `b` up to sign, bit for bit.
ug_quat ug_quat_slerp(ug_quat a, ug_quat b, double t);

/// Row-major 3x3 rotation matrix -> quaternion with w >= 0 (Shepperd 1978). `m` must be a
/// rotation; the nearest unit quaternion is returned for slight scale errors.
ug_quat ug_quat_from_matrix(const double m[9]);

/// Row-major 3x3 matrix of unit q: columns are the rotated axes.
void ug_quat_to_matrix(double m[9], ug_quat q);

/// Rotation whose columns are the given right-handed orthonormal axes.
ug_quat ug_quat_from_axes(ug_vec3 x, ug_vec3 y, ug_vec3 z);

/// Product of three elementary turns in the order written: R = R_axis[0] R_axis[1] R_axis[2].
///
/// @param axes       0 = x, 1 = y, 2 = z; any sequence of `count` <= 3
/// @param angles_rad one per axis
ug_quat ug_quat_from_euler(const int axes[], const double angles_rad[], int count);

/// Inverse of ug_quat_from_euler for three different axes. The middle angle is in [-pi/2, pi/2];
/// at gimbal lock the third angle is 0. ug_euler_nearest() chooses among the equivalents.
void ug_quat_to_euler(double angles_rad[3], ug_quat q, const int axes[3]);

/// Among the equivalent triples of a rotation (both solutions, plus multiples of 2 pi) the one
/// nearest to `previous_rad`, so that written curves do not jump. In place; holds for every
/// sequence of three different axes.
void ug_euler_nearest(double angles_rad[3], const double previous_rad[3]);

/// The triple of a rotation that is nearest to `previous_rad`: ug_quat_to_euler() and
/// ug_euler_nearest() in one, which also holds at gimbal lock, where the first and third angle
/// share what they are not told apart by. Exact to 1e-8 rad there, to rounding elsewhere.
void ug_quat_to_euler_nearest(double angles_rad[3], ug_quat q, const int axes[3],
                              const double previous_rad[3]);

/// Split q = swing * twist, `twist` about unit `axis`. Near a swing of pi the twist is identity.
void ug_quat_swing_twist(ug_quat *swing, ug_quat *twist, ug_quat q, ug_vec3 axis);
