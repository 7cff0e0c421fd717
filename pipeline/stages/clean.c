// SPDX-License-Identifier: MIT
// clean: hand edits, swaps, spikes, gaps, smoothing, in that order; every touched sample is
// flagged.
#include "pipeline/stages/clean_steps.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/take_metrics.h"
#include "solvers/gap_methods.h"

static const ug_option OPTIONS[] = {
    { .name = "max_gap_s",
      .type = UG_OPTION_REAL,
      .initial = "2",
      .low = 0,
      .high = 3600,
      .help = "longest gap to fill at all; 0 fills none" },
    { .name = "fill_method",
      .type = UG_OPTION_CHOICE,
      .initial = "auto",
      .choices = UG_GAP_METHOD_NAMES,
      .help = "auto: what does best on stretches of the take where the answer is known; else this "
              "method for every gap over cubic_max_s" },
    { .name = "cubic_max_s",
      .type = UG_OPTION_REAL,
      .initial = "0.06",
      .low = 0,
      .high = 3600,
      .help = "longest gap for a cubic through the marker's own path, seen on both sides" },
    { .name = "alone_max_s",
      .type = UG_OPTION_REAL,
      .initial = "0.5",
      .low = 0,
      .high = 3600,
      .help = "of auto: longest gap for such a cubic where no other marker helps" },
    { .name = "frozen",
      .type = UG_OPTION_CHOICE,
      .initial = "report",
      .choices = "off|report|clear",
      .help = "values that stand still while their neighbours move: say so, or make missing" },
    { .name = "swaps",
      .type = UG_OPTION_CHOICE,
      .initial = "repair",
      .choices = "off|report|repair",
      .help = "labels that were exchanged: say so, or put them right" },
    { .name = "join_fragments",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "join runs of unlabelled points to the missing marker that they continue" },
    { .name = "spikes",
      .type = UG_OPTION_CHOICE,
      .initial = "report",
      .choices = "off|report|clear",
      .help = "single samples that jump: say so, or make missing" },
    { .name = "smooth",
      .type = UG_OPTION_CHOICE,
      .initial = "none",
      .choices = "none|butterworth|gcv",
      .help = "smoothing of every run between gaps, without delay: butterworth by cutoff_hz, gcv "
              "by the spline that cross-validation finds for each run" },
    { .name = "cutoff_hz",
      .type = UG_OPTION_REAL,
      .initial = "12",
      .low = 0.01,
      .high = 100000,
      .help = "of butterworth: -3 dB frequency after both passes" },
    { .name = "subject",
      .type = UG_OPTION_TEXT,
      .help = "keep the markers of this subject alone, and unlabelled points" },
    { .name = "drop", .type = UG_OPTION_LIST, .help = "labels to take out, samples and all" },
    { .name = "split",
      .type = UG_OPTION_LIST,
      .help = "LABEL=NEW@FIRST-LAST: frames of a label that become a marker of their own" },
    { .name = "merge",
      .type = UG_OPTION_LIST,
      .help = "LABEL=OTHER: where the first is missing it gets the second, which goes" },
    { .name = "rename", .type = UG_OPTION_LIST, .help = "OLD=NEW label" },
    { .name = "edits",
      .type = UG_OPTION_TEXT,
      .is_path = true,
      .help = "YAML with hand edits to replay first" },
};

// After the edits and the swaps, which a spike beside one would spoil.
static ug_status (*const STEPS[])(ug_take *, ug_stage_context *, ug_error *) = {
    ug_clean_find_fallen,
    ug_clean_find_spikes,
    ug_clean_fill,
    ug_clean_smooth,
};

static ug_status edit_and_label(ug_take *take, ug_stage_context *context, ug_error *err)
{
    ug_edits_report edited = { 0 };
    ug_status status = ug_clean_edit(take, &edited, context, err);
    if (status == UG_OK) {
        status = ug_clean_find_frozen(take, context, err);
    }
    if (status == UG_OK) {
        status = ug_clean_find_swaps(take, &edited, context, err);
    }
    if (status == UG_OK) {
        status = ug_clean_join(take, context, err);
    }
    ug_edits_report_fini(&edited);
    return status;
}

static ug_status note_missing_before(ug_stage_context *context, const ug_take *take, ug_error *err)
{
    if (!take->markers) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "has no markers to clean");
    }
    ug_metrics before = { 0 };
    double missing = 0;
    ug_metrics_add_markers(&before, take->markers);
    (void)ug_metrics_get(&before, "missing_pct", &missing);
    ug_metrics_set(&context->metrics, "missing_before_pct", missing);
    ug_metrics_fini(&before);
    return UG_OK;
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    ug_take take;
    ug_take_init(&take);
    ug_status status = ug_stage_may_write_store(context, context->output, err);
    if (status == UG_OK) {
        status = ug_stage_read(&take, context, 0, UG_PART_ALL, err);
    }
    if (status == UG_OK) {
        status = note_missing_before(context, &take, err);
    }
    if (status == UG_OK) {
        status = edit_and_label(&take, context, err);
    }
    for (size_t i = 0; status == UG_OK && i < sizeof STEPS / sizeof *STEPS; i++) {
        status = STEPS[i](&take, context, err);
    }
    if (status == UG_OK) {
        ug_metrics_add_markers(&context->metrics, take.markers);
        status = ug_stage_write_over(self, context, &take, UG_PART_MARKERS | UG_PART_QUALITY, err);
    }
    ug_take_fini(&take);
    return status;
}

const ug_stage ug_stage_clean = {
    .name = "clean",
    .summary =
        "put labels right, find spikes, fill gaps up to a limit, smooth; flag what was touched",
    .usage = "take.h5 -o clean.h5",
    .examples = "  ugoki clean take.h5 -o clean.h5\n"
                "  ugoki clean take.h5 -o clean.h5 --max-gap-s 0.5 --smooth butterworth "
                "--cutoff-hz 12\n"
                "  ugoki clean take.h5 -o clean.h5 --edits edits.yaml\n"
                "  ugoki clean take.h5 -o clean.h5 --subject s01 --rename LBWT=LPSI,RBWT=RPSI "
                "--drop PROP1\n",
    .reads = "markers",
    .writes = "markers, quality",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 1,
    .inputs_max = 1,
    .run = run,
};
