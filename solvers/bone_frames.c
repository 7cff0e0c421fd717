// SPDX-License-Identifier: MIT
#include "solvers/bone_frames.h"

#include "motion/conventions.h"
#include "motion/kinematics.h"

#include <assert.h>
#include <stdlib.h>

static const double STANDING_RAD = 40.0 * UG_DEG;
static const double PELVIS_RAD = 25.0 * UG_DEG; // animated hip stubs move the line by ten
static const double HINGE_SINE = 0.15;          // a limb that bends less does not show its hinge
static const double HINGE_AGREEMENT = 0.85;     // |sum| / sum| | of the normals
static const double THUMB_OFF = 0.10;           // of its length, off the hand's axis
static const ug_vec3 DOWN = { 0, -1, 0 };
static const ug_vec3 UP = { 0, 1, 0 };
static const ug_vec3 X = { 1, 0, 0 };
static const ug_vec3 Z = { 0, 0, 1 };

void ug_bone_frames_fini(ug_bone_frames *frames)
{
    if (frames) {
        free(frames->frame);
        free(frames->reference_q);
        free(frames->reference_m);
        *frames = (ug_bone_frames){ 0 };
    }
}

ug_quat ug_bone_frames_pose(const ug_bone_frames *frames, int joint)
{
    return ug_quat_mul(ug_quat_conj(frames->character),
                       ug_quat_mul(frames->reference_q[joint], frames->frame[joint]));
}

// ---- reference pose ----------------------------------------------------------------------------

typedef struct stance {
    double worst_rad, sum_rad; // thighs and shins off the vertical
    bool upright;              // head (or what there is) above the pelvis
} stance;

static double angle_between(ug_vec3 a, ug_vec3 b)
{
    return atan2(ug_vec3_norm(ug_vec3_cross(a, b)), ug_vec3_dot(a, b));
}

static stance judge(const ug_body_map *body, const ug_vec3 *m)
{
    stance s = { .upright = true };
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 2; k++) {
            const ug_role from = k == 0 ? UG_ROLE_L_THIGH : UG_ROLE_L_SHIN;
            const ug_role to = k == 0 ? UG_ROLE_L_SHIN : UG_ROLE_L_FOOT;
            const ug_vec3 bone = ug_vec3_sub(m[body->joint[ug_role_on_side(to, side)]],
                                             m[body->joint[ug_role_on_side(from, side)]]);
            const double angle = angle_between(bone, DOWN);
            s.worst_rad = fmax(s.worst_rad, angle);
            s.sum_rad += angle;
        }
    }
    int top = body->joint[UG_ROLE_HEAD];
    top = top < 0 && body->neck_count > 0 ? body->neck[body->neck_count - 1] : top;
    top = top < 0 && body->spine_count > 0 ? body->spine[body->spine_count - 1] : top;
    if (top >= 0) {
        const ug_vec3 trunk = ug_vec3_sub(m[top], m[body->joint[UG_ROLE_PELVIS]]);
        s.upright = trunk.y > 0.0;
        s.sum_rad += angle_between(trunk, UP);
    }
    return s;
}

// How far the hips' line leaves the pelvis joint's axes over the clip when a pose is taken as the
// reference: near zero where rotations mean what the pose says, large where a file's zero pose has
// nothing to do with its rotations. Radians, mean over the frames.
static double pelvis_disagreement(const ug_bone_frames *out, const ug_skeleton *skeleton,
                                  const ug_body_map *body, const ug_clip *clip, ug_quat *q,
                                  ug_vec3 *m)
{
    const int pelvis = body->joint[UG_ROLE_PELVIS];
    const int left = body->joint[UG_ROLE_L_THIGH], right = body->joint[UG_ROLE_R_THIGH];
    const ug_vec3 line = ug_quat_unrotate(
        out->reference_q[pelvis], ug_vec3_sub(out->reference_m[left], out->reference_m[right]));
    double sum = 0.0;
    for (size_t f = 0; f < clip->frame_count; f++) {
        ug_clip_forward(q, m, skeleton, clip, f);
        sum += angle_between(ug_quat_rotate(q[pelvis], line), ug_vec3_sub(m[left], m[right]));
    }
    return clip->frame_count > 0 ? sum / (double)clip->frame_count : 0.0;
}

