// SPDX-License-Identifier: MIT
// calibrate: takes of one person + template + marker set -> the subject (skeleton, attachments).
#include "solvers/calibrate.h"

#include "formats/file.h"
#include "pipeline/stages/library.h"
#include "pipeline/stages/stages.h"
#include "solvers/roles_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ug_option OPTIONS[] = {
    { .name = "template",
      .type = UG_OPTION_TEXT,
      .initial = "humanoid",
      .is_path = true,
      .names = 1 + UG_CATALOG_TEMPLATE,
      .help = "skeleton: a built-in name, or a VSK, BVH, YAML or store" },
    { .name = "markers",
      .type = UG_OPTION_TEXT,
      .is_path = true,
      .names = 1 + UG_CATALOG_MARKERS,
      .help = "marker set: cmu_41, plugin_gait_39, plugin_gait_oxford, vicon_53, or a file; a VSK "
              "brings its own" },
    { .name = "takes",
      .type = UG_OPTION_LIST,
      .is_path = true,
      .help = "more takes of the same person (a static one, a range of motion)" },
    { .name = "slices",
      .type = UG_OPTION_LIST,
      .help = "frames to use of each input, in order: 0-399, or all" },
    { .name = "subject_label",
      .type = UG_OPTION_TEXT,
      .help = "prefix of the labels to use when a take holds several people" },
    { .name = "frames",
      .type = UG_OPTION_INTEGER,
      .initial = "60",
      .low = 5,
      .high = 2000,
      .help = "frames of the joint adjustment" },
    { .name = "rounds",
      .type = UG_OPTION_INTEGER,
      .initial = "2",
      .low = 1,
      .high = 9,
      .help = "rounds of choosing frames and adjusting" },
    { .name = "symmetry",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "tie left and right bones together" },
    { .name = "hips",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "hip centres by Harrington's regression where the pelvis markers allow it" },
    { .name = "pronation",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "let a forearm that only bends (as in a VSK) also turn about its length" },
    { .name = "keep_bones",
      .type = UG_OPTION_FLAG,
      .initial = "false",
      .help = "the template's bones are this person's: refit marker places only" },
};

typedef struct inputs {
    ug_take *takes; ///< owned (count)
    ug_calibrate_take *slices;
    size_t count;
} inputs;

static void inputs_fini(inputs *in)
{
    for (size_t i = 0; in->takes && i < in->count; i++) {
        ug_take_fini(&in->takes[i]);
    }
    free(in->takes);
    free(in->slices);
}

// "0-399" or "all"
static ug_status parse_slice(ug_calibrate_take *take, const char *text, ug_error *err)
{
    if (strcmp(text, "all") == 0) {
        return UG_OK;
    }
    char *end;
    const long first = strtol(text, &end, 10);
    long last = -1;
    if (end != text && *end == '-' && end[1] >= '0' && end[1] <= '9') {
        last = strtol(end + 1, &end, 10);
    }
    if (first < 0 || last < first || *end != '\0') {
        return ug_fail(err, UG_E_USAGE, "slices: '%s' is not first-last, as 0-399", text);
    }
    if ((size_t)last >= take->markers->frame_count) {
        return ug_fail(err, UG_E_USAGE, "slices: '%s' ends after the last frame, %zu", text,
                       take->markers->frame_count - 1);
    }
    take->first = (size_t)first;
    take->count = (size_t)(last - first + 1);
    return UG_OK;
}

static ug_status read_inputs(inputs *in, ug_stage_context *context, ug_error *err)
{
    size_t more = 0, slice_count = 0;
    char *const *paths = ug_option_list(context->options, "takes", &more);
    char *const *slices = ug_option_list(context->options, "slices", &slice_count);
    const size_t count = context->input_count + more;
    in->takes = calloc(count, sizeof *in->takes);
    in->slices = calloc(count, sizeof *in->slices);
    if (!in->takes || !in->slices) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (slice_count > count) {
        return ug_fail(err, UG_E_USAGE, "slices: %zu given for %zu takes", slice_count, count);
    }
    ug_status status = UG_OK;
    for (size_t i = 0; status == UG_OK && i < count; i++) {
        const char *path =
            i < context->input_count ? context->inputs[i] : paths[i - context->input_count];
        ug_take_init(&in->takes[i]);
        in->count = i + 1;
        status = ug_stage_read_path(&in->takes[i], context, path, UG_PART_MARKERS, err);
        if (status == UG_OK && !in->takes[i].markers) {
            ug_error_where(err, "%s", path);
            status = ug_fail(err, UG_E_NOT_ENOUGH, "has no markers to calibrate from");
        }
        if (status == UG_OK) {
            in->slices[i].markers = in->takes[i].markers;
            in->slices[i].name = ug_path_base(path);
            status = i < slice_count ? parse_slice(&in->slices[i], slices[i], err) : UG_OK;
        }
    }
    return status;
}

