// SPDX-License-Identifier: MIT
#include "datasets/synth_feet.h"

#include "datasets/synth_curves.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double TOE_OUT = 5.0 * UG_DEG;
static const double CLEARANCE_M = 0.012; // of the sole in mid swing
static const double SPEED_DECAY_S = 0.06;
static const double HOP_DECAY_S = 0.06; // the same in the air

/// Frames of one stance; the foot lies flat from flat_first to flat_last.
typedef struct stance {
    size_t first, flat_first, flat_last, last;
    size_t print_first, print_last; ///< the footprint is the mean wish over these frames
    double strike_phase;            ///< of its own side; the foot does not roll when < 0
    bool stays;                     ///< the last step: no push-off
    ug_vec3 print_m;
    double yaw_rad;
} stance;

/// What the functions below share for one side.
typedef struct walker {
    int side;
    size_t frame_count;
    const ug_synth_wish *wishes;
    const ug_synth_legs *legs;
    const ug_synth_times *times;
    ug_vec3 *wish_m; ///< ball of the foot as wished (frame_count)
    double rate_hz;
} walker;

ug_quat ug_synth_foot_q(const ug_synth_foot *foot)
{
    return ug_quat_from_euler((const int[]){ 1, 0 },
                              (const double[]){ foot->yaw_rad, -foot->pitch_rad }, 2);
}

ug_vec3 ug_synth_heel_m(const ug_synth_foot *foot, const ug_synth_legs *legs)
{
    return ug_vec3_add(foot->ball_m, ug_quat_rotate(ug_synth_foot_q(foot),
                                                    ug_vec3_sub(legs->heel_m, legs->ball_m)));
}

void ug_synth_wish_leg(ug_quat *thigh_q, ug_quat *shin_q, const ug_synth_wish *wish, int side)
{
    const double out = side == 0 ? -1.0 : 1.0; // adduction turns the left leg to -x
    const ug_quat thigh = ug_quat_from_euler(
        (const int[]){ 0, 2 },
        (const double[]){ -wish->hip_flexion_rad[side], out * wish->hip_adduction_rad[side] }, 2);
    *thigh_q = ug_quat_mul(wish->pelvis_q, thigh);
    *shin_q =
        ug_quat_mul(*thigh_q, ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, wish->knee_rad[side]));
}

static double toe_out_rad(int side)
{
    return side == 0 ? TOE_OUT : -TOE_OUT;
}

static void wish_balls(walker *w, const ug_skeleton *skeleton)
{
    for (size_t f = 0; f < w->frame_count; f++) {
        const ug_synth_wish *wish = &w->wishes[f];
        ug_quat thigh_q, shin_q;
        ug_synth_wish_leg(&thigh_q, &shin_q, wish, w->side);
        ug_vec3 p = wish->pelvis_m;
        p = ug_vec3_add(
            p, ug_quat_rotate(wish->pelvis_q, skeleton->joints[w->legs->thigh[w->side]].offset_m));
        p = ug_vec3_add(p,
                        ug_quat_rotate(thigh_q, skeleton->joints[w->legs->shin[w->side]].offset_m));
        p = ug_vec3_add(p,
                        ug_quat_rotate(shin_q, skeleton->joints[w->legs->foot[w->side]].offset_m));
        const ug_synth_foot foot = { .yaw_rad = wish->heading_rad + toe_out_rad(w->side),
                                     .pitch_rad =
                                         wish->weight > 0.0 ? wish->pitch_rad[w->side] : 0.0 };
        p = ug_vec3_add(p, ug_quat_rotate(ug_synth_foot_q(&foot), w->legs->ball_m));
        if (wish->weight <= 0.0) { // standing, crouching or in the air with hanging legs
            p.y = w->legs->ball_height_m + wish->flight_m;
        }
        w->wish_m[f] = p;
    }
}

static size_t frame_at(const walker *w, double time_s)
{
    const double f = ceil(time_s * w->rate_hz - 1e-9);
    return f < 0.0 ? 0 : f > (double)(w->frame_count - 1) ? w->frame_count - 1 : (size_t)f;
}

