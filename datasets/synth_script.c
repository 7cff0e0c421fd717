// SPDX-License-Identifier: MIT
#include "datasets/synth_script.h"

#include "datasets/synth_curves.h"

#include <assert.h>
#include <math.h>

static const double GRAVITY_M_S2 = 9.81;
static const double STRIDE_S = 1.10; // 109 steps a minute at 1.75 m
static const double STAND_KNEE = 6.0 * UG_DEG;
static const double STAND_HIP = 3.0 * UG_DEG;
static const double SWAY = 0.020; // of the pelvis to the standing leg, times size, metres
// The curves alone make feet slip, since the mean of many children is nobody's gait: walking a
// little shorter and riding a little steadier than they say keeps hips and knees nearest to them.
static const double STEP_SHARE = 0.95, ADVANCE_SHARE = 0.35;
static const double SOLE = 0.020;    // under the ball joint, times size
static const double HEEL_BACK = 0.3; // of ankle to ball: where a flat foot's heel bears
static const double CROUCH_M = 0.24; // times size
static const double JUMP_FORWARD_M = 0.25;
static const double TIPTOE_PITCH = -40.0 * UG_DEG;
static const double LANDING_PITCH = -30.0 * UG_DEG;

double ug_smooth_step(double x)
{
    const double u = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    return u * u * u * u * (35.0 - 84.0 * u + 70.0 * u * u - 20.0 * u * u * u);
}

// Angles of the curves are against a pelvis that leans forward all the time; ours stands upright.
static double hip_rad(double phase)
{
    return ug_gait_rad(UG_GAIT_HIP_FLEXION, phase) - ug_gait_mean_rad(UG_GAIT_PELVIS_TILT);
}

double ug_synth_gait_pitch_rad(double phase)
{
    return ug_gait_rad(UG_GAIT_HIP_FLEXION, phase) - ug_gait_rad(UG_GAIT_PELVIS_TILT, phase) -
           ug_gait_rad(UG_GAIT_KNEE_FLEXION, phase) +
           ug_gait_rad(UG_GAIT_ANKLE_DORSIFLEXION, phase);
}

// Left and right curves differ by noise of the published means: take the part both agree on.
static double odd_rad(ug_gait_angle angle, double phase)
{
    return 0.5 * (ug_gait_rad(angle, phase) - ug_gait_rad(angle, phase + 0.5));
}

typedef struct leg_view {
    double forward_m, down_m; ///< to the ball of the foot
} leg_view;

static leg_view see_leg(const ug_synth_legs *legs, double thigh_rad, double knee_rad,
                        double pitch_rad)
{
    const double shin_rad = thigh_rad - knee_rad;
    const double c = cos(pitch_rad), s = sin(pitch_rad);
    return (leg_view){
        legs->thigh_m * sin(thigh_rad) + legs->shin_m * sin(shin_rad) + legs->ball_m.z * c -
            legs->ball_m.y * s,
        legs->thigh_m * cos(thigh_rad) + legs->shin_m * cos(shin_rad) - legs->ball_m.z * s -
            legs->ball_m.y * c,
    };
}

static leg_view see_gait(const ug_synth_legs *legs, double phase)
{
    // on the ground the foot lies flat between ball down and heel off
    const double pitch =
        phase < 0.5 * (UG_FOOT_FLAT + UG_HEEL_OFF)
            ? 0.0
            : ug_synth_gait_pitch_rad(phase) * ug_smooth_step((phase - UG_HEEL_OFF) / 0.16);
    leg_view view = see_leg(legs, hip_rad(phase), ug_gait_rad(UG_GAIT_KNEE_FLEXION, phase), pitch);
    // from the middle of the pelvis: its turns carry the hip forward and up
    view.forward_m += legs->hip_m * sin(odd_rad(UG_GAIT_PELVIS_ROTATION, phase));
    view.down_m -= legs->hip_m * sin(odd_rad(UG_GAIT_PELVIS_OBLIQUITY, phase));
    return view;
}

static void fit_rock(double *fit, const double *values, size_t count)
{
    for (int k = 0; k < 1 + 2 * UG_ROCK_HARMONICS; k++) {
        fit[k] = 0.0;
        for (size_t i = 0; i < count; i++) {
            const double a = 2.0 * UG_PI * ((k + 1) / 2) * (double)i / (double)count;
            fit[k] += values[i] * (k % 2 == 0 && k > 0 ? sin(a) : cos(a)) / (double)count *
                      (k > 0 ? 2.0 : 1.0);
        }
    }
}

