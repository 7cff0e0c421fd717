// SPDX-License-Identifier: MIT
#include "motion/quat.h"

#include <assert.h>

static const double PI = 3.14159265358979323846;

ug_quat ug_quat_normalize(ug_quat q)
{
    const double n = sqrt(ug_quat_dot(q, q));
    if (!(n > 1e-12) || !isfinite(n)) {
        return UG_QUAT_IDENTITY;
    }
    return (ug_quat){ q.w / n, q.x / n, q.y / n, q.z / n };
}

ug_quat ug_quat_from_axis_angle(ug_vec3 axis, double angle_rad)
{
    const double n = ug_vec3_norm(axis);
    return n > 0.0 ? ug_quat_exp(ug_vec3_scale(axis, angle_rad / n)) : UG_QUAT_IDENTITY;
}

ug_quat ug_quat_exp(ug_vec3 rotation_rad)
{
    const double angle = ug_vec3_norm(rotation_rad);
    const double half = 0.5 * angle;
    // sin(half)/angle, by its series where the quotient would lose digits
    const double s = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : sin(half) / angle;
    return ug_quat_normalize(
        (ug_quat){ cos(half), s * rotation_rad.x, s * rotation_rad.y, s * rotation_rad.z });
}

ug_vec3 ug_quat_log(ug_quat q)
{
    if (q.w < 0.0) {
        q = ug_quat_negate(q);
    }
    const ug_vec3 v = { q.x, q.y, q.z };
    const double s = ug_vec3_norm(v);
    // angle/s with angle = 2 atan2(s, w); its limit at s = 0 is 2/w
    const double k = s < 1e-8 ? 2.0 / q.w : 2.0 * atan2(s, q.w) / s;
    return ug_vec3_scale(v, k);
}

double ug_quat_angle(ug_quat a, ug_quat b)
{
    const ug_quat d = ug_quat_mul(ug_quat_conj(a), b);
    return 2.0 * atan2(ug_vec3_norm((ug_vec3){ d.x, d.y, d.z }), fabs(d.w));
}

static ug_vec3 any_perpendicular(ug_vec3 v)
{
    const ug_vec3 axis = fabs(v.x) < fabs(v.y) ? (ug_vec3){ 1, 0, 0 } : (ug_vec3){ 0, 1, 0 };
    return ug_vec3_unit(ug_vec3_cross(v, axis), (ug_vec3){ 0, 0, 1 });
}

ug_quat ug_quat_between(ug_vec3 from, ug_vec3 to)
{
    const ug_vec3 zero = { 0, 0, 0 };
    const ug_vec3 a = ug_vec3_unit(from, zero);
    const ug_vec3 b = ug_vec3_unit(to, zero);
    if (ug_vec3_norm(a) < 0.5 || ug_vec3_norm(b) < 0.5) {
        return UG_QUAT_IDENTITY;
    }
    // cos and sin of the half angle from a + b, which does not cancel near opposite directions
    const double sum = ug_vec3_norm(ug_vec3_add(a, b));
    if (sum < 1e-8) {
        return ug_quat_from_axis_angle(any_perpendicular(a), PI);
    }
    const ug_vec3 v = ug_vec3_scale(ug_vec3_cross(a, b), 1.0 / sum);
    return ug_quat_normalize((ug_quat){ 0.5 * sum, v.x, v.y, v.z });
}

ug_quat ug_quat_slerp(ug_quat a, ug_quat b, double t)
{
    double c = ug_quat_dot(a, b);
    if (c < 0.0) {
        b = ug_quat_negate(b);
        c = -c;
    }
    if (t == 0.0) {
        return a;
    }
    if (t == 1.0) {
        return b;
    }
    double ka = 1.0 - t, kb = t;
    if (c < 1.0 - 1e-12) {
        const double phi = acos(c);
        ka = sin((1.0 - t) * phi) / sin(phi);
        kb = sin(t * phi) / sin(phi);
    }
    return ug_quat_normalize((ug_quat){ ka * a.w + kb * b.w, ka * a.x + kb * b.x,
                                        ka * a.y + kb * b.y, ka * a.z + kb * b.z });
}

ug_quat ug_quat_from_matrix(const double m[9])
{
    // start from the largest of 4w², 4x², 4y², 4z²: never divides by a small number
    const double t[4] = { m[0] + m[4] + m[8], m[0] - m[4] - m[8], m[4] - m[0] - m[8],
                          m[8] - m[0] - m[4] };
    int k = 0;
    for (int i = 1; i < 4; i++) {
        k = t[i] > t[k] ? i : k;
    }
    ug_quat q;
    switch (k) {
    case 0:
        q = (ug_quat){ 1 + t[0], m[7] - m[5], m[2] - m[6], m[3] - m[1] };
        break;
    case 1:
        q = (ug_quat){ m[7] - m[5], 1 + t[1], m[1] + m[3], m[2] + m[6] };
        break;
    case 2:
        q = (ug_quat){ m[2] - m[6], m[1] + m[3], 1 + t[2], m[5] + m[7] };
        break;
    default:
        q = (ug_quat){ m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + t[3] };
        break;
    }
    q = ug_quat_normalize(q);
    return q.w < 0.0 ? ug_quat_negate(q) : q;
}

void ug_quat_to_matrix(double m[9], ug_quat q)
{
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    m[0] = 1 - 2 * (yy + zz);
    m[1] = 2 * (xy - wz);
    m[2] = 2 * (xz + wy);
    m[3] = 2 * (xy + wz);
    m[4] = 1 - 2 * (xx + zz);
    m[5] = 2 * (yz - wx);
    m[6] = 2 * (xz - wy);
    m[7] = 2 * (yz + wx);
    m[8] = 1 - 2 * (xx + yy);
}

