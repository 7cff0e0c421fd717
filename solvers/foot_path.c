// SPDX-License-Identifier: MIT
#include "solvers/foot_path.h"

#include <assert.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

double ug_smoothstep(double u)
{
    const double x = fmin(fmax(u, 0.0), 1.0);
    return x * x * (3.0 - 2.0 * x);
}

double ug_soft_floor(double height, double soft)
{
    if (!(soft > 0.0)) {
        return fmax(height, 0.0);
    }
    // the parabola (x + r)^2 / 4r joins 0 and the line y = x at x = ±r; moved so that 0 stays 0
    const double x = height + soft;
    if (x >= soft) {
        return height;
    }
    return x <= -soft ? -soft : (x + soft) * (x + soft) / (4.0 * soft) - soft;
}

// k (1 - k/t)^2: leaves 0 with slope 1, is back at 0 with slope 0 after t frames
static double bump(double k, double t)
{
    return k < t ? k * (1.0 - k / t) * (1.0 - k / t) : 0.0;
}

static ug_vec3 slope_before(const ug_vec3 *d, const uint8_t *planted, size_t at)
{
    return at > 0 && planted[at - 1] ? ug_vec3_sub(d[at], d[at - 1]) : (ug_vec3){ 0, 0, 0 };
}

static ug_vec3 slope_after(const ug_vec3 *d, const uint8_t *planted, size_t at, size_t count)
{
    return at + 1 < count && planted[at + 1] ? ug_vec3_sub(d[at + 1], d[at]) : (ug_vec3){ 0, 0, 0 };
}

void ug_displacement_extend(ug_vec3 *d, const uint8_t *planted, size_t count, double ease_frames)
{
    size_t last = count; // last planted frame before the current gap; count: none yet
    for (size_t f = 0; f < count;) {
        if (planted[f]) {
            last = f++;
            continue;
        }
        size_t next = f;
        while (next < count && !planted[next]) {
            next++;
        }
        const bool from = last < count, to = next < count;
        const double n = from && to ? (double)(next - last) : INFINITY;
        const double t = fmin(ease_frames, n);
        const ug_vec3 zero = { 0, 0, 0 };
        const ug_vec3 s0 = from ? slope_before(d, planted, last) : zero;
        const ug_vec3 s1 = to ? slope_after(d, planted, next, count) : zero;
        for (; f < next; f++) {
            const double k = from ? (double)(f - last) : 0.0, left = to ? (double)(next - f) : 0.0;
            ug_vec3 v = from ? d[last] : to ? d[next] : zero;
            if (from && to) {
                v = ug_vec3_lerp(d[last], d[next], ug_smoothstep(k / n));
            }
            v = from ? ug_vec3_madd(v, bump(k, t), s0) : v;
            d[f] = to ? ug_vec3_madd(v, -bump(left, t), s1) : v;
        }
    }
}

void ug_envelope(double *out, double *work, const double *need, size_t count, size_t half)
{
    assert(out != need && work != need && out != work);
    for (size_t f = 0; f < count; f++) {
        const size_t a = f > half ? f - half : 0, b = f + half < count ? f + half : count - 1;
        work[f] = 0.0;
        for (size_t i = a; i <= b; i++) {
            work[f] = fmax(work[f], need[i]);
        }
    }
    for (size_t f = 0; f < count; f++) {
        const size_t a = f > half ? f - half : 0, b = f + half < count ? f + half : count - 1;
        double sum = 0.0, weights = 0.0;
        for (size_t i = a; i <= b; i++) {
            const double x = ((double)i - (double)f) / ((double)half + 1.0);
            const double w = 0.5 + 0.5 * cos(PI * x);
            sum += w * work[i];
            weights += w;
        }
        out[f] = sum / weights;
    }
}
