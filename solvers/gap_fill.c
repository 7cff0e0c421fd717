// SPDX-License-Identifier: MIT
#include "solvers/gap_fill.h"

#include "solvers/gap_methods.h"
#include "solvers/markers_check.h"
#include "solvers/parallel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { BATCH = 64 }; // gaps between two reports of progress

/// What all gaps of one call share. `seen` is a copy of the take. Fills of the first pass become
/// present in it; those of the second are laid down without the bit, so that no fill leans on
/// another and their order does not matter.
typedef struct context {
    ug_markers *seen;
    double spline_max, lone_spline_max, gap_max; ///< frames
    size_t longest;                              ///< of the gaps that may be filled
    size_t workers;
    ug_vec3 *out_m;                 ///< (workers x longest)
    ug_rigid_neighbour *neighbours; ///< (workers x marker_count)
    ug_gap_record *records;
} context;

ug_gap_fill_opts ug_gap_fill_default_opts(void)
{
    return (ug_gap_fill_opts){
        .max_gap_s = 2.0, .spline_max_s = 0.1, .lone_spline_max_s = 0.5, .workers = 1
    };
}

const char *ug_gap_reason_name(ug_gap_reason reason)
{
    static const char *const NAMES[UG_GAP_REASON_COUNT] = { "closed", "never_seen", "too_long",
                                                            "no_cluster" };
    assert(reason < UG_GAP_REASON_COUNT);
    return NAMES[reason];
}

void ug_gap_fill_report_fini(ug_gap_fill_report *report)
{
    if (report) {
        free(report->records);
        *report = (ug_gap_fill_report){ 0 };
    }
}

static void lay_down(const context *ctx, const ug_gap_record *r, const ug_vec3 *out_m, bool visible)
{
    ug_markers *seen = ctx->seen;
    for (size_t i = 0; i < ug_gap_length(&r->gap); i++) {
        const size_t at = ug_markers_index(seen, r->gap.first + i, r->gap.marker);
        ug_markers_set_m(seen, r->gap.first + i, r->gap.marker, out_m[i], 0);
        seen->origin[at] = visible ? UG_ORIGIN_PRESENT | UG_ORIGIN_FILLED : 0;
    }
}

// @return false, the record untouched, when the method cannot fill this gap
static bool fill(const context *ctx, ug_gap_record *r, ug_fill_method method, size_t worker,
                 bool visible)
{
    ug_gap_scratch scratch = { ctx->out_m + worker * ctx->longest,
                               ctx->neighbours + worker * ctx->seen->marker_count };
    double error_mm = NAN;
    if (!ug_gap_method_fill(&scratch, &error_mm, ctx->seen, &r->gap, method)) {
        return false;
    }
    r->method = method;
    r->reason = UG_GAP_CLOSED;
    r->predicted_error_mm = error_mm;
    lay_down(ctx, r, scratch.out_m, visible);
    return true;
}

// A gap that is too long for the cubic. The choice among more methods belongs here.
static void fill_by_neighbours(void *context_, size_t piece, size_t worker)
{
    const context *ctx = context_;
    ug_gap_record *r = &ctx->records[piece];
    if (r->reason == UG_GAP_NO_CLUSTER && !fill(ctx, r, UG_FILL_RIGID, worker, false) &&
        (double)ug_gap_length(&r->gap) <= ctx->lone_spline_max) {
        (void)fill(ctx, r, UG_FILL_CUBIC, worker, false);
    }
}

static ug_status fill_all(context *ctx, size_t count, const ug_progress *progress, ug_error *err)
{
    ug_gap_record *records = ctx->records;
    for (size_t i = 0; i < count; i++) {
        const double length = (double)ug_gap_length(&records[i].gap);
        if (records[i].reason == UG_GAP_NO_CLUSTER && length <= ctx->spline_max) {
            (void)fill(ctx, &records[i], UG_FILL_CUBIC, 0, true);
        }
    }
    for (size_t i = 0; i < count; i += BATCH) {
        const size_t n = count - i < BATCH ? count - i : BATCH;
        context batch = *ctx;
        batch.records = records + i;
        ug_parallel_for(n, ctx->workers, fill_by_neighbours, &batch);
        if (!ug_progress_report(progress, (double)(i + n) / (double)count)) {
            return ug_fail(err, UG_E_INTERRUPTED, "interrupted after %zu of %zu gaps", i + n,
                           count);
        }
    }
    return UG_OK;
}

static ug_status check_opts(const ug_gap_fill_opts *o, ug_error *err)
{
    const struct {
        const char *name;
        double value;
    } limits[] = { { "max_gap_s", o->max_gap_s },
                   { "spline_max_s", o->spline_max_s },
                   { "lone_spline_max_s", o->lone_spline_max_s } };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (!(isfinite(limits[i].value) && limits[i].value >= 0.0)) {
            return ug_fail(err, UG_E_USAGE, "%s is %g: must be 0 seconds or more", limits[i].name,
                           limits[i].value);
        }
    }
    return UG_OK;
}

// First verdicts; returns the length of the longest gap that may be filled.
static size_t triage(ug_gap_record *records, const ug_gap *gaps, size_t count, double gap_max)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        const ug_gap *gap = &gaps[i];
        const size_t length = ug_gap_length(gap);
        ug_gap_reason reason = UG_GAP_NO_CLUSTER; // until somebody fills it
        if (!gap->has_start && !gap->has_end) {
            reason = UG_GAP_NEVER_SEEN;
        } else if ((double)length > gap_max) {
            reason = UG_GAP_TOO_LONG;
        } else if (length > longest) {
            longest = length;
        }
        records[i] = (ug_gap_record){ *gap, reason, UG_FILL_NONE, NAN };
    }
    return longest;
}

