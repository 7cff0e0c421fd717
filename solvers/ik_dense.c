// SPDX-License-Identifier: MIT
// The dense stepper: JᵀWJ gathered per segment, factored by LAPACK.
#include "solvers/ik_step.h"

#include <string.h>

#include <lapacke.h>

static size_t longest_chain(const ug_ik_model *model)
{
    size_t longest = 0;
    for (size_t j = 0; j < model->joint_count; j++) {
        const size_t length = (size_t)model->joints[j].chain_length;
        longest = length > longest ? length : longest;
    }
    return longest;
}

size_t ug_ik_normal_doubles(const ug_ik_model *model)
{
    const size_t k = longest_chain(model);
    return 3 * k + k * k;
}

// local += w JᵀJ of one marker, lower triangle (length x length)
static void add_marker(double *local, const double *rows, size_t length, double weight)
{
    const double *x = rows, *y = rows + length, *z = rows + 2 * length;
    for (size_t a = 0; a < length; a++) {
        const double wx = weight * x[a], wy = weight * y[a], wz = weight * z[a];
        double *to = local + a * length;
        for (size_t b = 0; b <= a; b++) {
            to[b] += wx * x[b] + wy * y[b] + wz * z[b];
        }
    }
}

void ug_ik_normal_equations(double *hessian, double *gradient, const ug_ik_model *model,
                            const ug_ik_frame *frame, const double *residual_m,
                            const double *weight, double *scratch)
{
    const size_t n = model->dof_count;
    for (size_t j = 0; j < model->joint_count; j++) {
        const size_t length = (size_t)model->joints[j].chain_length;
        const int *chain = model->chains + model->joints[j].chain;
        double *rows = scratch, *local = scratch + 3 * length;
        bool any = false;
        for (int i = model->by_joint_start[j]; i < model->by_joint_start[j + 1]; i++) {
            const size_t m = (size_t)model->by_joint[i];
            if (!(weight[m] > 0.0)) {
                continue;
            }
            if (!any) {
                memset(local, 0, length * length * sizeof *local);
                any = true;
            }
            ug_ik_marker_jacobian(rows, model, frame, m);
            add_marker(local, rows, length, weight[m]);
            for (size_t a = 0; gradient && a < length; a++) {
                gradient[chain[a]] += weight[m] * (rows[a] * residual_m[3 * m] +
                                                   rows[length + a] * residual_m[3 * m + 1] +
                                                   rows[2 * length + a] * residual_m[3 * m + 2]);
            }
        }
        for (size_t a = 0; any && a < length; a++) {
            double *to = hessian + (size_t)chain[a] * n;
            for (size_t b = 0; b <= a; b++) {
                to[chain[b]] += local[a * length + b];
            }
        }
    }
}

typedef struct dense {
    double *hessian, *factor; // (n x n) lower triangle, row-major
    double *gradient;         // (n)
    double *scratch;
} dense;

static dense dense_at(const ug_ik_model *model, void *memory)
{
    const size_t n = model->dof_count;
    double *next = memory;
    return (dense){ .hessian = next,
                    .factor = next + n * n,
                    .gradient = next + 2 * n * n,
                    .scratch = next + 2 * n * n + n };
}

static size_t dense_bytes(const ug_ik_model *model)
{
    const size_t n = model->dof_count;
    return (2 * n * n + n + ug_ik_normal_doubles(model)) * sizeof(double);
}

static void dense_linearise(void *memory, const ug_ik_model *model, const ug_ik_frame *frame,
                            const double *pose, const double *residual_m, const double *weight,
                            const ug_ik_prior *prior)
{
    const size_t n = model->dof_count;
    const dense d = dense_at(model, memory);
    memset(d.hessian, 0, n * n * sizeof *d.hessian);
    memset(d.gradient, 0, n * sizeof *d.gradient);
    ug_ik_normal_equations(d.hessian, d.gradient, model, frame, residual_m, weight, d.scratch);
    (void)ug_ik_prior_add(d.hessian, d.gradient, model, pose, prior);
}

static bool dense_solve(double *step, void *memory, const ug_ik_model *model, double lambda)
{
    const size_t n = model->dof_count;
    const dense d = dense_at(model, memory);
    memcpy(step, d.gradient, n * sizeof *step);
    for (size_t i = 0; i < n; i++) {
        memcpy(d.factor + i * n, d.hessian + i * n, (i + 1) * sizeof *d.factor);
        d.factor[i * n + i] += lambda * (d.hessian[i * n + i] + 1.0);
    }
    // a lower triangle by rows is an upper one by columns: no transposed copy is made
    return LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'U', (lapack_int)n, 1, d.factor, (lapack_int)n,
                              step, (lapack_int)n) == 0;
}

const ug_ik_stepper ug_ik_dense_stepper = { dense_bytes, dense_linearise, dense_solve };
