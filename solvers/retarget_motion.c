// SPDX-License-Identifier: MIT
#include "solvers/retarget_motion.h"

#include "solvers/contacts_detect.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const double HUMAN_LEG_M = 0.85;
static const double WANDER_M = 0.06;     // of a source contact: merged steps ask for more
static const double FEW_CONTACTS = 0.15; // share of leg-frames below which no floor fits
static const double MOVING_M = 0.5;      // path beyond which few contacts are worth a word

ug_foot_plant_opts ug_retarget_plant_opts(double leg_m)
{
    ug_foot_plant_opts opts = ug_foot_plant_default_opts(leg_m);
    opts.max_shift_m = 0.30 * leg_m;
    opts.max_lift_m = 0.30 * leg_m;
    opts.max_drop_m = 0.20 * leg_m;
    return opts;
}

void ug_retarget_motion_report_fini(ug_retarget_motion_report *report)
{
    if (report) {
        ug_retarget_report_fini(&report->transfer);
        free(report->contact_slide_mm);
        *report = (ug_retarget_motion_report){ 0 };
    }
}

// ---- labels ------------------------------------------------------------------------------------

static void refuse_wanderers(ug_contacts *contacts, const ug_point_path points[4], size_t count,
                             double rate_hz, double limit_m)
{
    for (size_t i = 0; i < contacts->count; i++) {
        ug_contact *c = &contacts->items[i];
        const ug_point_path *p = &points[c->point];
        size_t start, end;
        double off_m = 0.0;
        ug_contact_frames(&start, &end, c, rate_hz, count);
        for (size_t f = start; f < end; f++) {
            const ug_vec3 d = ug_vec3_sub(p->path_m[f], c->target_m);
            off_m = fmax(off_m, fmax(hypot(d.x, d.z), fabs(p->path_m[f].y - p->rest_height_m)));
        }
        if (off_m > limit_m) {
            c->accepted = false;
            snprintf(c->reason, sizeof c->reason, "moves by %.0f mm in the source, limit %.0f mm",
                     1e3 * off_m, 1e3 * limit_m);
        }
    }
}

ug_status ug_planted_contacts_detect(ug_contacts *out, const ug_skeleton *skeleton,
                                     const ug_clip *clip, const ug_foot_model feet[2], double leg_m,
                                     ug_error *err)
{
    assert(out && out->count == 0 && leg_m > 0.0);
    ug_foot_paths paths;
    ug_contact_opts opts = ug_contact_opts_planted();
    opts.scale = leg_m / HUMAN_LEG_M;
    ug_status status = ug_foot_paths_init(&paths, feet, skeleton, clip, err);
    if (status == UG_OK) {
        const double rate_hz = ug_rate_hz(clip->rate);
        const ug_point_path points[4] = {
            { UG_POINT_LEFT_HEEL, paths.heel_m[0], 0.0 },
            { UG_POINT_LEFT_TOE, paths.ball_m[0], feet[0].ball_height_m },
            { UG_POINT_RIGHT_HEEL, paths.heel_m[1], 0.0 },
            { UG_POINT_RIGHT_TOE, paths.ball_m[1], feet[1].ball_height_m },
        };
        status = ug_contacts_detect(out, points, 4, clip->frame_count, rate_hz, &opts, err);
        if (status == UG_OK) {
            refuse_wanderers(out, points, clip->frame_count, rate_hz, WANDER_M * opts.scale);
        }
    }
    ug_foot_paths_fini(&paths);
    return status;
}

static double share_of_contact(const ug_contacts *contacts, size_t frame_count, double rate_hz)
{
    double seconds = 0.0; // heel and ball overlap: counts at most the longer of both
    for (int side = 0; side < 2; side++) {
        double heel = 0.0, ball = 0.0;
        for (size_t i = 0; i < contacts->count; i++) {
            const ug_contact *c = &contacts->items[i];
            if (c->accepted && c->kind == UG_CONTACT_PLANTED) {
                heel += c->point == (side ? UG_POINT_RIGHT_HEEL : UG_POINT_LEFT_HEEL)
                            ? c->end_s - c->start_s
                            : 0.0;
                ball += c->point == (side ? UG_POINT_RIGHT_TOE : UG_POINT_LEFT_TOE)
                            ? c->end_s - c->start_s
                            : 0.0;
            }
        }
        seconds += fmax(heel, ball);
    }
    return frame_count > 0 ? seconds * rate_hz / (2.0 * (double)frame_count) : 0.0;
}

// ---- source ------------------------------------------------------------------------------------

typedef struct source_body {
    const ug_skeleton *skeleton;
    ug_clip *clip; // levelled copy
    ug_body_map body;
    ug_foot_model feet[2];
    double leg_m;
} source_body;

