// SPDX-License-Identifier: MIT
#include "pipeline/stages/take_residuals.h"

#include "solvers/residual_stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static ug_status add_stray(ug_stray **strays, size_t *count, ug_stray stray, ug_error *err)
{
    if ((*count & (*count - 1)) == 0) { // grow at 0, 1, 2, 4, 8 …
        ug_stray *grown = realloc(*strays, (*count > 0 ? 2 * *count : 1) * sizeof *grown);
        if (!grown) {
            return ug_fail(err, UG_E_NOMEM, "out of memory for %zu strays", *count);
        }
        *strays = grown;
    }
    (*strays)[(*count)++] = stray;
    return UG_OK;
}

ug_status ug_strays_find(ug_stray **strays, size_t *count, const float *residual_mm,
                         const uint8_t *counted, size_t frame_count, size_t column_count,
                         ug_error *err)
{
    ug_status status = UG_OK;
    *strays = NULL;
    *count = 0;
    for (size_t c = 0; c < column_count; c++) {
        ug_stray run = { .column = c };
        for (size_t f = 0; f <= frame_count && status == UG_OK; f++) {
            const size_t i = f * column_count + c;
            const double mm = f < frame_count ? (double)residual_mm[i] : (double)NAN;
            if (counted && !isnan(mm) && !counted[i]) {
                continue; // says nothing, of the stretch it is in neither
            }
            if (mm >= UG_OUTLIER_MM) { // a NaN is not
                run.first = run.end == 0 ? f : run.first;
                run.end = f + 1;
                run.count++;
                run.max_mm = fmax(run.max_mm, mm);
            } else if (run.end > 0) {
                status = add_stray(strays, count, run, err);
                run = (ug_stray){ .column = c };
            }
        }
    }
    if (status != UG_OK) {
        free(*strays);
        *strays = NULL;
        *count = 0;
    }
    return status;
}

// Whose residuals a column holds: as `solve` noted it, else by label.
static ptrdiff_t marker_of(const ug_take *take, const ug_series *noted, size_t column)
{
    if (noted && noted->columns == 1 && column < noted->rows) {
        const float k = noted->values[column];
        return k >= 0.0f && k < (float)take->markers->marker_count ? (ptrdiff_t)k : -1;
    }
    if (column < take->attachments.count && take->attachments.items[column].label) {
        return ug_markers_find(take->markers, take->attachments.items[column].label);
    }
    return -1;
}

static void find_worst(ug_residual_column *column, const ug_take_residuals *r, size_t index)
{
    double worst = -1.0;
    for (size_t f = 0; f < r->frame_count; f++) {
        const size_t i = f * r->column_count + index;
        if (r->counted[i] && (double)r->residual_mm[i] > worst) {
            worst = (double)r->residual_mm[i];
            column->max_frame = f;
        }
    }
}

static ug_status count_columns(ug_take_residuals *r, const ug_take *take, ug_error *err)
{
    const size_t n = r->frame_count * r->column_count;
    ptrdiff_t *markers = malloc((r->column_count + 1) * sizeof *markers);
    ug_residual_stats stats = { 0 };
    ug_status status = UG_OK;
    r->counted = malloc(n + 1);
    r->columns = calloc(r->column_count + 1, sizeof *r->columns);
    if (!markers || !r->counted || !r->columns) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for %zu residuals", n);
        goto done;
    }
    const ug_series *noted = ug_quality_find(&take->quality, "residual_marker");
    for (size_t c = 0; c < r->column_count; c++) {
        markers[c] = marker_of(take, noted, c);
    }
    ug_residual_mark_measured(r->counted, take->markers, markers, r->column_count);
    status = ug_residual_stats_compute(&stats, r->residual_mm, r->counted, r->frame_count,
                                       r->column_count, err);
    for (size_t c = 0; c < r->column_count && status == UG_OK; c++) {
        const ug_residual_marker *s = &stats.markers[c];
        r->columns[c] = (ug_residual_column){ markers[c], s->sample_count, s->outlier_count,
                                              s->rms_mm,  s->max_mm,       0 };
        find_worst(&r->columns[c], r, c);
    }

done:
    ug_residual_stats_fini(&stats);
    free(markers);
    return status;
}

ug_status ug_take_residuals_read(ug_take_residuals *out, const ug_take *take, ug_error *err)
{
    assert(out && take);
    *out = (ug_take_residuals){ 0 };
    const ug_series *all = ug_quality_find(&take->quality, "marker_residual_mm");
    const ug_series *frames = ug_quality_find(&take->quality, "frame_rms_mm");
    if (!all || all->columns == 0 || !take->markers || all->rows != take->markers->frame_count) {
        return UG_OK;
    }
    out->frame_count = all->rows;
    out->column_count = all->columns;
    out->residual_mm = all->values;
    out->frame_rms_mm =
        frames && frames->columns == 1 && frames->rows == all->rows ? frames->values : NULL;
    const ug_status status = count_columns(out, take, err);
    if (status != UG_OK) {
        ug_take_residuals_fini(out);
    }
    return status;
}

void ug_take_residuals_fini(ug_take_residuals *residuals)
{
    if (residuals) {
        free(residuals->columns);
        free(residuals->counted);
        *residuals = (ug_take_residuals){ 0 };
    }
}
