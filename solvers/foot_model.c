// SPDX-License-Identifier: MIT
#include "solvers/foot_model.h"

#include "motion/kinematics.h"
#include "motion/median.h"
#include "solvers/slow_runs.h"

#include <assert.h>
#include <stdlib.h>

static const double HEEL_BACK = 0.3; // of the horizontal distance ankle to ball
static const double FLAT_SPEED_M_S = 0.08;
static const double FLAT_SHARE = 0.15;
static const double SMOOTH_HZ = 12.0;           // speeds of raw joints are mostly noise above
static const double HUMAN_LEG_M = 0.85;         // speeds scale with leg length over this
static const double TIPTOE_SINE = 0.8660;       // 60 degrees
static const double GUESS_BALL = 0.17;          // of a leg, ahead of an ankle without a foot
static const double GUESS_HEIGHT = 0.09;        // of a leg, ankle over the sole
static const double NEVER_FLAT_COSINE = 0.9063; // 25 degrees between motion and rest pose
static const ug_vec3 UP = { 0, 1, 0 };
static const ug_vec3 AHEAD = { 0, 0, 1 };

ug_vec3 ug_foot_heel_m(const ug_foot_model *foot, const ug_quat *world_q, const ug_vec3 *world_m)
{
    return ug_vec3_add(world_m[foot->ankle], ug_quat_rotate(world_q[foot->ankle], foot->heel_m));
}

ug_vec3 ug_foot_ball_m(const ug_foot_model *foot, const ug_quat *world_q, const ug_vec3 *world_m)
{
    return ug_vec3_add(world_m[foot->ankle], ug_quat_rotate(world_q[foot->ankle], foot->ball_m));
}

ug_vec3 ug_foot_tip_m(const ug_foot_model *foot, const ug_quat *world_q, const ug_vec3 *world_m)
{
    const ug_vec3 ball_m = ug_foot_ball_m(foot, world_q, world_m);
    return foot->tip < 0 ? ball_m
                         : ug_vec3_add(ball_m, ug_quat_rotate(world_q[foot->toe], foot->tip_m));
}

ug_foot_model ug_foot_model_scale(const ug_foot_model *foot, double ratio)
{
    ug_foot_model scaled = *foot;
    scaled.heel_m = ug_vec3_scale(foot->heel_m, ratio);
    scaled.ball_m = ug_vec3_scale(foot->ball_m, ratio);
    scaled.tip_m = ug_vec3_scale(foot->tip_m, ratio);
    scaled.ankle_height_m *= ratio;
    scaled.ball_height_m *= ratio;
    scaled.tip_height_m *= ratio;
    return scaled;
}

static ug_vec3 level(ug_vec3 v)
{
    return (ug_vec3){ v.x, 0.0, v.z };
}

// what one pose shows of a foot, summed or not: directions in joint frames, heights over the sole
typedef struct view {
    ug_vec3 heel_m; // in the ankle's frame
    ug_vec3 foot_up, foot_forward, toe_up, toe_forward;
    double ankle_m, ball_m, tip_m;
} view;

static view look(const ug_foot_model *foot, const ug_quat *q, const ug_vec3 *m)
{
    const ug_vec3 ankle = m[foot->ankle];
    const ug_vec3 ball = ug_foot_ball_m(foot, q, m);
    const ug_vec3 tip = ug_foot_tip_m(foot, q, m);
    const ug_vec3 forward = ug_vec3_unit(ug_vec3_sub(ball, ankle), AHEAD);
    const double floor = foot->ball_guessed ? ankle.y - foot->ankle_height_m : fmin(ball.y, tip.y);
    ug_vec3 heel = ug_vec3_madd(ankle, -HEEL_BACK, level(ug_vec3_sub(ball, ankle)));
    heel.y = floor;
    view v = { .ankle_m = ankle.y - floor, .ball_m = ball.y - floor, .tip_m = tip.y - floor };
    v.heel_m = ug_quat_unrotate(q[foot->ankle], ug_vec3_sub(heel, ankle));
    v.foot_up = ug_quat_unrotate(q[foot->ankle], UP);
    v.foot_forward = ug_quat_unrotate(q[foot->ankle], forward);
    if (foot->toe >= 0) {
        v.toe_up = ug_quat_unrotate(q[foot->toe], UP);
        v.toe_forward = ug_quat_unrotate(q[foot->toe], forward);
    }
    return v;
}