// First and last frame in [from, to) seconds.
static void span(size_t *first, size_t *last, const walker *w, double from_s, double to_s)
{
    *first = frame_at(w, from_s);
    const size_t end = frame_at(w, to_s);
    *last = end > *first ? end - 1 : *first;
}

static double phase_time_s(const walker *w, double phase)
{
    return w->times->walk_start + (phase - 0.5 * w->side) * w->times->stride;
}

static stance standing(const walker *w, double from_s, double flat_s, double heel_off_s,
                       double to_s, double print_from_s, double print_to_s)
{
    stance s = { .strike_phase = -1.0 };
    span(&s.first, &s.last, w, from_s, to_s);
    span(&s.flat_first, &s.flat_last, w, flat_s, heel_off_s);
    span(&s.print_first, &s.print_last, w, print_from_s, print_to_s);
    return s;
}

// Stances of one side: standing, one per stride, standing until the jump, after it.
static size_t list_stances(stance *list, const walker *w, int strides)
{
    const ug_synth_times *t = w->times;
    const double heel_up = t->push + 0.4 * (t->take_off - t->push);
    size_t count = 0;
    list[count++] = standing(w, 0.0, 0.0, fmax(t->walk_start, phase_time_s(w, UG_HEEL_OFF)),
                             phase_time_s(w, UG_TOE_OFF), 0.0, t->walk_start);
    list[0].strike_phase = 0.0;
    const int last = strides + w->side; // the right foot comes to stand beside the left
    for (int k = 1; k < last; k++) {
        stance s =
            standing(w, phase_time_s(w, k + UG_HEEL_STRIKE), phase_time_s(w, k + UG_FOOT_FLAT),
                     phase_time_s(w, k + UG_HEEL_OFF), phase_time_s(w, k + UG_TOE_OFF),
                     phase_time_s(w, k + 0.10), phase_time_s(w, k + 0.45));
        s.strike_phase = k;
        list[count++] = s;
    }
    list[count] =
        standing(w, phase_time_s(w, last + UG_HEEL_STRIKE), phase_time_s(w, last + UG_FOOT_FLAT),
                 heel_up, t->take_off, t->walk_end, t->crouch);
    list[count].stays = true;
    list[count++].strike_phase = last;
    list[count++] = standing(w, t->touch_down, t->touch_down + 0.12, t->end + 1.0, t->end + 1.0,
                             t->end - 0.4, t->end + 1.0);
    list[count - 1].last = list[count - 1].flat_last = list[count - 1].print_last =
        w->frame_count - 1;
    return count;
}

static void print_stance(stance *s, const walker *w)
{
    ug_vec3 sum = { 0 };
    double yaw = 0.0;
    for (size_t f = s->print_first; f <= s->print_last; f++) {
        sum = ug_vec3_add(sum, w->wish_m[f]);
        yaw += w->wishes[f].heading_rad;
    }
    const double n = (double)(s->print_last - s->print_first + 1);
    s->print_m = ug_vec3_scale(sum, 1.0 / n);
    s->print_m.y = w->legs->ball_height_m;
    s->yaw_rad = yaw / n + toe_out_rad(w->side);
}

// Pitch on the ground: from heel strike to flat, flat, then up behind with the curves.
static double ground_pitch_rad(const stance *s, const walker *w, size_t frame)
{
    const ug_synth_wish *wish = &w->wishes[frame];
    if (s->strike_phase < 0.0 || wish->weight <= 0.0) {
        return wish->pitch_rad[w->side]; // the jump's own
    }
    const double phase = wish->phase + 0.5 * w->side - s->strike_phase;
    if (phase < UG_FOOT_FLAT && s->first > 0) {
        static const double H = 1e-3, ROLL = UG_FOOT_FLAT - UG_HEEL_STRIKE;
        const double p0 = ug_synth_gait_pitch_rad(UG_HEEL_STRIKE);
        const double m0 = (ug_synth_gait_pitch_rad(UG_HEEL_STRIKE + H) -
                           ug_synth_gait_pitch_rad(UG_HEEL_STRIKE - H)) /
                          (2.0 * H);
        const double u = fmax(phase - UG_HEEL_STRIKE, 0.0) / ROLL, v = 1.0 - u;
        return wish->weight * v * v * (p0 * (1.0 + 2.0 * u) + m0 * ROLL * u);
    }
    return wish->weight * ug_synth_gait_pitch_rad(phase) *
           (s->stays ? 0.0 : ug_smooth_step((phase - UG_HEEL_OFF) / 0.16));
}

