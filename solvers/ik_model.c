// SPDX-License-Identifier: MIT
#include "solvers/ik_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// one block of `count` items, never of zero bytes
static void *block(size_t count, size_t size)
{
    return calloc(count ? count : 1, size);
}

static void *block_copy(const void *from, size_t count, size_t size)
{
    void *to = block(count, size);
    if (to && count) {
        memcpy(to, from, count * size);
    }
    return to;
}

void ug_ik_model_destroy(ug_ik_model *model)
{
    if (!model) {
        return;
    }
    free(model->joints);
    free(model->markers);
    free(model->low_rad);
    free(model->high_rad);
    free(model->sigma_rad);
    free(model->dof_joint);
    free(model->chains);
    free(model->by_joint);
    free(model->by_joint_start);
    free(model);
}

static size_t chains_length(const ug_ik_model *model)
{
    size_t length = 0;
    for (size_t j = 0; j < model->joint_count; j++) {
        length += (size_t)model->joints[j].chain_length;
    }
    return length;
}

ug_ik_model *ug_ik_model_copy(const ug_ik_model *model)
{
    ug_ik_model *copy = malloc(sizeof *copy);
    if (!copy) {
        return NULL;
    }
    const size_t joints = model->joint_count, markers = model->marker_count;
    const size_t dofs = model->dof_count;
    *copy = *model;
    copy->joints = block_copy(model->joints, joints, sizeof *copy->joints);
    copy->markers = block_copy(model->markers, markers, sizeof *copy->markers);
    copy->low_rad = block_copy(model->low_rad, dofs, sizeof *copy->low_rad);
    copy->high_rad = block_copy(model->high_rad, dofs, sizeof *copy->high_rad);
    copy->sigma_rad = block_copy(model->sigma_rad, dofs, sizeof *copy->sigma_rad);
    copy->dof_joint = block_copy(model->dof_joint, dofs, sizeof *copy->dof_joint);
    copy->chains = block_copy(model->chains, chains_length(model), sizeof *copy->chains);
    copy->by_joint = block_copy(model->by_joint, markers, sizeof *copy->by_joint);
    copy->by_joint_start =
        block_copy(model->by_joint_start, joints + 1, sizeof *copy->by_joint_start);
    if (!copy->joints || !copy->markers || !copy->low_rad || !copy->high_rad || !copy->sigma_rad ||
        !copy->dof_joint || !copy->chains || !copy->by_joint || !copy->by_joint_start) {
        ug_ik_model_destroy(copy);
        return NULL;
    }
    return copy;
}

static ug_status place_markers(ug_ik_model *model, const ug_attachments *attachments,
                               const bool *seen, ug_error *err)
{
    for (size_t m = 0; m < model->marker_count; m++) {
        const ug_attachment *item = &attachments->items[m];
        if (item->joint < 0 || (size_t)item->joint >= model->joint_count) {
            return ug_fail(err, UG_E_DATA,
                           "marker '%s' sits on segment '%s', which the skeleton does not have",
                           item->label ? item->label : "?", item->segment ? item->segment : "?");
        }
        const bool used = item->kind != UG_MARKER_COMPUTED && (!seen || seen[m]);
        model->markers[m] = (ug_ik_marker){ .joint = item->joint,
                                            .local_m = item->local_m,
                                            .weight = used ? item->weight : 0.0 };
    }
    int *start = model->by_joint_start;
    for (size_t j = 0, next = 0; j < model->joint_count; j++) {
        start[j] = (int)next;
        for (size_t m = 0; m < model->marker_count; m++) {
            if (model->markers[m].joint == (int)j) {
                model->by_joint[next++] = (int)m;
            }
        }
        start[j + 1] = (int)next;
    }
    return UG_OK;
}

// a joint counts as seen when a used marker sits on it or below it
static void mark_seen(bool *seen, const ug_ik_model *model, const ug_skeleton *skeleton)
{
    memset(seen, 0, model->joint_count * sizeof *seen);
    for (size_t m = 0; m < model->marker_count; m++) {
        if (model->markers[m].weight > 0.0) {
            seen[model->markers[m].joint] = true;
        }
    }
    for (size_t j = model->joint_count; j-- > 0;) {
        if (seen[j] && skeleton->joints[j].parent >= 0) {
            seen[skeleton->joints[j].parent] = true;
        }
    }
}

// places in a step and in a pose; the joints' data
static void lay_out(ug_ik_model *model, const ug_skeleton *skeleton, const bool *seen)
{
    static const int STATE[] = { 0, 1, 2, 4, 7 };
    static const int DOF[] = { 0, 1, 2, 3, 6 };
    int dof = 0, state = 0;
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_joint *from = &skeleton->joints[j];
        ug_ik_joint *to = &model->joints[j];
        const bool solved = seen[j] && !(from->flags & UG_JOINT_LOCKED);
        to->parent = from->parent;
        to->type = solved ? from->type : UG_JOINT_FIXED;
        to->dof_count = DOF[to->type];
        to->dof = dof;
        to->state = state;
        to->offset_m = from->offset_m;
        to->rest = from->rest;
        to->axes[0] = from->axes[0];
        to->axes[1] = from->axes[1];
        dof += to->dof_count;
        state += STATE[to->type];
    }
    model->dof_count = (size_t)dof;
    model->pose_size = (size_t)state;
}

