// SPDX-License-Identifier: MIT
#include "solvers/calibrate_parameters.h"

#include "motion/kinematics.h"
#include "solvers/calibrate_body.h"

#include <math.h>
#include <stdlib.h>

// Priors of a template that brings none of its own.
static const double DEFAULT_BONE_SIGMA_M = 0.015, DEFAULT_MARKER_SIGMA_M = 0.025;
static const double GROUP_SIGMA = 0.08, SYMMETRY_SIGMA_M = 0.003, HIP_SIGMA_M = 0.005;

static bool is_hip(const ug_fit *fit, size_t joint)
{
    const ug_role role = fit->skeleton->joints[joint].role;
    return role == UG_ROLE_L_THIGH || role == UG_ROLE_R_THIGH;
}

// One parameter per group of bones, 1 where the bone stays as it is.
ug_status ug_parameters_of_groups(ug_bundle_shape *shape, const ug_fit *fit, const int *group,
                                  ug_error *err)
{
    const size_t joints = fit->model->joint_count;
    const ug_status status = ug_bundle_shape_init(shape, fit->model, UG_BODY_GROUP_COUNT, err);
    if (status != UG_OK) {
        return status;
    }
    for (size_t i = 0; i < shape->coordinate_count; i++) {
        const int joint = i < 3 * joints ? fit->model->joints[i / 3].parent
                                         : fit->model->markers[i / 3 - joints].joint;
        // soft tissue makes a pelvis look wide: hips must not follow it (and are not markers)
        if (joint >= 0 && !(i < 3 * joints && is_hip(fit, i / 3))) {
            shape->parameter[i] = group[joint];
            shape->slope[i] = shape->base[i];
            shape->base[i] = 0.0;
        }
    }
    for (size_t k = 0; k < UG_BODY_GROUP_COUNT; k++) {
        shape->value[k] = shape->prior[k] = 1.0;
        shape->sigma[k] = GROUP_SIGMA;
    }
    return UG_OK;
}

