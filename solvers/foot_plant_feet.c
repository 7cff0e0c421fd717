// SPDX-License-Identifier: MIT
// Foot planting, the feet's way: both points of a foot displaced, the foot laid along them, kept
// out of the floor.
#include "motion/kinematics.h"
#include "solvers/foot_path.h"
#include "solvers/foot_plant_parts.h"

#include <math.h>
#include <string.h>

static const double LIFT_S = 0.06; // half width of the lift out of the floor
// sines of a foot's pitch: from here on its heading is less and less known
static const double LEVEL = 0.5, STEEP = 0.8;

static bool any(const uint8_t *labels, size_t count)
{
    return count > 0 && memchr(labels, 1, count) != NULL;
}

// which point holds the foot: exact while one touches, eased between
static void choose_anchor(const ug_plant_leg *l, double *anchor, size_t count)
{
    size_t last = count;
    for (size_t f = 0; f < count;) {
        if (l->planted[UG_PLANT_HEEL][f] || l->planted[UG_PLANT_BALL][f]) {
            anchor[f] = l->planted[UG_PLANT_BALL][f] ? 1.0 : 0.0;
            last = f++;
            continue;
        }
        size_t next = f;
        while (next < count && !l->planted[UG_PLANT_HEEL][next] &&
               !l->planted[UG_PLANT_BALL][next]) {
            next++;
        }
        const bool to = next < count;
        const double end = to && l->planted[UG_PLANT_BALL][next] ? 1.0 : 0.0;
        const double b = to ? end : last < count ? anchor[last] : 1.0;
        const double a = last < count ? anchor[last] : b;
        const double span = last < count && to ? (double)(next - last) : 1.0;
        for (; f < next; f++) {
            const double u = last < count ? (double)(f - last) / span : 1.0;
            anchor[f] = a + (b - a) * ug_smoothstep(u);
        }
    }
}

static void place_foot(ug_plant_job *j, ug_plant_leg *l)
{
    const double soft = j->opts->soft_m;
    for (size_t f = 0; f < j->count; f++) {
        ug_vec3 at[2];
        for (int k = 0; k < 2; k++) {
            at[k] = ug_vec3_add(l->point[k][f], l->d[k][f]);
            at[k].y = ug_plant_rest_height_m(l, k) +
                      ug_soft_floor(at[k].y - ug_plant_rest_height_m(l, k), soft);
        }
        const ug_vec3 before = ug_vec3_sub(l->point[UG_PLANT_BALL][f], l->point[UG_PLANT_HEEL][f]);
        const ug_vec3 ankle = l->ankle_m[f];
        l->turn[f] = ug_quat_between(before, ug_vec3_sub(at[UG_PLANT_BALL], at[UG_PLANT_HEEL]));
        const ug_vec3 by_ball =
            ug_vec3_add(at[UG_PLANT_BALL],
                        ug_quat_rotate(l->turn[f], ug_vec3_sub(ankle, l->point[UG_PLANT_BALL][f])));
        const ug_vec3 by_heel =
            ug_vec3_add(at[UG_PLANT_HEEL],
                        ug_quat_rotate(l->turn[f], ug_vec3_sub(ankle, l->point[UG_PLANT_HEEL][f])));
        l->goal[f] = ug_vec3_lerp(by_heel, by_ball, l->anchor[f]);
    }
}

// How deep the lower of heel and ball is, beyond where a free foot comes to rest.
static double depth_of_foot(const ug_plant_leg *l, size_t f, double soft_m)
{
    const ug_quat q = ug_quat_mul(l->turn[f], l->foot_q[f]);
    const double heel = l->goal[f].y + ug_quat_rotate(q, l->foot->heel_m).y;
    const double ball = l->goal[f].y + ug_quat_rotate(q, l->foot->ball_m).y;
    return fmax(-heel, ug_plant_rest_height_m(l, UG_PLANT_BALL) - ball) - soft_m;
}

