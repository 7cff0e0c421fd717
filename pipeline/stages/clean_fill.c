// SPDX-License-Identifier: MIT
// Of clean: the gaps, and what it says of their filling.
#include "pipeline/stages/clean_steps.h"
#include "solvers/gap_fill.h"
#include "solvers/gap_methods.h"

#include <math.h>

static double worst_predicted(const ug_gap_fill_report *report)
{
    double worst = 0.0;
    for (size_t i = 0; i < report->gap_count; i++) {
        worst = fmax(worst, report->records[i].predicted_error_mm); // fmax passes NaN by
    }
    return worst;
}

static void note_figures(ug_metrics *m, const ug_gap_fill_report *report)
{
    for (int k = UG_FILL_LINEAR; k < UG_FILL_METHOD_COUNT; k++) {
        if (report->filled_gaps[k] > 0 || k == UG_FILL_CUBIC || k == UG_FILL_STACKED) {
            ug_metrics_set_of(m, (double)report->filled_gaps[k], "filled_gaps/%s",
                              ug_gap_method_name((ug_fill_method)k));
        }
    }
    for (int r = UG_GAP_NEVER_SEEN; r < UG_GAP_REASON_COUNT; r++) {
        ug_metrics_set_of(m, (double)report->open_gaps[r], "open_gaps/%s",
                          ug_gap_reason_name((ug_gap_reason)r));
    }
    ug_metrics_set(m, "unchecked_gaps", (double)report->unchecked_gaps);
    ug_metrics_set(m, "predicted_error_worst_mm", worst_predicted(report));
    if (isfinite(report->check_ratio)) {
        ug_metrics_set(m, "predicted_error_ratio", report->check_ratio);
        ug_metrics_set(m, "predicted_error_within_pct", 100.0 * report->check_share);
    }
}

static ug_fill_method chosen_method(const ug_option_values *options)
{
    for (ug_fill_method k = UG_FILL_LINEAR; k < UG_FILL_STACKED; k++) {
        if (ug_option_is(options, "fill_method", ug_gap_method_name(k))) {
            return k;
        }
    }
    return UG_FILL_STACKED;
}

ug_status ug_clean_fill(ug_take *take, ug_stage_context *context, ug_error *err)
{
    const ug_option_values *o = context->options;
    ug_gap_fill_opts opts = {
        .max_gap_s = ug_option_real(o, "max_gap_s"),
        .cubic_max_s = ug_option_real(o, "cubic_max_s"),
        .alone_max_s = ug_option_real(o, "alone_max_s"),
        .workers = context->jobs,
    };
    opts.method = chosen_method(o);
    if (opts.max_gap_s <= 0.0) {
        return UG_OK;
    }
    ug_gap_fill_report report = { 0 };
    const ug_status status =
        ug_gap_fill(take->markers, &report, &context->warnings, &context->work, &opts, err);
    if (status == UG_OK) {
        note_figures(&context->metrics, &report);
    }
    ug_stage_say(context, "filled gaps, %zu frames of %zu markers", take->markers->frame_count,
                 take->markers->marker_count);
    ug_gap_fill_report_fini(&report);
    return status;
}