static void add_metrics(ug_metrics *m, const ug_calibrate_report *report,
                        const ug_skeleton *skeleton, const ug_attachments *attachments)
{
    double worst = 0.0;
    size_t exchanged = 0, stray = 0;
    ug_metrics_set(m, "scale_ratio", report->scale);
    ug_metrics_set(m, "stature_m", report->stature_m);
    ug_metrics_set(m, "usable_frames", (double)report->usable_frames);
    ug_metrics_set(m, "fit_frames", (double)report->fit_frames);
    ug_metrics_set(m, "marker_rms_mm", 1000.0 * report->rms_m);
    ug_metrics_set(m, "outlier_pct", report->outlier_pct);
    ug_metrics_set(m, "markers_found", (double)report->markers_found);
    ug_metrics_set(m, "markers_calibrated", (double)report->markers_calibrated);
    ug_metrics_set(m, "hips_by_regression", report->hips_by_regression);
    for (size_t j = 0; j < report->joint_count; j++) {
        const ug_calibrate_joint *joint = &report->joints[j];
        const char *name = skeleton->joints[j].name;
        const int parent = skeleton->joints[j].parent;
        if (parent >= 0) {
            ug_metrics_set_of(m, 1000.0 * joint->length_m, "bone_mm/%s-%s",
                              skeleton->joints[parent].name, name);
        }
        worst = fmax(worst, fabs(joint->difference_pct));
    }
    for (size_t i = 0; i < report->marker_count; i++) {
        const ug_calibrate_marker *marker = &report->markers[i];
        exchanged += marker->exchanged >= 0;
        stray += marker->stray_count;
        if (marker->moved_sigma > 3.0) {
            ug_metrics_set_of(m, marker->moved_sigma, "moved_sigma/%s",
                              attachments->items[i].label);
        }
    }
    ug_metrics_set(m, "left_right_worst_pct", worst);
    ug_metrics_set(m, "exchanged_labels", (double)exchanged);
    ug_metrics_set(m, "stray_samples", (double)stray);
}

// Roles help the cold start and the proportions of a template that brings none (a VSK); a body
// without them is calibrated all the same.
static void find_roles(ug_skeleton *skeleton, const ug_stage_context *context)
{
    ug_role_dictionary dictionary = { 0 };
    if (ug_library_roles(&dictionary, context->data_dir, NULL) == UG_OK) {
        (void)!ug_roles_find(skeleton, NULL, NULL, &dictionary, NULL, NULL);
    }
    ug_role_dictionary_fini(&dictionary);
}

// An elbow that is only a hinge leaves the wrist markers nowhere to go when the hand turns: give
// it the second axis that a forearm has, along the bone to the hand.
static void add_pronation(ug_skeleton *skeleton, ug_warnings *warnings)
{
    for (int side = 0; side < 2; side++) {
        const int arm =
            ug_skeleton_find_role(skeleton, side ? UG_ROLE_R_FOREARM : UG_ROLE_L_FOREARM);
        const int hand = ug_skeleton_find_role(skeleton, side ? UG_ROLE_R_HAND : UG_ROLE_L_HAND);
        if (arm < 0 || hand < 0 || skeleton->joints[hand].parent != arm ||
            skeleton->joints[arm].type != UG_JOINT_HINGE) {
            continue;
        }
        ug_joint *elbow = &skeleton->joints[arm];
        const ug_vec3 zero = { 0, 0, 0 };
        const ug_vec3 along = ug_vec3_unit(skeleton->joints[hand].offset_m, zero);
        if (ug_vec3_norm(ug_vec3_cross(elbow->axes[0], along)) < 0.5) {
            continue; // no bone, or it bends about its own length
        }
        elbow->type = UG_JOINT_UNIVERSAL;
        elbow->axes[1] = along;
        elbow->limits_rad[1][0] = -100 * UG_DEG;
        elbow->limits_rad[1][1] = 100 * UG_DEG;
        elbow->pose_sigma_rad[1] = 60 * UG_DEG;
        ug_warn(
            warnings, "pronation_added",
            "joint '%s' only bends: it may also turn about its length; --no-pronation leaves it",
            elbow->name);
    }
}