static void add(view *sum, const view *v)
{
    sum->heel_m = ug_vec3_add(sum->heel_m, v->heel_m);
    sum->foot_up = ug_vec3_add(sum->foot_up, v->foot_up);
    sum->foot_forward = ug_vec3_add(sum->foot_forward, v->foot_forward);
    sum->toe_up = ug_vec3_add(sum->toe_up, v->toe_up);
    sum->toe_forward = ug_vec3_add(sum->toe_forward, v->toe_forward);
    sum->ankle_m += v->ankle_m;
    sum->ball_m += v->ball_m;
    sum->tip_m += v->tip_m;
}

static void adopt(ug_foot_model *foot, const view *sum, double count)
{
    foot->heel_m = ug_vec3_scale(sum->heel_m, 1.0 / count);
    foot->ankle_height_m = sum->ankle_m / count;
    foot->ball_height_m = sum->ball_m / count;
    foot->tip_height_m = sum->tip_m / count;
    foot->foot_up = ug_vec3_unit(sum->foot_up, UP);
    foot->foot_forward = ug_vec3_unit(sum->foot_forward, AHEAD);
    foot->toe_up = ug_vec3_unit(sum->toe_up, UP);
    foot->toe_forward = ug_vec3_unit(sum->toe_forward, AHEAD);
}

// joints, and the points that are fixed to them whatever the motion
static void start(ug_foot_model *foot, const ug_skeleton *skeleton, const ug_body_map *body,
                  int side)
{
    const double leg_m = ug_body_leg_m(body, skeleton);
    const int ball = body->ball[side];
    *foot = (ug_foot_model){ .ankle = body->joint[ug_role_on_side(UG_ROLE_L_FOOT, side)],
                             .toe = body->joint[ug_role_on_side(UG_ROLE_L_TOE, side)],
                             .tip = body->tip[side] };
    foot->ball_guessed = ball < 0 || ug_bone_length_m(skeleton, foot->ankle, ball) < 0.01 * leg_m;
    if (foot->tip >= 0) {
        foot->tip_m = skeleton->joints[foot->tip].offset_m;
    }
    if (foot->ball_guessed) {
        foot->ankle_height_m = GUESS_HEIGHT * leg_m;
        return; // the rest pose says where ahead is
    }
    for (int j = ball; j > foot->ankle; j = skeleton->joints[j].parent) {
        const int parent = skeleton->joints[j].parent; // joints between keep their rest turn
        foot->ball_m = ug_vec3_add(skeleton->joints[j].offset_m, foot->ball_m);
        if (parent > foot->ankle) {
            foot->ball_m = ug_quat_rotate(skeleton->joints[parent].rest, foot->ball_m);
        }
    }
}

static void guess_ball(ug_foot_model *foot, const ug_skeleton *skeleton, const ug_body_map *body,
                       const ug_quat *q, const ug_vec3 *m)
{
    const ug_vec3 left = ug_vec3_unit(
        level(ug_vec3_sub(m[body->joint[UG_ROLE_L_THIGH]], m[body->joint[UG_ROLE_R_THIGH]])),
        (ug_vec3){ 1, 0, 0 });
    const ug_vec3 ahead = ug_vec3_cross(left, UP);
    const double length_m = GUESS_BALL * ug_body_leg_m(body, skeleton);
    const ug_vec3 ball = { ahead.x * length_m, -foot->ankle_height_m, ahead.z * length_m };
    foot->ball_m = ug_quat_unrotate(q[foot->ankle], ball);
    foot->tip = -1;
}