static ug_synth_foot stand(const stance *s, const walker *w, size_t frame)
{
    ug_synth_foot foot = { .ball_m = s->print_m,
                           .yaw_rad = s->yaw_rad,
                           .pitch_rad = ground_pitch_rad(s, w, frame) };
    if (foot.pitch_rad > 0.0) { // rolls over the heel, which stays
        const ug_synth_foot flat = { .ball_m = s->print_m, .yaw_rad = s->yaw_rad };
        const ug_vec3 heel = ug_synth_heel_m(&flat, w->legs);
        foot.ball_m =
            ug_vec3_add(heel, ug_quat_rotate(ug_synth_foot_q(&foot),
                                             ug_vec3_sub(w->legs->ball_m, w->legs->heel_m)));
    }
    foot.toe_rad = fmax(0.0, -foot.pitch_rad);
    foot.heel_planted = foot.pitch_rad >= 0.0;
    foot.ball_planted = foot.pitch_rad <= 0.0;
    return foot;
}

// An end's speed, `distance` frames into the swing: slope 1 at the end, gone after `decay`. Spread
// over the whole swing it would throw the foot far out.
static double speed_bump(double distance, double decay)
{
    const double v = 1.0 - distance / decay;
    return v > 0.0 ? distance * v * v : 0.0;
}

// Raise the swing by a bump just high enough that heel and ball clear the ground.
static void lift(ug_synth_foot *feet, size_t from, size_t to, const walker *w)
{
    double height = 0.0;
    for (size_t f = from + 1; f < to; f++) {
        const double u = (double)(f - from) / (double)(to - from);
        const double bump = sin(UG_PI * u) * sin(UG_PI * u);
        const double low = fmin(feet[f].ball_m.y, ug_synth_heel_m(&feet[f], w->legs).y);
        const double need = w->legs->ball_height_m + CLEARANCE_M * bump - low;
        if (bump > 0.25) { // nearer the ends both prints hold the foot up
            height = fmax(height, need / bump);
        }
    }
    for (size_t f = from + 1; f < to; f++) {
        const double u = (double)(f - from) / (double)(to - from);
        feet[f].ball_m.y += height * sin(UG_PI * u) * sin(UG_PI * u);
    }
}

static void swing(ug_synth_foot *feet, const stance *a, const stance *b, const walker *w)
{
    const size_t from = a->last, to = b->first;
    const double frames = (double)(to - from);
    const ug_synth_foot landed = stand(b, w, to + 1);
    // the wish on the swing's side, carried on to the ends: it turns sharply where the pelvis
    // leaves the ground, between two frames
    const ug_vec3 speed0 = ug_vec3_sub(w->wish_m[from + 2], w->wish_m[from + 1]);
    const ug_vec3 speed1 = ug_vec3_sub(w->wish_m[to - 1], w->wish_m[to - 2]);
    const ug_vec3 d0 = ug_vec3_sub(feet[from].ball_m, ug_vec3_sub(w->wish_m[from + 1], speed0));
    const ug_vec3 d1 = ug_vec3_sub(feet[to].ball_m, ug_vec3_add(w->wish_m[to - 1], speed1));
    const ug_vec3 v0 = ug_vec3_scale(speed0, -1.0);
    const ug_vec3 v1 = ug_vec3_sub(ug_vec3_sub(landed.ball_m, feet[to].ball_m), speed1);
    const double decay_s = w->wishes[from].weight > 0.0 ? SPEED_DECAY_S : HOP_DECAY_S;
    const double decay = fmin(frames, decay_s * w->rate_hz);
    for (size_t f = from + 1; f < to; f++) {
        const double u = (double)(f - from) / frames, s = ug_smooth_step(u);
        feet[f] = (ug_synth_foot){ .yaw_rad = a->yaw_rad + s * (b->yaw_rad - a->yaw_rad),
                                   .pitch_rad = w->wishes[f].pitch_rad[w->side] };
        ug_vec3 d = ug_vec3_lerp(d0, d1, s);
        d = ug_vec3_madd(d, speed_bump((double)(f - from), decay), v0);
        d = ug_vec3_madd(d, -speed_bump((double)(to - f), decay), v1);
        feet[f].ball_m = ug_vec3_add(w->wish_m[f], d);
        // toes straighten in the air and lie flat again where the foot lands on its ball
        const double flat = 1.0 - ug_smooth_step(u / 0.35) + ug_smooth_step((u - 0.65) / 0.35);
        feet[f].toe_rad = fmax(0.0, -feet[f].pitch_rad) * flat;
    }
    lift(feet, from, to, w);
}