static void copy_limits(ug_ik_model *model, const ug_skeleton *skeleton)
{
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_joint *from = &skeleton->joints[j];
        const ug_ik_joint *to = &model->joints[j];
        // a FREE joint's limits and priors mean nothing: the body may be anywhere
        const bool limited = (from->flags & UG_JOINT_HAS_LIMITS) && to->type != UG_JOINT_FREE;
        const bool believed = (from->flags & UG_JOINT_HAS_PRIOR) && to->type != UG_JOINT_FREE;
        for (int k = 0; k < to->dof_count; k++) {
            const int d = to->dof + k;
            const double sigma = believed ? from->pose_sigma_rad[k] : 0.0;
            model->low_rad[d] = limited ? from->limits_rad[k][0] : (double)-INFINITY;
            model->high_rad[d] = limited ? from->limits_rad[k][1] : (double)INFINITY;
            model->sigma_rad[d] = sigma > 0.0 ? sigma : (double)INFINITY;
            model->dof_joint[d] = (int)j;
        }
    }
}

// lists of degrees of freedom from the root down to each joint
static ug_status build_chains(ug_ik_model *model, ug_error *err)
{
    int length = 0;
    for (size_t j = 0; j < model->joint_count; j++) {
        ug_ik_joint *joint = &model->joints[j];
        const int above = joint->parent < 0 ? 0 : model->joints[joint->parent].chain_length;
        joint->chain = length;
        joint->chain_length = above + joint->dof_count;
        length += joint->chain_length;
    }
    model->chains = block((size_t)length, sizeof *model->chains);
    if (!model->chains) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for a model of %zu joints",
                       model->joint_count);
    }
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        int *chain = model->chains + joint->chain;
        int next = 0;
        if (joint->parent >= 0) {
            const ug_ik_joint *parent = &model->joints[joint->parent];
            for (; next < parent->chain_length; next++) {
                chain[next] = model->chains[parent->chain + next];
            }
        }
        for (int k = 0; k < joint->dof_count; k++) {
            chain[next++] = joint->dof + k;
        }
    }
    return UG_OK;
}

static ug_status compile(ug_ik_model *model, const ug_skeleton *skeleton,
                         const ug_attachments *attachments, const bool *seen, bool *joint_seen,
                         ug_error *err)
{
    ug_status status = place_markers(model, attachments, seen, err);
    if (status != UG_OK) {
        return status;
    }
    mark_seen(joint_seen, model, skeleton);
    lay_out(model, skeleton, joint_seen);
    if (model->dof_count == 0) {
        return ug_fail(
            err, UG_E_NOT_ENOUGH,
            "nothing to solve: no visible marker sits on or below a joint that can move");
    }
    copy_limits(model, skeleton);
    return build_chains(model, err);
}

ug_status ug_ik_model_create(ug_ik_model **out, const ug_skeleton *skeleton,
                             const ug_attachments *attachments, const bool *seen, ug_error *err)
{
    *out = NULL;
    const size_t joints = skeleton->joint_count, markers = attachments->count;
    const size_t dofs = 6 * joints; // upper bound
    ug_ik_model *model = calloc(1, sizeof *model);
    bool *joint_seen = block(joints, sizeof *joint_seen);
    ug_status status = UG_OK;
    if (model) {
        model->joint_count = joints;
        model->marker_count = markers;
        model->joints = block(joints, sizeof *model->joints);
        model->markers = block(markers, sizeof *model->markers);
        model->low_rad = block(dofs, sizeof *model->low_rad);
        model->high_rad = block(dofs, sizeof *model->high_rad);
        model->sigma_rad = block(dofs, sizeof *model->sigma_rad);
        model->dof_joint = block(dofs, sizeof *model->dof_joint);
        model->by_joint = block(markers, sizeof *model->by_joint);
        model->by_joint_start = block(joints + 1, sizeof *model->by_joint_start);
    }
    if (!model || !joint_seen || !model->joints || !model->markers || !model->low_rad ||
        !model->high_rad || !model->sigma_rad || !model->dof_joint || !model->by_joint ||
        !model->by_joint_start) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for a model of %zu joints", joints);
    } else {
        status = compile(model, skeleton, attachments, seen, joint_seen, err);
    }
    free(joint_seen);
    if (status != UG_OK) {
        ug_ik_model_destroy(model);
        return status;
    }
    *out = model;
    return UG_OK;
}

bool ug_ik_is_ancestor(const ug_ik_model *model, int ancestor, int joint)
{
    while (joint > ancestor) { // parents before children
        joint = model->joints[joint].parent;
    }
    return joint == ancestor;
}
