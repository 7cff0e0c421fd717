// SPDX-License-Identifier: MIT
#include "solvers/motion_metrics.h"

#include "motion/kinematics.h"
#include "motion/median.h"
#include "solvers/contacts_detect.h"
#include "solvers/slow_runs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double HUMAN_LEG_M = 0.85;
static const double HIGH_SHARE = 0.999; // the percentile of knee accelerations

// ---- feet --------------------------------------------------------------------------------------

static const ug_vec3 *path_of(const ug_foot_paths *paths, ug_contact_point point)
{
    switch (point) {
    case UG_POINT_LEFT_HEEL:
        return paths->heel_m[0];
    case UG_POINT_LEFT_TOE:
        return paths->ball_m[0];
    case UG_POINT_RIGHT_HEEL:
        return paths->heel_m[1];
    case UG_POINT_RIGHT_TOE:
        return paths->ball_m[1];
    default:
        return NULL; // hands are not measured here
    }
}

static double slide_mm(const ug_vec3 *path, size_t start, size_t end)
{
    double x = 0.0, z = 0.0, worst = 0.0;
    for (size_t f = start; f < end; f++) {
        x += path[f].x / (double)(end - start);
        z += path[f].z / (double)(end - start);
    }
    for (size_t f = start; f < end; f++) {
        worst = fmax(worst, hypot(path[f].x - x, path[f].z - z));
    }
    return 2e3 * worst;
}

static double rest_height(const ug_foot_model feet[2], ug_contact_point point)
{
    return point == UG_POINT_LEFT_TOE    ? feet[0].ball_height_m
           : point == UG_POINT_RIGHT_TOE ? feet[1].ball_height_m
                                         : 0.0;
}

static void measure_given(ug_foot_metrics *out, const ug_foot_paths *paths,
                          const ug_foot_model feet[2], const ug_contacts *contacts, double rate_hz)
{
    double above = 0.0, frames = 0.0;
    for (size_t i = 0; contacts && i < contacts->count; i++) {
        const ug_contact *c = &contacts->items[i];
        const ug_vec3 *path = path_of(paths, c->point);
        size_t start, end;
        ug_contact_frames(&start, &end, c, rate_hz, paths->frame_count);
        if (!path || !c->accepted || c->kind != UG_CONTACT_PLANTED || end == start) {
            continue;
        }
        out->foot_slide_pinned_mm = fmax(out->foot_slide_pinned_mm, slide_mm(path, start, end));
        for (size_t f = start; f < end; f++) {
            above += fmax(path[f].y - rest_height(feet, c->point), 0.0);
            frames += 1.0;
        }
        out->contact_count++;
    }
    out->float_mm = frames > 0.0 ? 1e3 * above / frames : NAN;
}

static void measure_depth(ug_foot_metrics *out, const ug_foot_paths *paths,
                          const ug_foot_model feet[2])
{
    double depth = 0.0;
    for (int side = 0; side < 2; side++) {
        const bool tip = feet[side].tip >= 0;
        for (size_t f = 0; f < paths->frame_count; f++) {
            depth = fmax(depth, -paths->heel_m[side][f].y);
            depth = fmax(depth, feet[side].ball_height_m - paths->ball_m[side][f].y);
            depth = tip ? fmax(depth, -paths->tip_m[side][f].y) : depth;
        }
    }
    out->penetration_mm = 1e3 * depth;
}

static ug_status measure_detected(ug_foot_metrics *out, const ug_foot_paths *paths,
                                  const ug_foot_model feet[2], double rate_hz, double leg_m,
                                  ug_error *err)
{
    ug_contact_opts opts = ug_contact_opts_planted();
    opts.scale = leg_m / HUMAN_LEG_M;
    ug_point_path points[4];
    for (int p = 0; p < 4; p++) {
        const ug_contact_point point = (ug_contact_point)p;
        points[p] = (ug_point_path){ point, path_of(paths, point), rest_height(feet, point) };
    }
    ug_contacts found = { 0 };
    ug_status status =
        ug_contacts_detect(&found, points, 4, paths->frame_count, rate_hz, &opts, err);
    double *slides = malloc((found.count + 1) * sizeof *slides);
    if (status == UG_OK && !slides) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < found.count && status == UG_OK; i++) {
        size_t start, end;
        ug_contact_frames(&start, &end, &found.items[i], rate_hz, paths->frame_count);
        slides[i] = slide_mm(path_of(paths, found.items[i].point), start, end);
        out->foot_slide_worst_mm = fmax(out->foot_slide_worst_mm, slides[i]);
    }
    if (status == UG_OK && found.count > 0) {
        out->detected_count = found.count;
        out->foot_slide_mm = ug_median(slides, found.count);
    }
    ug_contacts_fini(&found);
    free(slides);
    return status;
}