static void find_reference(ug_bone_frames *out, const ug_skeleton *skeleton,
                           const ug_body_map *body, const ug_clip *clip, ug_quat *q, ug_vec3 *m)
{
    ug_rest_forward(out->reference_q, out->reference_m, skeleton);
    stance best = judge(body, out->reference_m);
    const bool stands = best.upright && best.worst_rad < STANDING_RAD;
    out->reference_frame = -1;
    if (clip && (!stands || pelvis_disagreement(out, skeleton, body, clip, q, m) > PELVIS_RAD)) {
        best.sum_rad = INFINITY;
        for (size_t f = 0; f < clip->frame_count; f++) {
            ug_clip_forward(out->reference_q, out->reference_m, skeleton, clip, f);
            const stance s = judge(body, out->reference_m);
            if (s.upright && s.sum_rad < best.sum_rad) {
                best = s;
                out->reference_frame = (ptrdiff_t)f;
            }
        }
        if (out->reference_frame >= 0) {
            ug_clip_forward(out->reference_q, out->reference_m, skeleton, clip,
                            (size_t)out->reference_frame);
        } else {
            ug_rest_forward(out->reference_q, out->reference_m, skeleton);
        }
    }
    out->reference_angle_rad = best.worst_rad;
    ug_vec3 left = ug_vec3_sub(out->reference_m[body->joint[UG_ROLE_L_THIGH]],
                               out->reference_m[body->joint[UG_ROLE_R_THIGH]]);
    left.y = 0.0;
    left = ug_vec3_unit(left, X);
    out->character = ug_quat_from_axes(left, UP, ug_vec3_cross(left, UP));
}

// ---- hinges ------------------------------------------------------------------------------------

// how a limb bends over the clip, in the axes of its two joints
typedef struct bend {
    int a, b, c; // joints: hip, knee, ankle or shoulder, elbow, wrist
    ug_vec3 upper, lower;
    double size, square;
} bend;

static void observe(bend *bends, const ug_quat *q, const ug_vec3 *m)
{
    for (int i = 0; i < 4; i++) {
        bend *b = &bends[i];
        if (b->a < 0 || b->b < 0 || b->c < 0) {
            continue;
        }
        const ug_vec3 zero = { 0, 0, 0 };
        const ug_vec3 n = ug_vec3_cross(ug_vec3_unit(ug_vec3_sub(m[b->a], m[b->b]), zero),
                                        ug_vec3_unit(ug_vec3_sub(m[b->c], m[b->b]), zero));
        b->upper = ug_vec3_add(b->upper, ug_quat_unrotate(q[b->a], n));
        b->lower = ug_vec3_add(b->lower, ug_quat_unrotate(q[b->b], n));
        b->size += ug_vec3_norm(n);
        b->square += ug_vec3_dot(n, n);
    }
}

static void watch(bend bends[4], const ug_skeleton *skeleton, const ug_body_map *body,
                  const ug_clip *clip, ug_quat *q, ug_vec3 *m)
{
    static const ug_role FIRST[2] = { UG_ROLE_L_THIGH, UG_ROLE_L_UPPER_ARM };
    for (int i = 0; i < 4; i++) {
        const ug_role role = FIRST[i / 2];
        bends[i] = (bend){ .a = body->joint[ug_role_on_side(role, i % 2)],
                           .b = body->joint[ug_role_on_side((ug_role)(role + 1), i % 2)],
                           .c = body->joint[ug_role_on_side((ug_role)(role + 2), i % 2)] };
    }
    for (size_t f = 0; clip && f < clip->frame_count; f++) {
        ug_clip_forward(q, m, skeleton, clip, f);
        observe(bends, q, m);
    }
}

// ---- frames ------------------------------------------------------------------------------------

// y as given, z as near to `z_hint` as it can be, both in joint axes
static ug_quat frame_y_z(ug_vec3 y, ug_vec3 z_hint, ug_vec3 z_spare)
{
    ug_vec3 x = ug_vec3_cross(y, z_hint);
    if (ug_vec3_norm(x) < 1e-3) {
        x = ug_vec3_cross(y, z_spare);
    }
    if (ug_vec3_norm(x) < 1e-3) {
        x = ug_vec3_cross(y, fabs(y.x) < 0.9 ? X : Z);
    }
    x = ug_vec3_unit(x, X);
    return ug_quat_from_axes(x, y, ug_vec3_cross(x, y));
}

