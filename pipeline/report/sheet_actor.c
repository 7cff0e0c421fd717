// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet_actor.h"

#include "motion/kinematics.h"
#include "pipeline/report/sheet_actor_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR_ZERO = 0.01; // shares of the size: a floor is at 0 within this …
static const double FAR_OFF = 0.5;    // … and a lowest point clearly not at 0 beyond that
static const double TRAIL_S = 0.6;    // at most

ug_status ug_sheet_actor_init(ug_sheet_actor *actor, const ug_sheet_input *in,
                              ug_sheet_markers markers, ug_error *err)
{
    const ug_take *take = in->take;
    const bool motion = take->clip && take->skeleton && take->clip->frame_count > 0 &&
                        take->skeleton->joint_count > 0;
    const bool points =
        take->markers && take->markers->frame_count > 0 && take->markers->marker_count > 0;
    *actor = (ug_sheet_actor){ .in = *in, .has_motion = motion };
    // a retargeted store still carries the markers of the body it came from
    actor->has_markers =
        points && (markers == UG_SHEET_MARKERS_ON || !motion ||
                   (markers == UG_SHEET_MARKERS_AUTO && take->attachments.count > 0));
    if (!motion && !points) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "nothing to draw: no frame of motion or markers");
    }
    actor->rate = motion ? take->clip->rate : take->markers->rate;
    actor->frame_count = motion ? take->clip->frame_count : take->markers->frame_count;
    actor->first_frame = motion ? take->clip->first_frame : take->markers->first_frame;
    return UG_OK;
}

double ug_sheet_actor_hz(const ug_sheet_actor *actor)
{
    return ug_rate_is_valid(actor->rate) ? ug_rate_hz(actor->rate) : 1.0;
}

ptrdiff_t ug_sheet_actor_frame_at(const ug_sheet_actor *actor, double time_s)
{
    const double frame = floor(time_s * ug_sheet_actor_hz(actor) + 0.5 + 1e-9);
    return frame >= 0.0 && frame < (double)actor->frame_count ? (ptrdiff_t)frame : -1;
}

// ---- motion ------------------------------------------------------------------------------------

static bool is_finite(const ug_vec3 *at, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        if (!ug_vec3_is_finite(at[j])) {
            return false;
        }
    }
    return true;
}

// The body's bones are measured on the first pose that is whole.
static ug_status make_body(ug_sheet_actor *actor, ug_quat *q, ug_vec3 *at, ug_error *err)
{
    const ug_take *take = actor->in.take;
    for (size_t k = 0; k < actor->pose_count; k++) {
        if (actor->poses[k].frame < 0) {
            continue;
        }
        ug_clip_forward(q, at, take->skeleton, take->clip, (size_t)actor->poses[k].frame);
        if (!is_finite(at, take->skeleton->joint_count)) {
            continue;
        }
        actor->body = ug_sheet_body_create(take->skeleton, at, actor->in.footing, err);
        for (size_t i = 0; actor->body && i < actor->body->part_count; i++) {
            actor->sphere_count += (size_t)actor->body->parts[i].count;
        }
        return actor->body ? UG_OK : UG_E_NOMEM;
    }
    return UG_OK;
}

static void place_spheres(ug_sheet_actor *actor, ug_sheet_pose *pose, const ug_quat *q,
                          const ug_vec3 *at)
{
    size_t n = 0;
    for (size_t i = 0; i < actor->body->part_count; i++) {
        const ug_sheet_part *part = &actor->body->parts[i];
        for (int k = 0; k < part->count; k++) {
            const int j = part->joint[k];
            const ug_vec3 p = ug_vec3_add(at[j], ug_quat_rotate(q[j], part->local_m[k]));
            pose->spheres[n++] = (ug_sheet_sphere){ p, part->radius_m[k] };
            if (ug_vec3_is_finite(p)) {
                ug_sheet_pose_widen(pose, p, part->radius_m[k]);
            }
        }
    }
}

