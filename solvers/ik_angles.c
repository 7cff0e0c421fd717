// SPDX-License-Identifier: MIT
// Poses in other words: angles for limits and priors, local rotations for clips.
#include "solvers/ik_pose.h"

#include <math.h>
#include <string.h>

static ug_quat quat_of(const double *p)
{
    return (ug_quat){ p[0], p[1], p[2], p[3] };
}

static void quat_store(double *p, ug_quat q)
{
    memcpy(p, &q, sizeof q);
}

static void vec_store(double *p, ug_vec3 v)
{
    memcpy(p, &v, sizeof v);
}

void ug_ik_angles(double *angles, const ug_ik_model *model, const double *pose)
{
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        const double *state = pose + joint->state;
        double *to = angles + joint->dof;
        switch (joint->type) {
        case UG_JOINT_FREE:
            memcpy(to, state, 3 * sizeof *to);
            vec_store(to + 3, ug_quat_log(quat_of(state + 3)));
            break;
        case UG_JOINT_BALL:
            vec_store(to, ug_quat_log(quat_of(state)));
            break;
        case UG_JOINT_UNIVERSAL:
            to[1] = state[1];
            to[0] = state[0];
            break;
        case UG_JOINT_HINGE:
            to[0] = state[0];
            break;
        case UG_JOINT_FIXED:
            break;
        }
    }
}

void ug_ik_pose_from_angles(double *pose, const ug_ik_model *model, const double *angles)
{
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        const double *from = angles + joint->dof;
        double *state = pose + joint->state;
        switch (joint->type) {
        case UG_JOINT_FREE:
            memcpy(state, from, 3 * sizeof *state);
            quat_store(state + 3, ug_quat_exp(ug_vec3_of(from + 3)));
            break;
        case UG_JOINT_BALL:
            quat_store(state, ug_quat_exp(ug_vec3_of(from)));
            break;
        case UG_JOINT_UNIVERSAL:
            state[1] = from[1];
            state[0] = from[0];
            break;
        case UG_JOINT_HINGE:
            state[0] = from[0];
            break;
        case UG_JOINT_FIXED:
            break;
        }
    }
}

void ug_ik_pose_to_local(ug_quat *local_q, ug_vec3 *translation_m, const ug_ik_model *model,
                         const double *pose)
{
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        const double *state = pose + joint->state;
        local_q[j] =
            ug_quat_normalize(ug_quat_mul(joint->rest, ug_ik_joint_rotation(joint, state)));
        if (translation_m) {
            translation_m[j] = joint->type == UG_JOINT_FREE ? ug_vec3_of(state) : joint->offset_m;
        }
    }
}

// turn of q about a unit axis, (-pi, pi]
static double twist_angle(ug_quat q, ug_vec3 axis)
{
    const double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    return q.w < 0.0 ? 2.0 * atan2(-along, -q.w) : 2.0 * atan2(along, q.w);
}

// angles of Q = turn(a0, θ0) turn(a1, θ1) for perpendicular axes: Q takes a1 to where θ0 alone
// takes it, and what is left is about a1
static void universal_angles(double *state, const ug_ik_joint *joint, ug_quat q)
{
    const ug_vec3 a0 = joint->axes[0], a1 = joint->axes[1];
    const ug_vec3 moved = ug_quat_rotate(q, a1);
    state[0] = atan2(ug_vec3_dot(a0, ug_vec3_cross(a1, moved)),
                     ug_vec3_dot(a1, moved) - ug_vec3_dot(a0, a1) * ug_vec3_dot(a0, moved));
    state[1] =
        twist_angle(ug_quat_mul(ug_quat_conj(ug_quat_exp(ug_vec3_scale(a0, state[0]))), q), a1);
}

void ug_ik_pose_from_local(double *pose, const ug_ik_model *model, const ug_quat *local_q,
                           const ug_vec3 *translation_m)
{
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        const ug_quat q = ug_quat_mul(ug_quat_conj(joint->rest), local_q[j]);
        double *state = pose + joint->state;
        switch (joint->type) {
        case UG_JOINT_FREE:
            vec_store(state, translation_m ? translation_m[j] : joint->offset_m);
            quat_store(state + 3, q);
            break;
        case UG_JOINT_BALL:
            quat_store(state, q);
            break;
        case UG_JOINT_UNIVERSAL:
            universal_angles(state, joint, q);
            break;
        case UG_JOINT_HINGE:
            state[0] = twist_angle(q, joint->axes[0]);
            break;
        case UG_JOINT_FIXED:
            break;
        }
    }
}