static double rock(const double *fit, double half_phase)
{
    double sum = fit[0];
    for (int h = 1; h <= UG_ROCK_HARMONICS; h++) {
        const double a = 2.0 * UG_PI * h * half_phase;
        sum += fit[2 * h - 1] * cos(a) + fit[2 * h] * sin(a);
    }
    return sum;
}

// How the pelvis must ride so that a leg with the angles of the curves keeps its ball in place:
// from mid double support (phase 0.06) to the next (0.56) on one leg.
static void measure_walk(ug_synth_legs *legs)
{
    enum { SAMPLES = 64 };
    static const double FROM = 0.06;
    double height[SAMPLES], advance[SAMPLES];
    const leg_view first = see_gait(legs, FROM), last = see_gait(legs, FROM + 0.5);
    const double step_m = first.forward_m - last.forward_m;
    for (int i = 0; i < SAMPLES; i++) {
        // half_phase 0 is heel strike: sample 0.06 … 0.56 in that order of the half cycle
        double half = (double)i / SAMPLES * 0.5;
        half += half < FROM ? 0.5 : 0.0;
        const leg_view at = see_gait(legs, half);
        height[i] = legs->ball_height_m + at.down_m;
        advance[i] = first.forward_m - at.forward_m - step_m * (half - FROM) / 0.5;
    }
    fit_rock(legs->height, height, SAMPLES);
    fit_rock(legs->advance, advance, SAMPLES);
    for (int k = 0; k < 1 + 2 * UG_ROCK_HARMONICS; k++) {
        legs->advance[k] *= ADVANCE_SHARE;
    }
    legs->step_m = STEP_SHARE * step_m;
    legs->stand_m = legs->ball_height_m + see_leg(legs, STAND_HIP, STAND_KNEE, 0.0).down_m;
}

static ug_status check_bone(const ug_skeleton *skeleton, int joint, const char *what, ug_error *err)
{
    const ug_vec3 o = skeleton->joints[joint].offset_m;
    if (o.y < 0.0 && fabs(o.x) < 1e-9 && fabs(o.z) < 1e-9) {
        return UG_OK;
    }
    return ug_fail(
        err, UG_E_DATA,
        "template '%s': the %s must hang straight down from its parent (offset 0, -y, 0)",
        skeleton->joints[joint].name, what);
}

ug_status ug_synth_legs_init(ug_synth_legs *legs, const ug_skeleton *skeleton, ug_error *err)
{
    ug_body_map body;
    ug_status status = ug_body_map_init(&body, skeleton, err);
    if (status != UG_OK) {
        return status;
    }
    *legs = (ug_synth_legs){ .pelvis = body.joint[UG_ROLE_PELVIS] };
    for (int side = 0; side < 2; side++) {
        legs->thigh[side] = body.joint[ug_role_on_side(UG_ROLE_L_THIGH, side)];
        legs->shin[side] = body.joint[ug_role_on_side(UG_ROLE_L_SHIN, side)];
        legs->foot[side] = body.joint[ug_role_on_side(UG_ROLE_L_FOOT, side)];
        legs->toe[side] = body.joint[ug_role_on_side(UG_ROLE_L_TOE, side)];
        const ug_joint *shin = &skeleton->joints[legs->shin[side]];
        if (legs->toe[side] < 0) {
            return ug_fail(err, UG_E_DATA, "the template has no toe joints; they carry the step");
        }
        if (shin->type != UG_JOINT_HINGE || fabs(shin->axes[0].x - 1.0) > 1e-9) {
            return ug_fail(err, UG_E_DATA, "template '%s': knees must be hinges about x",
                           shin->name);
        }
        status = check_bone(skeleton, legs->shin[side], "knee", err);
        if (status == UG_OK) {
            status = check_bone(skeleton, legs->foot[side], "ankle", err);
        }
        if (status != UG_OK) {
            return status;
        }
    }
    const double size = skeleton->stature_m / 1.75;
    legs->thigh_m = -skeleton->joints[legs->shin[0]].offset_m.y;
    legs->shin_m = -skeleton->joints[legs->foot[0]].offset_m.y;
    legs->hip_m = fabs(skeleton->joints[legs->thigh[0]].offset_m.x);
    legs->ball_m = skeleton->joints[legs->toe[0]].offset_m;
    legs->heel_m = (ug_vec3){ 0.0, legs->ball_m.y, -HEEL_BACK * legs->ball_m.z };
    legs->ball_height_m = SOLE * size;
    measure_walk(legs);
    return UG_OK;
}

