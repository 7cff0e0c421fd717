// SPDX-License-Identifier: MIT
// export: a store -> a file of another program, in its unit and axes.
#include "formats/file.h"
#include "formats/format.h"
#include "motion/kinematics.h"
#include "motion/text.h"
#include "pipeline/stages/foreign.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/take_metrics.h"

#include <stdlib.h>
#include <string.h>

static const ug_option OPTIONS[] = {
    { .name = "format",
      .type = UG_OPTION_TEXT,
      .help = "bvh, c3d, trc or csv; default: the ending of -o" },
    { .name = "what",
      .type = UG_OPTION_CHOICE,
      .initial = "auto",
      .choices = "auto|motion|markers|joints",
      .help = "what a marker format gets: the markers, or the joint centres of the motion" },
    { .name = "unit",
      .type = UG_OPTION_TEXT,
      .help = "unit to write; default: the source's where it was of this format, else cm for BVH" },
    { .name = "up",
      .type = UG_OPTION_TEXT,
      .help = "vertical axis to write; default: the source's where it was of this format" },
    { .name = "decimals",
      .type = UG_OPTION_INTEGER,
      .initial = "0",
      .low = 0,
      .high = 17,
      .help = "digits after the point in text formats; 0: enough for an exact round trip" },
    { .name = "bvh_offset",
      .type = UG_OPTION_CHOICE,
      .initial = "replace",
      .choices = "replace|add",
      .help = "BVH root positions replace its OFFSET, or add to it" },
};

// Joint centres as if they were markers; replaces take->markers.
static ug_status joints_to_markers(ug_take *take, const ug_progress *progress, ug_error *err)
{
    const ug_skeleton *skeleton = take->skeleton;
    const ug_clip *clip = take->clip;
    ug_status status = UG_OK;
    ug_markers *points = ug_markers_create(clip->frame_count, clip->joint_count, clip->rate);
    ug_quat *world_q = calloc(clip->joint_count + 1, sizeof *world_q);
    ug_vec3 *world_m = calloc(clip->joint_count + 1, sizeof *world_m);
    if (!points || !world_q || !world_m) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    points->first_frame = clip->first_frame;
    points->scale_m = take->source.unit_m > 0.0 ? take->source.unit_m : 1.0;
    for (size_t j = 0; j < clip->joint_count; j++) {
        points->labels[j] = ug_text_copy(skeleton->joints[j].name);
        points->subjects[j] = ug_text_copy("");
        points->kinds[j] = UG_POINT_VIRTUAL;
        if (!points->labels[j] || !points->subjects[j]) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
            goto done;
        }
    }
    for (size_t f = 0; f < clip->frame_count && status == UG_OK; f++) {
        status = ug_progress_step(progress, f, clip->frame_count, err);
        ug_clip_forward(world_q, world_m, skeleton, clip, f);
        for (size_t j = 0; j < clip->joint_count; j++) {
            ug_markers_set_m(points, f, j, world_m[j], UG_ORIGIN_COMPUTED);
            points->residuals[ug_markers_index(points, f, j)] = 0.0f;
        }
    }
    if (status == UG_OK) {
        ug_markers_destroy(take->markers);
        take->markers = points;
        points = NULL;
    }
done:
    ug_markers_destroy(points);
    free(world_q);
    free(world_m);
    return status;
}

static ug_status prepare(ug_take *take, const ug_format *format, const ug_option_values *options,
                         const ug_progress *progress, ug_error *err)
{
    const bool is_bvh = strcmp(format->name, "bvh") == 0;
    if (ug_option_is(options, "what", is_bvh ? "markers" : "motion")) {
        return ug_fail(err, UG_E_USAGE, "%s cannot hold %s", format->name,
                       is_bvh ? "markers" : "a motion; --what joints writes joint centres");
    }
    const bool joints = ug_option_is(options, "what", "joints") ||
                        (!is_bvh && !take->markers && ug_option_is(options, "what", "auto"));
    if (is_bvh || joints) {
        if (!take->clip || !take->skeleton) {
            return ug_fail(err, UG_E_NOT_ENOUGH,
                           "has no motion to write as %s; run `ugoki solve` first, or export "
                           "the markers as c3d, trc or csv",
                           format->name);
        }
        return joints ? joints_to_markers(take, progress, err) : UG_OK;
    }
    if (!take->markers) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "has no markers to write as %s", format->name);
    }
    return UG_OK;
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    (void)self;
    const ug_option_values *options = context->options;
    ug_status status = ug_stage_may_write(context, context->output, err);
    if (status != UG_OK) {
        return status;
    }
    const char *name = ug_option_text(options, "format");
    const ug_format *format = ug_format_find(name ? name : context->output);
    if (!format || !format->write) {
        return ug_fail(err, UG_E_USAGE, "cannot write '%s'; name it .bvh, .c3d, .trc or .csv",
                       name ? name : context->output);
    }
    const ug_write_opts opts = {
        .unit = ug_option_text(options, "unit"),
        .up = ug_option_text(options, "up"),
        .bvh_offset_add = ug_option_is(options, "bvh_offset", "add"),
        .decimals = (int)ug_option_integer(options, "decimals"),
        .progress = &context->work, // most of the work here
    };
    ug_take take;
    ug_take_init(&take);
    status = ug_stage_read(&take, context, 0, UG_PART_ALL, err);
    if (status == UG_OK) {
        status = prepare(&take, format, options, &context->work, err);
    }
    if (status == UG_OK) {
        ug_metrics_add_markers(&context->metrics, take.markers);
        ug_metrics_add_clip(&context->metrics, take.clip);
        status = ug_stage_write_as(context, format, context->output, &take, &opts, err);
    }
    ug_take_fini(&take);
    return status;
}

const ug_stage ug_stage_export = {
    .name = "export",
    .summary = "write a store as BVH, C3D, TRC or CSV",
    .usage = "FILE -o out.(bvh|c3d|trc|csv)",
    .examples = "  ugoki export out.h5 -o out.bvh --unit cm\n"
                "  ugoki export clean.h5 -o clean.c3d\n"
                "  ugoki export motion.h5 -o joints.csv --what joints\n",
    .reads = "a store, or any format",
    .writes = ".bvh .c3d .trc .csv",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 1,
    .inputs_max = 1,
    .run = run,
};
