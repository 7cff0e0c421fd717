// SPDX-License-Identifier: MIT
// synth: a capture whose truth is known, as C3D (or any marker format) or store, truth beside it.
#include "datasets/synth.h"

#include "formats/format.h"
#include "formats/settings_yaml.h"
#include "motion/text.h"
#include "pipeline/stages/foreign.h"
#include "pipeline/stages/library.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/take_metrics.h"

#include <stdlib.h>
#include <string.h>

static const ug_option OPTIONS[] = {
    { .name = "markers",
      .type = UG_OPTION_TEXT,
      .initial = "cmu_41",
      .is_path = true,
      .names = 1 + UG_CATALOG_MARKERS,
      .help = "marker set to wear" },
    { .name = "template",
      .type = UG_OPTION_TEXT,
      .initial = "humanoid",
      .is_path = true,
      .names = 1 + UG_CATALOG_TEMPLATE,
      .help = "body to move" },
    { .name = "fps", .type = UG_OPTION_TEXT, .initial = "120", .help = "frame rate in hertz" },
    { .name = "stature_m",
      .type = UG_OPTION_REAL,
      .initial = "1.75",
      .low = 1.0,
      .high = 2.5,
      .help = "body height" },
    { .name = "strides",
      .type = UG_OPTION_INTEGER,
      .initial = "6",
      .low = 2,
      .high = 200,
      .help = "strides walked" },
    { .name = "turn_deg",
      .type = UG_OPTION_REAL,
      .initial = "90",
      .low = -9000,
      .high = 9000,
      .help = "turned on the way, left positive" },
    { .name = "jump_m",
      .type = UG_OPTION_REAL,
      .initial = "0.25",
      .low = 0.05,
      .high = 0.6,
      .help = "height of the jump" },
    { .name = "noise_mm",
      .type = UG_OPTION_REAL,
      .initial = "0.5",
      .low = 0,
      .high = 100,
      .help = "camera noise, standard deviation per axis" },
    { .name = "skin_sigma",
      .type = UG_OPTION_REAL,
      .initial = "0.5",
      .low = 0,
      .high = 3,
      .help = "markers off their default place, in the set's own sigmas" },
    { .name = "occluded_pct",
      .type = UG_OPTION_REAL,
      .initial = "4",
      .low = 0,
      .high = 50,
      .help = "samples hidden in bursts" },
    { .name = "dropout_pct",
      .type = UG_OPTION_REAL,
      .initial = "0.2",
      .low = 0,
      .high = 50,
      .help = "single samples lost" },
    { .name = "swaps",
      .type = UG_OPTION_INTEGER,
      .initial = "3",
      .low = 0,
      .high = 1000,
      .help = "exchanges of two labels" },
    { .name = "ghosts",
      .type = UG_OPTION_INTEGER,
      .initial = "4",
      .low = 0,
      .high = 1000,
      .help = "unlabelled points that flicker" },
    { .name = "truth",
      .type = UG_OPTION_TEXT,
      .help = "where the truth goes; default: OUTPUT-truth.h5" },
};

static ug_status read_opts(ug_synth_opts *opts, const ug_stage_context *context, ug_error *err)
{
    const ug_option_values *o = context->options;
    const char *fps = ug_option_text(o, "fps");
    *opts = ug_synth_default_opts();
    opts->seed = context->seed;
    opts->progress = &context->work;
    opts->stature_m = ug_option_real(o, "stature_m");
    opts->strides = (int)ug_option_integer(o, "strides");
    opts->turn_deg = ug_option_real(o, "turn_deg");
    opts->jump_m = ug_option_real(o, "jump_m");
    opts->noise_mm = ug_option_real(o, "noise_mm");
    opts->skin_sigma = ug_option_real(o, "skin_sigma");
    opts->occluded_share = 0.01 * ug_option_real(o, "occluded_pct");
    opts->dropout_share = 0.01 * ug_option_real(o, "dropout_pct");
    opts->swaps = (int)ug_option_integer(o, "swaps");
    opts->ghosts = (int)ug_option_integer(o, "ghosts");
    if (ug_rate_from_hz_text(&opts->rate, fps, strlen(fps), NULL) != UG_OK) {
        return ug_fail(err, UG_E_USAGE, "--fps '%s' is not a positive number", fps);
    }
    return UG_OK;
}

