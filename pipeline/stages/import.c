// SPDX-License-Identifier: MIT
// import: any format we read -> a store. The only stage that meets foreign units and axes.
#include "formats/format.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/take_metrics.h"

#include <stdio.h>
#include <string.h>

static const ug_option OPTIONS[] = {
    { .name = "unit",
      .type = UG_OPTION_TEXT,
      .help = "unit of the file's lengths (mm, cm, m, in) instead of what it declares" },
    { .name = "up",
      .type = UG_OPTION_TEXT,
      .help = "vertical axis of the file (+Y, +Z, …) instead of what it declares" },
    { .name = "fps",
      .type = UG_OPTION_TEXT,
      .help = "frame rate in hertz instead of the file's (29.97 is 30000/1001)" },
    { .name = "bvh_offset",
      .type = UG_OPTION_CHOICE,
      .initial = "replace",
      .choices = "replace|add",
      .help = "BVH position channels replace the joint's OFFSET, or add to it" },
};

static ug_status read_opts(ug_read_opts *opts, const ug_option_values *values, ug_error *err)
{
    *opts = (ug_read_opts){
        .unit = ug_option_text(values, "unit"),
        .up = ug_option_text(values, "up"),
        .bvh_offset_add = ug_option_is(values, "bvh_offset", "add"),
    };
    ug_axes axes;
    if (opts->up && ug_axes_from_names(&axes, opts->up, NULL, err) != UG_OK) {
        return UG_E_USAGE;
    }
    const char *fps = ug_option_text(values, "fps");
    if (fps && ug_rate_from_hz_text(&opts->rate, fps, strlen(fps), NULL) != UG_OK) {
        return ug_fail(err, UG_E_USAGE, "--fps '%s' is not a positive number", fps);
    }
    return UG_OK;
}

// By which rule a sample is missing: the reader's warnings count those that say so of themselves.
static void note_holes(ug_stage_context *context, const ug_take *take)
{
    const ug_markers *m = take->markers;
    char code[64];
    size_t missing = 0;
    if (!m) {
        return;
    }
    for (size_t i = 0; i < m->frame_count * m->marker_count; i++) {
        missing += !(m->origin[i] & UG_ORIGIN_PRESENT);
    }
    (void)snprintf(code, sizeof code, "%s_zero_missing", take->source.format);
    const size_t zero = ug_warnings_count(&context->warnings, code);
    (void)snprintf(code, sizeof code, "%s_not_finite", take->source.format);
    const size_t not_finite = ug_warnings_count(&context->warnings, code);
    const size_t said = zero + not_finite < missing ? zero + not_finite : missing;
    ug_metrics_set(&context->metrics, "missing_by/mark", (double)(missing - said));
    ug_metrics_set(&context->metrics, "missing_by/not_finite", (double)not_finite);
    ug_metrics_set(&context->metrics, "missing_by/zero", (double)zero);
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    ug_take take;
    ug_read_opts opts;
    ug_take_init(&take);
    ug_status status = ug_stage_may_write_store(context, context->output, err);
    if (status == UG_OK) {
        status = read_opts(&opts, context->options, err);
    }
    if (status == UG_OK) {
        opts.progress = &context->work; // most of the work here
        status = ug_format_read(&take, context->inputs[0], &opts, &context->warnings, err);
    }
    if (status == UG_OK) {
        ug_stage_say(context, "read %s as %s", context->inputs[0], take.source.format);
        ug_metrics_add_clip(&context->metrics, take.clip);
        ug_metrics_add_markers(&context->metrics, take.markers);
        note_holes(context, &take);
        ug_metrics_set(&context->metrics, "analog_channel_count",
                       take.analog ? (double)take.analog->channel_count : 0.0);
        ug_metrics_set(&context->metrics, "event_count", (double)take.events.count);
        status = ug_stage_write(self, context, context->output, &take, UG_PART_ALL, NULL, err);
    }
    ug_take_fini(&take);
    return status;
}

const ug_stage ug_stage_import = {
    .name = "import",
    .summary = "read a C3D, TRC, CSV, BVH or VSK file into a store",
    .usage = "take.c3d -o take.h5",
    .examples = "  ugoki import take.c3d -o take.h5\n"
                "  ugoki import walk.bvh -o walk.h5 --unit cm --up +Z\n"
                "  ugoki import takes/*.c3d -o stores/\n",
    .reads = ".c3d .trc .csv .bvh .vsk",
    .writes = "markers, analog, events, skeleton, motion",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 1,
    .inputs_max = 1,
    .run = run,
};
