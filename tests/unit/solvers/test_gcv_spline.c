// SPDX-License-Identifier: MIT
// Unit tests for solvers/gcv_spline.c: against the definition worked out with dense matrices, whose
// B-spline products are integrated numerically, and against limits with a closed form.
#include "solvers/gcv_spline.h"

#include "motion/conventions.h"
#include "tests/support/noise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 30, ROWS = N - 3, N_MAX = 4096 };

static double work[(size_t)N_MAX * 10];

static void dirty_work(void)
{
    memset(work, 0xff, sizeof work); // NaN
}

// Quadratic B-spline on the knots 0, 1, 2, 3.
static double b_spline(double t)
{
    if (t <= 0.0 || t >= 3.0) {
        return 0.0;
    }
    return t < 1.0   ? 0.5 * t * t
           : t < 2.0 ? 0.5 * (-2.0 * t * t + 6.0 * t - 3.0)
                     : 0.5 * (3.0 - t) * (3.0 - t);
}

static double product(size_t i, size_t j)
{
    enum { STEPS = 4000 };
    double sum = 0.0; // midpoints over the span of i: error 1e-7
    for (size_t k = 0; k < STEPS; k++) {
        const double t = 3.0 * ((double)k + 0.5) / STEPS;
        sum += b_spline(t) * b_spline(t + (double)i - (double)j);
    }
    return 3.0 * sum / STEPS;
}

// x = inv(a) b for `columns` right sides, both destroyed; partial pivoting is not needed, a is
// positive definite.
static void solve_dense(double *a, double *b, size_t n, size_t columns)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            const double factor = i == k ? 0.0 : a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n && factor != 0.0; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            for (size_t j = 0; j < columns && factor != 0.0; j++) {
                b[i * columns + j] -= factor * b[k * columns + j];
            }
        }
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j < columns; j++) {
            b[k * columns + j] /= a[k * n + k];
        }
    }
}

// hat (N x N) = inv(I + p Q inv(R) Q'): what least squares with the penalty comes to.
static void dense_hat(double *hat, double p)
{
    static const double third[4] = { -1.0, 3.0, -3.0, 1.0 };
    static double gram[ROWS * ROWS], q[ROWS * N], solved[ROWS * N], system[N * N];
    memset(q, 0, sizeof q);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < ROWS; j++) {
            gram[i * ROWS + j] = i > j + 2 || j > i + 2 ? 0.0 : product(i, j);
        }
        for (size_t k = 0; k < 4; k++) {
            q[i * N + i + k] = third[k];
        }
    }
    memcpy(solved, q, sizeof q);
    solve_dense(gram, solved, ROWS, N);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < ROWS; k++) {
                sum += q[k * N + i] * solved[k * N + j];
            }
            system[i * N + j] = p * sum + (i == j);
            hat[i * N + j] = i == j;
        }
    }
    solve_dense(system, hat, N, N);
}

static void make_path(double *values, size_t count, double sigma, uint64_t seed)
{
    for (size_t f = 0; f < count; f++) {
        for (size_t axis = 0; axis < 3; axis++) {
            values[3 * f + axis] =
                300.0 * sin(0.05 * (double)f + (double)axis) + sigma * noise(&seed);
        }
    }
}

static void test_is_the_penalised_least_squares(void **state)
{
    (void)state;
    static double hat[N * N];
    for (double p = 1e-3; p < 1e7; p *= 100.0) {
        double values[3 * N], before[3 * N], score, trace = 0.0, squares = 0.0;
        make_path(values, N, 3.0, 11);
        memcpy(before, values, sizeof values);
        ug_gcv_fit fit;
        dirty_work();
        ug_gcv_smooth_with(&fit, &score, values, N, p, work);
        dense_hat(hat, p);
        for (size_t i = 0; i < N; i++) {
            trace += hat[i * N + i];
            for (size_t axis = 0; axis < 3; axis++) {
                double expected = 0.0;
                for (size_t j = 0; j < N; j++) {
                    expected += hat[i * N + j] * before[3 * j + axis];
                }
                assert_true(fabs(values[3 * i + axis] - expected) < 2e-4); // the integration
                squares += pow(before[3 * i + axis] - expected, 2.0);
            }
        }
        assert_true(fabs(fit.freedom - trace) < 1e-5 * N);
        const double lost = N - trace;
        assert_true(fabs(score / (N * squares / (lost * lost)) - 1.0) < 1e-4);
        assert_true(fabs(fit.noise / sqrt(squares / (3.0 * lost)) - 1.0) < 1e-4);
    }
}

static void test_chooses_the_lowest_score(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        enum { COUNT = 300 };
        double values[3 * COUNT], again[3 * COUNT], lowest = INFINITY, chosen;
        ug_gcv_fit fit;
        for (double cutoff = 0.002; cutoff < 0.45; cutoff *= 1.01) {
            double score;
            make_path(again, COUNT, 0.5 * (double)seed, seed);
            ug_gcv_smooth_with(&fit, &score, again, COUNT, ug_gcv_parameter(cutoff), work);
            lowest = fmin(lowest, score);
        }
        make_path(values, COUNT, 0.5 * (double)seed, seed);
        ug_gcv_smooth(&fit, values, COUNT, work);
        make_path(again, COUNT, 0.5 * (double)seed, seed);
        ug_gcv_smooth_with(&fit, &chosen, again, COUNT, fit.p, work);
        assert_memory_equal(values, again, sizeof values);
        assert_true(chosen <
                    1.0001 * lowest); // the bottom is flat: 1 % of cut-off is 1e-5 of score
    }
}

