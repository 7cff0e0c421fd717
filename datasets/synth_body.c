// SPDX-License-Identifier: MIT
#include "datasets/synth_body.h"

#include "datasets/synth_curves.h"
#include "solvers/two_bone.h"

#include <math.h>
#include <stdlib.h>

static const double ARM_DOWN = 78.0 * UG_DEG;
static const double ARM_SWING = 20.0 * UG_DEG;
static const double ELBOW_HANG = 12.0 * UG_DEG;
static const double ELBOW_SWING = 14.0 * UG_DEG;
static const double ELBOW_SHOW = 75.0 * UG_DEG; // while the arms come down
static const double FOREARM_SHOW = 35.0 * UG_DEG;
static const double JUMP_ARMS = 55.0 * UG_DEG;
static const ug_vec3 X = { 1, 0, 0 };

static const double REACH_SHARE = 0.9992;
static const double SETTLE_S = 0.12; // a stretch is seen coming this long

static ug_quat turn2(int axis0, double a0, int axis1, double a1)
{
    return ug_quat_from_euler((const int[]){ axis0, axis1 }, (const double[]){ a0, a1 }, 2);
}

static void set_role(ug_quat *local, const ug_skeleton *skeleton, ug_role role, ug_quat q)
{
    const int joint = ug_skeleton_find_role(skeleton, role);
    if (joint >= 0) {
        local[joint] = ug_quat_mul(skeleton->joints[joint].rest, q);
    }
}

// The trunk takes back the pelvis' turn and lean, shared by the spine joints; a crouch bends it.
static void pose_trunk(ug_quat *local, const ug_skeleton *skeleton, const ug_synth_wish *w,
                       double crouch)
{
    int spines = 0;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        spines += skeleton->joints[j].role == UG_ROLE_SPINE;
    }
    const double yaw = 0.5 * w->weight *
                       (ug_gait_rad(UG_GAIT_PELVIS_ROTATION, w->phase) -
                        ug_gait_rad(UG_GAIT_PELVIS_ROTATION, w->phase + 0.5));
    const double roll = 0.5 * w->weight *
                        (ug_gait_rad(UG_GAIT_PELVIS_OBLIQUITY, w->phase) -
                         ug_gait_rad(UG_GAIT_PELVIS_OBLIQUITY, w->phase + 0.5));
    const double angles[3] = { 1.7 * yaw / spines, -0.8 * roll / spines,
                               (26.0 * crouch + 2.0 * w->weight) * UG_DEG / spines };
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].role == UG_ROLE_SPINE) {
            local[j] = ug_quat_mul(skeleton->joints[j].rest,
                                   ug_quat_from_euler((const int[]){ 1, 2, 0 }, angles, 3));
        }
    }
    set_role(local, skeleton, UG_ROLE_NECK,
             turn2(1, -0.4 * yaw, 0, -(14.0 * crouch + 1.0 * w->weight) * UG_DEG));
    set_role(local, skeleton, UG_ROLE_HEAD,
             turn2(1, -0.3 * yaw + 6.0 * UG_DEG * sin(0.9 * w->time_s) * w->weight, 0,
                   -8.0 * crouch * UG_DEG));
}

// From the T-pose down, with a bend of the elbow on the way; then each arm with the other leg.
static void pose_arm(ug_quat *local, const ug_skeleton *skeleton, const ug_synth_wish *w, int side,
                     double down, double show, double jump)
{
    const double out = side == 0 ? 1.0 : -1.0;
    const double beat = cos(2.0 * UG_PI * (w->phase + 0.5 * side - 0.5));
    const double swing = w->weight * ARM_SWING * (beat + 0.15) + JUMP_ARMS * jump;
    const double elbow = down * ELBOW_HANG + w->weight * ELBOW_SWING * (0.6 + 0.4 * beat) +
                         ELBOW_SHOW * show + 0.4 * JUMP_ARMS * fmax(jump, 0.0);
    set_role(local, skeleton, ug_role_on_side(UG_ROLE_L_UPPER_ARM, side),
             turn2(0, -swing, 2, -out * ARM_DOWN * down));
    set_role(local, skeleton, ug_role_on_side(UG_ROLE_L_FOREARM, side),
             turn2(1, -out * elbow, 0, FOREARM_SHOW * show));
    set_role(local, skeleton, ug_role_on_side(UG_ROLE_L_HAND, side),
             turn2(2, -out * (8.0 * down + 20.0 * show) * UG_DEG, 1, 0.0));
}