ug_quat ug_quat_from_axes(ug_vec3 x, ug_vec3 y, ug_vec3 z)
{
    return ug_quat_from_matrix((double[9]){ x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z });
}

ug_quat ug_quat_from_euler(const int axes[], const double angles_rad[], int count)
{
    assert(count >= 0 && count <= 3);
    ug_quat q = UG_QUAT_IDENTITY;
    for (int i = 0; i < count; i++) {
        const double c = cos(0.5 * angles_rad[i]), s = sin(0.5 * angles_rad[i]);
        const ug_quat turn = { c, axes[i] == 0 ? s : 0.0, axes[i] == 1 ? s : 0.0,
                               axes[i] == 2 ? s : 0.0 };
        q = ug_quat_mul(q, turn);
    }
    return q;
}

// R = R_i(a) R_j(b) R_k(c) through half angles, after Bernardes & Viollet 2022 ("Quaternion to
// Euler angles conversion", PLoS ONE 17(11)): (a + c)/2 and (a − c)/2 are the arguments of two
// complex numbers whose lengths show gimbal lock. What is left undetermined there does not matter.
typedef struct euler_split {
    double half_sum, half_difference; // (a + c)/2, (a − c)/2
    double plus, minus;               // how well each is determined: 0 at its gimbal lock
    double middle;                    // b
} euler_split;

static euler_split split_euler(ug_quat q, const int axes[3])
{
    const int i = axes[0], j = axes[1], k = axes[2];
    assert(i != j && j != k && i != k);
    const double sign = (j - i + 3) % 3 == 1 ? 1.0 : -1.0; // cyclic or anti-cyclic sequence
    const double v[3] = { q.x, q.y, q.z };
    const double sum_c = q.w + sign * v[j], sum_s = v[i] + v[k];
    const double dif_c = q.w - sign * v[j], dif_s = v[i] - v[k];
    euler_split e = { .plus = hypot(sum_c, sum_s), .minus = hypot(dif_c, dif_s) };
    e.half_sum = atan2(sum_s, sum_c);
    e.half_difference = atan2(dif_s, dif_c);
    e.middle = 2.0 * atan2(sign * (e.plus - e.minus), e.plus + e.minus);
    return e;
}

static double nearest_turn(double angle, double to)
{
    return angle + 2.0 * PI * round((to - angle) / (2.0 * PI));
}

static const double LOCK = 1e-8; // the rotation moves by no more than this in radians

void ug_quat_to_euler(double angles_rad[3], ug_quat q, const int axes[3])
{
    euler_split e = split_euler(q, axes);
    if (e.minus < LOCK) {
        e.half_difference = e.half_sum; // c = 0
    } else if (e.plus < LOCK) {
        e.half_sum = e.half_difference;
    }
    angles_rad[0] = nearest_turn(e.half_sum + e.half_difference, 0.0);
    angles_rad[1] = e.middle;
    angles_rad[2] = nearest_turn(e.half_sum - e.half_difference, 0.0);
}

void ug_quat_to_euler_nearest(double angles_rad[3], ug_quat q, const int axes[3],
                              const double previous_rad[3])
{
    const euler_split e = split_euler(q, axes);
    if (e.minus >= LOCK && e.plus >= LOCK) {
        ug_quat_to_euler(angles_rad, q, axes);
        ug_euler_nearest(angles_rad, previous_rad);
        return;
    }
    // only a + c, or only a − c, is given: both angles take half of what it changed by
    const double sign = e.minus < LOCK ? 1.0 : -1.0;
    const double given = 2.0 * (e.minus < LOCK ? e.half_sum : e.half_difference);
    const double before = previous_rad[0] + sign * previous_rad[2];
    const double change = 0.5 * (nearest_turn(given, before) - before);
    angles_rad[0] = previous_rad[0] + change;
    angles_rad[1] = nearest_turn(e.middle, previous_rad[1]);
    angles_rad[2] = previous_rad[2] + sign * change;
}

void ug_euler_nearest(double angles_rad[3], const double previous_rad[3])
{
    double best[3] = { 0 };
    double best_cost = HUGE_VAL;
    for (int flip = 0; flip < 2; flip++) {
        // the second solution of a sequence of three different axes: (a+pi, pi-b, c+pi)
        const double raw[3] = { flip ? angles_rad[0] + PI : angles_rad[0],
                                flip ? PI - angles_rad[1] : angles_rad[1],
                                flip ? angles_rad[2] + PI : angles_rad[2] };
        double cost = 0.0, candidate[3];
        for (int i = 0; i < 3; i++) {
            candidate[i] = nearest_turn(raw[i], previous_rad[i]);
            cost += (candidate[i] - previous_rad[i]) * (candidate[i] - previous_rad[i]);
        }
        if (cost < best_cost) {
            best_cost = cost;
            best[0] = candidate[0];
            best[1] = candidate[1];
            best[2] = candidate[2];
        }
    }
    angles_rad[0] = best[0];
    angles_rad[1] = best[1];
    angles_rad[2] = best[2];
}

void ug_quat_swing_twist(ug_quat *swing, ug_quat *twist, ug_quat q, ug_vec3 axis)
{
    const double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    *twist = ug_quat_normalize((ug_quat){ q.w, along * axis.x, along * axis.y, along * axis.z });
    *swing = ug_quat_mul(q, ug_quat_conj(*twist));
}
