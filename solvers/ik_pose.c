// SPDX-License-Identifier: MIT
#include "solvers/ik_pose.h"

#include <assert.h>
#include <string.h>

static const double IDENTITY[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

size_t ug_ik_frame_bytes(const ug_ik_model *model)
{
    return sizeof(double) *
           (model->joint_count * (4 + 9 + 3) + model->dof_count * 3 + model->marker_count * 3);
}

void ug_ik_frame_init(ug_ik_frame *frame, const ug_ik_model *model, void *memory)
{
    double *next = memory;
    frame->world_q = (ug_quat *)next;
    next += 4 * model->joint_count;
    frame->matrix = next;
    next += 9 * model->joint_count;
    frame->world_m = (ug_vec3 *)next;
    next += 3 * model->joint_count;
    frame->axis = (ug_vec3 *)next;
    next += 3 * model->dof_count;
    frame->marker_m = (ug_vec3 *)next;
}

static ug_quat quat_of(const double *p)
{
    return (ug_quat){ p[0], p[1], p[2], p[3] };
}

static void quat_store(double *p, ug_quat q)
{
    p[0] = q.w;
    p[1] = q.x;
    p[2] = q.y;
    p[3] = q.z;
}

static void vec_store(double *p, ug_vec3 v)
{
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

void ug_ik_pose_rest(double *pose, const ug_ik_model *model)
{
    memset(pose, 0, model->pose_size * sizeof *pose);
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        double *state = pose + joint->state;
        if (joint->type == UG_JOINT_FREE) {
            vec_store(state, joint->offset_m);
            state[3] = 1.0;
        } else if (joint->type == UG_JOINT_BALL) {
            state[0] = 1.0;
        }
    }
}

static ug_quat turn(ug_vec3 axis, double angle)
{
    return ug_quat_exp(ug_vec3_scale(axis, angle));
}

ug_quat ug_ik_joint_rotation(const ug_ik_joint *joint, const double *state)
{
    switch (joint->type) {
    case UG_JOINT_FREE:
        return quat_of(state + 3);
    case UG_JOINT_BALL:
        return quat_of(state);
    case UG_JOINT_UNIVERSAL:
        return ug_quat_mul(turn(joint->axes[0], state[0]), turn(joint->axes[1], state[1]));
    case UG_JOINT_HINGE:
        return turn(joint->axes[0], state[0]);
    case UG_JOINT_FIXED:
        break;
    }
    return UG_QUAT_IDENTITY;
}

static ug_vec3 column(const double m[9], int i)
{
    return (ug_vec3){ m[i], m[3 + i], m[6 + i] };
}

static ug_vec3 matrix_times(const double m[9], ug_vec3 v)
{
    return (ug_vec3){ m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                      m[6] * v.x + m[7] * v.y + m[8] * v.z };
}

static void joint_axes(ug_ik_frame *frame, const ug_ik_joint *joint, const double *matrix,
                       const double *parent, ug_quat base, const double *state)
{
    ug_vec3 *axis = frame->axis + joint->dof;
    switch (joint->type) {
    case UG_JOINT_FREE:
        for (int i = 0; i < 3; i++) {
            axis[i] = column(parent, i);
            axis[3 + i] = column(matrix, i);
        }
        break;
    case UG_JOINT_BALL:
        for (int i = 0; i < 3; i++) {
            axis[i] = column(matrix, i);
        }
        break;
    case UG_JOINT_UNIVERSAL:
        axis[0] = ug_quat_rotate(base, joint->axes[0]);
        axis[1] =
            ug_quat_rotate(base, ug_quat_rotate(turn(joint->axes[0], state[0]), joint->axes[1]));
        break;
    case UG_JOINT_HINGE:
        axis[0] = matrix_times(matrix, joint->axes[0]);
        break;
    case UG_JOINT_FIXED:
        break;
    }
}

void ug_ik_forward(ug_ik_frame *frame, const ug_ik_model *model, const double *pose)
{
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        const double *state = pose + joint->state;
        const int p = joint->parent;
        const double *parent = p < 0 ? IDENTITY : frame->matrix + 9 * p;
        const ug_quat base = p < 0 ? joint->rest : ug_quat_mul(frame->world_q[p], joint->rest);
        const ug_vec3 offset = joint->type == UG_JOINT_FREE ? ug_vec3_of(state) : joint->offset_m;
        double *matrix = frame->matrix + 9 * j;

        frame->world_q[j] = ug_quat_mul(base, ug_ik_joint_rotation(joint, state));
        ug_quat_to_matrix(matrix, frame->world_q[j]);
        frame->world_m[j] =
            p < 0 ? offset : ug_vec3_add(frame->world_m[p], matrix_times(parent, offset));
        joint_axes(frame, joint, matrix, parent, base, state);
    }
    for (size_t m = 0; m < model->marker_count; m++) {
        const ug_ik_marker *marker = &model->markers[m];
        frame->marker_m[m] =
            ug_vec3_add(frame->world_m[marker->joint],
                        matrix_times(frame->matrix + 9 * marker->joint, marker->local_m));
    }
}

