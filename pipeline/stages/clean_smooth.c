// SPDX-License-Identifier: MIT
// Of clean: smoothing, last, when nothing is missing that could be filled.
#include "motion/median.h"
#include "pipeline/stages/clean_steps.h"
#include "solvers/smooth_markers.h"

#include <stdlib.h>

// How each run was smoothed goes into the file too, so that a report can show it.
static ug_status keep_runs(ug_take *take, const ug_smooth_report *report, ug_error *err)
{
    enum { COLUMNS = 5 };
    float *rows = malloc((COLUMNS * report->run_count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu runs", report->run_count);
    }
    for (size_t i = 0; i < report->run_count; i++) {
        const ug_smooth_run *run = &report->runs[i];
        const double row[COLUMNS] = { (double)run->marker, (double)run->first,
                                      (double)(run->first + run->count - 1), run->cutoff_hz,
                                      run->noise_mm };
        for (size_t c = 0; c < COLUMNS; c++) {
            rows[COLUMNS * i + c] = (float)row[c];
        }
    }
    const ug_status status =
        ug_quality_set(&take->quality, "smoothed_runs", "", report->run_count, COLUMNS, rows, err);
    free(rows);
    return status;
}

// Medians over the samples that were smoothed: a short run must not count as a long one.
static ug_status note_medians(ug_stage_context *context, const ug_smooth_report *report,
                              ug_error *err)
{
    double *values = malloc((report->samples_filtered + 1) * sizeof *values);
    if (!values) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu samples", report->samples_filtered);
    }
    for (int figure = 0; figure < 2 && report->samples_filtered > 0; figure++) {
        size_t n = 0;
        for (size_t i = 0; i < report->run_count; i++) {
            const ug_smooth_run *run = &report->runs[i];
            for (size_t k = 0; k < run->count; k++) {
                values[n++] = figure == 0 ? run->cutoff_hz : run->noise_mm;
            }
        }
        ug_metrics_set(&context->metrics, figure == 0 ? "smooth_cutoff_hz" : "smooth_noise_mm",
                       ug_median(values, n));
    }
    free(values);
    return UG_OK;
}

ug_status ug_clean_smooth(ug_take *take, ug_stage_context *context, ug_error *err)
{
    const ug_option_values *o = context->options;
    if (ug_option_is(o, "smooth", "none")) {
        return UG_OK;
    }
    const bool spline = ug_option_is(o, "smooth", "gcv");
    const ug_smooth_opts opts = { .method = spline ? UG_SMOOTH_GCV : UG_SMOOTH_BUTTERWORTH,
                                  .cutoff_hz = ug_option_real(o, "cutoff_hz") };
    ug_smooth_report report = { 0 };
    ug_status status = ug_smooth_markers(take->markers, &report, &context->warnings, &opts, err);
    if (status == UG_OK) {
        ug_metrics_set(&context->metrics, "filtered_count", (double)report.samples_filtered);
        ug_metrics_set(&context->metrics, "unfiltered_runs", (double)report.runs_passed);
        status = keep_runs(take, &report, err);
    }
    if (status == UG_OK && spline) {
        status = note_medians(context, &report, err);
    }
    ug_stage_say(context, "smoothed %zu runs", report.run_count);
    ug_smooth_report_fini(&report);
    return status;
}