// How far into the crouch, 0 … 1, and arms back (-) or up (+) for the jump.
static void jump_state(double *crouch, double *arms, double t, const ug_synth_times *s)
{
    const double down = ug_smooth_step((t - s->crouch) / (s->push - s->crouch));
    const double up = ug_smooth_step((t - s->push) / (s->take_off - s->push));
    const double land = ug_smooth_step((t - s->touch_down) / (s->absorbed - s->touch_down));
    const double rise = ug_smooth_step((t - s->absorbed) / (s->end - 0.4 - s->absorbed));
    *crouch = down * (1.0 - up) + 0.6 * land * (1.0 - rise);
    *arms = -0.6 * down * (1.0 - up) + up * (1.0 - land);
}

static ug_vec3 hip_place_m(const ug_synth_wish *w, const ug_skeleton *skeleton,
                           const ug_synth_legs *legs, int side)
{
    return ug_vec3_add(w->pelvis_m,
                       ug_quat_rotate(w->pelvis_q, skeleton->joints[legs->thigh[side]].offset_m));
}

static ug_vec3 ankle_place_m(const ug_synth_foot *foot, const ug_skeleton *skeleton,
                             const ug_synth_legs *legs, int side)
{
    return ug_vec3_sub(foot->ball_m, ug_quat_rotate(ug_synth_foot_q(foot),
                                                    skeleton->joints[legs->toe[side]].offset_m));
}

// How far the hip must come down to be within reach of the ankle.
static double drop_m(ug_vec3 hip, ug_vec3 ankle, double reach_m)
{
    const ug_vec3 d = ug_vec3_sub(hip, ankle);
    const double level = d.x * d.x + d.z * d.z, room = reach_m * reach_m - level;
    return fmax(0.0, d.y - sqrt(fmax(room, 0.0)));
}

// Mean of `in` over `half` frames to both sides; a mean of maxima over at least as many stays
// above every value it stands for.
static void box(double *out, const double *in, size_t count, size_t half)
{
    for (size_t f = 0; f < count; f++) {
        double sum = 0.0;
        const size_t from = f > half ? f - half : 0, to = f + half < count ? f + half : count - 1;
        for (size_t k = from; k <= to; k++) {
            sum += in[k];
        }
        out[f] = sum / (double)(to - from + 1);
    }
}

ug_status ug_synth_settle_pelvis(ug_synth_wish *wishes, ug_synth_foot *const feet[2],
                                 size_t frame_count, const ug_skeleton *skeleton,
                                 const ug_synth_legs *legs, const ug_synth_times *times,
                                 ug_rate rate, ug_error *err)
{
    double *need = calloc(2 * frame_count, sizeof *need);
    if (!need) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu frames", frame_count);
    }
    double *most = need + frame_count;
    const size_t half = (size_t)(0.5 * SETTLE_S * ug_rate_hz(rate)) + 1;
    const double reach_m = REACH_SHARE * (legs->thigh_m + legs->shin_m);
    for (size_t f = 0; f < frame_count && wishes[f].time_s < times->crouch; f++) {
        for (int side = 0; side < 2; side++) {
            const double drop =
                drop_m(hip_place_m(&wishes[f], skeleton, legs, side),
                       ankle_place_m(&feet[side][f], skeleton, legs, side), reach_m);
            need[f] = fmax(need[f], drop);
        }
    }
    for (size_t f = 0; f < frame_count; f++) {
        const size_t from = f > 2 * half ? f - 2 * half : 0;
        for (size_t k = from; k <= f + 2 * half && k < frame_count; k++) {
            most[f] = fmax(most[f], need[k]);
        }
    }
    box(need, most, frame_count, half);
    box(most, need, frame_count, half);
    for (size_t f = 0; f < frame_count && wishes[f].time_s < times->crouch; f++) {
        wishes[f].pelvis_m.y -= most[f];
    }
    free(need);
    return UG_OK;
}

