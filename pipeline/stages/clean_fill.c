// SPDX-License-Identifier: MIT
// Of clean: the gaps, and what it says of their filling.
#include "pipeline/stages/clean_steps.h"
#include "solvers/gap_fill.h"

#include <math.h>

static double worst_predicted(const ug_gap_fill_report *report)
{
    double worst = 0.0;
    for (size_t i = 0; i < report->gap_count; i++) {
        worst = fmax(worst, report->records[i].predicted_error_mm); // fmax passes NaN by
    }
    return worst;
}

ug_status ug_clean_fill(ug_take *take, ug_stage_context *context, ug_error *err)
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
    ug_stage_say(context, "filled gaps, %zu frames of %zu markers", take->markers->frame_count,
                 take->markers->marker_count);
    ug_gap_fill_report_fini(&report);
    return status;
}