ug_status ug_foot_metrics_measure(ug_foot_metrics *out, const ug_skeleton *skeleton,
                                  const ug_clip *clip, const ug_foot_model feet[2],
                                  const ug_contacts *contacts, double leg_m, ug_error *err)
{
    assert(out && leg_m > 0.0);
    *out = (ug_foot_metrics){ .foot_slide_mm = NAN, // fmax() takes the number of the two
                              .foot_slide_worst_mm = NAN,
                              .foot_slide_pinned_mm = NAN };
    ug_foot_paths paths;
    ug_status status = ug_foot_paths_init(&paths, feet, skeleton, clip, err);
    if (status == UG_OK) {
        const double rate_hz = ug_rate_hz(clip->rate);
        measure_given(out, &paths, feet, contacts, rate_hz);
        measure_depth(out, &paths, feet);
        status = measure_detected(out, &paths, feet, rate_hz, leg_m, err);
    }
    ug_foot_paths_fini(&paths);
    return status;
}

ug_status ug_contact_slides_measure(float *slide_mm_out, size_t stride, const ug_skeleton *skeleton,
                                    const ug_clip *clip, const ug_foot_model feet[2],
                                    const ug_contacts *contacts, ug_error *err)
{
    ug_foot_paths paths;
    const ug_status status = ug_foot_paths_init(&paths, feet, skeleton, clip, err);
    for (size_t i = 0; status == UG_OK && i < contacts->count; i++) {
        const ug_vec3 *path = path_of(&paths, contacts->items[i].point);
        size_t start, end;
        ug_contact_frames(&start, &end, &contacts->items[i], ug_rate_hz(clip->rate),
                          clip->frame_count);
        slide_mm_out[i * stride] = path && end > start ? (float)slide_mm(path, start, end) : NAN;
    }
    ug_foot_paths_fini(&paths);
    return status;
}

// ---- knees -------------------------------------------------------------------------------------

static const double APART = 3.0; // times the farthest step of all others

static double percentile(double *values, size_t count)
{
    ug_sort_ascending(values, count);
    return values[(size_t)(HIGH_SHARE * (double)(count - 1) + 0.5)];
}

// both knees over time, the left one's `count` frames first
static void follow_knees(ug_vec3 *knee, double *angle, ug_quat *q, ug_vec3 *m,
                         const ug_skeleton *skeleton, const ug_body_map *body, const ug_clip *clip,
                         size_t first)
{
    const size_t count = clip->frame_count - first;
    for (size_t f = 0; f < count; f++) {
        ug_clip_forward(q, m, skeleton, clip, first + f);
        for (size_t side = 0; side < 2; side++) {
            const ug_vec3 at = m[body->joint[ug_role_on_side(UG_ROLE_L_SHIN, (int)side)]];
            const ug_vec3 hip = m[body->joint[ug_role_on_side(UG_ROLE_L_THIGH, (int)side)]];
            const ug_vec3 ankle = m[body->joint[ug_role_on_side(UG_ROLE_L_FOOT, (int)side)]];
            const ug_vec3 up = ug_vec3_sub(at, hip), down = ug_vec3_sub(ankle, at);
            knee[side * count + f] = at;
            angle[side * count + f] =
                atan2(ug_vec3_norm(ug_vec3_cross(up, down)), ug_vec3_dot(up, down));
        }
    }
}