static void place_touches(const ug_sheet_actor *actor, ug_sheet_pose *pose, const ug_quat *q,
                          const ug_vec3 *at)
{
    const ug_footing *f = actor->in.footing;
    const ug_contacts *contacts = &actor->in.take->contacts;
    const double time_s = (double)pose->frame / ug_sheet_actor_hz(actor);
    for (size_t i = 0; i < contacts->count; i++) {
        const ug_contact *c = &contacts->items[i];
        if (!c->accepted || time_s < c->start_s || time_s >= c->end_s) {
            continue;
        }
        const unsigned bit = 1u << c->point;
        pose->planted |= c->kind == UG_CONTACT_PLANTED ? bit : 0;
        pose->loaded |= c->kind == UG_CONTACT_LOAD ? bit : 0;
        pose->touch_m[c->point] = c->target_m;
        if (q && f && f->found && c->point <= UG_POINT_RIGHT_TOE) {
            const int side = c->point >= UG_POINT_RIGHT_HEEL, ankle = f->ankle[side];
            const bool heel = c->point == UG_POINT_LEFT_HEEL || c->point == UG_POINT_RIGHT_HEEL;
            pose->touch_m[c->point] = ug_vec3_add(
                at[ankle], ug_quat_rotate(q[ankle], heel ? f->heel_m[side] : f->ball_m[side]));
        }
    }
}

static void place_trails(const ug_sheet_actor *actor, size_t k, ug_quat *q, ug_vec3 *at)
{
    ug_sheet_pose *pose = &actor->poses[k];
    const ug_take *take = actor->in.take;
    double back = TRAIL_S * ug_sheet_actor_hz(actor);
    if (k > 0 && actor->poses[k - 1].frame >= 0) {
        back = fmin(back, (double)(pose->frame - actor->poses[k - 1].frame));
    }
    for (int s = 0; s < UG_SHEET_TRAIL_STEPS; s++) {
        const double share = 1.0 - (double)s / (UG_SHEET_TRAIL_STEPS - 1);
        const double frame = fmax((double)pose->frame - floor(share * back + 0.5), 0.0);
        ug_clip_forward(q, at, take->skeleton, take->clip, (size_t)frame);
        for (int t = 0; t < UG_SHEET_TRAILS; t++) {
            const int j = actor->trail_joint[t];
            pose->trails[t * UG_SHEET_TRAIL_STEPS + s] = j >= 0 ? at[j] : (ug_vec3){ NAN, 0, 0 };
        }
    }
}

static void choose_trails(ug_sheet_actor *actor)
{
    static const ug_role ROLES[UG_SHEET_TRAILS] = { UG_ROLE_HEAD, UG_ROLE_L_HAND, UG_ROLE_R_HAND,
                                                    UG_ROLE_L_FOOT, UG_ROLE_R_FOOT };
    bool any = false;
    for (int t = 0; t < UG_SHEET_TRAILS; t++) {
        actor->trail_joint[t] = ug_skeleton_find_role(actor->in.take->skeleton, ROLES[t]);
        any = any || actor->trail_joint[t] >= 0;
    }
    actor->trail_joint[0] = any ? actor->trail_joint[0] : 0;
}

