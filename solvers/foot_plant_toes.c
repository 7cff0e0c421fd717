// SPDX-License-Identifier: MIT
// Foot planting, toes: the tip is kept out of the floor by bending the toes up, as far as toes go.
#include "solvers/foot_path.h"
#include "solvers/foot_plant_parts.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double FREE_RAD =
    2.0944; // 120 degrees, a foot that kneels or rolls over: bent as asked …
static const double LIMIT_RAD = 2.7925; // … and eased into 160
static const double OVER_RAD = 1.0;     // this far past the vertical bent in full …
static const double GONE_RAD = 1.5708;  // … and over this much more no longer
// Near the vertical a tip just under the floor would take a large turn, and none a hair above it:
// radians per depth over the toes' length. Elsewhere the turn is one such unit and never bound.
static const double STEEPEST = 6.0;
static const ug_vec3 UP = { 0, 1, 0 };

// the axis about which toes bend up, in the ankle's frame: constant, so that it cannot flip when
// the toes pass the vertical; false for a foot without length or height
static bool find_hinge(ug_vec3 *hinge, const ug_foot_model *foot)
{
    const ug_vec3 forward = ug_vec3_sub(foot->ball_m, foot->heel_m);
    const ug_vec3 normal = ug_vec3_cross(forward, ug_vec3_scale(foot->heel_m, -1.0));
    const double length = ug_vec3_norm(normal), size = ug_vec3_norm(foot->ball_m);
    *hinge = ug_vec3_scale(normal, length > 0.0 ? 1.0 / length : 0.0);
    return length > 1e-6 * size * size;
}

// what toes give of an angle that is asked for: C1
static double yield(double asked_rad)
{
    const double left = LIMIT_RAD - FREE_RAD;
    return asked_rad <= FREE_RAD ? asked_rad
                                 : LIMIT_RAD - left * exp(-(asked_rad - FREE_RAD) / left);
}

// Bent by φ, the tip is at y = level + R cos(φ − ψ): it rises from φ = 0 for 0 < ψ < π; at ψ = π
// it hangs straight down, and beyond it first falls: a foot that has rolled over its toes.
double ug_plant_bend_toes(ug_quat *toe, const ug_foot_model *foot, ug_quat foot_q, double ball_m,
                          double soft_m)
{
    const ug_vec3 bone = ug_quat_rotate(*toe, foot->tip_m); // all in the ankle's frame
    const ug_vec3 up = ug_quat_unrotate(foot_q, UP);
    const double height = ball_m + ug_vec3_dot(bone, up);
    const double wanted = ug_soft_floor(height, soft_m);
    ug_vec3 hinge;
    if (wanted <= height || !find_hinge(&hinge, foot)) {
        return height;
    }
    const ug_vec3 along = ug_vec3_scale(hinge, ug_vec3_dot(bone, hinge));
    const double level = ball_m + ug_vec3_dot(along, up);
    const double c = ug_vec3_dot(ug_vec3_sub(bone, along), up);
    const double s = ug_vec3_dot(ug_vec3_cross(hinge, bone), up);
    const double radius = hypot(c, s);
    if (!(radius > 1e-9)) {
        return height;
    }
    const double psi = atan2(s, c) + (s < 0.0 ? 2.0 * PI : 0.0);
    const double top = acos(fmin(fmax((wanted - level) / radius, -1.0), 1.0));
    const double share = 1.0 - ug_smoothstep((psi - PI - OVER_RAD) / GONE_RAD);
    const double asked = fmin(fmax(psi - top, 0.0), STEEPEST * (wanted - height) / radius);
    const double bend = share * yield(asked);
    *toe = ug_quat_mul(ug_quat_from_axis_angle(hinge, bend), *toe);
    return level + radius * cos(bend - psi);
}

bool ug_plant_has_toes(const ug_plant_job *j, const ug_foot_model *foot)
{
    return foot->tip >= 0 && foot->toe >= 0 && j->skeleton->joints[foot->toe].parent == foot->ankle;
}