static bool pose_leg(ug_quat *local, const ug_skeleton *skeleton, const ug_synth_wish *w,
                     const ug_synth_foot *foot, const ug_synth_legs *legs, int side)
{
    const ug_joint *joints = skeleton->joints;
    ug_quat thigh_q, shin_q;
    ug_synth_wish_leg(&thigh_q, &shin_q, w, side);
    ug_two_bone limb;
    limb.root_m = hip_place_m(w, skeleton, legs, side);
    limb.mid_m =
        ug_vec3_add(limb.root_m, ug_quat_rotate(thigh_q, joints[legs->shin[side]].offset_m));
    limb.end_m = ug_vec3_add(limb.mid_m, ug_quat_rotate(shin_q, joints[legs->foot[side]].offset_m));
    const ug_quat foot_q = ug_synth_foot_q(foot);
    const ug_vec3 ankle_m = ankle_place_m(foot, skeleton, legs, side);
    const ug_vec3 normal = ug_quat_rotate(thigh_q, ug_vec3_scale(X, -1.0));
    ug_quat root_turn, mid_turn;
    if (!ug_two_bone_solve(&root_turn, &mid_turn, &limb, ankle_m, normal)) {
        return false;
    }
    shin_q = ug_quat_mul(root_turn, ug_quat_mul(mid_turn, shin_q));
    thigh_q = ug_quat_mul(root_turn, thigh_q);
    const ug_quat knee = ug_quat_mul(ug_quat_conj(thigh_q), shin_q);
    // a pure turn about x but for rounding; the clip holds the pure one
    const ug_quat hinge = ug_quat_from_axis_angle(X, 2.0 * atan2(knee.x, knee.w));
    shin_q = ug_quat_mul(thigh_q, hinge);
    local[legs->thigh[side]] = ug_quat_mul(ug_quat_conj(w->pelvis_q), thigh_q);
    local[legs->shin[side]] = hinge;
    local[legs->foot[side]] = ug_quat_mul(ug_quat_conj(shin_q), foot_q);
    local[legs->toe[side]] = ug_quat_from_axis_angle(X, -foot->toe_rad);
    return true;
}

ug_status ug_synth_body(ug_clip **clip, const ug_skeleton *skeleton, const ug_synth_wish *wishes,
                        ug_synth_foot *const feet[2], size_t frame_count, const ug_synth_legs *legs,
                        const ug_synth_times *times, const ug_synth_opts *opts, ug_error *err)
{
    *clip = ug_clip_create(frame_count, skeleton->joint_count, &legs->pelvis, 1, opts->rate);
    if (!*clip) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for a clip of %zu frames", frame_count);
    }
    const ug_progress posing = ug_progress_part(opts->progress, 0.2, 0.5);
    for (size_t f = 0; f < frame_count; f++) {
        const ug_status going = ug_progress_step(&posing, f, frame_count, err);
        if (going != UG_OK) {
            ug_clip_destroy(*clip);
            *clip = NULL;
            return going;
        }
        const ug_synth_wish *w = &wishes[f];
        ug_quat *local = ug_clip_rotations(*clip, f);
        for (size_t j = 0; j < skeleton->joint_count; j++) {
            local[j] = skeleton->joints[j].rest;
        }
        local[legs->pelvis] = w->pelvis_q;
        ug_clip_translations(*clip, f)[0] = w->pelvis_m;
        const double way = (w->time_s - times->arms_start) / (times->arms_end - times->arms_start);
        const double down = ug_smooth_step(way), show = 4.0 * down * (1.0 - down);
        double crouch, arms;
        jump_state(&crouch, &arms, w->time_s, times);
        pose_trunk(local, skeleton, w, crouch);
        for (int side = 0; side < 2; side++) {
            pose_arm(local, skeleton, w, side, down, show, arms);
            if (!pose_leg(local, skeleton, w, &feet[side][f], legs, side)) {
                ug_clip_destroy(*clip);
                *clip = NULL;
                return ug_fail(err, UG_E_DATA,
                               "the %s foot cannot reach its place at frame %zu; turn less or jump "
                               "lower",
                               side == 0 ? "left" : "right", f);
            }
        }
    }
    ug_clip_make_signs_continuous(*clip);
    return UG_OK;
}
