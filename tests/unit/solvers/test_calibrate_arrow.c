// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate_arrow.c: the eliminated solution against a dense elimination
// of the whole matrix written out here.
#include "solvers/calibrate_arrow.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

// J'J of random rows that touch one block and the shared unknowns each: positive semi-definite
// with the pattern of an arrow.
static void fill(ug_arrow *arrow, uint64_t seed)
{
    const size_t n = arrow->block, p = arrow->shared, w = n + p;
    double *row = malloc((w + 1) * sizeof *row);
    assert_non_null(row);
    for (size_t t = 0; t < arrow->count; t++) {
        for (size_t r = 0; r < w + 3; r++) {
            for (size_t i = 0; i < w; i++) {
                row[i] = next(&seed);
            }
            for (size_t i = 0; i < n; i++) {
                for (size_t j = 0; j < n; j++) {
                    arrow->A[(t * n + i) * n + j] += row[i] * row[j];
                }
                for (size_t j = 0; j < p; j++) {
                    arrow->B[(t * n + i) * p + j] += row[i] * row[n + j];
                }
            }
            for (size_t i = 0; i < p; i++) {
                for (size_t j = 0; j < p; j++) {
                    arrow->S[i * p + j] += row[n + i] * row[n + j];
                }
            }
        }
        for (size_t i = 0; i < n; i++) {
            arrow->a[t * n + i] = next(&seed);
        }
    }
    for (size_t i = 0; i < p; i++) {
        arrow->s[i] = next(&seed);
        arrow->S[i * p + i] += 0.1;
    }
    free(row);
}

// Gauss elimination with pivoting on the full matrix.
static void dense(double *x, const ug_arrow *arrow, double lambda, double floor)
{
    const size_t n = arrow->block, p = arrow->shared, m = arrow->count * n, size = m + p;
    double *M = calloc(size * (size + 1) + 1, sizeof *M);
    assert_non_null(M);
#define AT(i, j) M[(i) * (size + 1) + (j)]
    for (size_t t = 0; t < arrow->count; t++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                AT(t * n + i, t * n + j) = arrow->A[(t * n + i) * n + j];
            }
            for (size_t j = 0; j < p; j++) {
                AT(t * n + i, m + j) = AT(m + j, t * n + i) = arrow->B[(t * n + i) * p + j];
            }
            AT(t * n + i, size) = arrow->a[t * n + i];
        }
    }
    for (size_t i = 0; i < p; i++) {
        for (size_t j = 0; j < p; j++) {
            AT(m + i, m + j) = arrow->S[i * p + j];
        }
        AT(m + i, size) = arrow->s[i];
    }
    for (size_t i = 0; i < size; i++) {
        AT(i, i) += lambda * AT(i, i) + floor;
    }
    for (size_t k = 0; k < size; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < size; i++) {
            best = fabs(AT(i, k)) > fabs(AT(best, k)) ? i : best;
        }
        for (size_t j = 0; j <= size; j++) {
            const double swap = AT(k, j);
            AT(k, j) = AT(best, j);
            AT(best, j) = swap;
        }
        for (size_t i = k + 1; i < size; i++) {
            const double f = AT(i, k) / AT(k, k);
            for (size_t j = k; j <= size; j++) {
                AT(i, j) -= f * AT(k, j);
            }
        }
    }
    for (size_t k = size; k-- > 0;) {
        double sum = AT(k, size);
        for (size_t j = k + 1; j < size; j++) {
            sum -= AT(k, j) * x[j];
        }
        x[k] = sum / AT(k, k);
    }
#undef AT
    free(M);
}

static void check(size_t count, size_t block, size_t shared, double lambda, double floor)
{
    ug_arrow arrow;
    assert_int_equal(ug_arrow_init(&arrow, count, block, shared, NULL), UG_OK);
    fill(&arrow, 7 + count + 31 * block);
    const size_t m = count * block, size = m + shared;
    double *truth = malloc((size + 1) * sizeof *truth);
    double *x = malloc((size + 1) * sizeof *x);
    double *again = malloc((size + 1) * sizeof *again);
    assert_true(truth && x && again);
    memset(x, 0x5a, size * sizeof *x);
    memset(again, 0xa5, size * sizeof *again);
    dense(truth, &arrow, lambda, floor);

    assert_true(ug_arrow_solve(x, x + m, &arrow, lambda, floor, 1));
    assert_true(ug_arrow_solve(again, again + m, &arrow, lambda, floor, 3));

    // both are backward stable; the condition of these matrices is below 1e5
    double scale = 1e-300;
    for (size_t i = 0; i < size; i++) {
        scale = fmax(scale, fabs(truth[i]));
    }
    for (size_t i = 0; i < size; i++) {
        assert_true(fabs(x[i] - truth[i]) < 1e-9 * scale);
    }
    assert_memory_equal(x, again, size * sizeof *x);
    free(truth);
    free(x);
    free(again);
    ug_arrow_fini(&arrow);
}

static void test_arrow_is_the_dense_solution(void **state)
{
    (void)state;
    check(3, 4, 5, 0.0, 0.0);
    check(3, 4, 5, 0.7, 1e-3);
    check(20, 6, 11, 1e-3, 0.0); // three pieces, the last one short
    check(16, 5, 3, 0.0, 0.0);   // pieces end exactly
}

static void test_arrow_takes_degenerate_sizes(void **state)
{
    (void)state;
    check(1, 1, 1, 0.0, 0.0);
    check(9, 3, 0, 0.0, 0.0); // nothing shared
    check(0, 4, 6, 0.1, 0.1); // nothing private
    check(0, 0, 0, 0.0, 0.0);
}

static void test_arrow_refuses_what_is_not_positive(void **state)
{
    (void)state;
    ug_arrow arrow;
    double x[10 * 2], y[2];
    assert_int_equal(ug_arrow_init(&arrow, 10, 2, 2, NULL), UG_OK);
    fill(&arrow, 3);
    arrow.A[9 * 4] = -1.0;
    assert_false(ug_arrow_solve(x, y, &arrow, 0.0, 0.0, 1));
    ug_arrow_clear(&arrow);
    fill(&arrow, 3);
    assert_true(ug_arrow_solve(x, y, &arrow, 0.0, 0.0, 1));
    arrow.S[0] = -1.0;
    assert_false(ug_arrow_solve(x, y, &arrow, 0.0, 0.0, 2));

    // unknowns that nothing speaks of: the floor holds them at zero
    ug_arrow_clear(&arrow);
    assert_false(ug_arrow_solve(x, y, &arrow, 1.0, 0.0, 1));
    assert_true(ug_arrow_solve(x, y, &arrow, 1.0, 1.0, 1));
    assert_true(x[0] == 0.0 && y[1] == 0.0);
    ug_arrow_fini(&arrow);
    ug_arrow_fini(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrow_is_the_dense_solution),
        cmocka_unit_test(test_arrow_takes_degenerate_sizes),
        cmocka_unit_test(test_arrow_refuses_what_is_not_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