ug_synth_times ug_synth_times_make(const ug_synth_opts *opts, double size, double stride_scale)
{
    const double r = sqrt(size);
    ug_synth_times t = { .arms_start = 1.0, .arms_end = 2.4, .walk_start = 2.6 };
    t.stride = STRIDE_S * r * stride_scale;
    t.walk_end = t.walk_start + (opts->strides + 0.5) * t.stride;
    t.crouch = t.walk_end + 0.4;
    t.push = t.crouch + 0.55 * r;
    t.take_off = t.push + 0.30 * r;
    t.touch_down = t.take_off + 2.0 * sqrt(2.0 * opts->jump_m / GRAVITY_M_S2);
    t.absorbed = t.touch_down + 0.28 * r;
    t.end = t.absorbed + 0.7 * r + 0.4;
    return t;
}

// Quintic from (p0, v0, a0) to (p1, v1, a1) over `span` seconds, at `t`.
static double quintic(double p0, double v0, double a0, double p1, double v1, double a1, double span,
                      double t)
{
    const double u = t / span;
    const double d = p1 - p0 - v0 * span - 0.5 * a0 * span * span;
    const double e = (v1 - v0 - a0 * span) * span;
    const double f = (a1 - a0) * span * span;
    const double c3 = 10.0 * d - 4.0 * e + 0.5 * f, c4 = -15.0 * d + 7.0 * e - f,
                 c5 = 6.0 * d - 3.0 * e + 0.5 * f;
    return p0 + v0 * t + 0.5 * a0 * t * t + u * u * u * (c3 + u * (c4 + u * c5));
}

// Pelvis over its standing height: down, up to take-off at that height (on tiptoe, knees bent),
// ballistic, down, up.
static double jump_height_m(double t, const ug_synth_times *times, double size, double jump_m)
{
    const double low = -CROUCH_M * size;
    const double v = sqrt(2.0 * GRAVITY_M_S2 * jump_m), g = GRAVITY_M_S2;
    if (t <= times->crouch || t >= times->end - 0.4) {
        return 0.0;
    }
    if (t < times->push) {
        return quintic(0, 0, 0, low, 0, 0, times->push - times->crouch, t - times->crouch);
    }
    if (t < times->take_off) {
        return quintic(low, 0, 0, 0, v, -g, times->take_off - times->push, t - times->push);
    }
    if (t < times->touch_down) {
        const double s = t - times->take_off;
        return v * s - 0.5 * g * s * s;
    }
    if (t < times->absorbed) {
        return quintic(0, -v, -g, 0.6 * low, 0, 0, times->absorbed - times->touch_down,
                       t - times->touch_down);
    }
    return quintic(0.6 * low, 0, 0, 0, 0, 0, times->end - 0.4 - times->absorbed,
                   t - times->absorbed);
}

static double jump_pitch_rad(double t, const ug_synth_times *times)
{
    if (t <= times->push || t >= times->touch_down + 0.12) {
        return 0.0;
    }
    if (t < times->take_off) {
        const double from = times->push + 0.4 * (times->take_off - times->push);
        return TIPTOE_PITCH * ug_smooth_step((t - from) / (times->take_off - from));
    }
    if (t < times->touch_down) {
        const double u =
            ug_smooth_step((t - times->take_off) / (times->touch_down - times->take_off));
        return TIPTOE_PITCH + u * (LANDING_PITCH - TIPTOE_PITCH);
    }
    return LANDING_PITCH * (1.0 - ug_smooth_step((t - times->touch_down) / 0.12));
}

static double walk_weight(double t, const ug_synth_times *times)
{
    return ug_smooth_step((t - times->walk_start) / (1.1 * times->stride)) *
           ug_smooth_step((times->walk_end - t) / (1.1 * times->stride));
}

static double heading_rad(double t, const ug_synth_times *times, const ug_synth_opts *opts)
{
    const double walk = times->walk_end - times->walk_start;
    const double from = times->walk_start + 0.25 * walk, to = times->walk_end - 0.2 * walk;
    return UG_DEG * opts->turn_deg * ug_smooth_step((t - from) / (to - from));
}

