// SPDX-License-Identifier: MIT
#include "solvers/foot_plant.h"

#include "motion/kinematics.h"
#include "solvers/foot_path.h"
#include "solvers/foot_plant_parts.h"
#include "solvers/two_bone.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double HUMAN_LEG_M = 0.85;
static const double LIFT_S = 0.06; // half width of the lift out of the floor

ug_foot_plant_opts ug_foot_plant_default_opts(double leg_m)
{
    const double scale = leg_m / HUMAN_LEG_M;
    return (ug_foot_plant_opts){ .cutoff_hz = 10.0,
                                 .ease_s = 0.15,
                                 .reach = 0.99,
                                 .max_shift_m = 0.06 * scale,
                                 .max_lift_m = 0.06 * scale,
                                 .max_drop_m = 0.10 * scale,
                                 .soft_m = 0.002 * scale };
}

// ---- the feet's way ----------------------------------------------------------------------------

static bool any(const uint8_t *labels, size_t count)
{
    return count > 0 && memchr(labels, 1, count) != NULL;
}

// which point holds the foot: exact while one touches, eased between
static void choose_anchor(const ug_plant_leg *l, double *anchor, size_t count)
{
    size_t last = count;
    for (size_t f = 0; f < count;) {
        if (l->planted[UG_PLANT_HEEL][f] || l->planted[UG_PLANT_BALL][f]) {
            anchor[f] = l->planted[UG_PLANT_BALL][f] ? 1.0 : 0.0;
            last = f++;
            continue;
        }
        size_t next = f;
        while (next < count && !l->planted[UG_PLANT_HEEL][next] &&
               !l->planted[UG_PLANT_BALL][next]) {
            next++;
        }
        const bool to = next < count;
        const double end = to && l->planted[UG_PLANT_BALL][next] ? 1.0 : 0.0;
        const double b = to ? end : last < count ? anchor[last] : 1.0;
        const double a = last < count ? anchor[last] : b;
        const double span = last < count && to ? (double)(next - last) : 1.0;
        for (; f < next; f++) {
            const double u = last < count ? (double)(f - last) / span : 1.0;
            anchor[f] = a + (b - a) * ug_smoothstep(u);
        }
    }
}

static void place_foot(ug_plant_job *j, ug_plant_leg *l)
{
    const double soft = j->opts->soft_m;
    for (size_t f = 0; f < j->count; f++) {
        ug_vec3 at[2];
        for (int k = 0; k < 2; k++) {
            at[k] = ug_vec3_add(l->point[k][f], l->d[k][f]);
            at[k].y = ug_plant_rest_height_m(l, k) +
                      ug_soft_floor(at[k].y - ug_plant_rest_height_m(l, k), soft);
        }
        const ug_vec3 before = ug_vec3_sub(l->point[UG_PLANT_BALL][f], l->point[UG_PLANT_HEEL][f]);
        const ug_vec3 ankle = l->ankle_m[f];
        l->turn[f] = ug_quat_between(before, ug_vec3_sub(at[UG_PLANT_BALL], at[UG_PLANT_HEEL]));
        const ug_vec3 by_ball =
            ug_vec3_add(at[UG_PLANT_BALL],
                        ug_quat_rotate(l->turn[f], ug_vec3_sub(ankle, l->point[UG_PLANT_BALL][f])));
        const ug_vec3 by_heel =
            ug_vec3_add(at[UG_PLANT_HEEL],
                        ug_quat_rotate(l->turn[f], ug_vec3_sub(ankle, l->point[UG_PLANT_HEEL][f])));
        l->goal[f] = ug_vec3_lerp(by_heel, by_ball, l->anchor[f]);
    }
}

// A long foot that turns about one point may push the other under the floor, and one that rolls
// over its toes pushes their tip there: bend them as far as they go, then raise the ankle. They
// stay as bent when raised: less bent, they would sink again.
static void clear_floor(ug_plant_job *j, ug_plant_leg *l)
{
    double *depth = j->work[0], *raise = j->work[1], *fade = j->work[2];
    for (size_t f = 0; f < j->count; f++) {
        const ug_quat q = ug_quat_mul(l->turn[f], l->foot_q[f]);
        const double heel = l->goal[f].y + ug_quat_rotate(q, l->foot->heel_m).y;
        const double ball = l->goal[f].y + ug_quat_rotate(q, l->foot->ball_m).y;
        depth[f] = fmax(-heel, ug_plant_rest_height_m(l, UG_PLANT_BALL) - ball) - j->opts->soft_m;
        if (ug_plant_has_toes(j, l->foot)) {
            ug_quat *toe = &ug_clip_rotations(j->clip, f)[l->foot->toe];
            const double tip = ug_plant_bend_toes(toe, l->foot, q, ball, j->opts->soft_m);
            depth[f] = fmax(depth[f], -tip - j->opts->soft_m);
        }
    }
    ug_envelope(raise, fade, depth, j->count, (size_t)(LIFT_S * j->rate_hz + 0.5));
    ug_plant_fade(fade, l, j->count, j->rate_hz);
    for (size_t f = 0; f < j->count; f++) {
        l->goal[f].y += raise[f] * fade[f];
    }
}