// Turn the foot about the point that holds it until the other is at most twice as deep as a free
// foot rests; where `raised_m` does that, nothing. A steep foot has no heading to keep and stays.
static void pitch_foot(ug_plant_leg *l, size_t f, double raised_m, double soft_m)
{
    const ug_quat q = ug_quat_mul(l->turn[f], l->foot_q[f]);
    const ug_vec3 heel = ug_quat_rotate(q, l->foot->heel_m);
    const ug_vec3 ball = ug_quat_rotate(q, l->foot->ball_m), way = ug_vec3_sub(ball, heel);
    const double length_m = ug_vec3_norm(way), run_m = hypot(way.x, way.z);
    const double base_m = l->goal[f].y + raised_m + soft_m; // so much may each be deeper
    const double heel_up = ug_soft_floor(base_m + heel.y, soft_m) - (base_m + heel.y);
    const double ball_y = base_m + ball.y - ug_plant_rest_height_m(l, UG_PLANT_BALL);
    const double ball_up = ug_soft_floor(ball_y, soft_m) - ball_y;
    const double steep = ug_smoothstep((fabs(way.y) / length_m - LEVEL) / (STEEP - LEVEL));
    const double more_m = (1.0 - steep) * ((1.0 - l->anchor[f]) * ball_up - l->anchor[f] * heel_up);
    if (more_m == 0.0 || !(run_m > 1e-9 * length_m)) {
        return;
    }
    const double rise_m = fmin(fmax(way.y + more_m, -length_m), length_m);
    const double scale = sqrt(length_m * length_m - rise_m * rise_m) / run_m;
    const ug_quat turn = ug_quat_between(way, (ug_vec3){ way.x * scale, rise_m, way.z * scale });
    const ug_vec3 held = ug_vec3_lerp(heel, ball, l->anchor[f]);
    l->turn[f] = ug_quat_mul(turn, l->turn[f]);
    l->goal[f] = ug_vec3_add(l->goal[f], ug_vec3_sub(held, ug_quat_rotate(turn, held)));
}

// Heel and ball go their own ways between contacts, and the foot's length decides how the one that
// does not hold it misses its own. Beside a contact, where the foot cannot be raised, it is
// pitched.
static void pitch_beside_contacts(ug_plant_job *j, ug_plant_leg *l)
{
    double *depth = j->work[0], *raise = j->work[1], *fade = j->work[2];
    for (size_t f = 0; f < j->count; f++) {
        depth[f] = depth_of_foot(l, f, j->opts->soft_m);
    }
    ug_envelope(raise, fade, depth, j->count, (size_t)(LIFT_S * j->rate_hz + 0.5));
    ug_plant_fade(fade, l, j->count, j->rate_hz);
    for (size_t f = 0; f < j->count; f++) {
        pitch_foot(l, f, raise[f] * fade[f], j->opts->soft_m);
    }
}

// A long foot that turns about one point may push the other under the floor, and one that rolls
// over its toes pushes their tip there: bend them as far as they go, then raise the ankle. They
// stay as bent when raised: less bent, they would sink again.
static void clear_floor(ug_plant_job *j, ug_plant_leg *l)
{
    double *depth = j->work[0], *raise = j->work[1], *fade = j->work[2];
    for (size_t f = 0; f < j->count; f++) {
        const ug_quat q = ug_quat_mul(l->turn[f], l->foot_q[f]);
        const double ball = l->goal[f].y + ug_quat_rotate(q, l->foot->ball_m).y;
        depth[f] = depth_of_foot(l, f, j->opts->soft_m);
        if (ug_plant_has_toes(j, l->foot)) {
            ug_quat *toe = &ug_clip_rotations(j->clip, f)[l->foot->toe];
            const double tip = ug_plant_bend_toes(toe, l->foot, q, ball, j->opts->soft_m);
            depth[f] = fmax(depth[f], -tip - j->opts->soft_m);
        }
    }
    ug_envelope(raise, fade, depth, j->count, (size_t)(LIFT_S * j->rate_hz + 0.5));
    ug_plant_fade(fade, l, j->count, j->rate_hz);
    for (size_t f = 0; f < j->count; f++) {
        l->goal[f].y += raise[f] * fade[f];
    }
}

void ug_plant_plan_feet(ug_plant_job *j)
{
    for (int side = 0; side < 2 && j->count > 0; side++) {
        ug_plant_leg *l = &j->legs[side];
        const double ease = fmax(j->opts->ease_s * j->rate_hz, 1.0);
        for (int k = 0; k < 2; k++) {
            ug_displacement_extend(l->d[k], l->planted[k], j->count, ease);
        }
        for (int k = 0; k < 2; k++) { // a point that never touches goes with the other
            if (!any(l->planted[k], j->count)) {
                memcpy(l->d[k], l->d[1 - k], j->count * sizeof *l->d[k]);
            }
        }
        choose_anchor(l, l->anchor, j->count);
        place_foot(j, l);
        pitch_beside_contacts(j, l);
        clear_floor(j, l);
    }
}
