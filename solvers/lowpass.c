// SPDX-License-Identifier: MIT
#include "solvers/lowpass.h"

#include <assert.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

bool ug_lowpass_design(ug_lowpass *filter, double cutoff_hz, double rate_hz)
{
    assert(filter);
    *filter = (ug_lowpass){ .b0 = 1.0 };
    if (!(cutoff_hz > 0.0 && cutoff_hz < 0.5 * rate_hz)) {
        return false;
    }
    // |H|^2 = 1 / (1 + (w/wc)^4) per pass: two passes reach 1/2 at w = wc (sqrt 2 - 1)^(1/4)
    const double two_pass = sqrt(sqrt(sqrt(2.0) - 1.0));
    const double k = tan(PI * cutoff_hz / rate_hz) / two_pass;
    const double norm = 1.0 / (1.0 + sqrt(2.0) * k + k * k);
    filter->b0 = k * k * norm;
    filter->b1 = 2.0 * filter->b0;
    filter->b2 = filter->b0;
    filter->a1 = 2.0 * (k * k - 1.0) * norm;
    filter->a2 = (1.0 - sqrt(2.0) * k + k * k) * norm;
    filter->pad = (size_t)ceil(fmin(3.0 * rate_hz / cutoff_hz, 1e6)); // decayed to e^-13 by then
    return true;
}

static size_t pad_of(const ug_lowpass *filter, size_t count)
{
    return count == 0 || filter->pad < count ? filter->pad : count - 1;
}

size_t ug_lowpass_work_count(const ug_lowpass *filter, size_t count)
{
    return count + 2 * pad_of(filter, count);
}

// one pass over `n` samples, `step` = +1 or -1, starting as if the first value had always been
static void pass(double *x, size_t n, int backwards, const ug_lowpass *f)
{
    const double first = backwards ? x[n - 1] : x[0];
    double z1 = first * (1.0 - f->b0);
    double z2 = first * (f->b2 - f->a2);
    for (size_t i = 0; i < n; i++) {
        double *at = backwards ? &x[n - 1 - i] : &x[i];
        const double in = *at;
        const double out = f->b0 * in + z1;
        z1 = f->b1 * in - f->a1 * out + z2;
        z2 = f->b2 * in - f->a2 * out;
        *at = out;
    }
}

void ug_lowpass_apply(double *series, size_t count, size_t stride, const ug_lowpass *filter,
                      double *work)
{
    assert(stride > 0);
    if (count < 2 || filter->pad == 0) {
        return;
    }
    const size_t pad = pad_of(filter, count);
    const double first = series[0];
    const double last = series[(count - 1) * stride];
    for (size_t i = 0; i < count; i++) {
        work[pad + i] = series[i * stride];
    }
    for (size_t i = 1; i <= pad; i++) {
        work[pad - i] = 2.0 * first - series[i * stride];
        work[pad + count - 1 + i] = 2.0 * last - series[(count - 1 - i) * stride];
    }
    pass(work, count + 2 * pad, 0, filter);
    pass(work, count + 2 * pad, 1, filter);
    for (size_t i = 0; i < count; i++) {
        series[i * stride] = work[pad + i];
    }
}
