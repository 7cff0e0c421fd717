// SPDX-License-Identifier: MIT
#include "solvers/rigid_fit.h"

#include <assert.h>
#include <math.h>

enum { SWEEPS_MAX = 30 };

// Cyclic Jacobi (Golub & Van Loan 4th ed., 8.5): a becomes diagonal, v gets the eigenvectors as
// columns. Both n x n row-major, n <= 4.
static void jacobi(double *a, double *v, int n)
{
    double total = 0.0;
    for (int i = 0; i < n * n; i++) {
        v[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
        total += a[i] * a[i];
    }
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        double off = 0.0;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                off += a[p * n + q] * a[p * n + q];
            }
        }
        if (off <= 1e-32 * total) {
            return;
        }
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                if (a[p * n + q] == 0.0) {
                    continue;
                }
                const double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
                const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
                const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < n; k++) {
                    const double x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    const double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                    const double vx = v[k * n + p], vy = v[k * n + q];
                    v[k * n + p] = c * vx - s * vy;
                    v[k * n + q] = s * vx + c * vy;
                }
            }
        }
    }
}

static ug_vec3 centre(const ug_vec3 *points, const double *weights, size_t count)
{
    ug_vec3 sum = { 0 };
    double total = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double w = weights ? weights[i] : 1.0;
        sum = ug_vec3_madd(sum, w, points[i]);
        total += w;
    }
    return ug_vec3_scale(sum, 1.0 / total);
}

ug_rigid ug_rigid_fit(const ug_vec3 *from, const ug_vec3 *to, const double *weights, size_t count)
{
    assert(count >= 1);
    ug_rigid fit = { UG_QUAT_IDENTITY, centre(from, weights, count), centre(to, weights, count) };
    double xx = 0, xy = 0, xz = 0, yx = 0, yy = 0, yz = 0, zx = 0, zy = 0, zz = 0;
    for (size_t i = 0; i < count; i++) {
        const ug_vec3 a =
            ug_vec3_scale(ug_vec3_sub(from[i], fit.from_centre), weights ? weights[i] : 1.0);
        const ug_vec3 b = ug_vec3_sub(to[i], fit.to_centre);
        xx += a.x * b.x, xy += a.x * b.y, xz += a.x * b.z;
        yx += a.y * b.x, yy += a.y * b.y, yz += a.y * b.z;
        zx += a.z * b.x, zy += a.z * b.y, zz += a.z * b.z;
    }
    double n[16] = { xx + yy + zz, yz - zy, zx - xz, xy - yx,      yz - zy,       xx - yy - zz,
                     xy + yx,      zx + xz, zx - xz, xy + yx,      -xx + yy - zz, yz + zy,
                     xy - yx,      zx + xz, yz + zy, -xx - yy + zz };
    double v[16];
    jacobi(n, v, 4);
    int best = 0;
    for (int i = 1; i < 4; i++) {
        best = n[i * 5] > n[best * 5] ? i : best;
    }
    fit.q = ug_quat_normalize((ug_quat){ v[best], v[4 + best], v[8 + best], v[12 + best] });
    return fit;
}

void ug_rigid_spread(double spread[2], const ug_vec3 *points, size_t count)
{
    const ug_vec3 mean = centre(points, NULL, count);
    double s[9] = { 0 }, v[9];
    for (size_t i = 0; i < count; i++) {
        const ug_vec3 p = ug_vec3_sub(points[i], mean);
        const double c[3] = { p.x, p.y, p.z };
        for (int k = 0; k < 9; k++) {
            s[k] += c[k / 3] * c[k % 3];
        }
    }
    jacobi(s, v, 3);
    double first = 0.0, second = 0.0;
    for (int k = 0; k < 3; k++) {
        const double value = s[4 * k];
        if (value > first) {
            second = first;
            first = value;
        } else if (value > second) {
            second = value;
        }
    }
    spread[0] = sqrt(first);
    spread[1] = sqrt(second);
}
