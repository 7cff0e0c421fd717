// SPDX-License-Identifier: MIT
#include "solvers/gap_fill.h"

#include "solvers/blas_threads.h"
#include "solvers/gap_methods.h"
#include "solvers/markers_check.h"
#include "solvers/parallel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 8 }; // gaps between two reports of progress
enum { CUBICS, FROM_SEEN, FROM_FILLS, ROUNDS };

/// What all gaps of one call share.
typedef struct context {
    ug_gap_scene *scene;
    ug_gap_fill_opts opts;
    size_t workers;
    ug_gap_workspace **workspaces; ///< (workers)
    ug_gap_record *records;
    size_t count, *offset; ///< of a gap's first sample in the two below  (count + 1)
    double *mm;            ///< fills of all gaps
    float *error_mm;       ///< NaN where not known
    bool *fresh;           ///< filled in this round                          (count)
    const size_t *todo;    ///< gaps of this round
    int round;
} context;

ug_gap_fill_opts ug_gap_fill_default_opts(void)
{
    return (ug_gap_fill_opts){ .max_gap_s = 2.0,
                               .cubic_max_s = 0.06,
                               .alone_max_s = 0.5,
                               .method = UG_FILL_STACKED,
                               .workers = 1 };
}

// half a frame of slack, so that 0.2 s at 100 Hz means 20 frames and not 19
static bool within(const ug_gap *gap, double seconds, double hz)
{
    return (double)ug_gap_length(gap) <= seconds * hz + 0.5;
}

// Fills to choose from by round: short cubics; from what is seen; from fills too; at last alone.
static bool fill_by(const context *ctx, ug_gap_workspace *w, const ug_gap_record *r)
{
    const ug_gap *gap = &r->gap;
    const ug_fill_method method = ctx->opts.method;
    if (ctx->round == CUBICS) {
        return within(gap, ctx->opts.cubic_max_s, ctx->scene->hz) &&
               ug_gap_method_fill(w, ctx->scene, gap, UG_FILL_CUBIC, false);
    }
    return ug_gap_method_fill(w, ctx->scene, gap, method, ctx->round > FROM_SEEN) ||
           (ctx->round == FROM_FILLS && method == UG_FILL_STACKED && r->method == UG_FILL_NONE &&
            within(gap, ctx->opts.alone_max_s, ctx->scene->hz) &&
            ug_gap_method_fill(w, ctx->scene, gap, UG_FILL_CUBIC, false));
}

static void fill_one(void *context_, size_t piece, size_t worker)
{
    context *ctx = context_;
    const size_t i = ctx->todo[piece];
    ug_gap_record *r = &ctx->records[i];
    ug_gap_workspace *w = ctx->workspaces[worker];
    const size_t length = ug_gap_length(&r->gap);
    if (fill_by(ctx, w, r)) {
        memcpy(ctx->mm + 3 * ctx->offset[i], w->mm, 3 * length * sizeof *w->mm);
        memcpy(ctx->error_mm + ctx->offset[i], w->error_mm, length * sizeof *w->error_mm);
        r->method = w->used;
        r->found_mm2 = w->check.found_mm2;
        r->checked_mm2 = w->check.predicted_mm2;
        r->within = w->check.within;
        r->checks = w->check.count;
        ctx->fresh[i] = true;
    }
}

static bool overlaps(const context *ctx, const ug_gap *gap)
{
    for (size_t m = 0; m < ctx->scene->marker_count; m++) {
        if (m == gap->marker) {
            continue;
        }
        for (size_t f = gap->first; f <= gap->last; f++) {
            if (ug_scene_state(ctx->scene, f, m) == UG_SCENE_FILLED) {
                return true;
            }
        }
    }
    return false;
}

static size_t choose(size_t *todo, const context *ctx)
{
    size_t n = 0;
    for (size_t i = 0; i < ctx->count; i++) {
        const ug_gap_record *r = &ctx->records[i];
        const bool again = ctx->round == FROM_FILLS && r->method != UG_FILL_NONE &&
                           ctx->records[i].method != UG_FILL_CUBIC && overlaps(ctx, &r->gap);
        if (r->reason == UG_GAP_NO_COMPANY && (r->method == UG_FILL_NONE || again)) {
            todo[n++] = i;
        }
    }
    return n;
}

