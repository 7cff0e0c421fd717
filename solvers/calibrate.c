// SPDX-License-Identifier: MIT
#include "solvers/calibrate.h"

#include "solvers/calibrate_body.h"
#include "solvers/calibrate_check.h"
#include "solvers/calibrate_exchange.h"
#include "solvers/calibrate_fit.h"
#include "solvers/calibrate_frames.h"
#include "solvers/calibrate_labels.h"
#include "solvers/calibrate_report.h"
#include "solvers/calibrate_size.h"

#include <assert.h>
#include <stdlib.h>

enum { MARKERS_MIN = 6 };

ug_calibrate_options ug_calibrate_default_options(void)
{
    return (ug_calibrate_options){ .frames = 60,
                                   .candidates = 120,
                                   .rounds = 2,
                                   .min_frames = 5,
                                   .symmetry = true,
                                   .hips = true,
                                   .prior_scale = 1.0,
                                   .jobs = 1 };
}

void ug_calibrate_report_fini(ug_calibrate_report *report)
{
    if (report) {
        free(report->joints);
        free(report->markers);
        *report = (ug_calibrate_report){ 0 };
    }
}

static ug_status report_init(ug_calibrate_report *report, size_t joint_count, size_t marker_count,
                             ug_error *err)
{
    *report = (ug_calibrate_report){ .joint_count = joint_count, .marker_count = marker_count };
    report->joints = calloc(joint_count + 1, sizeof *report->joints);
    report->markers = calloc(marker_count + 1, sizeof *report->markers);
    return report->joints && report->markers ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
}

// Everything a calibration owns on its way.
typedef struct work {
    ug_samples samples;
    ug_skeleton *skeleton;      // template scaled to the person
    ug_attachments attachments; // likewise
    size_t *usable, *rows;
    int *partner;
    ug_fit fit;
    ug_calibrate_report report;
} work;

static void work_fini(work *w)
{
    ug_samples_fini(&w->samples);
    ug_skeleton_destroy(w->skeleton);
    ug_attachments_fini(&w->attachments);
    free(w->usable);
    free(w->rows);
    free(w->partner);
    ug_fit_fini(&w->fit);
    ug_calibrate_report_fini(&w->report);
}

static ug_status check_enough(const work *w, size_t usable, const ug_calibrate_take *takes,
                              size_t take_count, const ug_calibrate_options *options, ug_error *err)
{
    if (w->report.markers_found < MARKERS_MIN) {
        const ug_attachment *first = NULL;
        for (size_t m = 0; m < w->samples.marker_count && !first; m++) {
            first = w->samples.seen[m] > 0 ? &w->attachments.items[m] : NULL;
        }
        char hint[96];
        ug_samples_suggest(hint, sizeof hint, takes, take_count, options);
        return ug_fail(err, UG_E_NOT_ENOUGH,
                       "only %zu of the %zu markers of the set are seen (%s%s), %d are needed; %s",
                       w->report.markers_found, w->attachments.count, first ? first->label : "none",
                       w->report.markers_found > 1 ? ", …" : "", MARKERS_MIN, hint);
    }
    if (usable < options->min_frames || usable == 0) {
        return ug_fail(err, UG_E_NOT_ENOUGH,
                       "%zu frames show enough markers, calibration needs %zu: give a longer slice "
                       "or another take",
                       usable, options->min_frames);
    }
    return UG_OK;
}

static ug_status check_joints(const ug_skeleton *skeleton, const ug_attachments *attachments,
                              ug_error *err)
{
    for (size_t m = 0; m < attachments->count; m++) {
        const ug_attachment *item = &attachments->items[m];
        if (item->joint < 0 || (size_t)item->joint >= skeleton->joint_count) {
            return ug_fail(err, UG_E_DATA,
                           "marker '%s' sits on segment '%s', which the skeleton does not have",
                           item->label, item->segment);
        }
    }
    return UG_OK;
}

// Samples, size of the person, strays; ends with the rows of the candidates.
static ug_status prepare(work *w, size_t *row_count, const ug_skeleton *skeleton,
                         const ug_attachments *attachments, const ug_calibrate_take *takes,
                         size_t take_count, const ug_calibrate_options *options, ug_error *err)
{
    ug_status status = check_joints(skeleton, attachments, err);
    if (status == UG_OK) {
        status = ug_samples_gather(&w->samples, attachments, takes, take_count, options, err);
    }
    if (status == UG_OK) {
        status = report_init(&w->report, skeleton->joint_count, attachments->count, err);
    }
    if (status == UG_OK) {
        status = ug_attachments_copy(&w->attachments, attachments, err);
    }
    if (status != UG_OK) {
        return status;
    }
    w->skeleton = ug_skeleton_copy(skeleton);
    w->usable = malloc((w->samples.frame_count + 1) * sizeof *w->usable);
    w->rows = malloc((options->candidates + 6 * take_count + 1) * sizeof *w->rows);
    w->partner = malloc((attachments->count + 1) * sizeof *w->partner);
    if (!w->skeleton || !w->usable || !w->rows || !w->partner) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t m = 0; m < attachments->count; m++) {
        w->report.markers[m].sample_count = w->samples.seen[m];
    }
    status = ug_size_scale(&w->report.scale, &w->samples, attachments, err);
    if (status != UG_OK) {
        return status;
    }
    if (!options->keep_bones) {
        ug_body_scale(w->skeleton, &w->attachments, w->report.scale);
    }
    status = ug_labels_drop_strays(&w->samples, w->skeleton, &w->attachments, false, err);
    if (status != UG_OK) {
        return status;
    }
    for (size_t m = 0; m < attachments->count; m++) {
        w->report.markers_found += w->samples.seen[m] > 0;
    }
    const size_t usable = ug_samples_usable(w->usable, &w->samples);
    w->report.usable_frames = usable;
    *row_count =
        ug_frames_spread(w->rows, options->candidates, &w->samples, w->usable, usable, take_count);
    return check_enough(w, usable, takes, take_count, options, err);
}