static ug_status from_pose(ug_foot_model *foot, const ug_skeleton *skeleton,
                           const ug_body_map *body, const ug_clip *clip, size_t frame,
                           ug_error *err)
{
    const size_t n = skeleton->joint_count;
    ug_quat *q = malloc(n * sizeof *q);
    ug_vec3 *m = malloc(n * sizeof *m);
    ug_status status = UG_OK;
    if (!q || !m) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    if (clip) {
        ug_clip_forward(q, m, skeleton, clip, frame);
    } else {
        ug_rest_forward(q, m, skeleton);
    }
    if (foot->ball_guessed) {
        guess_ball(foot, skeleton, body, q, m);
    }
    const view v = look(foot, q, m);
    adopt(foot, &v, 1.0);
    const ug_vec3 down = ug_vec3_unit(ug_vec3_sub(ug_foot_ball_m(foot, q, m), m[foot->ankle]), UP);
    foot->points_down = !foot->ball_guessed && down.y < -TIPTOE_SINE;
done:
    free(q);
    free(m);
    return status;
}

static ug_status from_rest(ug_foot_model *foot, const ug_skeleton *skeleton,
                           const ug_body_map *body, int side, ug_error *err)
{
    start(foot, skeleton, body, side);
    return from_pose(foot, skeleton, body, NULL, 0, err);
}

// ---- from motion -------------------------------------------------------------------------------

static void gather_paths(ug_vec3 *ankle, ug_vec3 *ball, const ug_foot_model *foot,
                         const ug_skeleton *skeleton, const ug_clip *clip, ug_quat *q, ug_vec3 *m)
{
    for (size_t f = 0; f < clip->frame_count; f++) {
        ug_clip_forward(q, m, skeleton, clip, f);
        ankle[f] = m[foot->ankle];
        ball[f] = ug_foot_ball_m(foot, q, m);
    }
}

static void average_flat(ug_foot_model *foot, const double *speed, double limit_m_s,
                         const ug_skeleton *skeleton, const ug_clip *clip, ug_quat *q, ug_vec3 *m)
{
    view sum = { .ankle_m = 0.0 };
    for (size_t f = 0; f < clip->frame_count; f++) {
        if (speed[f] <= limit_m_s) {
            ug_clip_forward(q, m, skeleton, clip, f);
            const view v = look(foot, q, m);
            add(&sum, &v);
            foot->flat_frame_count++;
        }
    }
    adopt(foot, &sum, (double)foot->flat_frame_count);
}

static ug_status from_clip(ug_foot_model *foot, const ug_skeleton *skeleton,
                           const ug_body_map *body, const ug_clip *clip, int side, ug_error *err)
{
    const size_t count = clip->frame_count, n = skeleton->joint_count;
    ug_status status = from_rest(foot, skeleton, body, side, err);
    if (status != UG_OK || count == 0) {
        return status;
    }
    if (count < 3) {
        return from_pose(foot, skeleton, body, clip, count / 2, err);
    }
    ug_vec3 *path = malloc(2 * count * sizeof *path);  // ankle, ball
    double *speed = malloc(3 * count * sizeof *speed); // ankle, ball; then the faster, sorted
    ug_quat *q = malloc(n * sizeof *q);
    ug_vec3 *m = malloc(n * sizeof *m);
    const double rate_hz = ug_rate_hz(clip->rate);
    if (!path || !speed || !q || !m) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    double *sorted = speed + 2 * count;
    gather_paths(path, path + count, foot, skeleton, clip, q, m);
    status = ug_path_speed(speed, path, count, rate_hz, SMOOTH_HZ, err);
    if (status == UG_OK) {
        status = ug_path_speed(speed + count, path + count, count, rate_hz, SMOOTH_HZ, err);
    }
    if (status != UG_OK) {
        goto done;
    }
    for (size_t f = 0; f < count; f++) {
        sorted[f] = speed[f] = fmax(speed[f], speed[count + f]);
    }
    ug_sort_ascending(sorted, count);
    const double scale = ug_body_leg_m(body, skeleton) / HUMAN_LEG_M;
    const double slowest = sorted[(size_t)(FLAT_SHARE * (double)(count - 1))];
    average_flat(foot, speed, fmax(FLAT_SPEED_M_S * scale, slowest), skeleton, clip, q, m);
    foot->points_down = false; // the motion has shown it flat
done:
    free(path);
    free(speed);
    free(q);
    free(m);
    return status;
}