static ug_status prepare(source_body *s, ug_floor *floor, const ug_skeleton *skeleton,
                         const ug_clip *clip, bool keep_floor, ug_warnings *warnings, ug_error *err)
{
    ug_error inner = { 0 };
    *s = (source_body){ .skeleton = skeleton };
    ug_status status = ug_body_map_init(&s->body, skeleton, &inner);
    if (status != UG_OK) {
        return ug_fail(err, status, "source skeleton: %s", inner.message);
    }
    s->leg_m = ug_body_leg_m(&s->body, skeleton);
    if (!(s->leg_m > 1e-9)) {
        return ug_fail(err, UG_E_DATA, "source skeleton: legs have no length");
    }
    s->clip = ug_clip_copy(clip);
    if (!s->clip) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    status = ug_foot_models_from_clip(s->feet, skeleton, &s->body, s->clip, err);
    if (status != UG_OK || keep_floor) {
        return status;
    }
    status = ug_floor_find(floor, s->feet, skeleton, s->clip, s->leg_m, err);
    if (status != UG_OK) {
        return status;
    }
    if (!floor->found) {
        ug_warn(warnings, "floor_not_found", "no foot ever rests: the floor is taken at height 0");
        return UG_OK;
    }
    ug_floor_level(s->clip, skeleton, floor);
    // up has turned a little
    return ug_foot_models_from_clip(s->feet, skeleton, &s->body, s->clip, err);
}

// ---- all ---------------------------------------------------------------------------------------

static double ratio_of(double a, double b)
{
    return b > 0.0 ? a / b : NAN;
}

static ug_status measure_knees(ug_retarget_motion_report *seen, const source_body *s,
                               const ug_skeleton *target, const ug_body_map *body,
                               const ug_clip *before, const ug_clip *after, ug_error *err)
{
    ug_knee_metrics from, raw, planted;
    size_t first = 0; // of the motion: a T-pose before it is a jolt of its own
    ug_status status = ug_pose_apart_count(&first, s->skeleton, s->clip, err);
    if (status == UG_OK) {
        status = ug_knee_metrics_measure(&from, s->skeleton, &s->body, s->clip, first, err);
    }
    if (status == UG_OK) {
        status = ug_knee_metrics_measure(&raw, target, body, before, first, err);
    }
    if (status == UG_OK) {
        status = ug_knee_metrics_measure(&planted, target, body, after, first, err);
    }
    if (status == UG_OK) {
        const double path = from.position_m_s2 * seen->transfer.ratio;
        seen->knee_accel_ratio = ratio_of(planted.angle_rad_s2, from.angle_rad_s2);
        seen->knee_accel_ratio_before = ratio_of(raw.angle_rad_s2, from.angle_rad_s2);
        seen->knee_position_accel_ratio = ratio_of(planted.position_m_s2, path);
        seen->knee_position_accel_ratio_before = ratio_of(raw.position_m_s2, path);
        status = ug_pose_change_mm(&seen->pose_change_mm, target, before, after, err);
    }
    return status;
}

static ug_status measure_slides(ug_retarget_motion_report *seen, const ug_skeleton *target,
                                const ug_clip *before, const ug_clip *after,
                                const ug_contacts *contacts, ug_error *err)
{
    const ug_foot_model *feet = seen->transfer.target_feet;
    seen->contact_slide_mm = malloc((2 * contacts->count + 1) * sizeof *seen->contact_slide_mm);
    if (!seen->contact_slide_mm) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    const ug_status status =
        ug_contact_slides_measure(seen->contact_slide_mm, 2, target, before, feet, contacts, err);
    return status == UG_OK ? ug_contact_slides_measure(seen->contact_slide_mm + 1, 2, target, after,
                                                       feet, contacts, err)
                           : status;
}