static ug_status step(const ug_calibrate_options *options, double share, ug_error *err)
{
    return ug_progress_report(options->progress, share)
               ? UG_OK
               : ug_fail(err, UG_E_INTERRUPTED, "calibration was interrupted");
}

// With bones known, a marker on something else within reach of the guessed ones is found too.
static ug_status drop_strays_again(work *w, ug_error *err)
{
    const ug_ik_model *model = w->fit.model;
    for (size_t j = 0; j < model->joint_count; j++) {
        w->skeleton->joints[j].offset_m = model->joints[j].offset_m;
    }
    for (size_t m = 0; m < model->marker_count; m++) {
        w->attachments.items[m].local_m = model->markers[m].local_m;
    }
    const ug_status status =
        ug_labels_drop_strays(&w->samples, w->skeleton, &w->attachments, true, err);
    ug_fit_take_weights(&w->fit, &w->samples, w->rows);
    return status;
}

static ug_status run(work *w, const ug_calibrate_options *options, ug_error *err)
{
    ug_fit *fit = &w->fit;
    ug_status status = ug_fit_pose(fit, err);
    if (status == UG_OK && (status = step(options, 0.25, err)) == UG_OK && !options->keep_bones) {
        status = ug_fit_proportions(fit, err);
    }
    if (status == UG_OK) {
        status = ug_fit_pose(fit, err);
    }
    if (status == UG_OK && (status = step(options, 0.4, err)) == UG_OK) {
        status = ug_fit_exchange(fit, w->partner, err);
    }
    if (status == UG_OK && options->hips && !options->keep_bones) {
        w->report.hips_by_regression =
            ug_pelvis_regression(fit->skeleton, &fit->attachments, &w->samples);
        ug_fit_prior_to_shape(fit);
        if (w->report.hips_by_regression) {
            status = ug_fit_pose(fit, err);
        }
    }
    for (size_t round = 0; round < options->rounds && status == UG_OK; round++) {
        status = step(options, 0.5 + 0.45 * (double)round / (double)options->rounds, err);
        if (status == UG_OK) {
            status = ug_fit_bundle(fit, round == 0 ? 0.10 : 0.05, err);
        }
        if (status == UG_OK && round == 0) {
            status = drop_strays_again(w, err);
        }
        if (status == UG_OK) {
            status = ug_fit_pose(fit, err);
        }
    }
    if (status == UG_OK && (status = step(options, 0.95, err)) == UG_OK) {
        status =
            ug_check_takes(&w->report, fit, &w->samples, w->usable, w->report.usable_frames, err);
    }
    return status;
}

ug_status ug_calibrate(ug_skeleton **out_skeleton, ug_attachments *out_attachments,
                       ug_calibrate_report *report, ug_warnings *warnings,
                       const ug_skeleton *skeleton, const ug_attachments *attachments,
                       const ug_calibrate_take *takes, size_t take_count,
                       const ug_calibrate_options *options, ug_error *err)
{
    assert(out_skeleton && out_attachments && skeleton && attachments && takes && take_count > 0);
    assert(out_attachments->count == 0);
    const ug_calibrate_options defaults = ug_calibrate_default_options();
    options = options ? options : &defaults;
    *out_skeleton = NULL;
    if (report) {
        *report = (ug_calibrate_report){ 0 };
    }
    work w = { 0 };
    size_t row_count = 0;
    ug_status status =
        prepare(&w, &row_count, skeleton, attachments, takes, take_count, options, err);
    if (status == UG_OK) {
        status = ug_fit_init(&w.fit, w.skeleton, &w.attachments, &w.samples, w.rows, row_count,
                             options, err);
    }
    if (status == UG_OK) {
        status = run(&w, options, err);
    }
    if (status == UG_OK) {
        status = ug_calibrate_report_fill(&w.report, &w.fit, w.partner, err);
    }
    if (status == UG_OK) {
        ug_samples_warn_unused(warnings, attachments, takes, take_count, options);
        ug_calibrate_report_warn(warnings, &w.report, &w.fit, takes);
        status = ug_calibrate_result(out_skeleton, out_attachments, &w.fit, &w.report, err);
    }
    if (status == UG_OK && report) {
        *report = w.report;
        w.report = (ug_calibrate_report){ 0 };
    }
    work_fini(&w);
    return status;
}
