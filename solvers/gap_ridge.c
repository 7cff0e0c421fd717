// SPDX-License-Identifier: MIT
#include "solvers/gap_ridge.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PENALTIES[] = { 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1 };

enum { PENALTY_COUNT = sizeof PENALTIES / sizeof *PENALTIES, ALL = UG_GAP_FOLDS };

bool ug_gap_sums_init(ug_gap_sums *sums, size_t columns)
{
    *sums = (ug_gap_sums){ 0 };
    sums->xx = calloc((UG_GAP_FOLDS + 1) * columns * columns, sizeof *sums->xx);
    sums->xy = calloc((UG_GAP_FOLDS + 1) * columns * 3, sizeof *sums->xy);
    sums->work = calloc(columns * columns + 3 * columns, sizeof *sums->work);
    return sums->xx && sums->xy && sums->work;
}

void ug_gap_sums_fini(ug_gap_sums *sums)
{
    free(sums->xx);
    free(sums->xy);
    free(sums->work);
    *sums = (ug_gap_sums){ 0 };
}

static size_t row_count(const ug_gap_table *table)
{
    return table->fold_row[UG_GAP_FOLDS];
}

void ug_gap_table_scale(ug_gap_table *table)
{
    double scale[UG_GAP_TABLE_COLUMNS_MAX];
    for (size_t c = 0; c < table->columns; c++) {
        scale[c] = 0.0;
    }
    for (size_t r = 0; r < row_count(table); r++) {
        for (size_t c = 0; c < table->columns; c++) {
            const double v = table->x[r * table->columns + c];
            scale[c] += v * v;
        }
    }
    for (size_t c = 0; c < table->columns; c++) {
        scale[c] = scale[c] > 0.0 ? sqrt(table->weight_sum / scale[c]) : 1.0;
        if (table->noise) {
            table->noise[c] *= scale[c] * scale[c];
        }
    }
    for (size_t r = 0; r < row_count(table); r++) {
        for (size_t c = 0; c < table->columns; c++) {
            table->x[r * table->columns + c] *= scale[c];
        }
    }
    for (size_t r = 0; r < table->ask_count; r++) {
        for (size_t c = 0; c < table->columns; c++) {
            table->ask[r * table->columns + c] *= scale[c];
        }
    }
}

void ug_gap_sums_take(ug_gap_sums *sums, const ug_gap_table *table)
{
    const size_t d = table->columns;
    const int n = (int)d;
    double *all_xx = sums->xx + ALL * d * d, *all_xy = sums->xy + ALL * d * 3;
    sums->columns = d;
    memset(all_xx, 0, d * d * sizeof *all_xx);
    memset(all_xy, 0, d * 3 * sizeof *all_xy);
    for (size_t f = 0; f < UG_GAP_FOLDS; f++) {
        const size_t from = table->fold_row[f];
        const int rows = (int)(table->fold_row[f + 1] - from);
        double *xx = sums->xx + f * d * d, *xy = sums->xy + f * d * 3;
        memset(xx, 0, d * d * sizeof *xx);
        memset(xy, 0, d * 3 * sizeof *xy);
        if (rows > 0) {
            cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, n, rows, 1.0, table->x + from * d, n,
                        0.0, xx, n);
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, 3, rows, 1.0,
                        table->x + from * d, n, table->y + from * 3, 3, 0.0, xy, 3);
        }
        cblas_daxpy((int)(d * d), 1.0, xx, 1, all_xx, 1);
        cblas_daxpy((int)(d * 3), 1.0, xy, 1, all_xy, 1);
    }
}