// ---- both --------------------------------------------------------------------------------------

ug_status ug_foot_models_from_rest(ug_foot_model feet[2], const ug_skeleton *skeleton,
                                   const ug_body_map *body, ug_error *err)
{
    const ug_status status = from_rest(&feet[0], skeleton, body, 0, err);
    return status == UG_OK ? from_rest(&feet[1], skeleton, body, 1, err) : status;
}

ug_status ug_foot_models_from_clip(ug_foot_model feet[2], const ug_skeleton *skeleton,
                                   const ug_body_map *body, const ug_clip *clip, ug_error *err)
{
    assert(clip->joint_count == skeleton->joint_count);
    ug_foot_model rest[2];
    bool odd[2] = { false, false };
    ug_status status = ug_foot_models_from_rest(rest, skeleton, body, err);
    for (int side = 0; side < 2 && status == UG_OK; side++) {
        status = from_clip(&feet[side], skeleton, body, clip, side, err);
        odd[side] = status == UG_OK && clip->frame_count > 0 &&
                    ug_vec3_dot(feet[side].foot_up, rest[side].foot_up) < NEVER_FLAT_COSINE;
    }
    // one foot agrees with the rest pose, so that is flat: the other one is on tiptoe all along
    for (int side = 0; side < 2 && status == UG_OK; side++) {
        if (odd[side] && !odd[1 - side] && !rest[side].points_down) {
            feet[side] = rest[side];
        }
    }
    return status;
}

// ---- paths -------------------------------------------------------------------------------------

void ug_foot_paths_fini(ug_foot_paths *paths)
{
    if (paths) {
        free(paths->heel_m[0]); // one block for all six
        *paths = (ug_foot_paths){ 0 };
    }
}

ug_status ug_foot_paths_init(ug_foot_paths *out, const ug_foot_model feet[2],
                             const ug_skeleton *skeleton, const ug_clip *clip, ug_error *err)
{
    assert(out && clip->joint_count == skeleton->joint_count);
    const size_t count = clip->frame_count, n = skeleton->joint_count;
    ug_status status = UG_OK;
    *out = (ug_foot_paths){ .frame_count = count };
    ug_vec3 *block = malloc((count > 0 ? 6 * count : 1) * sizeof *block);
    ug_quat *q = malloc(n * sizeof *q);
    ug_vec3 *m = malloc(n * sizeof *m);
    if (!block || !q || !m) {
        free(block);
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    for (size_t side = 0; side < 2; side++) {
        out->heel_m[side] = block + (3 * side) * count;
        out->ball_m[side] = block + (3 * side + 1) * count;
        out->tip_m[side] = block + (3 * side + 2) * count;
    }
    for (size_t f = 0; f < count; f++) {
        ug_clip_forward(q, m, skeleton, clip, f);
        for (int side = 0; side < 2; side++) {
            out->heel_m[side][f] = ug_foot_heel_m(&feet[side], q, m);
            out->ball_m[side][f] = ug_foot_ball_m(&feet[side], q, m);
            out->tip_m[side][f] = ug_foot_tip_m(&feet[side], q, m);
        }
    }
done:
    free(q);
    free(m);
    return status;
}
