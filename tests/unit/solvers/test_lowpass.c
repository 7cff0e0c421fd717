// SPDX-License-Identifier: MIT
// Unit tests for solvers/lowpass.c.
#include "solvers/lowpass.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

// amplitude of a sine after the filter, in the middle of a long series
static double gain_at(double hz, double cutoff_hz, double rate_hz)
{
    enum { COUNT = 4000 };
    static double x[COUNT], work[3 * COUNT];
    ug_lowpass f;
    assert_true(ug_lowpass_design(&f, cutoff_hz, rate_hz));
    assert_true(ug_lowpass_work_count(&f, COUNT) <= 3 * COUNT);
    for (int i = 0; i < COUNT; i++) {
        x[i] = sin(2.0 * PI * hz * i / rate_hz);
    }
    ug_lowpass_apply(x, COUNT, 1, &f, work);
    // least squares of a sine and a cosine over the middle
    double ss = 0.0, cc = 0.0, sc = 0.0, xs = 0.0, xc = 0.0;
    for (int i = COUNT / 4; i < 3 * COUNT / 4; i++) {
        const double s = sin(2.0 * PI * hz * i / rate_hz), c = cos(2.0 * PI * hz * i / rate_hz);
        ss += s * s, cc += c * c, sc += s * c, xs += x[i] * s, xc += x[i] * c;
    }
    const double det = ss * cc - sc * sc;
    assert_true(fabs((xc * ss - xs * sc) / det) < 1e-6); // zero phase
    return (xs * cc - xc * sc) / det;
}

static void test_gain_is_the_closed_form(void **state)
{
    (void)state;
    static const double RATES[] = { 60.0, 120.0, 1000.0 };
    for (int r = 0; r < 3; r++) {
        const double rate = RATES[r], cutoff = 10.0;
        assert_true(fabs(gain_at(cutoff, cutoff, rate) - sqrt(0.5)) < 1e-6);
        for (double hz = 2.0; hz < 28.0; hz += 5.0) {
            // two passes of 1 / sqrt(1 + w^4), w warped, with w^4 = sqrt 2 - 1 at the cut-off
            const double w = tan(PI * hz / rate) / tan(PI * cutoff / rate);
            const double wanted = 1.0 / (1.0 + (sqrt(2.0) - 1.0) * w * w * w * w);
            assert_true(fabs(gain_at(hz, cutoff, rate) - wanted) < 1e-6);
        }
    }
}

static void test_constants_and_lines_pass_with_any_stride(void **state)
{
    (void)state;
    double x[3 * 50], work[3 * 50];
    ug_lowpass f;
    assert_true(ug_lowpass_design(&f, 6.0, 100.0));
    assert_true(ug_lowpass_work_count(&f, 50) <= 150);
    for (int i = 0; i < 50; i++) {
        x[3 * i] = 7.0;
        x[3 * i + 1] = NAN;
        x[3 * i + 2] = 0.5 * i - 3.0;
    }
    ug_lowpass_apply(x, 50, 3, &f, work);
    ug_lowpass_apply(x + 2, 50, 3, &f, work);
    for (int i = 0; i < 50; i++) {
        assert_true(fabs(x[3 * i] - 7.0) < 1e-12);
        assert_true(isnan(x[3 * i + 1]));
        assert_true(fabs(x[3 * i + 2] - (0.5 * i - 3.0)) < 1e-5);
    }
}

static void test_impulse_is_symmetric(void **state)
{
    (void)state;
    double x[401] = { 0 }, work[1300];
    ug_lowpass f;
    assert_true(ug_lowpass_design(&f, 8.0, 120.0));
    x[200] = 1.0;
    assert_true(ug_lowpass_work_count(&f, 401) <= 1300);
    ug_lowpass_apply(x, 401, 1, &f, work);
    double sum = 0.0;
    for (int i = 0; i <= 200; i++) {
        assert_true(fabs(x[200 - i] - x[200 + i]) < 1e-12);
    }
    for (int i = 0; i < 401; i++) {
        sum += x[i];
    }
    assert_true(fabs(sum - 1.0) < 1e-9);
}

static void test_degenerate_series_and_cutoffs(void **state)
{
    (void)state;
    static const double WRONG[] = { 0.0, -1.0, 60.0, 90.0, NAN };
    ug_lowpass f;
    double x[3] = { 1.0, 5.0, 2.0 }, work[9];
    for (int i = 0; i < 5; i++) {
        assert_false(ug_lowpass_design(&f, WRONG[i], 120.0));
        ug_lowpass_apply(x, 3, 1, &f, work);
        assert_true(x[0] == 1.0 && x[1] == 5.0 && x[2] == 2.0);
    }
    assert_true(ug_lowpass_design(&f, 1.0, 120.0));
    ug_lowpass_apply(x, 0, 1, &f, work);
    ug_lowpass_apply(x, 1, 1, &f, work);
    assert_true(x[0] == 1.0);
    assert_true(ug_lowpass_work_count(&f, 0) < 1000000);
    x[1] = 1.0;
    ug_lowpass_apply(x, 2, 1, &f, work);
    assert_true(fabs(x[0] - 1.0) < 1e-12 && fabs(x[1] - 1.0) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gain_is_the_closed_form),
        cmocka_unit_test(test_constants_and_lines_pass_with_any_stride),
        cmocka_unit_test(test_impulse_is_symmetric),
        cmocka_unit_test(test_degenerate_series_and_cutoffs),
    };
    return cmocka_run_group_tests_name("solvers/lowpass", tests, NULL, NULL);
}
