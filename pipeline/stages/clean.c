// SPDX-License-Identifier: MIT
// clean: hand edits, spikes, gaps, smoothing, in that order; every touched sample is flagged.
#include "formats/settings_yaml.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/take_metrics.h"
#include "solvers/butterworth.h"
#include "solvers/edits_apply.h"
#include "solvers/gap_fill.h"
#include "solvers/spikes.h"
#include "solvers/swaps.h"

#include <math.h>
#include <stdlib.h>

static const ug_option OPTIONS[] = {
    { .name = "max_gap_s",
      .type = UG_OPTION_REAL,
      .initial = "2",
      .low = 0,
      .high = 3600,
      .help = "longest gap to fill at all; 0 fills none" },
    { .name = "spline_max_s",
      .type = UG_OPTION_REAL,
      .initial = "0.1",
      .low = 0,
      .high = 3600,
      .help = "longest gap for a spline; longer ones follow their rigid neighbours" },
    { .name = "lone_spline_max_s",
      .type = UG_OPTION_REAL,
      .initial = "0.5",
      .low = 0,
      .high = 3600,
      .help = "longest gap for a spline where a marker has no rigid neighbours" },
    { .name = "spikes",
      .type = UG_OPTION_CHOICE,
      .initial = "report",
      .choices = "off|report|clear",
      .help = "single samples that jump: say so, or make missing" },
    { .name = "smooth",
      .type = UG_OPTION_CHOICE,
      .initial = "none",
      .choices = "none|butterworth",
      .help = "zero-phase smoothing of every run between gaps" },
    { .name = "cutoff_hz",
      .type = UG_OPTION_REAL,
      .initial = "12",
      .low = 0.01,
      .high = 100000,
      .help = "-3 dB frequency after both passes" },
    { .name = "edits",
      .type = UG_OPTION_TEXT,
      .is_path = true,
      .help = "YAML with hand edits to replay first" },
};

static ug_status apply_edits(ug_take *take, ug_stage_context *context, ug_error *err)
{
    const char *path = ug_option_text(context->options, "edits");
    if (!path) {
        return UG_OK;
    }
    ug_edits edits = { 0 };
    ug_status status = ug_edits_read(&edits, path, err);
    if (status == UG_OK) {
        status = ug_edits_apply(take->markers, NULL, &context->warnings, &edits, err);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    } else {
        ug_metrics_set(&context->metrics, "edit_count", (double)edits.count);
    }
    ug_edits_fini(&edits);
    return status;
}

