// SPDX-License-Identifier: MIT
#include "solvers/ik_prior.h"

#include <assert.h>
#include <math.h>
#include <string.h>

ug_ik_prior ug_ik_default_prior(void)
{
    return (ug_ik_prior){ .pose = true, .limit_sigma_rad = 0.03 };
}

void ug_ik_right_jacobian_inverse(double m[9], ug_vec3 theta)
{
    const double t2 = ug_vec3_dot(theta, theta);
    const double t = sqrt(t2);
    // J = 1 + [θ]/2 + k [θ]², k = (1 − (θ/2) cot(θ/2)) / θ²; series below 1e-2 rad
    const double half = 0.5 * t;
    const double k = t < 1e-2 ? 1.0 / 12.0 + t2 / 720.0 : (1.0 - half * cos(half) / sin(half)) / t2;
    const double x = theta.x, y = theta.y, z = theta.z;
    m[0] = 1.0 + k * (x * x - t2);
    m[4] = 1.0 + k * (y * y - t2);
    m[8] = 1.0 + k * (z * z - t2);
    m[1] = k * x * y - 0.5 * z;
    m[3] = k * x * y + 0.5 * z;
    m[2] = k * x * z + 0.5 * y;
    m[6] = k * x * z - 0.5 * y;
    m[5] = k * y * z - 0.5 * x;
    m[7] = k * y * z + 0.5 * x;
}

static double outside(double angle, double low, double high)
{
    return angle > high ? angle - high : angle < low ? angle - low : 0.0;
}

void ug_ik_over_limits(double *over, const ug_ik_model *model, const double *angles)
{
    for (size_t d = 0; d < model->dof_count; d++) {
        over[d] = outside(angles[d], model->low_rad[d], model->high_rad[d]);
    }
}

static void store_angles(double *state, const ug_ik_joint *joint, const double *angles)
{
    if (joint->type == UG_JOINT_BALL) {
        const ug_quat q = ug_quat_exp(ug_vec3_of(angles));
        state[0] = q.w;
        state[1] = q.x;
        state[2] = q.y;
        state[3] = q.z;
    } else {
        memcpy(state, angles, (size_t)joint->dof_count * sizeof *state);
    }
}

static ug_vec3 ball_angles(const double *state)
{
    return ug_quat_log((ug_quat){ state[0], state[1], state[2], state[3] });
}

// angles of a joint that is not FREE; returns how many
static int joint_angles(double angles[3], const ug_ik_joint *joint, const double *state)
{
    if (joint->type == UG_JOINT_BALL) {
        const ug_vec3 v = ball_angles(state);
        angles[0] = v.x;
        angles[1] = v.y;
        angles[2] = v.z;
        return 3;
    }
    const int count = joint->type == UG_JOINT_FREE ? 0 : joint->dof_count;
    memcpy(angles, state, (size_t)count * sizeof *angles);
    return count;
}

size_t ug_ik_clamp(double *pose, const ug_ik_model *model)
{
    size_t moved = 0;
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        double *state = pose + joint->state;
        double angles[3];
        const int count = joint_angles(angles, joint, state);
        size_t here = 0;
        for (int k = 0; k < count; k++) {
            const int d = joint->dof + k;
            const double over = outside(angles[k], model->low_rad[d], model->high_rad[d]);
            if (over > 0.0) {
                angles[k] = model->high_rad[d];
            } else if (over < 0.0) {
                angles[k] = model->low_rad[d];
            }
            here += over != 0.0;
        }
        if (here) {
            store_angles(state, joint, angles);
        }
        moved += here;
    }
    return moved;
}