// Very strong smoothing leaves the least-squares parabola, three parameters.
static void test_limit_is_the_parabola(void **state)
{
    (void)state;
    double values[3 * N], y[N];
    make_path(values, N, 5.0, 3);
    double normal[9] = { 0 }, right[3] = { 0 };
    for (size_t f = 0; f < N; f++) {
        const double t = (double)f / N, powers[3] = { 1.0, t, t * t };
        y[f] = values[3 * f];
        for (size_t i = 0; i < 3; i++) {
            right[i] += powers[i] * y[f];
            for (size_t j = 0; j < 3; j++) {
                normal[3 * i + j] += powers[i] * powers[j];
            }
        }
    }
    solve_dense(normal, right, 3, 1);
    ug_gcv_fit fit;
    ug_gcv_smooth_with(&fit, NULL, values, N, 1e12, work);
    for (size_t f = 0; f < N; f++) {
        const double t = (double)f / N;
        // what is not parabola falls with 1/p; rounding grows with it: 1e-4 of 300 between them
        assert_true(fabs(values[3 * f] - (right[0] + t * (right[1] + t * right[2]))) < 0.03);
    }
    assert_true(fabs(fit.freedom - 3.0) < 0.01);
}

static void test_gain_is_what_the_header_says(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static double values[3 * COUNT];
    for (double cutoff = 0.02; cutoff < 0.4; cutoff *= 2.0) {
        const double p = ug_gcv_parameter(cutoff);
        assert_true(fabs(ug_gcv_cutoff(p) - cutoff) < 1e-12);
        for (size_t cycles = 20; cycles <= 400; cycles += 76) {
            const double w = 2.0 * UG_PI * (double)cycles / 1000.0;
            for (size_t f = 0; f < COUNT; f++) {
                values[3 * f] = values[3 * f + 1] = values[3 * f + 2] = sin(w * (double)f);
            }
            ug_gcv_fit fit;
            ug_gcv_smooth_with(&fit, NULL, values, COUNT, p, work);
            double in_phase = 0.0, off_phase = 0.0;
            for (size_t f = COUNT / 4; f < COUNT / 4 + 1000;
                 f++) { // whole periods, far from the ends
                in_phase += values[3 * f] * sin(w * (double)f) / 500.0;
                off_phase += values[3 * f] * cos(w * (double)f) / 500.0;
            }
            const double r = (66.0 + 52.0 * cos(w) + 2.0 * cos(2.0 * w)) / 120.0;
            const double expected = 1.0 / (1.0 + p * pow(2.0 * sin(0.5 * w), 6.0) / r);
            assert_true(fabs(in_phase - expected) < 1e-9 && fabs(off_phase) < 1e-9);
        }
        const double half_power = 1.0 / sqrt(2.0), w = 2.0 * UG_PI * cutoff;
        const double r = (66.0 + 52.0 * cos(w) + 2.0 * cos(2.0 * w)) / 120.0;
        assert_true(fabs(1.0 / (1.0 + p * pow(2.0 * sin(0.5 * w), 6.0) / r) - half_power) < 1e-12);
    }
}

static void test_noise_is_found_and_mostly_removed(void **state)
{
    (void)state;
    enum { COUNT = 1200 };
    static double values[3 * COUNT], truth[3 * COUNT];
    for (double sigma = 0.1; sigma < 20.0; sigma *= 5.0) {
        make_path(values, COUNT, sigma, 5);
        make_path(truth, COUNT, 0.0, 5);
        ug_gcv_fit fit;
        ug_gcv_smooth(&fit, values, COUNT, work);
        double squares = 0.0;
        for (size_t i = 0; i < (size_t)3 * COUNT; i++) {
            squares += (values[i] - truth[i]) * (values[i] - truth[i]);
        }
        // 3600 samples tell a sigma to 1.2 %; the smoothed path keeps `freedom` of `count`
        // parameters
        assert_true(fabs(fit.noise / sigma - 1.0) < 0.04);
        assert_true(sqrt(squares / (3.0 * COUNT)) < 1.3 * sigma * sqrt(fit.freedom / COUNT));
        assert_true(fit.freedom < 0.2 * COUNT);
    }
}

static void test_parabolas_and_the_shortest_run_pass(void **state)
{
    (void)state;
    double values[3 * UG_GCV_RUN_MIN];
    for (size_t f = 0; f < UG_GCV_RUN_MIN; f++) {
        const double t = (double)f;
        values[3 * f] = 1000.0 + 3.0 * t - 0.5 * t * t;
        values[3 * f + 1] = -4e5;
        values[3 * f + 2] = 0.0;
    }
    ug_gcv_fit fit;
    dirty_work();
    ug_gcv_smooth(&fit, values, UG_GCV_RUN_MIN, work);
    for (size_t f = 0; f < UG_GCV_RUN_MIN; f++) {
        const double t = (double)f;
        assert_true(fabs(values[3 * f] - (1000.0 + 3.0 * t - 0.5 * t * t)) < 1e-6);
        assert_true(fabs(values[3 * f + 1] + 4e5) < 1e-6);
        assert_true(values[3 * f + 2] == 0.0);
    }
    assert_true(isfinite(fit.noise) && fit.noise < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_the_penalised_least_squares),
        cmocka_unit_test(test_chooses_the_lowest_score),
        cmocka_unit_test(test_limit_is_the_parabola),
        cmocka_unit_test(test_gain_is_what_the_header_says),
        cmocka_unit_test(test_noise_is_found_and_mostly_removed),
        cmocka_unit_test(test_parabolas_and_the_shortest_run_pass),
    };
    return cmocka_run_group_tests_name("solvers/gcv_spline", tests, NULL, NULL);
}
