// SPDX-License-Identifier: MIT
#include "solvers/gap_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = UG_GAP_WINDOWS_MAX * UG_GAP_POSITIONS_MAX };

ug_gap_workspace *ug_gap_workspace_create(size_t longest)
{
    ug_gap_workspace *w = calloc(1, sizeof *w);
    if (!w) {
        return NULL;
    }
    w->longest = longest;
    bool good = ug_gap_rows_init(&w->rows, ROWS_MAX, UG_GAP_WINDOWS_MAX);
    good = ug_gap_rows_init(&w->ask, longest, 1) && good;
    good = ug_gap_sums_init(&w->sums, UG_GAP_TABLE_COLUMNS_MAX) && good;
    w->root = calloc(ROWS_MAX, sizeof *w->root);
    w->y = calloc(3 * ROWS_MAX, sizeof *w->y);
    w->x = calloc((size_t)ROWS_MAX * UG_GAP_TABLE_COLUMNS_MAX, sizeof *w->x);
    w->question = calloc(longest * UG_GAP_TABLE_COLUMNS_MAX, sizeof *w->question);
    w->mm = calloc(3 * longest, sizeof *w->mm);
    w->error_mm = calloc(longest, sizeof *w->error_mm);
    good = good && w->root && w->y && w->x && w->question && w->mm && w->error_mm;
    for (size_t i = 0; i < UG_GAP_STACK_MAX; i++) {
        w->left_out[i] = calloc(3 * ROWS_MAX, sizeof *w->left_out[i]);
        w->answer[i] = calloc(3 * longest, sizeof *w->answer[i]);
        good = good && w->left_out[i] && w->answer[i];
    }
    if (!good) {
        ug_gap_workspace_destroy(w);
        return NULL;
    }
    return w;
}

void ug_gap_workspace_destroy(ug_gap_workspace *workspace)
{
    if (!workspace) {
        return;
    }
    ug_gap_rows_fini(&workspace->rows);
    ug_gap_rows_fini(&workspace->ask);
    ug_gap_sums_fini(&workspace->sums);
    free(workspace->root);
    free(workspace->y);
    free(workspace->x);
    free(workspace->question);
    free(workspace->mm);
    free(workspace->error_mm);
    for (size_t i = 0; i < UG_GAP_STACK_MAX; i++) {
        free(workspace->left_out[i]);
        free(workspace->answer[i]);
    }
    free(workspace);
}

static ug_gap_table start_table(ug_gap_workspace *w)
{
    ug_gap_table t = { .columns = w->rows.columns,
                       .x = w->x,
                       .y = w->y,
                       .ask = w->question,
                       .ask_count = w->ask.count,
                       .noise = w->company.fills ? w->noise : NULL };
    for (size_t f = 0; f <= UG_GAP_FOLDS; f++) {
        t.fold_row[f] = w->windows.fold_start[f] * w->windows.position_count;
    }
    for (size_t r = 0; r < w->rows.count; r++) {
        t.weight_sum += w->root[r] * w->root[r];
    }
    return t;
}

static void add_ridge(ug_gap_workspace *w, const ug_gap_table *table, size_t columns,
                      ug_fill_method method)
{
    const size_t p = w->pool_count;
    if (columns <= table->columns &&
        ug_gap_ridge(w->left_out[p], w->answer[p], &w->noise_mm2[p], &w->sums, table, columns)) {
        w->method[p] = method;
        w->pool_count++;
    }
}