static void place_foot(ug_synth_foot *feet, stance *list, const walker *w, int strides)
{
    const size_t count = list_stances(list, w, strides);
    for (size_t i = 0; i < count; i++) {
        print_stance(&list[i], w);
        for (size_t f = list[i].first; f <= list[i].last; f++) {
            feet[f] = stand(&list[i], w, f);
        }
    }
    for (size_t i = 0; i + 1 < count; i++) {
        swing(feet, &list[i], &list[i + 1], w);
    }
}

ug_status ug_synth_feet(ug_synth_foot *feet[2], const ug_synth_wish *wishes, size_t frame_count,
                        const ug_synth_legs *legs, const ug_skeleton *skeleton,
                        const ug_synth_times *times, const ug_synth_opts *opts, ug_error *err)
{
    ug_vec3 *wish_m = malloc(frame_count * sizeof *wish_m);
    stance *list = malloc(((size_t)opts->strides + 4) * sizeof *list);
    ug_status status = UG_OK;
    if (!wish_m || !list) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for the steps of %zu frames", frame_count);
    }
    for (int side = 0; status == UG_OK && side < 2; side++) {
        walker w = { side, frame_count, wishes, legs, times, wish_m, ug_rate_hz(opts->rate) };
        wish_balls(&w, skeleton);
        place_foot(feet[side], list, &w, opts->strides);
    }
    free(list);
    free(wish_m);
    return status;
}

static ug_status add_contact(ug_contacts *contacts, ug_contact_point point, ug_contact_kind kind,
                             size_t first, size_t end, ug_rate rate, ug_vec3 target_m,
                             ug_error *err)
{
    const ug_contact c = { .point = point,
                           .kind = kind,
                           .start_s = ug_rate_time_s(rate, (double)first),
                           .end_s = ug_rate_time_s(rate, (double)end),
                           .target_m = target_m,
                           .accepted = true };
    return ug_contacts_add(contacts, &c, err);
}

ug_status ug_synth_contacts(ug_contacts *contacts, ug_synth_foot *const feet[2], size_t frame_count,
                            ug_rate rate, const ug_synth_legs *legs, ug_error *err)
{
    ug_status status = UG_OK;
    for (int p = 0; p < 4; p++) { // heel and toe of the left, then of the right
        const ug_synth_foot *foot = feet[p / 2];
        for (size_t f = 0; status == UG_OK && f < frame_count; f++) {
            const size_t first = f;
            while (f < frame_count && (p % 2 == 0 ? foot[f].heel_planted : foot[f].ball_planted)) {
                f++;
            }
            if (f == first) {
                continue;
            }
            const ug_vec3 at =
                p % 2 == 0 ? ug_synth_heel_m(&foot[first], legs) : foot[first].ball_m;
            // nothing is pressed that is not planted here, nor the other way round
            status = add_contact(contacts, (ug_contact_point)p, UG_CONTACT_PLANTED, first, f, rate,
                                 at, err);
            if (status == UG_OK) {
                status = add_contact(contacts, (ug_contact_point)p, UG_CONTACT_LOAD, first, f, rate,
                                     at, err);
            }
        }
    }
    return status;
}