static ug_status calibrate(ug_take *subject, const inputs *in, ug_stage_context *context,
                           ug_error *err)
{
    const ug_option_values *o = context->options;
    ug_skeleton *skeleton = NULL;
    ug_attachments own = { 0 }, attachments = { 0 };
    ug_marker_set *sets = NULL;
    ug_calibrate_report report = { 0 };
    ug_calibrate_options options = ug_calibrate_default_options();
    const char *markers = ug_option_text(o, "markers");

    ug_status status =
        ug_library_skeleton(&skeleton, &own, NULL, ug_option_text(o, "template"),
                            UG_CATALOG_TEMPLATE, NULL, context->data_dir, &context->warnings, err);
    if (status != UG_OK) {
        goto done;
    }
    find_roles(skeleton, context);
    if (ug_option_flag(o, "pronation")) {
        add_pronation(skeleton, &context->warnings);
    }
    if (markers) {
        status = ug_library_markers(&attachments, markers, skeleton, context->data_dir,
                                    &context->warnings, err);
    } else if (own.count > 0) {
        status = ug_attachments_copy(&attachments, &own, err);
    } else {
        status = ug_fail(err, UG_E_USAGE, "say which marker set with --markers NAME|FILE");
    }
    if (status == UG_OK) {
        status = ug_library_sets(&sets, &options.known_count, context->data_dir, err);
    }
    if (status != UG_OK) {
        goto done;
    }
    options.known_sets = sets;
    options.frames = (size_t)ug_option_integer(o, "frames");
    options.rounds = (size_t)ug_option_integer(o, "rounds");
    options.symmetry = ug_option_flag(o, "symmetry");
    options.hips = ug_option_flag(o, "hips");
    options.keep_bones = ug_option_flag(o, "keep_bones");
    options.subject = ug_option_text(o, "subject_label");
    options.jobs = context->jobs;
    options.progress = &context->work;
    status = ug_calibrate(&subject->skeleton, &subject->attachments, &report, &context->warnings,
                          skeleton, &attachments, in->slices, in->count, &options, err);
    if (status == UG_OK) {
        ug_stage_say(context, "fitted %zu joints to %zu of %zu usable frames",
                     subject->skeleton->joint_count, report.fit_frames, report.usable_frames);
        add_metrics(&context->metrics, &report, subject->skeleton, &subject->attachments);
    }
done:
    ug_calibrate_report_fini(&report);
    ug_library_sets_destroy(sets, options.known_count);
    ug_attachments_fini(&attachments);
    ug_attachments_fini(&own);
    ug_skeleton_destroy(skeleton);
    return status;
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    inputs in = { 0 };
    ug_take subject;
    ug_take_init(&subject);
    ug_status status = ug_stage_may_write_store(context, context->output, err);
    if (status == UG_OK) {
        status = read_inputs(&in, context, err);
    }
    for (size_t i = 0; status == UG_OK && i < in.count; i++) {
        status = ug_provenance_merge(&subject.provenance, &in.takes[i].provenance, err);
    }
    if (status == UG_OK) {
        status = calibrate(&subject, &in, context, err);
    }
    if (status == UG_OK) {
        status = ug_stage_write(self, context, context->output, &subject,
                                UG_PART_SKELETON | UG_PART_ATTACHMENTS, NULL, err);
    }
    inputs_fini(&in);
    ug_take_fini(&subject);
    return status;
}

const ug_stage ug_stage_calibrate = {
    .name = "calibrate",
    .summary = "fit a template skeleton and its markers to one person",
    .usage = "static.h5 moving.h5 --template NAME|FILE --markers NAME|FILE -o subject.h5",
    .examples = "  ugoki calibrate clean.h5 --markers cmu_41 -o subject.h5\n"
                "  ugoki calibrate static.h5 squats.h5 --markers plugin_gait_39 -o subject.h5\n"
                "  ugoki calibrate take.h5 --template nick.vsk -o subject.h5\n"
                "A static pose alone says little about joint centres: add a moving take.\n",
    .reads = "markers",
    .writes = "skeleton, attachments",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 1,
    .inputs_max = (size_t)-1,
    .run = run,
};
