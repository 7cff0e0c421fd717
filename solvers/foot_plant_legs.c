// SPDX-License-Identifier: MIT
// Foot planting, what comes in: pelvis and feet smoothed, both legs followed over time.
#include "motion/kinematics.h"
#include "solvers/foot_path.h"
#include "solvers/foot_plant_parts.h"
#include "solvers/lowpass.h"
#include "solvers/motion_metrics.h"

#include <stdlib.h>

static const double SMOOTH_ABOVE_HZ = 30.0;
static const double LIFT_S = 0.06; // half width of the lift out of the floor
static const ug_vec3 ZERO = { 0, 0, 0 };

static void *take(char **at, size_t bytes)
{
    void *here = *at;
    *at += (bytes + 15) / 16 * 16;
    return here;
}

ug_status ug_plant_allocate(ug_plant_job *j, size_t joint_count, ug_error *err)
{
    const size_t n = j->count + 1;
    const size_t per_leg = n * (8 * sizeof(ug_vec3) + 2 * sizeof(ug_quat) + sizeof(double) + 2);
    const size_t pose = joint_count * (sizeof(ug_quat) + sizeof(ug_vec3));
    j->block = calloc(1, 2 * per_leg + 4 * n * sizeof(double) + pose + 64 * 16);
    if (!j->block) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    char *at = j->block;
    j->q = take(&at, joint_count * sizeof(ug_quat));
    j->m = take(&at, joint_count * sizeof(ug_vec3));
    j->drop = take(&at, n * sizeof(double));
    for (int i = 0; i < 3; i++) {
        j->work[i] = take(&at, n * sizeof(double));
    }
    for (int side = 0; side < 2; side++) {
        ug_plant_leg *l = &j->legs[side];
        l->foot_q = take(&at, n * sizeof(ug_quat));
        l->turn = take(&at, n * sizeof(ug_quat));
        ug_vec3 **series[] = { &l->hip,      &l->knee,     &l->ankle_m, &l->goal,
                               &l->point[0], &l->point[1], &l->d[0],    &l->d[1] };
        for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
            *series[i] = take(&at, n * sizeof(ug_vec3));
        }
        l->anchor = take(&at, n * sizeof(double));
        l->planted[UG_PLANT_HEEL] = take(&at, n);
        l->planted[UG_PLANT_BALL] = take(&at, n);
    }
    return UG_OK;
}

// Turn the pelvis of one frame by `smooth` instead; spine and thighs keep their world turns, since
// what the pelvis jitters they undo.
static void replace_pelvis_turn(ug_plant_job *j, int pelvis, size_t f, ug_quat smooth)
{
    ug_quat *local = ug_clip_rotations(j->clip, f);
    const ug_quat undo = ug_quat_mul(ug_quat_conj(smooth), local[pelvis]);
    for (int side = 0; side < 2; side++) {
        const int thigh = j->legs[side].thigh;
        ug_quat between = UG_QUAT_IDENTITY; // hip stubs, from the pelvis to the thigh
        for (int p = j->skeleton->joints[thigh].parent; p > pelvis;
             p = j->skeleton->joints[p].parent) {
            between = ug_quat_mul(local[p], between);
        }
        const ug_quat here = ug_quat_mul(ug_quat_conj(between), ug_quat_mul(undo, between));
        local[thigh] = ug_quat_mul(here, local[thigh]);
    }
    for (int c = pelvis + 1; c < (int)j->skeleton->joint_count; c++) {
        if (j->skeleton->joints[c].parent == pelvis &&
            !ug_skeleton_is_ancestor(j->skeleton, c, j->legs[0].thigh) &&
            !ug_skeleton_is_ancestor(j->skeleton, c, j->legs[1].thigh)) {
            local[c] = ug_quat_mul(undo, local[c]);
        }
    }
    local[pelvis] = smooth;
}

// Component by component after making signs agree; fine for turns of a few degrees a frame.
static void smooth_turns(ug_quat *turn, size_t count, const ug_lowpass *filter, double *work)
{
    for (size_t f = 1; f < count; f++) {
        if (ug_quat_dot(turn[f - 1], turn[f]) < 0.0) {
            turn[f] = ug_quat_negate(turn[f]);
        }
    }
    for (size_t k = 0; k < 4; k++) {
        ug_lowpass_apply(&turn[0].w + k, count, 4, filter, work);
    }
    for (size_t f = 0; f < count; f++) {
        turn[f] = ug_quat_normalize(turn[f]);
    }
}

static void smooth_pelvis_turn(ug_plant_job *j, int pelvis, const ug_lowpass *filter, double *work)
{
    ug_quat *turn = j->legs[0].foot_q; // free until look()
    for (size_t f = 0; f < j->count; f++) {
        turn[f] = ug_clip_rotations(j->clip, f)[pelvis];
    }
    smooth_turns(turn + j->first, j->count - j->first, filter, work);
    for (size_t f = 0; f < j->count; f++) {
        replace_pelvis_turn(j, pelvis, f, turn[f]);
    }
}

