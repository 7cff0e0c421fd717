// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_stack.c.
#include "solvers/gap_stack.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROWS = 40 };

static double cost(const double *a, const double *gram, const double *c, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum -= 2.0 * c[i] * a[i];
        for (size_t k = 0; k < n; k++) {
            sum += a[i] * gram[i * n + k] * a[k];
        }
    }
    return sum;
}

// Against every point of a fine grid of the simplex.
static void test_least_squares_on_the_simplex(void **state)
{
    (void)state;
    static const double GRAMS[][9] = { { 2, 0.5, 0, 0.5, 1, 0.2, 0, 0.2, 3 },
                                       { 1, 1.5, 0, 1.5, 4, 0, 0, 0, 9 },
                                       { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
    static const double RIGHT[][3] = { { 0, 0, 0 }, { 0, 0, 0 }, { 0.9, -1, 0.3 } };
    for (size_t p = 0; p < 3; p++) {
        double a[3], best = INFINITY;
        ug_gap_simplex_least_squares(a, GRAMS[p], RIGHT[p], 3);
        assert_true(fabs(a[0] + a[1] + a[2] - 1.0) < 1e-12);
        for (size_t i = 0; i <= 200; i++) {
            for (size_t k = 0; i + k <= 200; k++) {
                const double g[3] = { (double)i / 200, (double)k / 200,
                                      (double)(200 - i - k) / 200 };
                best = fmin(best, cost(g, GRAMS[p], RIGHT[p], 3));
            }
        }
        assert_true(a[0] >= 0.0 && a[1] >= 0.0 && a[2] >= 0.0);
        assert_true(cost(a, GRAMS[p], RIGHT[p], 3) < best + 2e-3); // the heavy row is 1e3, not inf
    }
}

// Fill 0 is right in the first half, fill 1 in the second, fill 2 never.
static void test_weights_follow_the_place_in_the_gap(void **state)
{
    (void)state;
    double truth[3 * ROWS] = { 0 }, fills[3][3 * ROWS], share[ROWS];
    for (size_t r = 0; r < ROWS; r++) {
        share[r] = ((double)r + 0.5) / ROWS;
        for (size_t k = 0; k < 3; k++) {
            const double s = (r * 7 + k) % 2 == 0 ? 1.0 : -1.0; // independent of the others
            fills[0][3 * r + k] = share[r] < 0.5 ? 0.0 : s;
            fills[1][3 * r + k] = share[r] < 0.5 ? ((r / 2) % 2 == 0 ? s : -s) : 0.0;
            fills[2][3 * r + k] = 30.0;
        }
    }
    ug_gap_stack stack;
    ug_gap_stack_sums sums;
    const size_t folds[] = { 0, 8, 16, 24, 32, ROWS };
    ug_gap_stack_sum(&sums, (const double *const[]){ fills[0], fills[1], fills[2] }, 3, truth,
                     share, folds);
    ug_gap_stack_fit(&stack, &sums, UG_GAP_FOLDS);
    double early[3], late[3];
    ug_gap_stack_weights(early, &stack, 0.0);
    ug_gap_stack_weights(late, &stack, 1.0);
    assert_true(fabs(early[0] + early[1] + early[2] - 1.0) < 1e-9);
    // half a blend of both, half the one that is right here, held back a little
    assert_true(early[0] > early[1] + 0.1 && late[1] > late[0] + 0.1);
    assert_true(early[2] < 0.01 && late[2] < 0.01);
}

static void test_a_short_gap_has_empty_quarters(void **state)
{
    (void)state;
    const double truth[3] = { 1, 2, 3 }, good[3] = { 1, 2, 3 }, bad[3] = { 5, 5, 5 };
    const double share = 0.5;
    ug_gap_stack stack;
    ug_gap_stack_sums sums;
    const size_t folds[] = { 0, 1, 1, 1, 1, 1 };
    ug_gap_stack_sum(&sums, (const double *const[]){ good, bad }, 2, truth, &share, folds);
    ug_gap_stack_fit(&stack, &sums, UG_GAP_FOLDS);
    double weights[2];
    ug_gap_stack_weights(weights, &stack, 0.1);
    assert_true(weights[0] > 0.99 && fabs(weights[0] + weights[1] - 1.0) < 1e-9);
    ug_gap_stack_fit(&stack, &sums, 0); // without the one fold there is: nothing is known
    ug_gap_stack_weights(weights, &stack, 0.1);
    assert_true(fabs(weights[0] + weights[1] - 1.0) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_squares_on_the_simplex),
        cmocka_unit_test(test_weights_follow_the_place_in_the_gap),
        cmocka_unit_test(test_a_short_gap_has_empty_quarters),
    };
    return cmocka_run_group_tests_name("solvers/gap_stack", tests, NULL, NULL);
}