// Coefficients (3 x columns, at work + columns²) without `fold`; ALL leaves none out.
static double *solve(ug_gap_sums *sums, const ug_gap_table *table, size_t columns, size_t fold,
                     double penalty)
{
    const size_t d = sums->columns;
    const double *xx = sums->xx + ALL * d * d, *xy = sums->xy + ALL * d * 3;
    const double *less_xx = sums->xx + fold * d * d, *less_xy = sums->xy + fold * d * 3;
    const double keep = fold == ALL ? 0.0 : 1.0;
    double *a = sums->work, *b = sums->work + columns * columns, trace = 0.0;
    for (size_t i = 0; i < columns; i++) {
        for (size_t k = i; k < columns; k++) {
            a[i * columns + k] = xx[i * d + k] - keep * less_xx[i * d + k];
        }
        trace += a[i * columns + i];
        for (size_t k = 0; k < 3; k++) {
            b[k * columns + i] = xy[3 * i + k] - keep * less_xy[3 * i + k];
        }
    }
    if (!(trace > 0.0)) {
        return NULL;
    }
    for (size_t i = 0; i < columns; i++) {
        a[i * columns + i] += penalty * trace / (double)columns;
        a[i * columns + i] += table->noise ? table->noise[i] * table->weight_sum : 0.0;
    }
    // the upper triangle by rows is the lower one by columns
    const int n = (int)columns;
    return LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, 3, a, n, b, n) == 0 ? b : NULL;
}

static void multiply(double *out, const double *x, size_t rows, size_t stride, const double *b,
                     size_t columns)
{
    if (rows > 0) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, 3, (int)columns, 1.0, x,
                    (int)stride, b, (int)columns, 0.0, out, 3);
    }
}

// What folds left out say with this penalty; its squared error, infinite when not solved.
static double leave_out(double *left_out, ug_gap_sums *sums, const ug_gap_table *table,
                        size_t columns, double penalty)
{
    double square = 0.0;
    for (size_t f = 0; f < UG_GAP_FOLDS; f++) {
        const size_t from = table->fold_row[f], rows = table->fold_row[f + 1] - from;
        if (rows == 0) {
            continue;
        }
        const double *b = solve(sums, table, columns, f, penalty);
        if (!b) {
            return INFINITY;
        }
        multiply(left_out + 3 * from, table->x + from * table->columns, rows, table->columns, b,
                 columns);
    }
    for (size_t k = 0; k < 3 * row_count(table); k++) {
        const double e = left_out[k] - table->y[k];
        square += e * e;
    }
    return square;
}

static double noise_of(const ug_gap_table *table, const double *b, size_t columns)
{
    double square = 0.0;
    for (size_t i = 0; table->noise && i < columns; i++) {
        for (size_t k = 0; k < 3; k++) {
            square += b[k * columns + i] * b[k * columns + i] * table->noise[i];
        }
    }
    return square;
}

// The error over the penalty has one valley: downhill from the middle of the list.
static double find_penalty(double *left_out, ug_gap_sums *sums, const ug_gap_table *table,
                           size_t columns)
{
    double square[PENALTY_COUNT];
    size_t at = PENALTY_COUNT / 2;
    for (size_t p = 0; p < PENALTY_COUNT; p++) {
        square[p] = -1.0; // not known yet
    }
    for (;;) {
        const size_t low = at > 0 ? at - 1 : 0, high = at + 1 < PENALTY_COUNT ? at + 1 : at;
        for (size_t p = low; p <= high; p++) {
            if (square[p] < 0.0) {
                square[p] = leave_out(left_out, sums, table, columns, PENALTIES[p]);
            }
        }
        const size_t from = at;
        at = square[high] < square[at] ? high : at;
        at = square[low] < square[at] ? low : at;
        if (at == from) {
            return PENALTIES[at];
        }
    }
}

bool ug_gap_ridge(double *left_out, double *answer, double *noise_mm2, ug_gap_sums *sums,
                  const ug_gap_table *table, size_t columns)
{
    const double penalty = find_penalty(left_out, sums, table, columns);
    const double *b = NULL;
    if (leave_out(left_out, sums, table, columns, penalty) < INFINITY) {
        b = solve(sums, table, columns, ALL, penalty);
    }
    if (!b) {
        memset(left_out, 0, 3 * row_count(table) * sizeof *left_out);
        memset(answer, 0, 3 * table->ask_count * sizeof *answer);
        *noise_mm2 = 0.0;
        return false;
    }
    *noise_mm2 = noise_of(table, b, columns);
    multiply(answer, table->ask, table->ask_count, table->columns, b, columns);
    return true;
}