// direction from a joint to another point in the reference pose, in the joint's axes
static ug_vec3 toward(const ug_bone_frames *f, int joint, int to, ug_vec3 spare_world)
{
    const ug_vec3 way = ug_vec3_sub(f->reference_m[to], f->reference_m[joint]);
    return ug_quat_unrotate(f->reference_q[joint],
                            ug_vec3_norm(way) > 1e-6 ? ug_vec3_unit(way, DOWN) : spare_world);
}

static int farthest_below(const ug_skeleton *skeleton, int joint)
{
    int best = -1;
    double best_m = 1e-6;
    for (int j = joint + 1; j < (int)skeleton->joint_count; j++) {
        if (ug_skeleton_is_ancestor(skeleton, joint, j)) {
            const double reach_m = ug_bone_length_m(skeleton, joint, j);
            if (reach_m > best_m) {
                best_m = reach_m;
                best = j;
            }
        }
    }
    return best;
}

static void frame_limb(ug_bone_frames *out, const bend *b, ug_role upper, bool is_leg)
{
    const ug_vec3 forward = ug_quat_rotate(out->character, Z);
    const ug_vec3 spare = ug_quat_rotate(out->character, is_leg ? Z : UP);
    const bool bent = b->size > 0.0 && b->square > 0.0;
    const int joints[3] = { b->a, b->b, b->c };
    for (int k = 0; k < 2; k++) {
        const int joint = joints[k], next = joints[k + 1];
        if (joint < 0 || next < 0) {
            continue;
        }
        const ug_vec3 y = toward(out, joint, next, DOWN);
        const ug_vec3 sum = k == 0 ? b->upper : b->lower;
        const ug_vec3 n = ug_vec3_madd(sum, -ug_vec3_dot(sum, y), y);
        if (bent && ug_vec3_norm(sum) > HINGE_AGREEMENT * b->size && ug_vec3_norm(n) > 1e-9) {
            const ug_vec3 x = ug_vec3_unit(ug_vec3_scale(n, is_leg ? 1.0 : -1.0), X);
            out->frame[joint] = ug_quat_from_axes(x, y, ug_vec3_cross(x, y));
            out->hinge_from_motion[upper + k] = true;
        } else {
            out->frame[joint] = frame_y_z(y, ug_quat_unrotate(out->reference_q[joint], forward),
                                          ug_quat_unrotate(out->reference_q[joint], spare));
        }
    }
}

static void frame_foot(ug_bone_frames *out, const ug_foot_model *foot, int side)
{
    const ug_vec3 up = foot->foot_up;
    const ug_vec3 along = ug_vec3_unit(foot->ball_m, foot->foot_forward);
    const ug_quat turn = out->reference_q[foot->ankle];
    const ug_vec3 forward = ug_quat_unrotate(turn, ug_quat_rotate(out->character, Z));
    out->frame[foot->ankle] = frame_y_z(up, foot->foot_forward, forward);
    out->foot_by_bone[side] = frame_y_z(along, forward, foot->foot_up);
    if (foot->toe >= 0) {
        const ug_quat to_toe = ug_quat_mul(ug_quat_conj(out->reference_q[foot->toe]), turn);
        out->frame[foot->toe] = frame_y_z(foot->toe_up, foot->toe_forward, forward);
        out->toe_by_bone[side] = ug_quat_mul(to_toe, out->foot_by_bone[side]);
    }
}