static ug_status plant_and_measure(ug_clip *moved, ug_contacts *contacts,
                                   ug_retarget_motion_report *seen, const source_body *s,
                                   const ug_skeleton *target, const ug_retarget_motion_opts *o,
                                   ug_warnings *warnings, ug_error *err)
{
    const double leg_m = seen->transfer.target_leg_m;
    const ug_foot_model *feet = seen->transfer.target_feet;
    const ug_progress planting = ug_progress_part(o->progress, 0.5, 0.7);
    ug_foot_plant_opts plant = o->plant ? *o->plant : ug_retarget_plant_opts(leg_m);
    plant.progress = &planting;
    ug_body_map body;
    ug_clip *raw = ug_clip_copy(moved);
    ug_status status =
        raw ? ug_body_map_init(&body, target, err) : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status == UG_OK && !o->keep_feet) {
        status = ug_foot_plant(moved, contacts, &seen->plant, target, &body, feet, &plant, warnings,
                               err);
    }
    if (status == UG_OK) {
        status = ug_progress_check(o->progress, 0.7, err);
    }
    if (status == UG_OK) {
        status = ug_foot_metrics_measure(&seen->source_feet, s->skeleton, s->clip, s->feet,
                                         contacts, s->leg_m, err);
    }
    if (status == UG_OK) {
        status = ug_foot_metrics_measure(&seen->before, target, raw, feet, contacts, leg_m, err);
    }
    if (status == UG_OK) {
        status = ug_progress_check(o->progress, 0.8, err);
    }
    if (status == UG_OK) {
        status = ug_foot_metrics_measure(&seen->after, target, moved, feet, contacts, leg_m, err);
    }
    if (status == UG_OK) {
        status = measure_slides(seen, target, raw, moved, contacts, err);
    }
    if (status == UG_OK) {
        status = ug_progress_check(o->progress, 0.9, err);
    }
    if (status == UG_OK) {
        status = measure_knees(seen, s, target, &body, raw, moved, err);
    }
    ug_clip_destroy(raw);
    return status;
}

static double root_travel_m(const source_body *s)
{
    const int root = s->clip->translated_count > 0 ? 0 : -1;
    double travel_m = 0.0;
    for (size_t f = 1; root >= 0 && f < s->clip->frame_count; f++) {
        travel_m += ug_vec3_distance(ug_clip_translations(s->clip, f)[0],
                                     ug_clip_translations(s->clip, f - 1)[0]);
    }
    return travel_m;
}

static void warn_contacts(const ug_retarget_motion_report *seen, const source_body *s,
                          const ug_contacts *contacts, ug_warnings *warnings)
{
    for (size_t i = 0; i < contacts->count; i++) {
        const ug_contact *c = &contacts->items[i];
        if (!c->accepted) {
            ug_warn(warnings, "contact_refused", "%s from %.2f s to %.2f s: %s",
                    ug_contact_point_name(c->point), c->start_s, c->end_s, c->reason);
        }
    }
    if (seen->contact_share < FEW_CONTACTS && root_travel_m(s) > MOVING_M * s->leg_m) {
        ug_warn(warnings, "few_contacts",
                "feet stand in %.0f %% of the clip only: does the root drift off the floor?",
                100.0 * seen->contact_share);
    }
    if (seen->floor.found && seen->floor.used_count < seen->floor.run_count) {
        ug_warn_times(warnings, seen->floor.run_count - seen->floor.used_count,
                      "foot_rests_off_floor",
                      "a foot is still while off the floor: a step, or a foot held up");
    }
}

ug_status ug_retarget_motion(ug_clip **out, ug_contacts *contacts,
                             ug_retarget_motion_report *report, const ug_skeleton *source,
                             const ug_clip *clip, const ug_skeleton *target,
                             const ug_retarget_motion_opts *opts, ug_warnings *warnings,
                             ug_error *err)
{
    assert(out && contacts && contacts->count == 0 && source && clip && target);
    const ug_retarget_motion_opts none = { 0 };
    const ug_retarget_motion_opts *o = opts ? opts : &none;
    ug_retarget_motion_report seen = { 0 };
    source_body s;
    *out = NULL;
    ug_status status = prepare(&s, &seen.floor, source, clip, o->keep_floor, warnings, err);
    if (status == UG_OK) {
        status = ug_progress_check(o->progress, 0.2, err);
    }
    if (status == UG_OK) {
        status = o->contacts
                     ? ug_contacts_copy(contacts, o->contacts, err)
                     : ug_planted_contacts_detect(contacts, source, s.clip, s.feet, s.leg_m, err);
    }
    if (status == UG_OK) {
        status = ug_progress_check(o->progress, 0.3, err);
    }
    if (status == UG_OK) {
        const ug_progress moving = ug_progress_part(o->progress, 0.3, 0.5);
        ug_retarget_opts transfer = o->transfer;
        transfer.progress = &moving;
        seen.contact_share = share_of_contact(contacts, clip->frame_count, ug_rate_hz(clip->rate));
        warn_contacts(&seen, &s, contacts, warnings);
        status = ug_retarget(out, &seen.transfer, source, s.clip, target, &transfer, warnings, err);
    }
    if (status == UG_OK) {
        status = plant_and_measure(*out, contacts, &seen, &s, target, o, warnings, err);
    }
    if (status != UG_OK) {
        ug_clip_destroy(*out);
        *out = NULL;
        ug_contacts_fini(contacts);
    }
    if (report && status == UG_OK) {
        *report = seen;
    } else {
        ug_retarget_motion_report_fini(&seen);
    }
    ug_clip_destroy(s.clip);
    return status;
}
