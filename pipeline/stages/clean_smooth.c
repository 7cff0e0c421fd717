// SPDX-License-Identifier: MIT
// Of clean: smoothing, last, when nothing is missing that could be filled.
#include "pipeline/stages/clean_steps.h"
#include "solvers/butterworth.h"

ug_status ug_clean_smooth(ug_take *take, ug_stage_context *context, ug_error *err)
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
        ug_stage_say(context, "smoothed");
    }
    return status;
}
