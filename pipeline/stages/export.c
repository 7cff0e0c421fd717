// SPDX-License-Identifier: MIT
// export: a store -> a file of another program, in its unit and axes.
#include "formats/file.h"
#include "formats/format.h"
#include "motion/kinematics.h"
#include "motion/text.h"
#include "pipeline/stages/body_mesh.h"
#include "pipeline/stages/foreign.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/take_metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ug_option OPTIONS[] = {
    { .name = "format",
      .type = UG_OPTION_TEXT,
      .help = "bvh, glb, c3d, trc or csv; default: the ending of -o" },
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
    { .name = "interpolation",
      .type = UG_OPTION_CHOICE,
      .initial = "linear",
      .choices = "linear|cubic",
      .help = "GLB: what lies between two frames; cubic files are three times as large" },
    { .name = "mesh",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "GLB: a mannequin skinned to the skeleton; without it joints are all there is" },
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

// A GLB shows a skeleton that does not move as well; every other file of a motion needs one.
static ug_status check_motion(const ug_take *take, const ug_format *format, ug_error *err)
{
    const bool still = strcmp(format->name, "glb") == 0;
    if (take->skeleton && (take->clip || still)) {
        return UG_OK;
    }
    return ug_fail(err, UG_E_NOT_ENOUGH,
                   "has no %s to write as %s; run `ugoki solve` first, or export "
                   "the markers as c3d, trc or csv",
                   take->skeleton || !still ? "motion" : "skeleton", format->name);
}

static ug_status prepare(ug_take *take, const ug_format *format, const ug_option_values *options,
                         const ug_progress *progress, ug_error *err)
{
    const bool joints =
        ug_option_is(options, "what", "joints") ||
        (!format->is_motion && !take->markers && ug_option_is(options, "what", "auto"));
    if (format->is_motion ? joints || ug_option_is(options, "what", "markers")
                          : ug_option_is(options, "what", "motion")) {
        return ug_fail(err, UG_E_USAGE, "%s cannot hold %s", format->name,
                       !format->is_motion ? "a motion; --what joints writes joint centres"
                       : joints           ? "joint centres alone; name the file .csv, .trc or .c3d"
                                          : "markers; name the file .c3d, .trc or .csv");
    }
    if (format->is_motion || joints) {
        const ug_status status = check_motion(take, format, err);
        return status == UG_OK && joints ? joints_to_markers(take, progress, err) : status;
    }
    if (!take->markers) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "has no markers to write as %s", format->name);
    }
    return UG_OK;
}

// What a GLB has besides the take: a body, and this call at the end of the history.
static ug_status add_glb_parts(ug_mesh **mesh, ug_take *take, const ug_stage *self,
                               ug_stage_context *context, ug_error *err)
{
    ug_provenance_entry entry;
    ug_status status = ug_stage_entry(&entry, self, context, err);
    if (status == UG_OK) {
        status = ug_provenance_add(&take->provenance, &entry, err);
        ug_provenance_entry_fini(&entry);
    }
    if (status == UG_OK && ug_option_flag(context->options, "mesh")) {
        status = ug_body_mesh_create(mesh, take, context->data_dir, err);
    }
    return status;
}

// The format to write, by option or ending; the two may not contradict each other.
static ug_status choose_format(const ug_format **out, const ug_stage_context *context,
                               ug_error *err)
{
    const char *name = ug_option_text(context->options, "format");
    const ug_format *format = ug_format_find(name ? name : context->output);
    if (!format || !format->write) {
        return ug_fail(err, UG_E_USAGE, "cannot write '%s'; name it .bvh, .glb, .c3d, .trc or .csv",
                       name ? name : context->output);
    }
    char ending[16];
    ug_path_extension(ending, context->output);
    const ug_format *named = ending[0] ? ug_format_find(ending) : NULL;
    if ((named && named != format) || strcmp(ending, ".h5") == 0 || strcmp(ending, ".hdf5") == 0) {
        ug_error_where(err, "%s", context->output);
        return ug_fail(err, UG_E_USAGE,
                       "--format %s does not make %s: name it .%s, or leave out "
                       "--format",
                       format->name, ending, format->name);
    }
    *out = format;
    return UG_OK;
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    const ug_option_values *options = context->options;
    const ug_format *format = NULL;
    ug_status status = ug_stage_may_write(context, context->output, err);
    if (status == UG_OK) {
        status = choose_format(&format, context, err);
    }
    if (status != UG_OK) {
        return status;
    }
    char program[64];
    ug_write_opts opts = {
        .unit = ug_option_text(options, "unit"),
        .up = ug_option_text(options, "up"),
        .bvh_offset_add = ug_option_is(options, "bvh_offset", "add"),
        .decimals = (int)ug_option_integer(options, "decimals"),
        .cubic = ug_option_is(options, "interpolation", "cubic"),
        .program = program,
        .progress = &context->work, // most of the work here
    };
    ug_mesh *mesh = NULL;
    (void)snprintf(program, sizeof program, "ugoki %s", ug_version());
    ug_take take;
    ug_take_init(&take);
    status = ug_stage_read(&take, context, 0, UG_PART_ALL, err);
    if (status == UG_OK) {
        status = prepare(&take, format, options, &context->work, err);
    }
    if (status == UG_OK && strcmp(format->name, "glb") == 0) {
        status = add_glb_parts(&mesh, &take, self, context, err);
        opts.mesh = mesh;
    }
    if (status == UG_OK) {
        ug_metrics_add_markers(&context->metrics, take.markers);
        ug_metrics_add_clip(&context->metrics, take.clip);
        status = ug_stage_write_as(context, format, context->output, &take, &opts, err);
    }
    ug_mesh_destroy(mesh);
    ug_take_fini(&take);
    return status;
}

const ug_stage ug_stage_export = {
    .name = "export",
    .summary = "write a store as BVH, GLB, C3D, TRC or CSV",
    .usage = "FILE -o out.(bvh|glb|c3d|trc|csv)",
    .examples = "  ugoki export out.h5 -o out.bvh --unit cm\n"
                "  ugoki export out.h5 -o out.glb --interpolation cubic\n"
                "  ugoki export clean.h5 -o clean.c3d\n"
                "  ugoki export motion.h5 -o joints.csv --what joints\n",
    .reads = "a store, or any format",
    .writes = ".bvh .glb .c3d .trc .csv",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 1,
    .inputs_max = 1,
    .run = run,
};
