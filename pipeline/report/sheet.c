// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet.h"

#include "pipeline/report/sheet_draw.h"
#include "pipeline/report/sheet_file.h"
#include "pipeline/report/sheet_select.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static ug_status choose_given(size_t *frames, const ug_sheet_actor *first,
                              const ug_sheet_opts *opts, ug_error *err)
{
    const int64_t last = (int64_t)first->frame_count - 1;
    for (size_t k = 0; k < opts->pose_count; k++) {
        if (opts->frames[k] < 0 || opts->frames[k] > last) {
            ug_error_where(err, "%s", first->in.name);
            return ug_fail(err, UG_E_USAGE, "frame %lld is not in the take: it has 0 to %lld",
                           (long long)opts->frames[k], (long long)last);
        }
        frames[k] = (size_t)opts->frames[k];
    }
    return UG_OK;
}

// Which frames of the first take; `count` is how many in the end.
static ug_status choose(size_t *frames, size_t *count, const ug_sheet_actor *first,
                        const ug_sheet_opts *opts, ug_error *err)
{
    *count = opts->pose_count;
    if (opts->frames) {
        return choose_given(frames, first, opts, err);
    }
    const double hz = ug_sheet_actor_hz(first), end = (double)(first->frame_count - 1);
    // half a frame of grace: times are printed rounded
    const double from = isnan(opts->from_s) ? 0.0 : ceil(opts->from_s * hz - 0.5);
    const double to = isnan(opts->to_s) ? end : fmin(floor(opts->to_s * hz + 0.5), end);
    if (from > end || to < 0.0) {
        ug_error_where(err, "%s", first->in.name);
        return ug_fail(err, UG_E_USAGE, "nothing from %g s on: the take ends at %.3f s",
                       isnan(opts->from_s) ? opts->to_s : opts->from_s, end / hz);
    }
    if (to < from) {
        return ug_fail(err, UG_E_USAGE, "from_s is after to_s");
    }
    const size_t low = (size_t)fmax(from, 0.0), high = (size_t)to;
    if (opts->pick == UG_SHEET_KEYS && first->has_motion) {
        const ug_take *take = first->in.take;
        const ug_status status = ug_sheet_select_keys(frames, count, opts->pose_count,
                                                      take->skeleton, take->clip, low, high, err);
        if (status != UG_OK || *count > 0) {
            return status;
        }
    }
    *count = ug_sheet_select_even(frames, opts->pose_count, low, high);
    return UG_OK;
}

static ug_status pose_actors(ug_sheet_actor *actors, size_t count, const size_t *frames,
                             size_t pose_count, const ug_sheet_opts *opts, ug_error *err)
{
    ug_status status = UG_OK;
    for (size_t a = 0; a < count && status == UG_OK; a++) {
        ptrdiff_t own[UG_SHEET_POSES_MAX];
        for (size_t k = 0; k < pose_count; k++) {
            // without both rates, frames are all that can be compared
            const bool timed = ug_rate_is_valid(actors[0].rate) && ug_rate_is_valid(actors[a].rate);
            const double time_s = (double)frames[k] / ug_sheet_actor_hz(&actors[0]);
            own[k] = a == 0  ? (ptrdiff_t)frames[k]
                     : timed ? ug_sheet_actor_frame_at(&actors[a], time_s)
                     : frames[k] < actors[a].frame_count ? (ptrdiff_t)frames[k]
                                                         : -1;
        }
        status = ug_sheet_actor_pose(&actors[a], own, pose_count, opts->trails, err);
    }
    return status;
}

static ug_status fill_report(ug_sheet_report *report, const ug_sheet_layout *layout,
                             const ug_sheet_actor *actors, ug_error *err)
{
    const size_t takes = layout->block_count, poses = layout->pose_count;
    *report = (ug_sheet_report){ .width_px = (int)layout->width_px,
                                 .height_px = (int)layout->height_px,
                                 .px_per_m = layout->px_per_m,
                                 .pose_count = poses,
                                 .take_count = takes };
    report->frames = malloc((takes * poses + 1) * sizeof *report->frames);
    report->times_s = malloc((takes * poses + 1) * sizeof *report->times_s);
    if (!report->frames || !report->times_s) {
        ug_sheet_report_fini(report);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < takes * poses; i++) {
        report->frames[i] = actors[i / poses].poses[i % poses].frame;
        report->times_s[i] = actors[i / poses].poses[i % poses].time_s;
    }
    return UG_OK;
}

ug_status ug_sheet_write(ug_sheet_report *report, const char *path, const ug_sheet_input *inputs,
                         size_t count, const ug_sheet_opts *opts, ug_error *err)
{
    assert(count > 0 && opts->view_count > 0 && opts->pose_count > 0 &&
           opts->pose_count <= UG_SHEET_POSES_MAX);
    size_t frames[UG_SHEET_POSES_MAX], pose_count = 0;
    ug_sheet_layout layout = { 0 };
    ug_sheet_file file = { 0 };
    ug_status status = UG_OK;
    ug_sheet_actor *actors = calloc(count, sizeof *actors);
    if (report) {
        *report = (ug_sheet_report){ 0 };
    }
    if (!actors) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t a = 0; a < count && status == UG_OK; a++) {
        status = ug_sheet_actor_init(&actors[a], &inputs[a], opts->markers, err);
        if (status != UG_OK) {
            ug_error_where(err, "%s", inputs[a].name);
        }
    }
    if (status == UG_OK) {
        status = choose(frames, &pose_count, &actors[0], opts, err);
    }
    if (status == UG_OK) {
        status = pose_actors(actors, count, frames, pose_count, opts, err);
    }
    if (status == UG_OK) {
        status = ug_sheet_layout_make(&layout, actors, count, opts, err);
    }
    if (status == UG_OK) {
        status = ug_sheet_file_open(&file, path, (int)layout.width_px, (int)layout.height_px, err);
    }
    if (status == UG_OK) {
        status = ug_sheet_draw(file.pen, &layout, actors, opts, err);
        status = status == UG_OK ? ug_sheet_file_commit(&file, err) : status;
    }
    if (status == UG_OK && report) {
        status = fill_report(report, &layout, actors, err);
    }
    ug_sheet_file_discard(&file);
    ug_sheet_layout_fini(&layout);
    for (size_t a = 0; a < count; a++) {
        ug_sheet_actor_fini(&actors[a]);
    }
    free(actors);
    return status;
}

void ug_sheet_report_fini(ug_sheet_report *report)
{
    if (report) {
        free(report->frames);
        free(report->times_s);
        *report = (ug_sheet_report){ 0 };
    }
}