ug_status ug_knee_metrics_measure(ug_knee_metrics *out, const ug_skeleton *skeleton,
                                  const ug_body_map *body, const ug_clip *clip, size_t first,
                                  ug_error *err)
{
    assert(out && clip->joint_count == skeleton->joint_count);
    const size_t count = clip->frame_count - (first < clip->frame_count ? first : 0);
    const size_t n = skeleton->joint_count;
    *out = (ug_knee_metrics){ 0 };
    if (count < 3) {
        return UG_OK;
    }
    ug_status status = UG_OK;
    ug_quat *q = malloc(n * sizeof *q);
    ug_vec3 *m = malloc((n + 2 * count) * sizeof *m), *knee = m + n;
    double *angle = malloc(2 * count * sizeof *angle);
    double *size = malloc(4 * count * sizeof *size), *speed_up = size + 2 * count;
    if (!q || !m || !angle || !size) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    follow_knees(knee, angle, q, m, skeleton, body, clip, clip->frame_count - count);
    const double rate_hz = ug_rate_hz(clip->rate), per_s2 = rate_hz * rate_hz;
    size_t seen = 0;
    for (size_t side = 0; side < 2; side++) {
        for (size_t f = side * count + 1; f + 1 < (side + 1) * count; f++) {
            const ug_vec3 sum = ug_vec3_add(knee[f - 1], knee[f + 1]);
            size[seen] = fabs(angle[f - 1] - 2.0 * angle[f] + angle[f + 1]) * per_s2;
            speed_up[seen++] = ug_vec3_norm(ug_vec3_madd(sum, -2.0, knee[f])) * per_s2;
        }
    }
    out->angle_rad_s2 = percentile(size, seen);
    out->position_m_s2 = percentile(speed_up, seen);
done:
    free(q);
    free(m);
    free(angle);
    free(size);
    return status;
}

ug_status ug_pose_apart_count(size_t *count, const ug_skeleton *skeleton, const ug_clip *clip,
                              ug_error *err)
{
    const size_t n = skeleton->joint_count;
    assert(count && clip->joint_count == n);
    *count = 0;
    if (clip->frame_count < 4) {
        return UG_OK;
    }
    ug_quat *q = malloc((n + 1) * sizeof *q);
    ug_vec3 *m = malloc((2 * n + 1) * sizeof *m);
    const ug_status status = q && m ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    double first_m = 0.0, most_m = 0.0;
    for (size_t f = 0; f < clip->frame_count && status == UG_OK; f++) {
        double step_m = 0.0;
        ug_vec3 *now = m + (f % 2) * n, *last = m + (1 - f % 2) * n;
        ug_clip_forward(q, now, skeleton, clip, f);
        for (size_t j = 0; j < n && f > 0; j++) {
            step_m += ug_vec3_distance(now[j], last[j]);
        }
        first_m = f == 1 ? step_m : first_m;
        most_m = f > 1 ? fmax(most_m, step_m) : most_m;
    }
    *count = first_m > APART * most_m + 1e-9 * (double)n;
    free(q);
    free(m);
    return status;
}

ug_status ug_pose_change_mm(double *change_mm, const ug_skeleton *skeleton, const ug_clip *before,
                            const ug_clip *after, ug_error *err)
{
    const size_t n = skeleton->joint_count;
    assert(before->frame_count == after->frame_count && before->joint_count == n &&
           after->joint_count == n);
    ug_status status = UG_OK;
    double sum = 0.0;
    ug_quat *q = malloc((n + 1) * sizeof *q);
    ug_vec3 *m = malloc((2 * n + 1) * sizeof *m);
    if (!q || !m) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    for (size_t f = 0; f < before->frame_count; f++) {
        ug_clip_forward(q, m, skeleton, before, f);
        ug_clip_forward(q, m + n, skeleton, after, f);
        for (size_t j = 0; j < n; j++) {
            sum += ug_vec3_distance(m[j], m[n + j]);
        }
    }
    const size_t samples = n * before->frame_count;
    *change_mm = samples > 0 ? 1e3 * sum / (double)samples : 0.0;
done:
    free(q);
    free(m);
    return status;
}