static double axis_of(ug_vec3 v, size_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool bone_is_free(const ug_fit *fit, size_t joint)
{
    const ug_ik_joint *j = &fit->model->joints[joint];
    return !fit->options->keep_bones && j->parent >= 0 && j->dof_count > 0 &&
           j->type != UG_JOINT_FREE;
}

ug_vec3 ug_parameters_place_sigma(const ug_attachment *item)
{
    const ug_vec3 s = item->sigma_m;
    const double d = DEFAULT_MARKER_SIGMA_M;
    return (ug_vec3){ s.x > 0.0 ? s.x : d, s.y > 0.0 ? s.y : d, s.z > 0.0 ? s.z : d };
}

// σ of coordinate i; 0 = the coordinate is fixed.
static double coordinate_sigma(const ug_fit *fit, size_t i)
{
    const size_t joints = fit->model->joint_count, axis = i % 3;
    if (i < 3 * joints) {
        const ug_joint *joint = &fit->skeleton->joints[i / 3];
        const double own = joint->flags & UG_JOINT_HAS_PRIOR ? axis_of(joint->offset_sigma_m, axis)
                                                             : DEFAULT_BONE_SIGMA_M;
        // residuals hardly see how far apart the hips are: their prior decides
        const double sigma = is_hip(fit, i / 3) ? fmin(own, HIP_SIGMA_M) : own;
        return bone_is_free(fit, i / 3) ? fit->options->prior_scale * sigma : 0.0;
    }
    const size_t m = i / 3 - joints;
    return fit->model->markers[m].weight > 0.0
               ? fit->options->prior_scale *
                     axis_of(ug_parameters_place_sigma(&fit->attachments.items[m]), axis)
               : 0.0;
}

static ug_status tie_pair(ug_bundle_shape *shape, const double A[9], int left, int right,
                          ug_error *err)
{
    ug_status status = UG_OK;
    for (int i = 0; i < 3 && status == UG_OK; i++) {
        ug_bundle_tie tie = { .parameter = { shape->parameter[3 * left + i], -1, -1, -1 },
                              .coefficient = { 1.0 },
                              .sigma = SYMMETRY_SIGMA_M };
        bool complete = tie.parameter[0] >= 0;
        for (int k = 0; k < 3; k++) {
            if (fabs(A[3 * i + k]) > 1e-9) {
                tie.parameter[1 + k] = shape->parameter[3 * right + k];
                tie.coefficient[1 + k] = -A[3 * i + k];
                complete = complete && tie.parameter[1 + k] >= 0;
            }
        }
        status = complete ? ug_bundle_shape_tie(shape, &tie, err) : UG_OK;
    }
    return status;
}

// Soft equations between the left and right bones of a template that is symmetric itself.
static ug_status tie_sides(ug_bundle_shape *shape, const ug_fit *fit, ug_error *err)
{
    const ug_skeleton *skeleton = fit->skeleton;
    const size_t n = skeleton->joint_count;
    int *mirror = malloc(n * sizeof *mirror);
    ug_quat *rest_q = malloc(n * sizeof *rest_q);
    ug_vec3 *rest_m = malloc(n * sizeof *rest_m);
    ug_status status =
        mirror && rest_q && rest_m ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status == UG_OK) {
        ug_body_mirrors(mirror, skeleton);
        ug_rest_forward(rest_q, rest_m, skeleton);
    }
    for (size_t j = 0; j < n && status == UG_OK; j++) {
        const int k = mirror[j];
        const int pj = skeleton->joints[j].parent, pk = k >= 0 ? skeleton->joints[k].parent : -1;
        // each pair once, and only bones between joints that mirror each other themselves
        if (k > (int)j && pj >= 0 && pk >= 0 && (pj == pk || mirror[pj] == pk)) {
            double A[9];
            ug_body_reflection(A, skeleton, rest_q, ug_body_lateral(skeleton, mirror), (int)j, k);
            const ug_vec3 b = skeleton->joints[k].offset_m;
            const ug_vec3 image = { A[0] * b.x + A[1] * b.y + A[2] * b.z,
                                    A[3] * b.x + A[4] * b.y + A[5] * b.z,
                                    A[6] * b.x + A[7] * b.y + A[8] * b.z };
            const ug_vec3 offset = skeleton->joints[j].offset_m;
            if (ug_vec3_distance(image, offset) <= 0.01 + 0.1 * ug_vec3_norm(offset)) {
                status = tie_pair(shape, A, (int)j, k, err);
            }
        }
    }
    free(mirror);
    free(rest_q);
    free(rest_m);
    return status;
}

// Values where the model is, priors where skeleton and attachments are.
ug_status ug_parameters_of_coordinates(ug_bundle_shape *shape, const ug_fit *fit, ug_error *err)
{
    size_t count = 0;
    const size_t joints = fit->model->joint_count;
    const size_t coordinates = 3 * (joints + fit->model->marker_count);
    for (size_t i = 0; i < coordinates; i++) {
        count += coordinate_sigma(fit, i) > 0.0;
    }
    const ug_status status = ug_bundle_shape_init(shape, fit->model, count, err);
    for (size_t i = 0, k = 0; i < coordinates && status == UG_OK; i++) {
        const double sigma = coordinate_sigma(fit, i);
        if (sigma > 0.0) {
            const ug_vec3 prior = i < 3 * joints ? fit->skeleton->joints[i / 3].offset_m
                                                 : fit->attachments.items[i / 3 - joints].local_m;
            shape->parameter[i] = (int)k;
            shape->slope[i] = 1.0;
            shape->value[k] = shape->base[i];
            shape->base[i] = 0.0;
            shape->prior[k] = axis_of(prior, i % 3);
            shape->sigma[k++] = sigma;
        }
    }
    return status == UG_OK && fit->options->symmetry && !fit->options->keep_bones
               ? tie_sides(shape, fit, err)
               : status;
}
