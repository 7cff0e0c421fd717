// SPDX-License-Identifier: MIT
#include "solvers/calibrate_shape.h"

#include <math.h>
#include <stdlib.h>

static double *coordinate_of(ug_ik_model *model, size_t i)
{
    const size_t joints = 3 * model->joint_count;
    ug_vec3 *v =
        i < joints ? &model->joints[i / 3].offset_m : &model->markers[(i - joints) / 3].local_m;
    return i % 3 == 0 ? &v->x : i % 3 == 1 ? &v->y : &v->z;
}

ug_status ug_bundle_shape_init(ug_bundle_shape *shape, const ug_ik_model *model,
                               size_t parameter_count, ug_error *err)
{
    const size_t n = 3 * (model->joint_count + model->marker_count);
    *shape = (ug_bundle_shape){ .coordinate_count = n, .parameter_count = parameter_count };
    shape->parameter = malloc(n * sizeof *shape->parameter);
    shape->slope = calloc(n, sizeof *shape->slope);
    shape->base = calloc(n, sizeof *shape->base);
    shape->value = calloc(parameter_count + 1, sizeof *shape->value);
    shape->prior = calloc(parameter_count + 1, sizeof *shape->prior);
    shape->sigma = calloc(parameter_count + 1, sizeof *shape->sigma);
    if (!shape->parameter || !shape->slope || !shape->base || !shape->value || !shape->prior ||
        !shape->sigma) {
        ug_bundle_shape_fini(shape);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        shape->parameter[i] = -1;
        const ug_vec3 v = i < 3 * model->joint_count
                              ? model->joints[i / 3].offset_m
                              : model->markers[i / 3 - model->joint_count].local_m;
        shape->base[i] = i % 3 == 0 ? v.x : i % 3 == 1 ? v.y : v.z;
    }
    for (size_t k = 0; k < parameter_count; k++) {
        shape->sigma[k] = INFINITY;
    }
    return UG_OK;
}

void ug_bundle_shape_fini(ug_bundle_shape *shape)
{
    if (shape) {
        free(shape->parameter);
        free(shape->slope);
        free(shape->base);
        free(shape->value);
        free(shape->prior);
        free(shape->sigma);
        free(shape->ties);
        *shape = (ug_bundle_shape){ 0 };
    }
}

ug_status ug_bundle_shape_tie(ug_bundle_shape *shape, const ug_bundle_tie *tie, ug_error *err)
{
    ug_bundle_tie *grown = realloc(shape->ties, (shape->tie_count + 1) * sizeof *grown);
    if (!grown) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    shape->ties = grown;
    shape->ties[shape->tie_count++] = *tie;
    return UG_OK;
}

void ug_bundle_shape_apply(ug_ik_model *model, const ug_bundle_shape *shape)
{
    for (size_t i = 0; i < shape->coordinate_count; i++) {
        const int k = shape->parameter[i];
        if (k >= 0) {
            *coordinate_of(model, i) = shape->base[i] + shape->slope[i] * shape->value[k];
        }
    }
}

static double tie_value(const ug_bundle_tie *tie, const double *value)
{
    double sum = tie->constant;
    for (int i = 0; i < UG_BUNDLE_TIE_TERMS; i++) {
        if (tie->parameter[i] >= 0) {
            sum += tie->coefficient[i] * value[tie->parameter[i]];
        }
    }
    return sum;
}

double ug_bundle_shape_cost(double *hessian, double *gradient, const ug_bundle_shape *shape)
{
    double cost = 0.0;
    const size_t p = shape->parameter_count;
    for (size_t k = 0; k < p; k++) {
        const double w = 1.0 / (shape->sigma[k] * shape->sigma[k]);
        const double d = shape->prior[k] - shape->value[k];
        cost += w * d * d;
        if (hessian) {
            hessian[k * p + k] += w;
            gradient[k] += w * d;
        }
    }
    for (size_t t = 0; t < shape->tie_count; t++) {
        const ug_bundle_tie *tie = &shape->ties[t];
        const double w = 1.0 / (tie->sigma * tie->sigma), value = tie_value(tie, shape->value);
        cost += w * value * value;
        for (int i = 0; i < UG_BUNDLE_TIE_TERMS && hessian; i++) {
            const int k = tie->parameter[i];
            for (int j = 0; j < UG_BUNDLE_TIE_TERMS && k >= 0; j++) {
                if (tie->parameter[j] >= 0 && tie->parameter[j] <= k) {
                    hessian[(size_t)k * p + (size_t)tie->parameter[j]] +=
                        w * tie->coefficient[i] * tie->coefficient[j];
                }
            }
            if (k >= 0) {
                gradient[k] -= w * tie->coefficient[i] * value;
            }
        }
    }
    return cost;
}
