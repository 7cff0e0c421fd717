// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_ridge.c.
#include "solvers/gap_ridge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { ROWS = 100, COLUMNS = 3 };

// A sequence without pattern, -1 … 1.
static double noise_at(size_t k)
{
    uint32_t x = (uint32_t)k * 2654435761u + 12345u; // integer mixing (Knuth, Wellons)
    x = (x ^ x >> 16) * 0x45d9f3bu;
    x = (x ^ x >> 16) * 0x45d9f3bu;
    return (double)(x ^ x >> 16) / 2147483648.0 - 1.0;
}

typedef struct problem {
    double x[ROWS * COLUMNS], y[ROWS * 3], ask[COLUMNS];
} problem;

static ug_gap_table make_table(problem *p)
{
    ug_gap_table t = { .columns = COLUMNS, .x = p->x, .y = p->y, .ask = p->ask, .ask_count = 1 };
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            p->x[r * COLUMNS + c] = noise_at(r * COLUMNS + c) * (c == 1 ? 1e3 : 1.0);
        }
        const double *x = p->x + r * COLUMNS;
        p->y[3 * r] = 2.0 * x[0] - 0.003 * x[1];
        p->y[3 * r + 1] = x[2];
        p->y[3 * r + 2] = 0.0;
    }
    for (size_t f = 0; f <= UG_GAP_FOLDS; f++) {
        t.fold_row[f] = f * ROWS / UG_GAP_FOLDS;
    }
    t.weight_sum = ROWS;
    return t;
}

static void test_finds_a_linear_law(void **state)
{
    (void)state;
    problem p = { .ask = { 1.0, 100.0, -0.5 } };
    ug_gap_table t = make_table(&p);
    ug_gap_sums sums;
    assert_true(ug_gap_sums_init(&sums, COLUMNS));
    ug_gap_table_scale(&t);
    ug_gap_sums_take(&sums, &t);
    double left_out[3 * ROWS], answer[3], noise;
    memset(left_out, 0xa5, sizeof left_out);
    assert_true(ug_gap_ridge(left_out, answer, &noise, &sums, &t, COLUMNS));
    // the least penalty is 1e-6 of the mean square of a column
    assert_true(fabs(answer[0] - 1.7) < 1e-5 && fabs(answer[1] + 0.5) < 1e-5);
    assert_true(fabs(answer[2]) < 1e-12 && noise == 0.0);
    for (size_t k = 0; k < 3 * ROWS; k++) {
        assert_true(fabs(left_out[k] - p.y[k]) < 1e-4);
    }
    // the first column alone cannot say what the third does
    assert_true(ug_gap_ridge(left_out, answer, &noise, &sums, &t, 1));
    assert_true(fabs(answer[1]) < 0.3);
    ug_gap_sums_fini(&sums);
}

// A fold's rows say nothing of what is left out for them.
static void test_a_fold_does_not_see_itself(void **state)
{
    (void)state;
    problem p = { .ask = { 1, 1, 1 } }, q;
    ug_gap_table t = make_table(&p);
    memcpy(&q, &p, sizeof p);
    for (size_t k = 0; k < 3 * t.fold_row[1]; k++) {
        q.y[k] = 50.0 * noise_at(1000 + k); // garbage in the first fold alone
    }
    ug_gap_table u = t;
    u.x = q.x;
    u.y = q.y;
    u.ask = q.ask;
    ug_gap_sums sums;
    assert_true(ug_gap_sums_init(&sums, COLUMNS));
    double left_out[3 * ROWS], answer[3], noise;
    ug_gap_sums_take(&sums, &u);
    assert_true(ug_gap_ridge(left_out, answer, &noise, &sums, &u, COLUMNS));
    for (size_t r = 0; r < t.fold_row[1]; r++) {
        // whatever penalty was chosen, it shrinks towards 0 and no garbage of +-50 comes through
        assert_true(fabs(left_out[3 * r + 1]) <= fabs(p.x[r * COLUMNS + 2]) + 0.5);
    }
    ug_gap_sums_fini(&sums);
}

// One column: errors in variables leave b = Sxy / (Sxx + n s²), Fuller 1987 (1.2.3).
static void test_noise_shrinks_as_known(void **state)
{
    (void)state;
    problem p = { .ask = { 1, 0, 0 } };
    ug_gap_table t = make_table(&p);
    double sxx = 0.0, noise_of_columns[COLUMNS] = { 0.25, 0.0, 0.0 };
    for (size_t r = 0; r < ROWS; r++) {
        p.y[3 * r] = 2.0 * p.x[r * COLUMNS];
        p.y[3 * r + 1] = 0.0;
        sxx += p.x[r * COLUMNS] * p.x[r * COLUMNS];
    }
    t.noise = noise_of_columns;
    ug_gap_sums sums;
    assert_true(ug_gap_sums_init(&sums, COLUMNS));
    ug_gap_table_scale(&t);
    ug_gap_sums_take(&sums, &t);
    double left_out[3 * ROWS], answer[3], noise;
    assert_true(ug_gap_ridge(left_out, answer, &noise, &sums, &t, 1));
    const double b = 2.0 * sxx / (sxx + ROWS * 0.25);
    assert_true(fabs(answer[0] - b) < 1e-5 * b);
    assert_true(fabs(noise - b * b * 0.25) < 1e-4);
    ug_gap_sums_fini(&sums);
}

static void test_nothing_to_learn_from(void **state)
{
    (void)state;
    problem p = { .ask = { 1, 1, 1 } };
    ug_gap_table t = make_table(&p);
    memset(p.x, 0, sizeof p.x);
    ug_gap_sums sums;
    assert_true(ug_gap_sums_init(&sums, COLUMNS));
    ug_gap_table_scale(&t);
    ug_gap_sums_take(&sums, &t);
    double left_out[3 * ROWS], answer[3] = { 9, 9, 9 }, noise = 9.0;
    assert_false(ug_gap_ridge(left_out, answer, &noise, &sums, &t, COLUMNS));
    assert_true(answer[0] == 0.0 && left_out[5] == 0.0 && noise == 0.0);
    ug_gap_sums_fini(&sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_a_linear_law),
        cmocka_unit_test(test_a_fold_does_not_see_itself),
        cmocka_unit_test(test_noise_shrinks_as_known),
        cmocka_unit_test(test_nothing_to_learn_from),
    };
    return cmocka_run_group_tests_name("solvers/gap_ridge", tests, NULL, NULL);
}
