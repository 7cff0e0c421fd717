// SPDX-License-Identifier: MIT
// Unit tests for solvers/spectrum.c: sines and noise whose densities are known in closed form.
#include "solvers/spectrum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N = 256, COUNT = 64 * N };

static const double PI = 3.14159265358979323846, RATE = 120.0;

// Uniform in [-1, 1), the same on every machine: variance 1/3.
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void measure(double density[N / 2 + 1], const double *series, size_t count)
{
    ug_spectrum *s = ug_spectrum_create(N);
    assert_non_null(s);
    ug_spectrum_add(s, series, 1); // to be forgotten
    ug_spectrum_reset(s);
    for (size_t first = 0; first + N <= count; first += N / 2) {
        ug_spectrum_add(s, series + first, 1);
    }
    ug_spectrum_read(density, s, RATE);
    ug_spectrum_destroy(s);
}

static void test_sine_on_a_line(void **state)
{
    (void)state;
    static double x[COUNT];
    double p[N / 2 + 1];
    const int bin = 20; // 9.375 Hz
    for (int i = 0; i < COUNT; i++) {
        x[i] = 3.0 * cos(2.0 * PI * bin * (i - 0.5 * (N - 1)) / N) + 1000.0 + 0.7 * i;
    }
    measure(p, x, COUNT);
    // a Hann window spreads a sine over three bins, 1/6 : 2/3 : 1/6; together they are A^2 / 2. It
    // is even about the middle of every segment, so that taking off a line takes nothing of it;
    // what is left is rounding of values up to 1e4
    const double width = RATE / N, power = 3.0 * 3.0 / 2.0;
    assert_true(fabs(p[bin] * width / power - 2.0 / 3.0) < 1e-9);
    assert_true(fabs(p[bin - 1] * width / power - 1.0 / 6.0) < 1e-9);
    assert_true(fabs(p[bin + 1] * width / power - 1.0 / 6.0) < 1e-9);
    for (int k = 0; k <= N / 2; k++) { // and the rest is nothing, offset and line included
        assert_true(abs(k - bin) <= 1 || p[k] * width < 1e-18 * 1e8);
    }
}

static void test_white_noise_is_flat(void **state)
{
    (void)state;
    static double x[COUNT];
    double p[N / 2 + 1];
    uint64_t seed = 7;
    for (int i = 0; i < COUNT; i++) {
        x[i] = noise(&seed);
    }
    measure(p, x, COUNT);
    // one-sided: 2 sigma^2 / rate. 127 segments that overlap by half are worth about 67 of their
    // own: one bin scatters by 12 %, the mean of 120 bins by 1.1 %
    const double level = 2.0 / 3.0 / RATE;
    double mean = 0.0, sum = 0.0;
    for (int k = 4; k < 124; k++) {
        assert_true(p[k] > 0.4 * level && p[k] < 1.8 * level);
        mean += p[k] / 120.0;
    }
    assert_true(fabs(mean / level - 1.0) < 0.04);
    for (int k = 0; k <= N / 2; k++) {
        sum += p[k] * RATE / N;
    }
    assert_true(fabs(3.0 * sum - 1.0) < 0.04); // all of it is the variance
}

// Against the sum that defines the transform.
static void test_transform_is_the_sum(void **state)
{
    (void)state;
    enum { SHORT = 16 };
    double x[2 * SHORT], p[SHORT / 2 + 1];
    uint64_t seed = 3;
    for (int i = 0; i < SHORT; i++) {
        x[2 * i] = noise(&seed);
        x[2 * i + 1] = 1e9; // not looked at: the stride is 2
    }
    ug_spectrum *s = ug_spectrum_create(SHORT);
    ug_spectrum_add(s, x, 2);
    ug_spectrum_read(p, s, 1.0);
    double mean = 0.0, slope = 0.0, spread = 0.0, power = 0.0;
    for (int i = 0; i < SHORT; i++) {
        mean += x[2 * i] / SHORT;
        slope += (i - 7.5) * x[2 * i];
        spread += (i - 7.5) * (i - 7.5);
    }
    for (int k = 0; k <= SHORT / 2; k++) {
        double re = 0.0, im = 0.0;
        power = 0.0;
        for (int i = 0; i < SHORT; i++) {
            const double w = 0.5 * (1.0 - cos(2.0 * PI * i / SHORT));
            const double y = w * (x[2 * i] - mean - slope / spread * (i - 7.5));
            re += y * cos(2.0 * PI * k * i / SHORT);
            im += y * sin(2.0 * PI * k * i / SHORT);
            power += w * w;
        }
        const double wanted = (k == 0 || k == 8 ? 1.0 : 2.0) * (re * re + im * im) / power;
        assert_true(fabs(p[k] - wanted) < 1e-12 * (1.0 + wanted));
    }
    ug_spectrum_destroy(s);
}

static void test_nothing_is_not_known(void **state)
{
    (void)state;
    double p[3];
    ug_spectrum *s = ug_spectrum_create(4);
    ug_spectrum_read(p, s, 100.0);
    assert_true(isnan(p[0]) && isnan(p[1]) && isnan(p[2]));
    ug_spectrum_destroy(s);
    ug_spectrum_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_on_a_line),
        cmocka_unit_test(test_white_noise_is_flat),
        cmocka_unit_test(test_transform_is_the_sum),
        cmocka_unit_test(test_nothing_is_not_known),
    };
    return cmocka_run_group_tests_name("solvers/spectrum", tests, NULL, NULL);
}