static void add_ridges(ug_gap_workspace *w, const double *noise)
{
    static const size_t SIZES[] = { 0, 5, 10, UG_GAP_FEATURES_MAX };
    ug_gap_table t = start_table(w);
    for (size_t r = 0; r < w->rows.count; r++) {
        for (size_t c = 0; c < t.columns; c++) {
            t.x[r * t.columns + c] = w->root[r] * w->rows.x[r * t.columns + c];
        }
    }
    memcpy(t.ask, w->ask.x, t.ask_count * t.columns * sizeof *t.ask);
    if (t.noise) {
        memcpy(t.noise, noise, t.columns * sizeof *noise);
    }
    ug_gap_table_scale(&t);
    ug_gap_sums_take(&w->sums, &t);
    size_t last = SIZE_MAX;
    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        const size_t n = SIZES[k] < w->company.feature_count ? SIZES[k] : w->company.feature_count;
        if (n != last) {
            add_ridge(w, &t, UG_GAP_TANGENTS + 3 * n, UG_FILL_PCA);
        }
        last = n;
    }
}

static void add_kernels(ug_gap_workspace *w, const double *noise)
{
    static const size_t SIZES[] = { 5, UG_GAP_NEAR };
    size_t last = 0;
    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        const size_t n = SIZES[k] < w->company.sound_count ? SIZES[k] : w->company.sound_count;
        if (n == last) {
            continue;
        }
        last = n;
        ug_gap_table t = start_table(w);
        ug_gap_kernel_table(&t, &w->rows, &w->ask, w->root, noise, UG_GAP_TANGENTS + 3 * n);
        ug_gap_table_scale(&t);
        ug_gap_sums_take(&w->sums, &t);
        add_ridge(w, &t, t.columns, UG_FILL_PCA);
    }
}

static void weigh_left_out(ug_gap_workspace *w, size_t p)
{
    for (size_t r = 0; r < w->rows.count; r++) {
        for (size_t k = 0; k < 3; k++) {
            w->left_out[p][3 * r + k] *= w->root[r];
        }
    }
}

static void add_level(ug_gap_workspace *w)
{
    if (w->company.sound_count < 3) {
        return;
    }
    const size_t p = w->pool_count++;
    const ug_gap_table t = start_table(w);
    const size_t columns = w->rows.near_columns < 15 ? w->rows.near_columns : 15;
    ug_gap_level(w->left_out[p], w->answer[p], &w->rows, &w->ask, t.fold_row, columns);
    weigh_left_out(w, p);
    w->noise_mm2[p] = 0.0;
    w->method[p] = UG_FILL_PCA;
}

// The rigid fill has no bridge, those of paths have theirs from the rows.
static void add_rigid_and_paths(ug_gap_workspace *w, ug_fill_method method)
{
    static const ug_fill_method METHODS[] = { UG_FILL_RIGID, UG_FILL_LINEAR, UG_FILL_CUBIC,
                                              UG_FILL_PATTERN };
    for (size_t k = 0; k < 1 + UG_GAP_PATHS; k++) {
        if (method != UG_FILL_STACKED && method != METHODS[k]) {
            continue;
        }
        const size_t p = w->pool_count++;
        w->method[p] = METHODS[k];
        w->noise_mm2[p] = 0.0;
        memset(w->left_out[p], 0, 3 * w->rows.count * sizeof *w->left_out[p]);
        memset(w->answer[p], 0, 3 * w->ask.count * sizeof *w->answer[p]);
        for (size_t r = 0; k > 0 && r < w->rows.count; r++) {
            memcpy(w->left_out[p] + 3 * r, w->rows.path + 3 * (UG_GAP_PATHS * r + k - 1),
                   3 * sizeof(double));
        }
        for (size_t r = 0; k > 0 && r < w->ask.count; r++) {
            memcpy(w->answer[p] + 3 * r, w->ask.path + 3 * (UG_GAP_PATHS * r + k - 1),
                   3 * sizeof(double));
        }
        weigh_left_out(w, p);
    }
}

void ug_gap_pool_fill(ug_gap_workspace *workspace, const double *noise, ug_fill_method method)
{
    ug_gap_workspace *w = workspace;
    w->pool_count = 0;
    add_rigid_and_paths(w, method);
    if (w->windows.count > 0 && (method == UG_FILL_STACKED || method == UG_FILL_PCA)) {
        add_ridges(w, noise);
        add_kernels(w, noise);
        add_level(w);
    }
}
