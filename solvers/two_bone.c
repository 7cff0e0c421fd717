// SPDX-License-Identifier: MIT
#include "solvers/two_bone.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double STRAIGHT_SINE = 0.12; // below: the plane through the points is noise
static const double BENT_SINE = 0.40;     // above: it is the hinge's plane
static const double REACH_SLACK = 1e-9;   // of cosines: rounding at a just straight limb

static double smoothstep(double x)
{
    const double u = fmin(fmax(x, 0.0), 1.0);
    return u * u * (3.0 - 2.0 * u);
}

ug_vec3 ug_two_bone_normal(const ug_two_bone *limb, ug_vec3 hinge)
{
    const ug_vec3 zero = { 0, 0, 0 };
    const ug_vec3 up = ug_vec3_unit(ug_vec3_sub(limb->root_m, limb->mid_m), zero);
    const ug_vec3 down = ug_vec3_unit(ug_vec3_sub(limb->end_m, limb->mid_m), zero);
    const ug_vec3 cross = ug_vec3_cross(up, down);
    const ug_vec3 axis = ug_vec3_unit(hinge, ug_vec3_unit(cross, (ug_vec3){ 1, 0, 0 }));
    const ug_vec3 own = ug_vec3_unit(cross, axis);
    const double sine =
        ug_vec3_dot(cross, axis); // negative: bent the wrong way, not a plane to keep
    const double weight = smoothstep((sine - STRAIGHT_SINE) / (BENT_SINE - STRAIGHT_SINE));
    return ug_vec3_unit(ug_vec3_lerp(axis, own, weight), axis);
}

bool ug_two_bone_solve(ug_quat *root_turn, ug_quat *mid_turn, const ug_two_bone *limb,
                       ug_vec3 target_m, ug_vec3 n)
{
    *root_turn = *mid_turn = UG_QUAT_IDENTITY;
    const ug_vec3 d = ug_vec3_sub(limb->mid_m, limb->root_m);
    const ug_vec3 s = ug_vec3_sub(limb->end_m, limb->mid_m);
    const ug_vec3 reach = ug_vec3_sub(target_m, limb->root_m);
    const double aa = ug_vec3_dot(d, d), bb = ug_vec3_dot(s, s);
    // |d + R(phi) s|^2 = r^2 with R about n is  X cos phi + Y sin phi = Z
    const double along = ug_vec3_dot(d, n) * ug_vec3_dot(s, n);
    const double x = ug_vec3_dot(d, s) - along;
    const double y = ug_vec3_dot(d, ug_vec3_cross(n, s));
    const double z = 0.5 * (ug_vec3_dot(reach, reach) - aa - bb) - along;
    const double size = hypot(x, y);
    if (!(size > 1e-12 * (aa + bb)) || !(aa > 0.0) || !(bb > 0.0)) {
        return false;
    }
    const double cosine = z / size;
    double phi = atan2(y, x) - acos(fmin(fmax(cosine, -1.0), 1.0));
    phi -= 2.0 * PI * rint(phi / (2.0 * PI));
    *mid_turn = ug_quat_from_axis_angle(n, phi);
    const ug_vec3 end = ug_vec3_add(d, ug_quat_rotate(*mid_turn, s));
    *root_turn = ug_quat_between(end, reach);
    return fabs(cosine) <= 1.0 + REACH_SLACK;
}