void ug_ik_retract(double *out, const ug_ik_model *model, const double *pose, const double *step)
{
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        const double *from = pose + joint->state, *d = step + joint->dof;
        double *to = out + joint->state;
        switch (joint->type) {
        case UG_JOINT_FREE:
            for (int i = 0; i < 3; i++) {
                to[i] = from[i] + d[i];
            }
            quat_store(to + 3, ug_quat_normalize(
                                   ug_quat_mul(quat_of(from + 3), ug_quat_exp(ug_vec3_of(d + 3)))));
            break;
        case UG_JOINT_BALL:
            quat_store(to,
                       ug_quat_normalize(ug_quat_mul(quat_of(from), ug_quat_exp(ug_vec3_of(d)))));
            break;
        case UG_JOINT_UNIVERSAL:
            to[1] = from[1] + d[1];
            to[0] = from[0] + d[0];
            break;
        case UG_JOINT_HINGE:
            to[0] = from[0] + d[0];
            break;
        case UG_JOINT_FIXED:
            break;
        }
    }
}

void ug_ik_marker_jacobian(double *rows, const ug_ik_model *model, const ug_ik_frame *frame,
                           size_t marker)
{
    const ug_ik_joint *segment = &model->joints[model->markers[marker].joint];
    const int *chain = model->chains + segment->chain;
    const int n = segment->chain_length;
    const ug_vec3 x = frame->marker_m[marker];
    for (int k = 0; k < n; k++) {
        const int d = chain[k];
        const int j = model->dof_joint[d];
        const ug_ik_joint *joint = &model->joints[j];
        const bool shift = joint->type == UG_JOINT_FREE && d - joint->dof < 3;
        const ug_vec3 column_k =
            shift ? frame->axis[d]
                  : ug_vec3_cross(frame->axis[d], ug_vec3_sub(x, frame->world_m[j]));
        rows[k] = column_k.x;
        rows[n + k] = column_k.y;
        rows[2 * n + k] = column_k.z;
    }
}

void ug_ik_jacobian(double *jacobian, const ug_ik_model *model, const ug_ik_frame *frame)
{
    const size_t n = model->dof_count;
    memset(jacobian, 0, 3 * model->marker_count * n * sizeof *jacobian);
    for (size_t m = 0; m < model->marker_count; m++) {
        const ug_ik_joint *segment = &model->joints[model->markers[m].joint];
        const int *chain = model->chains + segment->chain;
        const size_t length = (size_t)segment->chain_length;
        double *rows = jacobian + 3 * m * n;
        // written packed into the first of the three full rows' space, then spread from the end
        double *packed = rows;
        ug_ik_marker_jacobian(packed, model, frame, m);
        for (size_t row = 3; row-- > 0;) {
            for (size_t k = length; k-- > 0;) {
                const double value = packed[row * length + k];
                packed[row * length + k] = 0.0;
                rows[row * n + (size_t)chain[k]] = value;
            }
        }
    }
}

const double *ug_ik_offset_derivative(const ug_ik_model *model, const ug_ik_frame *frame, int joint,
                                      size_t marker)
{
    assert(joint >= 0 && (size_t)joint < model->joint_count && marker < model->marker_count);
    const ug_ik_joint *at = &model->joints[joint];
    if (at->type == UG_JOINT_FREE ||
        !ug_ik_is_ancestor(model, joint, model->markers[marker].joint)) {
        return NULL;
    }
    return at->parent < 0 ? IDENTITY : frame->matrix + 9 * at->parent;
}
