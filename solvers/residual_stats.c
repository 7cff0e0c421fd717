// SPDX-License-Identifier: MIT
#include "solvers/residual_stats.h"

#include "motion/median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ug_residual_stats_fini(ug_residual_stats *stats)
{
    if (stats) {
        free(stats->markers);
        free(stats->frame_samples);
        free(stats->frame_rms_mm);
        *stats = (ug_residual_stats){ 0 };
    }
}

static double root_mean(double square, size_t count)
{
    return count ? sqrt(square / (double)count) : (double)NAN;
}

typedef struct sums {
    double *inlier, *all; // (marker_count) of squares
    double *values;       // every residual below the bound
    size_t value_count;
} sums;

static void add_sample(ug_residual_stats *s, sums *sum, size_t f, size_t m, float value)
{
    const double mm = (double)value;
    ug_residual_marker *marker = &s->markers[m];
    marker->sample_count++;
    s->frame_samples[f]++;
    sum->all[m] += mm * mm;
    marker->max_mm = marker->sample_count == 1 ? mm : fmax(marker->max_mm, mm);
    if (mm < UG_OUTLIER_MM) {
        sum->inlier[m] += mm * mm;
        sum->values[sum->value_count++] = mm;
    } else {
        marker->outlier_count++;
    }
}

static void finish(ug_residual_stats *s, sums *sum)
{
    double inlier = 0.0, all = 0.0;
    s->worst = -1;
    s->max_mm = (double)NAN;
    for (size_t m = 0; m < s->marker_count; m++) {
        ug_residual_marker *marker = &s->markers[m];
        marker->rms_mm = root_mean(sum->inlier[m], marker->sample_count - marker->outlier_count);
        marker->all_rms_mm = root_mean(sum->all[m], marker->sample_count);
        if (marker->sample_count == 0) {
            marker->max_mm = (double)NAN;
            continue;
        }
        s->sample_count += marker->sample_count;
        s->outlier_count += marker->outlier_count;
        inlier += sum->inlier[m];
        all += sum->all[m];
        s->max_mm = fmax(s->max_mm, marker->max_mm); // fmax passes over NaN
        if (s->worst < 0 || marker->all_rms_mm > s->markers[s->worst].all_rms_mm) {
            s->worst = (ptrdiff_t)m;
        }
    }
    s->rms_mm = root_mean(inlier, s->sample_count - s->outlier_count);
    s->all_rms_mm = root_mean(all, s->sample_count);
    s->median_mm = ug_quantile_rank(sum->values, sum->value_count, 0.5);
    s->p95_mm = ug_quantile_rank(sum->values, sum->value_count, 0.95);
    s->outlier_pct =
        s->sample_count ? 100.0 * (double)s->outlier_count / (double)s->sample_count : (double)NAN;
}

ug_status ug_residual_stats_compute(ug_residual_stats *out, const float *residual_mm,
                                    const uint8_t *counted, size_t frame_count, size_t marker_count,
                                    ug_error *err)
{
    *out = (ug_residual_stats){ .frame_count = frame_count, .marker_count = marker_count };
    const size_t total = frame_count * marker_count;
    sums sum = { .inlier = calloc(marker_count + 1, sizeof *sum.inlier),
                 .all = calloc(marker_count + 1, sizeof *sum.all),
                 .values = malloc((total + 1) * sizeof *sum.values) };
    out->markers = calloc(marker_count + 1, sizeof *out->markers);
    out->frame_samples = calloc(frame_count + 1, sizeof *out->frame_samples);
    out->frame_rms_mm = calloc(frame_count + 1, sizeof *out->frame_rms_mm);
    ug_status status = UG_OK;
    if (!sum.inlier || !sum.all || !sum.values || !out->markers || !out->frame_samples ||
        !out->frame_rms_mm) {
        ug_residual_stats_fini(out);
        status = ug_fail(err, UG_E_NOMEM, "out of memory for %zu residuals", total);
        goto done;
    }
    for (size_t f = 0; f < frame_count; f++) {
        const size_t before = sum.value_count;
        for (size_t m = 0; m < marker_count; m++) {
            const size_t i = f * marker_count + m;
            if ((!counted || counted[i]) && !isnan(residual_mm[i])) {
                add_sample(out, &sum, f, m, residual_mm[i]);
            }
        }
        double square = 0.0;
        for (size_t i = before; i < sum.value_count; i++) {
            square += sum.values[i] * sum.values[i];
        }
        out->frame_rms_mm[f] = root_mean(square, sum.value_count - before);
    }
    finish(out, &sum);
done:
    free(sum.inlier);
    free(sum.all);
    free(sum.values);
    return status;
}

void ug_residual_mark_measured(uint8_t *counted, const ug_markers *markers,
                               const ptrdiff_t *columns, size_t column_count)
{
    const unsigned drop = UG_ORIGIN_FILLED | UG_ORIGIN_COMPUTED;
    for (size_t f = 0; f < markers->frame_count; f++) {
        for (size_t m = 0; m < column_count; m++) {
            const unsigned origin =
                columns[m] < 0 ? 0u
                               : markers->origin[ug_markers_index(markers, f, (size_t)columns[m])];
            counted[f * column_count + m] =
                (origin & UG_ORIGIN_PRESENT) && (origin & UG_ORIGIN_MEASURED) && !(origin & drop);
        }
    }
}
