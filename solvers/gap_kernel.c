// SPDX-License-Identifier: MIT
#include "solvers/gap_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double square_distance(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double d = a[i] - b[i];
        sum += d * d;
    }
    return sum;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Median squared distance between examples, from a fixed choice of pairs.
static double median_square(const double *x, size_t stride, const size_t *at, size_t count,
                            size_t columns)
{
    enum { PAIRS = 512 };
    double squares[PAIRS];
    size_t n = 0;
    for (size_t k = 0; k < PAIRS; k++) {
        const size_t a = k * 7 % count, b = (k * 31 + 13 + k / 3) % count;
        if (a != b) {
            squares[n++] = square_distance(x + at[a] * stride, x + at[b] * stride, columns);
        }
    }
    if (n == 0) {
        return 0.0;
    }
    qsort(squares, n, sizeof *squares, compare);
    return squares[n / 2];
}

static size_t spread(size_t *at, size_t wanted, size_t rows)
{
    const size_t n = wanted < rows ? wanted : rows;
    for (size_t k = 0; k < n; k++) {
        at[k] = k * rows / n;
    }
    return n;
}

// Likeness to the anchors, less that of no bridge at all: what is flat must stay flat.
static void kernel_row(double *out, const double *x, size_t linear, const double *anchors,
                       const double *flat, size_t count, double width2, double root)
{
    for (size_t c = 0; c < linear; c++) {
        out[c] = root * x[c];
    }
    const size_t features = linear - UG_GAP_TANGENTS;
    for (size_t k = 0; k < count; k++) {
        const double d2 = square_distance(x + UG_GAP_TANGENTS, anchors + k * features, features);
        out[linear + k] = root * (exp(-0.5 * d2 / width2) - flat[k]);
    }
}

void ug_gap_kernel_table(ug_gap_table *table, const ug_gap_rows *rows, const ug_gap_rows *ask,
                         const double *root, const double *noise, size_t linear)
{
    size_t at[UG_GAP_ANCHORS] = { 0 };
    const size_t count = spread(at, UG_GAP_ANCHORS, rows->count);
    const size_t features = linear - UG_GAP_TANGENTS;
    static const double zero[3 * UG_GAP_FEATURES_MAX];
    double anchors[UG_GAP_ANCHORS * 3 * UG_GAP_NEAR], flat[UG_GAP_ANCHORS];
    double width2 = median_square(rows->x + UG_GAP_TANGENTS, rows->columns, at, count, features);
    width2 = width2 > 0.0 ? width2 : 1.0;
    for (size_t k = 0; k < count; k++) {
        memcpy(anchors + k * features, rows->x + at[k] * rows->columns + UG_GAP_TANGENTS,
               features * sizeof *anchors);
        flat[k] = exp(-0.5 * square_distance(zero, anchors + k * features, features) / width2);
    }
    table->columns = linear + count;
    for (size_t r = 0; r < rows->count; r++) {
        kernel_row(table->x + r * table->columns, rows->x + r * rows->columns, linear, anchors,
                   flat, count, width2, root[r]);
    }
    for (size_t r = 0; r < ask->count; r++) {
        kernel_row(table->ask + r * table->columns, ask->x + r * ask->columns, linear, anchors,
                   flat, count, width2, 1.0);
    }
    for (size_t c = 0; table->noise && c < table->columns; c++) {
        table->noise[c] = c < linear ? noise[c] : 0.0;
    }
}

/// The examples of a level estimate.
typedef struct examples {
    size_t count, columns;
    const double *pose[UG_GAP_EXAMPLES];
    ug_vec3 marker[UG_GAP_EXAMPLES];
    size_t fold[UG_GAP_EXAMPLES];
    double width2;
} examples;

static size_t fold_of(const size_t *fold_row, size_t row)
{
    size_t fold = 0;
    while (row >= fold_row[fold + 1]) {
        fold++;
    }
    return fold;
}

// @param fold  whose examples do not count
static ug_vec3 level(const examples *e, const double *pose, size_t fold)
{
    double d2[UG_GAP_EXAMPLES], least = INFINITY, sum = 0.0;
    for (size_t k = 0; k < e->count; k++) {
        d2[k] = e->fold[k] == fold ? INFINITY : square_distance(pose, e->pose[k], e->columns);
        least = fmin(least, d2[k]);
    }
    ug_vec3 mean = { 0 };
    for (size_t k = 0; k < e->count; k++) {
        // counted from the nearest, so that far from all of them the weights do not vanish
        const double w = exp(-0.5 * (d2[k] - least) / e->width2);
        if (w > 0.0) {
            mean = ug_vec3_madd(mean, w, e->marker[k]);
            sum += w;
        }
    }
    return sum > 0.0 ? ug_vec3_scale(mean, 1.0 / sum) : mean;
}

// Estimates of a stretch of rows, less the line between those at its ends.
static void level_stretch(double *out, const examples *e, const ug_gap_rows *rows, size_t from,
                          size_t to, size_t stretch, size_t fold)
{
    const double *ends = rows->ends + 2 * rows->near_columns * stretch;
    const ug_vec3 a = level(e, ends, fold), b = level(e, ends + rows->near_columns, fold);
    for (size_t r = from; r < to; r++) {
        const ug_vec3 p = level(e, rows->near + r * rows->near_columns, fold);
        const ug_vec3 bridge = ug_vec3_sub(p, ug_vec3_lerp(a, b, rows->share[r]));
        out[3 * r] = bridge.x;
        out[3 * r + 1] = bridge.y;
        out[3 * r + 2] = bridge.z;
    }
}

void ug_gap_level(double *left_out, double *answer, const ug_gap_rows *rows, const ug_gap_rows *ask,
                  const size_t *fold_row, size_t columns)
{
    static const double WIDTH_SHARE = 0.04; // of the median squared distance
    examples e = { .columns = columns };
    size_t at[UG_GAP_EXAMPLES] = { 0 };
    e.count = spread(at, UG_GAP_EXAMPLES, rows->count);
    for (size_t k = 0; k < e.count; k++) {
        e.pose[k] = rows->near + at[k] * rows->near_columns;
        e.marker[k] =
            ug_vec3_add(ug_vec3_of(rows->y + 3 * at[k]), ug_vec3_of(rows->line + 3 * at[k]));
        e.fold[k] = fold_of(fold_row, at[k]);
    }
    e.width2 = WIDTH_SHARE * median_square(rows->near, rows->near_columns, at, e.count, columns);
    e.width2 = e.width2 > 0.0 ? e.width2 : 1.0;
    const size_t each = rows->stretches > 0 ? rows->count / rows->stretches : 0;
    for (size_t s = 0; s < rows->stretches; s++) {
        level_stretch(left_out, &e, rows, s * each, (s + 1) * each, s, fold_of(fold_row, s * each));
    }
    level_stretch(answer, &e, ask, 0, ask->count, 0, UG_GAP_FOLDS);
}
