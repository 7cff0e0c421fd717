// SPDX-License-Identifier: MIT
// Which way a take on a contact sheet faces: from its left and right joints, or markers.
#include "motion/kinematics.h"
#include "motion/markers.h"
#include "pipeline/report/sheet_actor_parts.h"

#include <stdlib.h>
#include <string.h>

static ptrdiff_t find_label(const ug_markers *m, const char *label, const char *subject)
{
    for (size_t i = 0; i < m->marker_count; i++) {
        if (strcmp(m->labels[i], label) == 0 && strcmp(m->subjects[i], subject) == 0) {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

// The facing of one frame from every pair of left and right joints or markers.
static ug_vec3 facing_of(const ptrdiff_t *pair, size_t count, const ug_vec3 *at)
{
    ug_vec3 left = { 0 }, right = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (pair[i] >= 0 && ug_vec3_is_finite(at[i]) && ug_vec3_is_finite(at[pair[i]])) {
            left = ug_vec3_add(left, at[i]);
            right = ug_vec3_add(right, at[pair[i]]);
        }
    }
    return ug_vec3_unit(ug_sheet_facing(left, right), (ug_vec3){ 0 });
}

static void find_pairs(const ug_sheet_actor *actor, ptrdiff_t *pair)
{
    const ug_take *take = actor->in.take;
    char mirror[128];
    if (!actor->has_motion) {
        for (size_t i = 0; i < take->markers->marker_count; i++) {
            const bool left = ug_sheet_side_of_name(take->markers->labels[i], mirror,
                                                    sizeof mirror) == UG_SHEET_LEFT;
            pair[i] = left ? find_label(take->markers, mirror, take->markers->subjects[i]) : -1;
        }
        return;
    }
    const ug_skeleton *s = take->skeleton;
    const bool roles = actor->body && actor->body->is_biped;
    for (size_t j = 0; j < s->joint_count; j++) {
        const ug_role role = s->joints[j].role;
        pair[j] = -1;
        if (roles && (role == UG_ROLE_L_THIGH || role == UG_ROLE_L_UPPER_ARM)) {
            pair[j] = ug_skeleton_find_role(s, ug_role_mirror(role));
        } else if (!roles && s->joints[j].name &&
                   ug_sheet_side_of_name(s->joints[j].name, mirror, sizeof mirror) ==
                       UG_SHEET_LEFT) {
            pair[j] = ug_skeleton_find(s, mirror);
        }
    }
}

ug_status ug_sheet_find_facing(ug_sheet_actor *actor, ug_error *err)
{
    const ug_take *take = actor->in.take;
    const size_t count =
        actor->has_motion ? take->skeleton->joint_count : take->markers->marker_count;
    ptrdiff_t *pair = malloc(count * sizeof *pair);
    ug_quat *q = malloc(count * sizeof *q);
    ug_vec3 *at = malloc(count * sizeof *at);
    ug_vec3 sum = { 0 }, first = { 0 };
    size_t seen = 0;
    ug_status status = UG_OK;
    if (!pair || !q || !at) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    find_pairs(actor, pair);
    for (size_t k = 0; k < actor->pose_count; k++) {
        ug_sheet_pose *pose = &actor->poses[k];
        if (pose->frame < 0 || pose->empty) {
            continue;
        }
        if (actor->has_motion) {
            ug_clip_forward(q, at, take->skeleton, take->clip, (size_t)pose->frame);
        }
        for (size_t i = 0; !actor->has_motion && i < count; i++) {
            at[i] = ug_markers_position_m(take->markers, (size_t)pose->frame, i);
        }
        pose->facing = facing_of(pair, count, at);
        sum = ug_vec3_add(sum, pose->facing);
        first = seen++ == 0 ? sum : first;
    }
    // who turns right round has no mean: then as it starts
    actor->facing = ug_vec3_norm(sum) > 0.25 * (double)seen ? sum : first;
    if (!(ug_vec3_norm(actor->facing) > 0.0)) {
        actor->facing = (ug_vec3){ 0, 0, 1 };
    }
done:
    free(pair);
    free(q);
    free(at);
    return status;
}