static ug_status pose_motion(ug_sheet_actor *actor, bool trails, ug_error *err)
{
    const ug_take *take = actor->in.take;
    const size_t joints = take->skeleton->joint_count;
    ug_quat *q = malloc(joints * sizeof *q);
    ug_vec3 *at = malloc(joints * sizeof *at);
    ug_status status =
        q && at ? make_body(actor, q, at, err) : ug_fail(err, UG_E_NOMEM, "out of memory");
    choose_trails(actor);
    for (size_t k = 0; k < actor->pose_count && status == UG_OK && actor->body; k++) {
        ug_sheet_pose *pose = &actor->poses[k];
        if (pose->frame < 0) {
            continue;
        }
        pose->spheres = malloc((actor->sphere_count + 1) * sizeof *pose->spheres);
        if (trails) {
            pose->trails = malloc(UG_SHEET_TRAILS * UG_SHEET_TRAIL_STEPS * sizeof *pose->trails);
        }
        if (!pose->spheres || (trails && !pose->trails)) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
            break;
        }
        if (trails) {
            place_trails(actor, k, q, at);
        }
        ug_clip_forward(q, at, take->skeleton, take->clip, (size_t)pose->frame);
        place_spheres(actor, pose, q, at);
        if (!pose->empty) {
            place_touches(actor, pose, q, at);
        }
    }
    free(q);
    free(at);
    return status;
}

// ---- the whole ---------------------------------------------------------------------------------

static void find_ground(ug_sheet_actor *actor)
{
    double lowest = INFINITY, x = 0.0, z = 0.0, n = 0.0;
    for (size_t k = 0; k < actor->pose_count; k++) {
        const ug_sheet_pose *pose = &actor->poses[k];
        if (pose->frame >= 0 && !pose->empty) {
            lowest = fmin(lowest, pose->low_m.y);
            x += 0.5 * (pose->low_m.x + pose->high_m.x);
            z += 0.5 * (pose->low_m.z + pose->high_m.z);
            n += 1.0;
        }
    }
    const ug_footing *f = actor->in.footing;
    if (n > 0.0 && f && f->found && f->floor_found) {
        const double floor_m = f->floor_m + f->slope_x * x / n + f->slope_z * z / n;
        if (fabs(floor_m) > NEAR_ZERO * actor->size_m && isfinite(floor_m)) {
            actor->ground = UG_SHEET_GROUND_FLOOR;
            actor->ground_m = floor_m;
        }
    } else if (n > 0.0 && fabs(lowest) > FAR_OFF * actor->size_m) {
        actor->ground = UG_SHEET_GROUND_LOWEST;
        actor->ground_m = lowest;
    }
}

static void find_size(ug_sheet_actor *actor)
{
    actor->size_m = actor->body ? actor->body->size_m : 0.0;
    for (size_t k = 0; k < actor->pose_count && !actor->body; k++) {
        const ug_sheet_pose *pose = &actor->poses[k];
        if (!pose->empty) {
            actor->size_m = fmax(actor->size_m, ug_vec3_distance(pose->low_m, pose->high_m));
        }
    }
}

ug_status ug_sheet_actor_pose(ug_sheet_actor *actor, const ptrdiff_t *frames, size_t count,
                              bool trails, ug_error *err)
{
    assert(!actor->poses);
    actor->poses = calloc(count + 1, sizeof *actor->poses);
    if (!actor->poses) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    actor->pose_count = count;
    for (size_t k = 0; k < count; k++) {
        actor->poses[k].frame = frames[k];
        actor->poses[k].empty = true;
        actor->poses[k].time_s = ug_rate_is_valid(actor->rate) && frames[k] >= 0
                                     ? ug_rate_time_s(actor->rate, (double)frames[k])
                                     : NAN;
    }
    ug_status status = UG_OK;
    if (actor->has_motion) {
        status = pose_motion(actor, trails, err);
    }
    if (status == UG_OK && actor->has_markers) {
        status = ug_sheet_pose_markers(actor, err);
    }
    if (status == UG_OK) {
        status = ug_sheet_find_facing(actor, err);
    }
    find_size(actor);
    find_ground(actor);
    return status;
}

void ug_sheet_actor_fini(ug_sheet_actor *actor)
{
    for (size_t k = 0; k < actor->pose_count; k++) {
        free(actor->poses[k].spheres);
        free(actor->poses[k].dots);
        free(actor->poses[k].trails);
    }
    free(actor->poses);
    ug_sheet_body_destroy(actor->body);
    *actor = (ug_sheet_actor){ 0 };
}
