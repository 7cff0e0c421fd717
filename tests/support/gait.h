// SPDX-License-Identifier: MIT
// Motions of a test_character with known contacts: a walk whose stance feet do not move, a jump.
#pragma once

#include "motion/clip.h"
#include "motion/kinematics.h"
#include "solvers/two_bone.h"
#include "tests/support/character.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct test_walk {
    size_t frame_count;
    int64_t rate_hz;
    double speed_m_s;
    double crouch_m;  // how far the pelvis hangs below the height of straight legs
    double skate_m_s; // stance feet slide forward at this speed: a defect to repair
    double sink_m;    // the whole motion is this much too low
} test_walk;

static const double TEST_CYCLE_S = 1.0, TEST_STANCE = 0.6; // of a cycle
static const double TEST_SWING_M = 0.08;

// The foot of a side at a time: its way along +Z and its height over the ground.
static inline bool test_walk_foot(double *z, double *y, const test_walk *w, int side, double time_s)
{
    const double cycles = time_s / TEST_CYCLE_S + 0.5 * side;
    const double step = floor(cycles), phase = cycles - step;
    const double stride = w->speed_m_s * TEST_CYCLE_S;
    // at mid-stance the pelvis stands above the foot
    const double here = (step - 0.5 * side + 0.5 * TEST_STANCE) * stride;
    if (phase < TEST_STANCE) {
        *z = here + w->skate_m_s * (phase - 0.5 * TEST_STANCE) * TEST_CYCLE_S;
        *y = 0.0;
        return true;
    }
    const double u = (phase - TEST_STANCE) / (1.0 - TEST_STANCE);
    const double s = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u), lift = sin(3.14159265358979 * u);
    const double slid = w->skate_m_s * 0.5 * TEST_STANCE * TEST_CYCLE_S;
    *z = here + slid + (stride - 2.0 * slid) * s;
    *y = TEST_SWING_M * lift * lift;
    return false;
}

static inline void test_reach(ug_quat *q, ug_vec3 *m, const ug_skeleton *s, int thigh, int shin,
                              int foot, ug_vec3 ankle)
{
    const ug_two_bone limb = { m[thigh], m[shin], m[foot] };
    ug_quat root_turn, mid_turn;
    (void)ug_two_bone_solve(&root_turn, &mid_turn, &limb, ankle, (ug_vec3){ -1, 0, 0 });
    q[thigh] = ug_quat_mul(root_turn, q[thigh]);
    q[shin] = ug_quat_mul(root_turn, ug_quat_mul(mid_turn, q[shin]));
    (void)s; // the foot keeps its turn: it stays flat
}

/// ug_clip_destroy() it. The skeleton must have its roles; feet stay flat throughout.
static inline ug_clip *test_walk_create(const ug_skeleton *s, const test_walk *w)
{
    const int root = 0;
    ug_clip *clip =
        ug_clip_create(w->frame_count, s->joint_count, &root, 1, ug_rate_make(w->rate_hz, 1));
    ug_quat *rest_q = malloc(s->joint_count * sizeof *rest_q),
            *q = malloc(s->joint_count * sizeof *q);
    ug_vec3 *rest_m = malloc(s->joint_count * sizeof *rest_m),
            *m = malloc(s->joint_count * sizeof *m);
    ug_rest_forward(rest_q, rest_m, s);
    for (size_t f = 0; f < w->frame_count; f++) {
        const double t = (double)f / (double)w->rate_hz;
        const double bob = 0.01 * cos(4.0 * 3.14159265358979 * t / TEST_CYCLE_S);
        const ug_vec3 move = { 0, -w->crouch_m + bob, w->speed_m_s * t };
        for (size_t j = 0; j < s->joint_count; j++) {
            q[j] = rest_q[j];
            m[j] = ug_vec3_add(rest_m[j], move);
        }
        for (int side = 0; side < 2; side++) {
            const ug_role thigh = side ? UG_ROLE_R_THIGH : UG_ROLE_L_THIGH;
            const int a = ug_skeleton_find_role(s, thigh);
            const int b = ug_skeleton_find_role(s, (ug_role)(thigh + 1));
            const int c = ug_skeleton_find_role(s, (ug_role)(thigh + 2));
            double z, y;
            test_walk_foot(&z, &y, w, side, t);
            test_reach(q, m, s, a, b, c, (ug_vec3){ rest_m[c].x, rest_m[c].y + y, z });
        }
        ug_pose_to_local(ug_clip_rotations(clip, f), s, q);
        ug_clip_translations(clip, f)[0] = m[root];
        ug_clip_translations(clip, f)[0].y -= w->sink_m;
    }
    free(rest_q);
    free(rest_m);
    free(q);
    free(m);
    return clip;
}

/// Standing, a ballistic jump straight up by `apex_m`, standing: the rest pose moved as a whole.
static inline ug_clip *test_jump_create(const ug_skeleton *s, size_t stand_frames, int64_t rate_hz,
                                        double apex_m)
{
    const int root = 0;
    const double flight_s = 2.0 * sqrt(2.0 * apex_m / 9.81);
    const size_t flight = (size_t)(flight_s * (double)rate_hz) / 2 * 2; // even: apex on a frame
    ug_clip *clip = ug_clip_create(2 * stand_frames + flight + 1, s->joint_count, &root, 1,
                                   ug_rate_make(rate_hz, 1));
    for (size_t f = 0; f < clip->frame_count; f++) {
        const double u = ((double)f - (double)stand_frames) / (double)flight; // 0 … 1 in flight
        for (size_t j = 0; j < s->joint_count; j++) {
            ug_clip_rotations(clip, f)[j] = s->joints[j].rest;
        }
        ug_clip_translations(clip, f)[0] = s->joints[root].offset_m;
        if (u > 0.0 && u < 1.0) {
            ug_clip_translations(clip, f)[0].y += 4.0 * apex_m * u * (1.0 - u);
        }
    }
    return clip;
}