static void plan_feet(ug_plant_job *j)
{
    for (int side = 0; side < 2 && j->count > 0; side++) {
        ug_plant_leg *l = &j->legs[side];
        const double ease = fmax(j->opts->ease_s * j->rate_hz, 1.0);
        for (int k = 0; k < 2; k++) {
            ug_displacement_extend(l->d[k], l->planted[k], j->count, ease);
        }
        for (int k = 0; k < 2; k++) { // a point that never touches goes with the other
            if (!any(l->planted[k], j->count)) {
                memcpy(l->d[k], l->d[1 - k], j->count * sizeof *l->d[k]);
            }
        }
        choose_anchor(l, l->anchor, j->count);
        place_foot(j, l);
        clear_floor(j, l);
    }
}

// ---- legs --------------------------------------------------------------------------------------

static ug_quat parent_turn(const ug_plant_job *j, int joint)
{
    const int parent = j->skeleton->joints[joint].parent;
    return parent < 0 ? UG_QUAT_IDENTITY : j->q[parent];
}

static void reach_with(ug_plant_job *j, const ug_plant_leg *l, size_t f, ug_quat *local,
                       ug_foot_plant_report *seen)
{
    const ug_two_bone limb = { j->m[l->thigh], j->m[l->shin], j->m[l->ankle] };
    const ug_vec3 normal = ug_two_bone_normal(&limb, ug_quat_rotate(j->q[l->thigh], l->hinge));
    ug_quat root_turn, mid_turn;
    if (!ug_two_bone_solve(&root_turn, &mid_turn, &limb, l->goal[f], normal)) {
        const double miss = fabs(
            ug_vec3_distance(l->goal[f], limb.root_m) -
            (ug_vec3_distance(limb.mid_m, limb.root_m) + ug_vec3_distance(limb.end_m, limb.mid_m)));
        seen->unreachable_frames++;
        seen->miss_max_m = fmax(seen->miss_max_m, miss);
    }
    const ug_quat below = ug_quat_mul(root_turn, mid_turn); // of all that hangs on the shin
    const ug_quat thigh_q = ug_quat_mul(root_turn, j->q[l->thigh]);
    const ug_quat shin_q = ug_quat_mul(below, j->q[l->shin]);
    const ug_quat foot_q = ug_quat_mul(l->turn[f], l->foot_q[f]);
    local[l->thigh] = ug_quat_mul(ug_quat_conj(parent_turn(j, l->thigh)), thigh_q);
    local[l->shin] =
        ug_quat_mul(ug_quat_conj(ug_quat_mul(root_turn, parent_turn(j, l->shin))), shin_q);
    local[l->ankle] =
        ug_quat_mul(ug_quat_conj(ug_quat_mul(below, parent_turn(j, l->ankle))), foot_q);
}

static ug_status write_clip(ug_plant_job *j, int root, ug_foot_plant_report *seen, ug_error *err)
{
    ug_status status = UG_OK;
    const ptrdiff_t column = ug_clip_translation_column(j->clip, root);
    assert(column >= 0);
    for (size_t f = 0; f < j->count && status == UG_OK; f++) {
        status = ug_progress_step(j->opts->progress, f, j->count, err);
        ug_clip_translations(j->clip, f)[column].y -= j->drop[f];
        ug_clip_forward(j->q, j->m, j->skeleton, j->clip, f);
        for (int side = 0; side < 2; side++) {
            reach_with(j, &j->legs[side], f, ug_clip_rotations(j->clip, f), seen);
        }
    }
    ug_clip_make_signs_continuous(j->clip);
    return status;
}

// ---- all ---------------------------------------------------------------------------------------

