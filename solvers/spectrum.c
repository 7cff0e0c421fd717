// SPDX-License-Identifier: MIT
#include "solvers/spectrum.h"

#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

struct ug_spectrum {
    size_t length, count;
    double window_power;     // sum of the squared window
    double *window;          // (length)
    double complex *twiddle; // (length / 2) exp(-2 pi i k / length)
    double complex *work;    // (length)
    double *sum;             // (length / 2 + 1) of squared transforms
};

ug_spectrum *ug_spectrum_create(size_t length)
{
    assert(length >= 4 && (length & (length - 1)) == 0);
    ug_spectrum *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->length = length;
    s->window = malloc(length * sizeof *s->window);
    s->twiddle = malloc(length / 2 * sizeof *s->twiddle);
    s->work = malloc(length * sizeof *s->work);
    s->sum = calloc(length / 2 + 1, sizeof *s->sum);
    if (!s->window || !s->twiddle || !s->work || !s->sum) {
        ug_spectrum_destroy(s);
        return NULL;
    }
    for (size_t i = 0; i < length; i++) { // periodic: its shifts by half add up to one
        s->window[i] = 0.5 - 0.5 * cos(2.0 * PI * (double)i / (double)length);
        s->window_power += s->window[i] * s->window[i];
    }
    for (size_t k = 0; k < length / 2; k++) {
        s->twiddle[k] = cexp(-2.0 * PI * I * (double)k / (double)length);
    }
    return s;
}

void ug_spectrum_destroy(ug_spectrum *spectrum)
{
    if (spectrum) {
        free(spectrum->window);
        free(spectrum->twiddle);
        free(spectrum->work);
        free(spectrum->sum);
        free(spectrum);
    }
}

void ug_spectrum_reset(ug_spectrum *spectrum)
{
    spectrum->count = 0;
    for (size_t k = 0; k <= spectrum->length / 2; k++) {
        spectrum->sum[k] = 0.0;
    }
}

// In place, radix 2, decimation in time.
static void transform(const ug_spectrum *s)
{
    const size_t n = s->length;
    double complex *x = s->work;
    for (size_t i = 1, j = 0; i < n; i++) { // bits reversed
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            const double complex swapped = x[i];
            x[i] = x[j];
            x[j] = swapped;
        }
    }
    for (size_t half = 1; half < n; half *= 2) {
        const size_t step = n / (2 * half);
        for (size_t first = 0; first < n; first += 2 * half) {
            for (size_t k = 0; k < half; k++) {
                const double complex a = x[first + k];
                const double complex b = x[first + k + half] * s->twiddle[k * step];
                x[first + k] = a + b;
                x[first + k + half] = a - b;
            }
        }
    }
}

void ug_spectrum_add(ug_spectrum *spectrum, const double *series, size_t stride)
{
    const size_t n = spectrum->length;
    const double middle = 0.5 * (double)(n - 1);
    double mean = 0.0, slope = 0.0, spread = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double t = (double)i - middle;
        mean += series[i * stride] / (double)n;
        slope += t * series[i * stride];
        spread += t * t;
    }
    slope /= spread;
    for (size_t i = 0; i < n; i++) {
        const double line = mean + slope * ((double)i - middle);
        spectrum->work[i] = spectrum->window[i] * (series[i * stride] - line);
    }
    transform(spectrum);
    for (size_t k = 0; k <= n / 2; k++) {
        const double re = creal(spectrum->work[k]), im = cimag(spectrum->work[k]);
        spectrum->sum[k] += re * re + im * im;
    }
    spectrum->count++;
}

void ug_spectrum_read(double *density, const ug_spectrum *spectrum, double rate_hz)
{
    const size_t half = spectrum->length / 2;
    const double unit = (double)spectrum->count * rate_hz * spectrum->window_power;
    for (size_t k = 0; k <= half; k++) { // the negative frequencies count with the positive ones
        const double sides = k == 0 || k == half ? 1.0 : 2.0;
        density[k] = spectrum->count > 0 ? sides * spectrum->sum[k] / unit : (double)NAN;
    }
}
