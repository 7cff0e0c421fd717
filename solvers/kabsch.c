// SPDX-License-Identifier: MIT
#include "solvers/kabsch.h"

#include <math.h>
#include <stdbool.h>

// Cyclic Jacobi on a symmetric 4x4: eigenvalues on the diagonal of `a`, vectors in columns of `v`.
static void eigen4(double a[4][4], double v[4][4])
{
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            v[i][k] = i == k;
        }
    }
    for (int sweep = 0; sweep < 30; sweep++) {
        bool turned = false;
        for (int p = 0; p < 3; p++) {
            for (int q = p + 1; q < 4; q++) {
                if (fabs(a[p][q]) <= 1e-17 * (fabs(a[p][p]) + fabs(a[q][q]))) {
                    continue;
                }
                turned = true;
                const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
                const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
                const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < 4; k++) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 4; k++) {
                    const double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                    const double kp = v[k][p], kq = v[k][q];
                    v[k][p] = c * kp - s * kq;
                    v[k][q] = s * kp + c * kq;
                }
            }
        }
        if (!turned) {
            return;
        }
    }
}

// Horn's matrix: its largest eigenvector is the quaternion that maximises Σ w to · (q from q*).
static ug_quat best_rotation(double s[3][3])
{
    double n[4][4] = {
        { s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0] },
        { 0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2] },
        { 0, 0, -s[0][0] + s[1][1] - s[2][2], s[1][2] + s[2][1] },
        { 0, 0, 0, -s[0][0] - s[1][1] + s[2][2] },
    };
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < i; k++) {
            n[i][k] = n[k][i];
        }
    }
    double v[4][4];
    eigen4(n, v);
    int best = 0;
    for (int i = 1; i < 4; i++) {
        if (n[i][i] > n[best][best]) {
            best = i;
        }
    }
    return ug_quat_normalize((ug_quat){ v[0][best], v[1][best], v[2][best], v[3][best] });
}

ug_rigid ug_kabsch(const double *from, const double *to, const double *weight, size_t count)
{
    ug_vec3 from_mean = { 0, 0, 0 }, to_mean = { 0, 0, 0 };
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double w = weight ? weight[i] : 1.0;
        if (w > 0.0) {
            from_mean = ug_vec3_madd(from_mean, w, ug_vec3_of(from + 3 * i));
            to_mean = ug_vec3_madd(to_mean, w, ug_vec3_of(to + 3 * i));
            sum += w;
        }
    }
    if (!(sum > 0.0)) {
        return (ug_rigid){ .q = UG_QUAT_IDENTITY };
    }
    from_mean = ug_vec3_scale(from_mean, 1.0 / sum);
    to_mean = ug_vec3_scale(to_mean, 1.0 / sum);

    double s[3][3] = { { 0 } };
    for (size_t i = 0; i < count; i++) {
        const double w = weight ? weight[i] : 1.0;
        if (w > 0.0) {
            const ug_vec3 a = ug_vec3_sub(ug_vec3_of(from + 3 * i), from_mean);
            const ug_vec3 b = ug_vec3_sub(ug_vec3_of(to + 3 * i), to_mean);
            const double av[3] = { w * a.x, w * a.y, w * a.z }, bv[3] = { b.x, b.y, b.z };
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++) {
                    s[r][c] += av[r] * bv[c];
                }
            }
        }
    }
    ug_rigid rigid = { .q = best_rotation(s), .weight_sum = sum };
    rigid.t = ug_vec3_sub(to_mean, ug_quat_rotate(rigid.q, from_mean));
    // summed from the residuals themselves: a difference of sums would lose half the digits
    for (size_t i = 0; i < count; i++) {
        const double w = weight ? weight[i] : 1.0;
        if (w > 0.0) {
            const ug_vec3 a = ug_vec3_sub(ug_vec3_of(from + 3 * i), from_mean);
            const ug_vec3 b = ug_vec3_sub(ug_vec3_of(to + 3 * i), to_mean);
            const ug_vec3 r = ug_vec3_sub(b, ug_quat_rotate(rigid.q, a));
            rigid.square += w * ug_vec3_dot(r, r);
        }
    }
    return rigid;
}