static void frame_hand(ug_bone_frames *out, const ug_skeleton *skeleton, const ug_body_map *body,
                       int side)
{
    const int hand = body->joint[ug_role_on_side(UG_ROLE_L_HAND, side)];
    const int forearm = body->joint[ug_role_on_side(UG_ROLE_L_FOREARM, side)];
    if (hand < 0) {
        return;
    }
    const ug_quat arm =
        forearm < 0 ? out->character : ug_quat_mul(out->reference_q[forearm], out->frame[forearm]);
    const ug_vec3 arm_y = ug_quat_rotate(arm, UP);
    const int end = farthest_below(skeleton, hand);
    const ug_vec3 y =
        end >= 0 ? toward(out, hand, end, arm_y) : ug_quat_unrotate(out->reference_q[hand], arm_y);
    const ug_vec3 z = ug_quat_unrotate(out->reference_q[hand], ug_quat_rotate(arm, Z));
    out->frame[hand] = frame_y_z(y, z, ug_quat_unrotate(out->reference_q[hand], UP));
    out->hand_by_thumb[side] = out->frame[hand];
    const int thumb = body->thumb[side];
    if (thumb < 0) {
        return;
    }
    const int tip = farthest_below(skeleton, thumb);
    const ug_vec3 way =
        ug_vec3_sub(out->reference_m[tip >= 0 ? tip : thumb], out->reference_m[hand]);
    const ug_vec3 local = ug_quat_unrotate(out->reference_q[hand], way);
    const ug_vec3 off = ug_vec3_madd(local, -ug_vec3_dot(local, y), y);
    if (ug_vec3_norm(off) > THUMB_OFF * ug_vec3_norm(local) && ug_vec3_norm(local) > 1e-6) {
        out->hand_by_thumb[side] = frame_y_z(y, off, z);
        out->has_thumb[side] = true;
    }
}

static void frame_trunk(ug_bone_frames *out, const ug_body_map *body)
{
    int joints[5 + 2 * UG_CHAIN_MAX];
    size_t count = 0;
    joints[count++] = body->joint[UG_ROLE_PELVIS];
    joints[count++] = body->joint[UG_ROLE_HEAD];
    joints[count++] = body->joint[UG_ROLE_L_CLAVICLE];
    joints[count++] = body->joint[UG_ROLE_R_CLAVICLE];
    for (size_t i = 0; i < body->spine_count; i++) {
        joints[count++] = body->spine[i];
    }
    for (size_t i = 0; i < body->neck_count; i++) {
        joints[count++] = body->neck[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (joints[i] >= 0) {
            out->frame[joints[i]] =
                ug_quat_mul(ug_quat_conj(out->reference_q[joints[i]]), out->character);
        }
    }
}

ug_status ug_bone_frames_init(ug_bone_frames *out, const ug_skeleton *skeleton,
                              const ug_body_map *body, const ug_foot_model feet[2],
                              const ug_clip *clip, ug_error *err)
{
    assert(out && (!clip || clip->joint_count == skeleton->joint_count));
    const size_t n = skeleton->joint_count;
    *out = (ug_bone_frames){ .joint_count = n };
    out->frame = malloc(n * sizeof *out->frame);
    out->reference_q = malloc(n * sizeof *out->reference_q);
    out->reference_m = malloc(n * sizeof *out->reference_m);
    ug_quat *q = malloc(n * sizeof *q);
    ug_vec3 *m = malloc(n * sizeof *m);
    if (!out->frame || !out->reference_q || !out->reference_m || !q || !m) {
        free(q);
        free(m);
        ug_bone_frames_fini(out);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    bend bends[4];
    watch(bends, skeleton, body, clip, q, m);
    for (size_t j = 0; j < n; j++) {
        out->frame[j] = UG_QUAT_IDENTITY;
    }
    find_reference(out, skeleton, body, clip, q, m);
    free(q);
    free(m);
    const double count = clip && clip->frame_count > 0 ? (double)clip->frame_count : 1.0;
    for (int i = 0; i < 4; i++) {
        if (sqrt(bends[i].square / count) <= HINGE_SINE) {
            bends[i].size = 0.0; // hardly bends: its plane is noise
        }
        const ug_role first = i < 2 ? UG_ROLE_L_THIGH : UG_ROLE_L_UPPER_ARM;
        frame_limb(out, &bends[i], ug_role_on_side(first, i % 2), i < 2);
    }
    frame_trunk(out, body);
    for (int side = 0; side < 2; side++) {
        frame_foot(out, &feet[side], side);
        frame_hand(out, skeleton, body, side);
    }
    return UG_OK;
}