// pull of one group of angles: Σ w_i e_i², d e / d step = jac (NULL: identity), added at `dof`
static double pull(double *hessian, double *gradient, size_t n, int dof, int count,
                   const double *weight, const double *error, const double *jac)
{
    double cost = 0.0;
    for (int i = 0; i < count; i++) {
        cost += weight[i] * error[i] * error[i];
    }
    for (int a = 0; a < count; a++) {
        double g = 0.0;
        for (int i = 0; i < count; i++) {
            g -= (jac ? jac[3 * i + a] : (double)(i == a)) * weight[i] * error[i];
        }
        if (gradient) {
            gradient[dof + a] += g;
        }
        for (int b = 0; hessian && b <= a; b++) {
            double h = 0.0;
            for (int i = 0; i < count; i++) {
                h += jac ? jac[3 * i + a] * weight[i] * jac[3 * i + b]
                         : weight[i] * (double)(i == a && i == b);
            }
            hessian[(size_t)(dof + a) * n + (size_t)(dof + b)] += h;
        }
    }
    return cost;
}

static double joint_prior(double *hessian, double *gradient, const ug_ik_model *model,
                          const ug_ik_joint *joint, const double *state, const ug_ik_prior *prior)
{
    double angles[3], error[3], weight[3], over[3], stiff[3], jac[9];
    bool any = false, any_over = false;
    const int count = joint_angles(angles, joint, state);
    for (int k = 0; k < count; k++) {
        const int d = joint->dof + k;
        const double sigma = model->sigma_rad[d];
        weight[k] = prior->pose && isfinite(sigma) ? 1.0 / (sigma * sigma) : 0.0;
        error[k] = angles[k] - (prior->centre ? prior->centre[d] : 0.0);
        over[k] = outside(angles[k], model->low_rad[d], model->high_rad[d]);
        stiff[k] = over[k] != 0.0 ? 1.0 / (prior->limit_sigma_rad * prior->limit_sigma_rad) : 0.0;
        any = any || weight[k] > 0.0;
        any_over = any_over || over[k] != 0.0;
    }
    any_over = any_over && prior->limit_sigma_rad > 0.0;
    if (!any && !any_over) {
        return 0.0;
    }
    if (count == 3) {
        ug_ik_right_jacobian_inverse(jac, ug_vec3_of(angles));
    }
    const double *use = count == 3 ? jac : NULL;
    double cost = 0.0;
    if (any) {
        cost += pull(hessian, gradient, model->dof_count, joint->dof, count, weight, error, use);
    }
    if (any_over) {
        cost += pull(hessian, gradient, model->dof_count, joint->dof, count, stiff, over, use);
    }
    return cost;
}

static double joint_toward(double *hessian, double *gradient, const ug_ik_model *model,
                           const ug_ik_joint *joint, const double *state, const ug_ik_prior *prior)
{
    const double w = 1.0 / (prior->toward_sigma_rad * prior->toward_sigma_rad);
    const double weight[3] = { w, w, w };
    const double *to = prior->toward + joint->state;
    double error[3] = { 0 }, jac[9];
    if (joint->type == UG_JOINT_BALL) {
        const ug_quat q = { state[0], state[1], state[2], state[3] };
        const ug_vec3 e =
            ug_quat_log(ug_quat_mul(ug_quat_conj((ug_quat){ to[0], to[1], to[2], to[3] }), q));
        error[0] = e.x;
        error[1] = e.y;
        error[2] = e.z;
        ug_ik_right_jacobian_inverse(jac, e);
        return pull(hessian, gradient, model->dof_count, joint->dof, 3, weight, error, jac);
    }
    for (int k = 0; k < joint->dof_count; k++) {
        error[k] = state[k] - to[k];
    }
    return pull(hessian, gradient, model->dof_count, joint->dof, joint->dof_count, weight, error,
                NULL);
}

double ug_ik_prior_add(double *hessian, double *gradient, const ug_ik_model *model,
                       const double *pose, const ug_ik_prior *prior)
{
    assert(!prior->toward || prior->toward_sigma_rad > 0.0);
    double cost = 0.0;
    for (size_t j = 0; j < model->joint_count; j++) {
        const ug_ik_joint *joint = &model->joints[j];
        const double *state = pose + joint->state;
        if (joint->dof_count == 0 || joint->type == UG_JOINT_FREE) {
            continue;
        }
        cost += joint_prior(hessian, gradient, model, joint, state, prior);
        if (prior->toward) {
            cost += joint_toward(hessian, gradient, model, joint, state, prior);
        }
    }
    return cost;
}