static void lay_down(context *ctx)
{
    for (size_t i = 0; i < ctx->count; i++) {
        if (ctx->fresh[i]) {
            ug_gap_scene_lay(ctx->scene, &ctx->records[i].gap, ctx->mm + 3 * ctx->offset[i],
                             ctx->error_mm + ctx->offset[i],
                             ctx->round == CUBICS ? UG_SCENE_SEEN : UG_SCENE_FILLED);
            ctx->fresh[i] = false;
        }
    }
    ug_gap_scene_count(ctx->scene);
}

static ug_status run_round(context *ctx, size_t *todo, const ug_progress *progress, ug_error *err)
{
    const size_t n = choose(todo, ctx);
    for (size_t i = 0; i < n; i += BATCH) {
        const size_t some = n - i < BATCH ? n - i : BATCH;
        ctx->todo = todo + i;
        ug_parallel_for(some, ctx->workers, fill_one, ctx);
        if (!ug_progress_report(progress,
                                ((double)ctx->round + (double)(i + some) / (double)n) / ROUNDS)) {
            return ug_fail(err, UG_E_INTERRUPTED, "interrupted after %zu of %zu gaps", i + some, n);
        }
    }
    lay_down(ctx);
    if (ctx->round == CUBICS) {
        ug_gap_scene_measure_pairs(ctx->scene);
    }
    return UG_OK;
}

static ug_status fill_all(context *ctx, const ug_progress *progress, ug_error *err)
{
    size_t *todo = calloc(ctx->count, sizeof *todo);
    ug_status status =
        todo ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory for %zu gaps", ctx->count);
    for (ctx->round = CUBICS; status == UG_OK && ctx->round < ROUNDS; ctx->round++) {
        status = run_round(ctx, todo, progress, err);
    }
    free(todo);
    return status;
}

static ug_status check_opts(const ug_gap_fill_opts *o, ug_error *err)
{
    const struct {
        const char *name;
        double value;
    } limits[] = { { "max_gap_s", o->max_gap_s },
                   { "cubic_max_s", o->cubic_max_s },
                   { "alone_max_s", o->alone_max_s } };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (!(isfinite(limits[i].value) && limits[i].value >= 0.0)) {
            return ug_fail(err, UG_E_USAGE, "%s is %g: must be 0 seconds or more", limits[i].name,
                           limits[i].value);
        }
    }
    return UG_OK;
}

// First verdicts; returns the length of the longest gap that may be filled.
static size_t triage(context *ctx, const ug_gap *gaps, double hz)
{
    size_t longest = 0;
    for (size_t i = 0; i < ctx->count; i++) {
        const ug_gap *gap = &gaps[i];
        const size_t length = ug_gap_length(gap);
        ug_gap_reason reason = UG_GAP_NO_COMPANY; // until somebody fills it
        if (!gap->has_start && !gap->has_end) {
            reason = UG_GAP_NEVER_SEEN;
        } else if (!within(gap, ctx->opts.max_gap_s, hz)) {
            reason = UG_GAP_TOO_LONG;
        } else if (length > longest) {
            longest = length;
        }
        ctx->records[i] = (ug_gap_record){
            .gap = *gap, .reason = reason, .method = UG_FILL_NONE, .predicted_error_mm = NAN
        };
        ctx->offset[i + 1] = ctx->offset[i] + (reason == UG_GAP_NO_COMPANY ? length : 0);
    }
    return longest;
}