static ug_status make(ug_synth *synth, ug_stage_context *context, ug_error *err)
{
    const ug_option_values *o = context->options;
    ug_synth_opts opts;
    ug_skeleton *humanoid = NULL;
    ug_marker_set set = { 0 };
    char *path = NULL;
    ug_status status = read_opts(&opts, context, err);
    if (status == UG_OK) {
        status = ug_library_skeleton(&humanoid, NULL, NULL, ug_option_text(o, "template"),
                                     UG_CATALOG_TEMPLATE, NULL, context->data_dir,
                                     &context->warnings, err);
    }
    if (status == UG_OK) {
        status = ug_catalog_find(&path, UG_CATALOG_MARKERS, ug_option_text(o, "markers"),
                                 context->data_dir, err);
    }
    if (status == UG_OK) {
        status = ug_marker_set_read(&set, path, err);
    }
    if (status == UG_OK) {
        status = ug_synth_make(synth, humanoid, &set, &opts, err);
    }
    free(path);
    ug_marker_set_fini(&set);
    ug_skeleton_destroy(humanoid);
    return status;
}

// The list of faults as a table in the truth: kind, marker, other, first, last.
static ug_status add_faults(ug_synth *synth, ug_metrics *m, ug_error *err)
{
    static const char *const NAMES[] = { "gap_faults", "swap_faults", "ghost_faults" };
    size_t counts[3] = { 0 };
    float *rows = malloc((synth->fault_count * 5 + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < synth->fault_count; i++) {
        const ug_synth_fault *f = &synth->faults[i];
        const size_t row[5] = { (size_t)f->kind, f->marker, f->other, f->first, f->last };
        for (size_t k = 0; k < 5; k++) {
            rows[5 * i + k] = (float)row[k];
        }
        counts[f->kind]++;
    }
    for (size_t k = 0; k < 3; k++) {
        ug_metrics_set(m, NAMES[k], (double)counts[k]);
    }
    const ug_status status =
        ug_quality_set(&synth->truth.quality, "faults", "", synth->fault_count, 5, rows, err);
    free(rows);
    return status;
}

// "x/take.c3d" -> "x/take-truth.h5"
static char *truth_path(const ug_stage_context *context)
{
    const char *given = ug_option_text(context->options, "truth");
    if (given) {
        return ug_text_copy(given);
    }
    const char *dot = strrchr(context->output, '.');
    const char *slash = strrchr(context->output, '/');
    const size_t length =
        dot && (!slash || dot > slash) ? (size_t)(dot - context->output) : strlen(context->output);
    return ug_text_format("%.*s-truth.h5", (int)length, context->output);
}

static ug_status write_captured(const ug_stage *self, ug_stage_context *context, ug_synth *synth,
                                ug_error *err)
{
    const ug_format *format = ug_format_find(context->output);
    if (!format || !format->write) {
        return ug_stage_write(self, context, context->output, &synth->captured, UG_PART_ALL, NULL,
                              err);
    }
    return ug_stage_write_as(context, format, context->output, &synth->captured,
                             &(ug_write_opts){ .progress = &context->work }, err);
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    ug_synth synth = { 0 };
    ug_status status = ug_stage_may_write(context, context->output, err);
    char *truth = status == UG_OK ? truth_path(context) : NULL;
    if (status == UG_OK) {
        status = truth && strcmp(truth, context->output) == 0
                     ? ug_fail(err, UG_E_USAGE, "--truth names the take itself")
                 : truth ? ug_stage_may_write_store(context, truth, err)
                         : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (status == UG_OK) {
        status = make(&synth, context, err);
    }
    if (status == UG_OK) {
        ug_stage_say(context, "made %zu frames of %zu points", synth.captured.markers->frame_count,
                     synth.captured.markers->marker_count);
        status = add_faults(&synth, &context->metrics, err);
    }
    if (status == UG_OK) {
        ug_metrics_add_markers(&context->metrics, synth.captured.markers);
        status = write_captured(self, context, &synth, err);
    }
    if (status == UG_OK) {
        status = ug_stage_write(self, context, truth, &synth.truth, UG_PART_ALL, NULL, err);
    }
    free(truth);
    ug_synth_fini(&synth);
    return status;
}

const ug_stage ug_stage_synth = {
    .name = "synth",
    .summary = "make a synthetic capture with its truth beside it",
    .usage = "-o take.c3d",
    .examples = "  ugoki synth -o take.c3d\n"
                "  ugoki synth -o take.h5 --strides 40 --noise-mm 1 --occluded-pct 10 --seed 7\n",
    .reads = "nothing",
    .writes = "markers; truth: markers, skeleton, motion, contacts",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 0,
    .inputs_max = 0,
    .run = run,
};