static ug_status start(ug_plant_job *j, const ug_body_map *body, const ug_foot_model feet[2],
                       ug_error *err)
{
    for (int side = 0; side < 2; side++) {
        ug_plant_leg *l = &j->legs[side];
        l->foot = &feet[side];
        l->thigh = body->joint[ug_role_on_side(UG_ROLE_L_THIGH, side)];
        l->shin = body->joint[ug_role_on_side(UG_ROLE_L_SHIN, side)];
        l->ankle = body->joint[ug_role_on_side(UG_ROLE_L_FOOT, side)];
        l->length_m = ug_bone_length_m(j->skeleton, l->thigh, l->ankle);
        if (!(ug_bone_length_m(j->skeleton, l->thigh, l->shin) > 1e-9) ||
            !(ug_bone_length_m(j->skeleton, l->shin, l->ankle) > 1e-9)) {
            return ug_fail(err, UG_E_DATA, "'%s' or '%s' has no length: a leg cannot reach",
                           j->skeleton->joints[l->thigh].name, j->skeleton->joints[l->shin].name);
        }
    }
    return ug_plant_allocate(j, j->skeleton->joint_count, err);
}

static void warn_reach(const ug_foot_plant_report *seen, ug_warnings *warnings)
{
    if (seen->unreachable_frames > 0) {
        ug_warn_times(warnings, seen->unreachable_frames, "foot_out_of_reach",
                      "a foot is out of its leg's reach, by %.1f mm at worst",
                      1e3 * seen->miss_max_m);
    }
}

static void refuse_clip(ug_plant_job *j, ug_foot_plant_report *seen, ug_warnings *warnings)
{
    for (size_t i = 0; i < j->contacts->count; i++) {
        ug_contact *c = &j->contacts->items[i];
        if (ug_plant_is_used(c)) {
            c->accepted = false;
            snprintf(c->reason, sizeof c->reason, "pelvis would sink %.0f mm, limit %.0f mm",
                     1e3 * seen->drop_max_m, 1e3 * j->opts->max_drop_m);
        }
    }
    seen->refused = true;
    seen->refused_count += seen->accepted_count;
    seen->accepted_count = 0;
    ug_warn(warnings, "foot_plant_refused",
            "feet are left as they are: the pelvis would have to sink by %.0f mm (limit %.0f mm)",
            1e3 * seen->drop_max_m, 1e3 * j->opts->max_drop_m);
}

ug_status ug_foot_plant(ug_clip *clip, ug_contacts *contacts, ug_foot_plant_report *report,
                        const ug_skeleton *skeleton, const ug_body_map *body,
                        const ug_foot_model feet[2], const ug_foot_plant_opts *opts,
                        ug_warnings *warnings, ug_error *err)
{
    assert(clip && contacts && clip->joint_count == skeleton->joint_count);
    const ug_foot_plant_opts usual = ug_foot_plant_default_opts(ug_body_leg_m(body, skeleton));
    ug_foot_plant_report seen = { 0 };
    int root = body->joint[UG_ROLE_PELVIS];
    while (skeleton->joints[root].parent >= 0) {
        root = skeleton->joints[root].parent;
    }
    ug_plant_job j = { .contacts = contacts,
                       .skeleton = skeleton,
                       .opts = opts ? opts : &usual,
                       .count = clip->frame_count,
                       .rate_hz = ug_rate_hz(clip->rate) };
    ug_status status = start(&j, body, feet, err);
    if (status == UG_OK && !(j.clip = ug_clip_copy(clip))) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (status == UG_OK) {
        status = ug_plant_gather(&j, root, body->joint[UG_ROLE_PELVIS], err);
    }
    if (status != UG_OK) {
        goto done;
    }
    ug_plant_lift(&j);
    ug_plant_place_contacts(&j, &seen, warnings);
    status = ug_plant_align_contacts(&j, err);
    if (status != UG_OK) {
        goto done;
    }
    ug_plant_mark(&j);
    plan_feet(&j);
    ug_plant_lower_pelvis(&j, &seen);
    if (seen.drop_max_m > j.opts->max_drop_m) {
        refuse_clip(&j, &seen, warnings);
        goto done;
    }
    ug_plant_draw_in(&j);
    status = write_clip(&j, root, &seen, err);
    if (status != UG_OK) {
        goto done;
    }
    warn_reach(&seen, warnings);
    const ug_clip before = *clip; // swap what the pointers hold: the caller's clip stays his
    *clip = *j.clip;
    *j.clip = before;
done:
    ug_clip_destroy(j.clip);
    free(j.block);
    if (report) {
        *report = seen;
    }
    return status;
}
