// SPDX-License-Identifier: MIT
#include "solvers/smooth_markers.h"

#include "solvers/gcv_spline.h"
#include "solvers/lowpass.h"
#include "solvers/markers_check.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/// What all runs of one call share.
typedef struct context {
    ug_markers *markers;
    ug_smooth_report *report;
    ug_warnings *warnings;
    const ug_smooth_opts *opts;
    ug_lowpass filter; ///< of the Butterworth
    double rate_hz;
    double *values; ///< (frame_count x 3)
    double *work;
} context;

ug_smooth_opts ug_smooth_default_opts(void)
{
    return (ug_smooth_opts){ .method = UG_SMOOTH_BUTTERWORTH, .cutoff_hz = 12.0 };
}

void ug_smooth_report_fini(ug_smooth_report *report)
{
    if (report) {
        free(report->runs);
        *report = (ug_smooth_report){ 0 };
    }
}

// Smooths `values` and says how strongly.
static void smooth_values(const context *ctx, ug_smooth_run *run)
{
    if (ctx->opts->method == UG_SMOOTH_GCV) {
        ug_gcv_fit fit;
        ug_gcv_smooth(&fit, ctx->values, run->count, ctx->work);
        run->cutoff_hz = fit.cutoff * ctx->rate_hz;
        run->noise_mm = 1000.0 * ctx->markers->scale_m * fit.noise;
        return;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        ug_lowpass_apply(ctx->values + axis, run->count, 3, &ctx->filter, ctx->work);
    }
    run->cutoff_hz = ctx->opts->cutoff_hz;
    run->noise_mm = NAN;
}

static void smooth_run(const context *ctx, ug_smooth_run *run)
{
    ug_markers *m = ctx->markers;
    for (size_t i = 0; i < run->count; i++) {
        const float *p = m->positions + 3 * ug_markers_index(m, run->first + i, run->marker);
        for (size_t axis = 0; axis < 3; axis++) {
            ctx->values[3 * i + axis] = (double)p[axis];
        }
    }
    smooth_values(ctx, run);
    for (size_t i = 0; i < run->count; i++) {
        ug_markers_note_filtered(m, run->first + i, run->marker);
        float *p = m->positions + 3 * ug_markers_index(m, run->first + i, run->marker);
        for (size_t axis = 0; axis < 3; axis++) {
            p[axis] = (float)ctx->values[3 * i + axis];
        }
    }
}

static void pass_run(const context *ctx, const ug_smooth_run *run)
{
    ctx->report->runs_passed++;
    ctx->report->samples_passed += run->count;
    ug_warn(ctx->warnings, "run_too_short_to_filter",
            "marker '%s', frames %zu-%zu: %zu samples, the filter needs %d; left as it is",
            ug_markers_name(ctx->markers, run->marker).text, run->first,
            run->first + run->count - 1, run->count, UG_SMOOTH_RUN_MIN);
}

static void smooth_marker(const context *ctx, size_t marker)
{
    const ug_markers *m = ctx->markers;
    size_t runs = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        ug_smooth_run run = { .marker = marker, .first = f };
        while (f < m->frame_count && ug_markers_present(m, f, marker)) {
            f++;
        }
        run.count = f - run.first;
        runs += run.count > 0;
        if (run.count >= UG_SMOOTH_RUN_MIN) {
            smooth_run(ctx, &run);
            ctx->report->runs[ctx->report->run_count++] = run;
            ctx->report->samples_filtered += run.count;
        } else if (run.count > 0) {
            pass_run(ctx, &run);
        }
    }
    if (runs == 0) {
        ctx->report->markers_missing++;
        ug_warn(ctx->warnings, "marker_never_seen", "marker '%s' has no sample in the whole take",
                ug_markers_name(m, marker).text);
    }
}

// Runs that are long enough: at most one in so many frames and the one they are apart.
static size_t runs_at_most(const ug_markers *m)
{
    return m->marker_count * (m->frame_count / (UG_SMOOTH_RUN_MIN + 1) + 1);
}

static ug_status smooth_all(context *ctx, ug_error *err)
{
    ug_markers *m = ctx->markers;
    const size_t n = m->frame_count, spline = ug_gcv_work_count(n),
                 lowpass = ug_lowpass_work_count(&ctx->filter, n);
    const size_t work = ctx->opts->method == UG_SMOOTH_GCV ? spline : lowpass;
    ctx->values = malloc((3 * n + work + 1) * sizeof *ctx->values);
    ctx->report->runs = malloc((runs_at_most(m) + 1) * sizeof *ctx->report->runs);
    if (!ctx->values || !ctx->report->runs || !ug_markers_make_unfiltered(m)) {
        free(ctx->values);
        return ug_fail(err, UG_E_NOMEM, "out of memory for a filter over %zu frames", n);
    }
    ctx->work = ctx->values + 3 * n;
    for (size_t k = 0; k < m->marker_count; k++) {
        if (m->kinds[k] == UG_POINT_MARKER) {
            smooth_marker(ctx, k);
        }
    }
    free(ctx->values);
    return UG_OK;
}

ug_status ug_smooth_markers(ug_markers *markers, ug_smooth_report *report, ug_warnings *warnings,
                            const ug_smooth_opts *opts, ug_error *err)
{
    assert(markers);
    ug_smooth_report r = { 0 };
    const ug_smooth_opts o = opts ? *opts : ug_smooth_default_opts();
    context ctx = { .markers = markers, .report = &r, .warnings = warnings, .opts = &o };
    ug_status status = ug_markers_check(markers, err);
    if (status == UG_OK) {
        ctx.rate_hz = ug_rate_hz(markers->rate);
        if (!ug_lowpass_design(&ctx.filter, o.cutoff_hz, ctx.rate_hz) &&
            o.method == UG_SMOOTH_BUTTERWORTH) {
            status = ug_fail(err, UG_E_USAGE,
                             "cut-off of %g Hz: must lie above 0 and below half the rate, %g Hz",
                             o.cutoff_hz, 0.5 * ctx.rate_hz);
        } else {
            status = smooth_all(&ctx, err);
        }
    }
    if (status != UG_OK || !report) {
        ug_smooth_report_fini(&r);
    }
    if (report) {
        *report = r;
    }
    return status;
}