// Only now do the fills become part of the take.
static void commit(ug_markers *markers, const context *ctx, size_t i)
{
    ug_gap_record *r = &ctx->records[i];
    double square = 0.0;
    if (r->method == UG_FILL_NONE) {
        return;
    }
    r->reason = UG_GAP_CLOSED;
    for (size_t k = 0; k < ug_gap_length(&r->gap); k++) {
        const size_t f = r->gap.first + k, at = ug_markers_index(markers, f, r->gap.marker);
        const ug_vec3 mm = ug_vec3_of(ctx->mm + 3 * (ctx->offset[i] + k));
        const float error_mm = ctx->error_mm[ctx->offset[i] + k];
        ug_markers_set_m(markers, f, r->gap.marker, ug_vec3_scale(mm, 1e-3), UG_ORIGIN_FILLED);
        markers->method[at] = (uint8_t)r->method;
        markers->predicted_error_mm[at] = error_mm;
        square += (double)error_mm * (double)error_mm / (double)ug_gap_length(&r->gap);
    }
    r->predicted_error_mm = sqrt(square);
}

static ug_status fill_list(ug_markers *markers, const ug_gap *gaps, context *ctx,
                           const ug_progress *progress, ug_error *err)
{
    const size_t longest = triage(ctx, gaps, ug_rate_hz(markers->rate));
    if (longest == 0) {
        return UG_OK;
    }
    const size_t samples = ctx->offset[ctx->count];
    ug_status status = UG_OK;
    ctx->scene = ug_gap_scene_create(markers);
    ctx->mm = calloc(3 * samples, sizeof *ctx->mm);
    ctx->error_mm = calloc(samples, sizeof *ctx->error_mm);
    ctx->fresh = calloc(ctx->count, sizeof *ctx->fresh);
    ctx->workspaces = calloc(ctx->workers, sizeof *ctx->workspaces);
    bool good = ctx->scene && ctx->mm && ctx->error_mm && ctx->fresh && ctx->workspaces;
    for (size_t i = 0; good && i < ctx->workers; i++) {
        ctx->workspaces[i] = ug_gap_workspace_create(longest);
        good = ctx->workspaces[i];
    }
    ug_blas_single_thread();
    status = good ? fill_all(ctx, progress, err)
                  : ug_fail(err, UG_E_NOMEM, "out of memory for filling %zu gaps", ctx->count);
    for (size_t i = 0; status == UG_OK && i < ctx->count; i++) {
        commit(markers, ctx, i);
    }
    for (size_t i = 0; ctx->workspaces && i < ctx->workers; i++) {
        ug_gap_workspace_destroy(ctx->workspaces[i]);
    }
    free(ctx->workspaces);
    free(ctx->fresh);
    free(ctx->error_mm);
    free(ctx->mm);
    ug_gap_scene_destroy(ctx->scene);
    return status;
}

ug_status ug_gap_fill(ug_markers *markers, ug_gap_fill_report *report, ug_warnings *warnings,
                      const ug_progress *progress, const ug_gap_fill_opts *opts, ug_error *err)
{
    assert(markers);
    context ctx = { .opts = opts ? *opts : ug_gap_fill_default_opts() };
    ug_gap_fill_report r = { 0 };
    ug_gap *gaps = NULL;
    ug_status status = check_opts(&ctx.opts, err);
    if (status == UG_OK) {
        status = ug_markers_check(markers, err);
    }
    if (status == UG_OK) {
        status = ug_gaps_list(&gaps, &r.gap_count, markers, err);
    }
    if (status != UG_OK) {
        goto done;
    }
    ctx.workers = ctx.opts.workers > 0 ? ctx.opts.workers : 1;
    ctx.count = r.gap_count;
    ctx.records = r.records = calloc(r.gap_count + 1, sizeof *r.records);
    ctx.offset = calloc(r.gap_count + 1, sizeof *ctx.offset);
    status = ctx.records && ctx.offset
                 ? fill_list(markers, gaps, &ctx, progress, err)
                 : ug_fail(err, UG_E_NOMEM, "out of memory for %zu gaps", r.gap_count);
    for (size_t i = 0; status == UG_OK && i < r.gap_count; i++) {
        ug_gap_fill_note(&r, warnings, markers, &r.records[i], ctx.opts.cubic_max_s);
    }

    ug_gap_fill_sum_checks(&r);

done:
    free(ctx.offset);
    free(gaps);
    if (status != UG_OK || !report) {
        ug_gap_fill_report_fini(&r);
    }
    if (report) {
        *report = r;
    }
    return status;
}
