// SPDX-License-Identifier: MIT
// Foot planting, what legs can reach: the pelvis sinks where that helps, other feet are drawn in.
#include "solvers/foot_path.h"
#include "solvers/foot_plant_parts.h"

#include <math.h>

static const double FADE_S = 0.06;    // no correction this near to a planted frame
static const double DROP_S = 0.15;    // half width of the pelvis drop
static const double BEND = 0.03;      // share of the leg over which a free foot's reach runs out
static const double BENT = 0.8;       // of the leg, 74 degrees: a leg so bent follows any goal
static const double STRAIGHT = 0.998; // of the leg: no free foot is farther, even if it was
static const ug_vec3 UP = { 0, 1, 0 };

// 0 on planted frames, 1 from `reach` frames away from them
void ug_plant_fade(double *fade, const ug_plant_leg *l, size_t count, double rate_hz)
{
    const double reach = fmax(FADE_S * rate_hz, 1.0);
    double since = INFINITY;
    for (size_t f = 0; f < count; f++) {
        since = ug_plant_is_planted(l, f) ? 0.0 : since + 1.0;
        fade[f] = since;
    }
    since = INFINITY;
    for (size_t f = count; f-- > 0;) {
        since = ug_plant_is_planted(l, f) ? 0.0 : since + 1.0;
        fade[f] = ug_smoothstep(fmin(fade[f], since) / reach);
    }
}

// Lowering the pelvis brings a leg nearer that points down, and not one that kicks at the height
// of the hip: 1 … 0 between 37° and 60° from the vertical.
static double lowering_helps(ug_vec3 way)
{
    const double length = ug_vec3_norm(way);
    const double down = length > 1e-9 ? way.y / length : 0.0;
    return ug_smoothstep((down - 0.5) / 0.3);
}

// A planted foot asks the pelvis down as far as it needs, a free one as far as it helps.
void ug_plant_lower_pelvis(ug_plant_job *j, ug_foot_plant_report *seen)
{
    double *need = j->work[0], *fade = j->work[2];
    for (size_t f = 0; f < j->count; f++) {
        need[f] = 0.0;
    }
    for (int side = 0; side < 2; side++) {
        const ug_plant_leg *l = &j->legs[side];
        const double reach_m = j->opts->reach * l->length_m;
        ug_plant_fade(fade, l, j->count, j->rate_hz);
        for (size_t f = 0; f < j->count; f++) {
            const ug_vec3 way = ug_vec3_sub(l->hip[f], l->goal[f]);
            const double across = hypot(way.x, way.z);
            const double height = sqrt(fmax(reach_m * reach_m - across * across, 0.0));
            const double weight = 1.0 + fade[f] * (lowering_helps(way) - 1.0);
            need[f] = fmax(need[f], weight * (way.y - height));
        }
    }
    if (j->count > 0) {
        ug_envelope(j->drop, j->work[1], need, j->count, (size_t)(DROP_S * j->rate_hz + 0.5));
    }
    for (size_t f = 0; f < j->count; f++) {
        seen->drop_max_m = fmax(seen->drop_max_m, j->drop[f]);
    }
}

// How far a free foot may be that was `own_m` away before and would now be `far_m` away: unchanged
// while no farther than before, else eased into the limit over `bend_m`, so that the knee comes
// to rest instead of snapping straight.
static double free_reach_m(double far_m, double own_m, double limit_m, double bend_m)
{
    limit_m = fmax(limit_m, own_m);
    const double from_m = fmax(limit_m - bend_m, own_m);
    const double left_m = limit_m - from_m;
    if (far_m <= from_m) {
        return far_m;
    }
    return left_m > 1e-9 ? limit_m - left_m * exp(-(far_m - from_m) / left_m) : limit_m;
}

// How far the foot is that comes in, eased into nearly straight.
static double own_reach_m(const ug_plant_leg *l, size_t f)
{
    const double most_m = STRAIGHT * l->length_m, left_m = (1.0 - STRAIGHT) * l->length_m;
    const double own_m = ug_vec3_distance(l->ankle_m[f], l->hip[f]);
    return most_m - left_m - ug_soft_floor(most_m - left_m - own_m, left_m);
}

// How much of what the goal asks beyond the leg's own extension a free foot follows: all while the
// leg is bent, less as it straightens, since there a goal that moves away at its own pace meets the
// end of the leg in a frame or two and the knee with it. A leg that points down has been brought
// near by the pelvis and follows in full: its foot may be over the floor.
static double follow(double own_m, double limit_m, double length_m, ug_vec3 way)
{
    const double bent_m = BENT * length_m;
    const double straighter = ug_smoothstep((own_m - bent_m) / (limit_m - bent_m));
    return 1.0 - straighter * (1.0 - lowering_helps(way));
}

// A free foot that its leg cannot reach, since lowering the pelvis does not help it, is drawn in.
// Planted feet are exact, their neighbours eased.
void ug_plant_draw_in(ug_plant_job *j)
{
    double *fade = j->work[0];
    for (int side = 0; side < 2 && j->count > 0; side++) {
        ug_plant_leg *l = &j->legs[side];
        ug_plant_fade(fade, l, j->count, j->rate_hz);
        for (size_t f = 0; f < j->count; f++) {
            const ug_vec3 hip = ug_vec3_madd(l->hip[f], -j->drop[f], UP);
            const ug_vec3 way = ug_vec3_sub(hip, l->goal[f]);
            const double far_m = ug_vec3_norm(way);
            const double own_m = own_reach_m(l, f);
            const double bend_m = BEND * l->length_m * (1.0 - lowering_helps(way));
            const double limit_m = j->opts->reach * l->length_m;
            const double asked_m =
                own_m + fmax(far_m - own_m, 0.0) * follow(own_m, limit_m, l->length_m, way);
            const double near_m = free_reach_m(fmin(asked_m, far_m), own_m, limit_m, bend_m);
            if (near_m < far_m) {
                l->goal[f] = ug_vec3_madd(l->goal[f], fade[f] * (1.0 - near_m / far_m), way);
            }
        }
    }
}