// Smooth the pelvis: its turn, then the path of the middle between the hips by moving the root.
// What jitters at the hips, from whichever joint, a pinned foot turns into jitter of the knee.
static void smooth_hips(ug_plant_job *j, int root, int pelvis, const ug_lowpass *filter,
                        double *work)
{
    smooth_pelvis_turn(j, pelvis, filter, work);
    ug_vec3 *middle = j->legs[0].hip, *smooth = j->legs[1].hip; // free until look()
    for (size_t f = 0; f < j->count; f++) {
        ug_clip_forward(j->q, j->m, j->skeleton, j->clip, f);
        middle[f] = ug_vec3_lerp(j->m[j->legs[0].thigh], j->m[j->legs[1].thigh], 0.5);
        smooth[f] = middle[f];
    }
    for (size_t k = 0; k < 3; k++) {
        ug_lowpass_apply(&smooth[j->first].x + k, j->count - j->first, 3, filter, work);
    }
    const ptrdiff_t column = ug_clip_translation_column(j->clip, root);
    for (size_t f = 0; f < j->count; f++) {
        ug_vec3 *at = &ug_clip_translations(j->clip, f)[column];
        *at = ug_vec3_add(*at, ug_vec3_sub(smooth[f], middle[f]));
    }
}

// A foot's jitter turns about the point that is pinned and so moves the ankle.
static void smooth_feet(ug_plant_job *j, const ug_lowpass *filter, double *work)
{
    for (int side = 0; side < 2; side++) {
        ug_plant_leg *l = &j->legs[side];
        smooth_turns(l->foot_q + j->first, j->count - j->first, filter, work);
        for (size_t f = 0; f < j->count; f++) {
            const ug_vec3 heel = ug_quat_rotate(l->foot_q[f], l->foot->heel_m);
            const ug_vec3 ball = ug_quat_rotate(l->foot_q[f], l->foot->ball_m);
            l->point[UG_PLANT_HEEL][f] = ug_vec3_add(l->ankle_m[f], heel);
            l->point[UG_PLANT_BALL][f] = ug_vec3_add(l->ankle_m[f], ball);
        }
    }
}

static void look(ug_plant_job *j)
{
    for (size_t f = 0; f < j->count; f++) {
        ug_clip_forward(j->q, j->m, j->skeleton, j->clip, f);
        for (int side = 0; side < 2; side++) {
            ug_plant_leg *l = &j->legs[side];
            l->hip[f] = j->m[l->thigh];
            l->knee[f] = j->m[l->shin];
            l->ankle_m[f] = j->m[l->ankle];
            l->foot_q[f] = j->q[l->ankle];
            l->point[UG_PLANT_HEEL][f] = ug_foot_heel_m(l->foot, j->q, j->m);
            l->point[UG_PLANT_BALL][f] = ug_foot_ball_m(l->foot, j->q, j->m);
            const ug_vec3 up = ug_vec3_unit(ug_vec3_sub(l->hip[f], l->knee[f]), ZERO);
            const ug_vec3 down = ug_vec3_unit(ug_vec3_sub(l->ankle_m[f], l->knee[f]), ZERO);
            l->hinge =
                ug_vec3_add(l->hinge, ug_quat_unrotate(j->q[l->thigh], ug_vec3_cross(up, down)));
        }
    }
    // a leg that never bends: across the hips
    ug_vec3 right = ZERO;
    if (j->count > 0) {
        right = ug_vec3_sub(j->m[j->legs[1].thigh], j->m[j->legs[0].thigh]);
    }
    for (int side = 0; side < 2; side++) {
        ug_plant_leg *l = &j->legs[side];
        const ug_vec3 spare = ug_quat_unrotate(j->q[l->thigh], right);
        l->hinge = ug_vec3_norm(l->hinge) > 1e-6 * (double)j->count ? l->hinge : spare;
    }
}

// what comes in, smoothed where the rate allows
ug_status ug_plant_gather(ug_plant_job *j, int root, int pelvis, ug_error *err)
{
    ug_lowpass filter;
    if (!(j->rate_hz > SMOOTH_ABOVE_HZ) || j->count == 0 ||
        !ug_lowpass_design(&filter, j->opts->cutoff_hz, j->rate_hz)) {
        look(j);
        return UG_OK;
    }
    // a filter would smear the jump from a T-pose over the first of the motion
    const ug_status status = ug_pose_apart_count(&j->first, j->skeleton, j->clip, err);
    if (status != UG_OK) {
        return status;
    }
    double *work = malloc(ug_lowpass_work_count(&filter, j->count) * sizeof *work);
    if (!work) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    smooth_hips(j, root, pelvis, &filter, work);
    look(j);
    smooth_feet(j, &filter, work);
    free(work);
    return UG_OK;
}

// raise a foot that dips under the floor by a smooth curve that is nowhere too low
void ug_plant_lift(ug_plant_job *j)
{
    const size_t half = (size_t)(LIFT_S * j->rate_hz + 0.5);
    for (int side = 0; side < 2; side++) {
        ug_plant_leg *l = &j->legs[side];
        double *depth = j->work[0], *raise = j->work[1];
        for (size_t f = 0; f < j->count; f++) {
            depth[f] =
                fmax(-l->point[UG_PLANT_HEEL][f].y,
                     ug_plant_rest_height_m(l, UG_PLANT_BALL) - l->point[UG_PLANT_BALL][f].y);
        }
        if (j->count > 0) {
            ug_envelope(raise, j->work[2], depth, j->count, half);
        }
        for (size_t f = 0; f < j->count; f++) {
            l->point[UG_PLANT_HEEL][f].y += raise[f];
            l->point[UG_PLANT_BALL][f].y += raise[f];
            l->ankle_m[f].y += raise[f];
        }
    }
}