static double speed_m_s(double t, const ug_synth_legs *legs, const ug_synth_times *times)
{
    return walk_weight(t, times) * legs->step_m / (0.5 * times->stride);
}

// Forward speed of a standing jump: gathered in the push, kept in the air, lost on landing.
static double hop_m_s(double t, const ug_synth_times *times)
{
    return JUMP_FORWARD_M / (times->touch_down - times->take_off) *
           ug_smooth_step((t - times->push) / (times->take_off - times->push)) *
           ug_smooth_step((times->absorbed - t) / (times->absorbed - times->touch_down));
}

// Pelvis without its rocking: along the heading at the pace of the steps, then forward in the air.
static void integrate(ug_vec3 *place_m, double from, double to, const ug_synth_legs *legs,
                      const ug_synth_times *times, const ug_synth_opts *opts)
{
    enum { SUBSTEPS = 8 };
    for (int i = 0; i < SUBSTEPS; i++) {
        const double dt = (to - from) / SUBSTEPS, t = from + (i + 0.5) * dt;
        const double v = speed_m_s(t, legs, times) + hop_m_s(t, times);
        const double a = heading_rad(t, times, opts);
        place_m->x += v * dt * sin(a);
        place_m->z += v * dt * cos(a);
    }
}

static void wish_legs(ug_synth_wish *w, double jump_pitch)
{
    for (int side = 0; side < 2; side++) {
        const double phase = w->phase + 0.5 * side, a = w->weight, b = 1.0 - w->weight;
        w->hip_flexion_rad[side] = a * hip_rad(phase) + b * STAND_HIP;
        w->hip_adduction_rad[side] = a * ug_gait_rad(UG_GAIT_HIP_ADDUCTION, phase);
        w->knee_rad[side] = a * ug_gait_rad(UG_GAIT_KNEE_FLEXION, phase) + b * STAND_KNEE;
        w->pitch_rad[side] = a * ug_synth_gait_pitch_rad(phase) + jump_pitch;
    }
}

static void wish_pelvis(ug_synth_wish *w, ug_vec3 place_m, const ug_synth_legs *legs, double size,
                        double jump_m)
{
    const double a = w->weight, half = 2.0 * w->phase;
    const double yaw = w->heading_rad - a * odd_rad(UG_GAIT_PELVIS_ROTATION, w->phase);
    const double roll = a * odd_rad(UG_GAIT_PELVIS_OBLIQUITY, w->phase);
    const double tilt =
        a * (ug_gait_rad(UG_GAIT_PELVIS_TILT, w->phase) - ug_gait_mean_rad(UG_GAIT_PELVIS_TILT));
    w->pelvis_q =
        ug_quat_from_euler((const int[]){ 1, 2, 0 }, (const double[]){ yaw, roll, tilt }, 3);
    const double ahead = a * (rock(legs->advance, half) - legs->advance[0]);
    const double aside = a * SWAY * size * cos(2.0 * UG_PI * (w->phase - 0.31));
    const double s = sin(w->heading_rad), c = cos(w->heading_rad);
    w->pelvis_m.x = place_m.x + ahead * s + aside * c;
    w->pelvis_m.z = place_m.z + ahead * c - aside * s;
    w->pelvis_m.y = a * rock(legs->height, half) + (1.0 - a) * legs->stand_m + jump_m;
}

void ug_synth_wishes(ug_synth_wish *wishes, size_t frame_count, ug_rate rate,
                     const ug_synth_legs *legs, const ug_synth_times *times,
                     const ug_synth_opts *opts, double size)
{
    ug_vec3 place_m = { 0, 0, 0 };
    for (size_t f = 0; f < frame_count; f++) {
        ug_synth_wish *w = &wishes[f];
        const double t = ug_rate_time_s(rate, (double)f);
        if (f > 0) {
            integrate(&place_m, wishes[f - 1].time_s, t, legs, times, opts);
        }
        const double stop = fmin(fmax(t, times->walk_start), times->walk_end);
        *w = (ug_synth_wish){ .time_s = t };
        w->phase = (stop - times->walk_start) / times->stride;
        w->weight = walk_weight(t, times);
        w->heading_rad = heading_rad(t, times, opts);
        const double jump_m = jump_height_m(t, times, size, opts->jump_m);
        wish_legs(w, jump_pitch_rad(t, times));
        wish_pelvis(w, place_m, legs, size, jump_m);
        w->flight_m = t > times->take_off && t < times->touch_down ? jump_m : 0.0;
    }
}
