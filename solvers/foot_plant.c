// SPDX-License-Identifier: MIT
#include "solvers/foot_plant.h"

#include "motion/kinematics.h"
#include "solvers/foot_plant_parts.h"
#include "solvers/two_bone.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double HUMAN_LEG_M = 0.85;

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
    ug_plant_plan_feet(&j);
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
