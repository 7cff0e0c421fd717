// SPDX-License-Identifier: MIT
#include "solvers/gap_spline.h"

enum { REACH = 12, KNOTS_MAX = 2 * REACH };

// Frames of up to REACH seen samples going away from the gap, the nearest first.
static size_t collect(size_t *frames, const ug_gap_scene *scene, size_t marker, size_t from,
                      int step)
{
    size_t count = 0;
    // stepping below frame 0 wraps round to a huge number and ends the loop
    for (size_t f = from, k = 0; count < REACH && k < 4 * REACH && f < scene->frame_count;
         f += (size_t)step, k++) {
        if (ug_scene_state(scene, f, marker) == UG_SCENE_SEEN) {
            frames[count++] = f;
        }
    }
    return count;
}

// Second derivatives of the spline through the knots (tridiagonal elimination), constant in the
// outermost intervals: natural ends, where it is 0, would bend what is no line.
static void second_derivatives(ug_vec3 *d2, const double *t, const ug_vec3 *p, size_t n)
{
    double c[KNOTS_MAX] = { -1.0 }; // d2[0] = d2[1]
    d2[0] = d2[n - 1] = (ug_vec3){ 0 };
    for (size_t i = 1; i + 1 < n; i++) {
        const double h0 = t[i] - t[i - 1], h1 = t[i + 1] - t[i];
        const ug_vec3 right =
            ug_vec3_scale(ug_vec3_sub(ug_vec3_scale(ug_vec3_sub(p[i + 1], p[i]), 1.0 / h1),
                                      ug_vec3_scale(ug_vec3_sub(p[i], p[i - 1]), 1.0 / h0)),
                          6.0);
        const double m = 2.0 * (h0 + h1) - h0 * c[i - 1];
        c[i] = h1 / m;
        d2[i] = ug_vec3_scale(ug_vec3_madd(right, -h0, d2[i - 1]), 1.0 / m);
    }
    if (n > 2) {
        d2[n - 2] = d2[n - 1] = ug_vec3_scale(d2[n - 2], 1.0 / (1.0 + c[n - 2]));
    }
    for (size_t i = n - 2; i-- > 1;) {
        d2[i] = ug_vec3_madd(d2[i], -c[i], d2[i + 1]);
    }
    d2[0] = n > 2 ? d2[1] : d2[0];
}

bool ug_gap_spline_fill(double *out_mm, const ug_gap_scene *scene, const ug_gap *gap)
{
    if (!gap->has_start || !gap->has_end) {
        return false;
    }
    size_t before[REACH], after[REACH];
    const size_t n0 = collect(before, scene, gap->marker, gap->first - 1, -1);
    const size_t n1 = collect(after, scene, gap->marker, gap->last + 1, 1);
    if (n0 == 0 || n1 == 0) {
        return false;
    }
    double t[KNOTS_MAX];
    ug_vec3 p[KNOTS_MAX], d2[KNOTS_MAX];
    for (size_t i = 0; i < n0 + n1; i++) {
        const size_t f = i < n0 ? before[n0 - 1 - i] : after[i - n0];
        t[i] = (double)f - (double)gap->first;
        p[i] = ug_scene_mm(scene, f, gap->marker);
    }
    second_derivatives(d2, t, p, n0 + n1);
    const size_t a = n0 - 1, b = n0;
    const double h = t[b] - t[a];
    for (size_t i = 0; i < ug_gap_length(gap); i++) {
        const double v = ((double)i - t[a]) / h, u = 1.0 - v;
        ug_vec3 x = ug_vec3_lerp(p[a], p[b], v);
        x = ug_vec3_madd(x, (u * u * u - u) * h * h / 6.0, d2[a]);
        x = ug_vec3_madd(x, (v * v * v - v) * h * h / 6.0, d2[b]);
        out_mm[3 * i] = x.x;
        out_mm[3 * i + 1] = x.y;
        out_mm[3 * i + 2] = x.z;
    }
    return true;
}
