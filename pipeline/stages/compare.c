// SPDX-License-Identifier: MIT
#include "pipeline/stages/compare.h"

#include "formats/store.h"
#include "motion/kinematics.h"
#include "motion/median.h"

#include <math.h>
#include <stdlib.h>

// World joint centres of one frame of one take.
typedef struct pose {
    ug_quat *q;
    ug_vec3 *m;
} pose;

static bool pose_init(pose *p, const ug_take *take)
{
    p->q = calloc(take->skeleton->joint_count + 1, sizeof *p->q);
    p->m = calloc(take->skeleton->joint_count + 1, sizeof *p->m);
    return p->q && p->m;
}

static void pose_fini(pose *p)
{
    free(p->q);
    free(p->m);
}

static size_t match_joints(int *match, const ug_skeleton *a, const ug_skeleton *b)
{
    size_t count = 0;
    for (size_t j = 0; j < a->joint_count; j++) {
        const bool end = (a->joints[j].flags & UG_JOINT_END_SITE) != 0;
        match[j] = end ? -1 : ug_skeleton_find(b, a->joints[j].name);
        count += match[j] >= 0;
    }
    return count;
}

static double angle_between(ug_vec3 a, ug_vec3 b)
{
    return atan2(ug_vec3_norm(ug_vec3_cross(a, b)), ug_vec3_dot(a, b));
}

// Sum of squared bone-direction angles of one frame; `*count` grows by the bones seen.
static double directions(const ug_skeleton *s, const int *match, const pose *a, const pose *b,
                         size_t *count)
{
    double sum = 0.0;
    for (size_t j = 0; j < s->joint_count; j++) {
        const int p = s->joints[j].parent;
        if (match[j] < 0 || p < 0 || match[p] < 0) {
            continue;
        }
        const ug_vec3 u = ug_vec3_sub(a->m[j], a->m[p]);
        const ug_vec3 v = ug_vec3_sub(b->m[match[j]], b->m[match[p]]);
        if (ug_vec3_norm(u) > 0.02 && ug_vec3_norm(v) > 0.02) { // shorter ones have no direction
            const double angle = angle_between(u, v);
            sum += angle * angle;
            (*count)++;
        }
    }
    return sum;
}

static ug_status check(const ug_take *motion, const ug_take *truth, ug_error *err)
{
    if (!motion->clip || !motion->skeleton || !truth->clip || !truth->skeleton) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "needs a skeleton and a motion on both sides");
    }
    if (motion->clip->frame_count != truth->clip->frame_count ||
        !ug_rate_equal(motion->clip->rate, truth->clip->rate)) {
        return ug_fail(err, UG_E_DATA, "%zu frames at %g Hz against %zu at %g",
                       motion->clip->frame_count, ug_rate_hz(motion->clip->rate),
                       truth->clip->frame_count, ug_rate_hz(truth->clip->rate));
    }
    return UG_OK;
}

ug_status ug_motion_compare(ug_motion_difference *out, const ug_take *motion, const ug_take *truth,
                            ug_error *err)
{
    ug_status status = check(motion, truth, err);
    if (status != UG_OK) {
        return status;
    }
    pose a = { 0 }, b = { 0 };
    const size_t frames = motion->clip->frame_count;
    int *match = calloc(motion->skeleton->joint_count + 1, sizeof *match);
    double *distance = NULL;
    size_t n = 0, bones = 0;
    double squares = 0.0, turns = 0.0;
    *out = (ug_motion_difference){ 0 };
    if (!match || !pose_init(&a, motion) || !pose_init(&b, truth)) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    out->joint_count = match_joints(match, motion->skeleton, truth->skeleton);
    if (out->joint_count == 0) {
        status = ug_fail(err, UG_E_NOT_ENOUGH, "no joint has the same name on both sides");
        goto done;
    }
    distance = malloc((frames * out->joint_count + 1) * sizeof *distance);
    if (!distance) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    for (size_t f = 0; f < frames; f++) {
        ug_clip_forward(a.q, a.m, motion->skeleton, motion->clip, f);
        ug_clip_forward(b.q, b.m, truth->skeleton, truth->clip, f);
        for (size_t j = 0; j < motion->skeleton->joint_count; j++) {
            if (match[j] >= 0) {
                distance[n] = ug_vec3_distance(a.m[j], b.m[match[j]]);
                squares += distance[n] * distance[n];
                n++;
            }
        }
        turns += directions(motion->skeleton, match, &a, &b, &bones);
    }
    out->position_rms_mm = n > 0 ? 1000.0 * sqrt(squares / (double)n) : NAN;
    out->position_p95_mm = 1000.0 * ug_quantile(distance, n, 0.95);
    out->direction_deg = bones > 0 ? sqrt(turns / (double)bones) / UG_DEG : NAN;
done:
    free(distance);
    free(match);
    pose_fini(&a);
    pose_fini(&b);
    return status;
}

ug_status ug_motion_compare_files(ug_motion_difference *out, const char *motion, const char *truth,
                                  ug_error *err)
{
    const unsigned parts = UG_PART_SKELETON | UG_PART_MOTION;
    ug_take a, b;
    ug_take_init(&a);
    ug_take_init(&b);
    ug_status status = ug_store_read(&a, motion, parts, NULL, err);
    if (status == UG_OK) {
        status = ug_store_read(&b, truth, parts, NULL, err);
    }
    if (status == UG_OK) {
        status = ug_motion_compare(out, &a, &b, err);
    }
    ug_take_fini(&a);
    ug_take_fini(&b);
    return status;
}