// Only now do the fills become part of the take.
static void commit(ug_markers *markers, const ug_markers *seen, const ug_gap_record *r)
{
    for (size_t f = r->gap.first; r->method != UG_FILL_NONE && f <= r->gap.last; f++) {
        const size_t at = ug_markers_index(markers, f, r->gap.marker);
        for (size_t axis = 0; axis < 3; axis++) {
            markers->positions[3 * at + axis] = seen->positions[3 * at + axis];
        }
        markers->origin[at] = UG_ORIGIN_PRESENT | UG_ORIGIN_FILLED;
        markers->method[at] = (uint8_t)r->method;
        markers->predicted_error_mm[at] = (float)r->predicted_error_mm;
    }
}

static void count_and_warn(ug_gap_fill_report *report, ug_warnings *warnings,
                           const ug_markers *markers, const ug_gap_record *r, double spline_max)
{
    const size_t length = ug_gap_length(&r->gap);
    const ug_marker_name name = ug_markers_name(markers, r->gap.marker);
    if (length > report->longest_gap_frames) {
        report->longest_gap_frames = length;
    }
    if (r->method != UG_FILL_NONE) {
        report->filled_gaps[r->method]++;
        report->filled_samples[r->method] += length;
        report->unchecked_gaps += !isfinite(r->predicted_error_mm);
        if (r->method == UG_FILL_CUBIC && (double)length > spline_max) {
            ug_warn(warnings, "gap_filled_alone",
                    "marker '%s', frames %zu-%zu: no three neighbours seen through the gap, "
                    "filled from its own path only",
                    name.text, r->gap.first, r->gap.last);
        }
        return;
    }
    report->open_gaps[r->reason]++;
    report->open_samples[r->reason] += length;
    if (r->reason == UG_GAP_NEVER_SEEN) {
        ug_warn(warnings, "marker_never_seen", "marker '%s' has no sample in the whole take",
                name.text);
    } else if (r->reason == UG_GAP_TOO_LONG) {
        ug_warn(warnings, "gap_too_long",
                "marker '%s', frames %zu-%zu (%.3g s): over the limit, left missing", name.text,
                r->gap.first, r->gap.last, ug_rate_time_s(markers->rate, (double)length));
    } else {
        ug_warn(warnings, "gap_without_cluster",
                "marker '%s', frames %zu-%zu: fewer than three neighbours seen through the gap, "
                "left missing",
                name.text, r->gap.first, r->gap.last);
    }
}

static ug_status fill_list(ug_markers *markers, const ug_gap *gaps, size_t count, context *ctx,
                           const ug_progress *progress, ug_error *err)
{
    ctx->longest = triage(ctx->records, gaps, count, ctx->gap_max);
    if (ctx->longest == 0) {
        return UG_OK;
    }
    ug_status status = UG_OK;
    ctx->seen = ug_markers_copy(markers);
    ctx->out_m = calloc(ctx->workers * ctx->longest, sizeof *ctx->out_m);
    ctx->neighbours = calloc(ctx->workers * markers->marker_count, sizeof *ctx->neighbours);
    if (!ctx->seen || !ctx->out_m || !ctx->neighbours) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for filling %zu gaps", count);
    } else {
        status = fill_all(ctx, count, progress, err);
    }
    for (size_t i = 0; status == UG_OK && i < count; i++) {
        commit(markers, ctx->seen, &ctx->records[i]);
    }
    free(ctx->neighbours);
    free(ctx->out_m);
    ug_markers_destroy(ctx->seen);
    return status;
}

ug_status ug_gap_fill(ug_markers *markers, ug_gap_fill_report *report, ug_warnings *warnings,
                      const ug_progress *progress, const ug_gap_fill_opts *opts, ug_error *err)
{
    assert(markers);
    const ug_gap_fill_opts o = opts ? *opts : ug_gap_fill_default_opts();
    ug_gap_fill_report r = { 0 };
    ug_gap *gaps = NULL;
    ug_status status = check_opts(&o, err);
    if (status == UG_OK) {
        status = ug_markers_check(markers, err);
    }
    if (status == UG_OK) {
        status = ug_gaps_list(&gaps, &r.gap_count, markers, err);
    }
    if (status != UG_OK) {
        goto done;
    }
    // half a frame of slack, so that 0.2 s at 100 Hz means 20 frames and not 19
    const double hz = ug_rate_hz(markers->rate);
    context ctx = { .spline_max = o.spline_max_s * hz + 0.5,
                    .lone_spline_max = o.lone_spline_max_s * hz + 0.5,
                    .gap_max = o.max_gap_s * hz + 0.5,
                    .workers = o.workers > 0 ? o.workers : 1 };
    r.records = calloc(r.gap_count > 0 ? r.gap_count : 1, sizeof *r.records);
    ctx.records = r.records;
    status = r.records ? fill_list(markers, gaps, r.gap_count, &ctx, progress, err)
                       : ug_fail(err, UG_E_NOMEM, "out of memory for %zu gaps", r.gap_count);
    for (size_t i = 0; status == UG_OK && i < r.gap_count; i++) {
        count_and_warn(&r, warnings, markers, &r.records[i], ctx.spline_max);
    }

done:
    free(gaps);
    if (status != UG_OK || !report) {
        ug_gap_fill_report_fini(&r);
    }
    if (report) {
        *report = r;
    }
    return status;
}