// What was found goes into the file too, so that a report can show where.
static ug_status keep_spikes(ug_take *take, const ug_spikes *spikes, ug_error *err)
{
    float *rows = malloc((3 * spikes->count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu spikes", spikes->count);
    }
    for (size_t i = 0; i < spikes->count; i++) {
        rows[3 * i] = (float)spikes->items[i].marker;
        rows[3 * i + 1] = (float)spikes->items[i].frame;
        rows[3 * i + 2] = (float)spikes->items[i].height_mm;
    }
    const ug_status status =
        ug_quality_set(&take->quality, "spikes", "", spikes->count, 3, rows, err);
    free(rows);
    return status;
}

static ug_status keep_swaps(ug_take *take, const ug_swaps *swaps, ug_error *err)
{
    float *rows = malloc((3 * swaps->count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu swaps", swaps->count);
    }
    for (size_t i = 0; i < swaps->count; i++) {
        rows[3 * i] = (float)swaps->items[i].marker;
        rows[3 * i + 1] = (float)swaps->items[i].other;
        rows[3 * i + 2] = (float)swaps->items[i].frame;
    }
    const ug_status status =
        ug_quality_set(&take->quality, "swap_candidates", "", swaps->count, 3, rows, err);
    free(rows);
    return status;
}

static ug_status find_swaps(ug_take *take, ug_stage_context *context, ug_error *err)
{
    ug_swaps swaps = { 0 };
    ug_status status = ug_swaps_find(&swaps, take->markers, &context->warnings, err);
    if (status == UG_OK) {
        ug_metrics_set(&context->metrics, "swap_candidates", (double)swaps.count);
        status = keep_swaps(take, &swaps, err);
    }
    ug_swaps_fini(&swaps);
    return status;
}

static ug_status find_spikes(ug_take *take, ug_stage_context *context, ug_error *err)
{
    if (ug_option_is(context->options, "spikes", "off")) {
        return UG_OK;
    }
    ug_spikes spikes = { 0 };
    ug_spikes_opts opts = ug_spikes_default_opts();
    opts.clear = ug_option_is(context->options, "spikes", "clear");
    ug_status status = ug_spikes_find(take->markers, &spikes, &context->warnings, &opts, err);
    ug_metrics_set(&context->metrics, "spike_count", (double)spikes.count);
    if (status == UG_OK) {
        status = keep_spikes(take, &spikes, err);
    }
    ug_spikes_fini(&spikes);
    return status;
}

static double worst_predicted(const ug_gap_fill_report *report)
{
    double worst = 0.0;
    for (size_t i = 0; i < report->gap_count; i++) {
        worst = fmax(worst, report->records[i].predicted_error_mm); // fmax passes NaN by
    }
    return worst;
}

static ug_status fill_gaps(ug_take *take, ug_stage_context *context, ug_error *err)
{
    const ug_option_values *o = context->options;
    const ug_gap_fill_opts opts = {
        .max_gap_s = ug_option_real(o, "max_gap_s"),
        .spline_max_s = ug_option_real(o, "spline_max_s"),
        .lone_spline_max_s = ug_option_real(o, "lone_spline_max_s"),
    };
    if (opts.max_gap_s <= 0.0) {
        return UG_OK;
    }
    ug_gap_fill_report report = { 0 };
    const ug_status status =
        ug_gap_fill(take->markers, &report, &context->warnings, &context->work, &opts, err);
    if (status == UG_OK) {
        ug_metrics *m = &context->metrics;
        ug_metrics_set(m, "filled_gaps/cubic", (double)report.filled_gaps[UG_FILL_CUBIC]);
        ug_metrics_set(m, "filled_gaps/rigid", (double)report.filled_gaps[UG_FILL_RIGID]);
        for (int r = UG_GAP_NEVER_SEEN; r < UG_GAP_REASON_COUNT; r++) {
            ug_metrics_set_of(m, (double)report.open_gaps[r], "open_gaps/%s",
                              ug_gap_reason_name((ug_gap_reason)r));
        }
        ug_metrics_set(m, "unchecked_gaps", (double)report.unchecked_gaps);
        ug_metrics_set(m, "predicted_error_worst_mm", worst_predicted(&report));
    }
    ug_gap_fill_report_fini(&report);
    return status;
}

static ug_status smooth(ug_take *take, ug_stage_context *context, ug_error *err)
{
    if (ug_option_is(context->options, "smooth", "none")) {
        return UG_OK;
    }
    const ug_butterworth_opts opts = {
        .cutoff_hz = ug_option_real(context->options, "cutoff_hz"),
    };
    ug_butterworth_report report;
    const ug_status status =
        ug_butterworth_markers(take->markers, &report, &context->warnings, &opts, err);
    if (status == UG_OK) {
        ug_metrics_set(&context->metrics, "filtered_count", (double)report.samples_filtered);
        ug_metrics_set(&context->metrics, "unfiltered_runs", (double)report.runs_passed);
    }
    return status;
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    ug_take take;
    ug_take_init(&take);
    ug_status status = ug_stage_may_write_store(context, context->output, err);
    if (status == UG_OK) {
        status = ug_stage_read(&take, context, 0, UG_PART_ALL, err);
    }
    if (status == UG_OK && !take.markers) {
        status = ug_fail(err, UG_E_NOT_ENOUGH, "has no markers to clean");
    }
    if (status == UG_OK) {
        ug_metrics before = { 0 };
        double missing = 0;
        ug_metrics_add_markers(&before, take.markers);
        (void)ug_metrics_get(&before, "missing_pct", &missing);
        ug_metrics_set(&context->metrics, "missing_before_pct", missing);
        ug_metrics_fini(&before);
        status = apply_edits(&take, context, err);
    }
    if (status == UG_OK) {
        ug_stage_say(context, "applied edits");
        status = find_swaps(&take, context, err); // before a spike beside one is cleared
    }
    if (status == UG_OK) {
        status = find_spikes(&take, context, err);
    }
    if (status == UG_OK) {
        ug_stage_say(context, "looked for spikes");
        status = fill_gaps(&take, context, err);
    }
    if (status == UG_OK) {
        ug_stage_say(context, "filled gaps, %zu frames of %zu markers", take.markers->frame_count,
                     take.markers->marker_count);
        status = smooth(&take, context, err);
    }
    if (status == UG_OK) {
        ug_stage_say(context, "smoothed");
        ug_metrics_add_markers(&context->metrics, take.markers);
        status = ug_stage_write_over(self, context, &take, UG_PART_MARKERS | UG_PART_QUALITY, err);
    }
    ug_take_fini(&take);
    return status;
}

const ug_stage ug_stage_clean = {
    .name = "clean",
    .summary = "fill gaps up to a limit, find spikes, smooth; flag every touched sample",
    .usage = "take.h5 -o clean.h5",
    .examples = "  ugoki clean take.h5 -o clean.h5\n"
                "  ugoki clean take.h5 -o clean.h5 --max-gap-s 0.5 --smooth butterworth "
                "--cutoff-hz 12\n"
                "  ugoki clean take.h5 -o clean.h5 --edits edits.yaml\n",
    .reads = "markers",
    .writes = "markers, quality",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 1,
    .inputs_max = 1,
    .run = run,
};
