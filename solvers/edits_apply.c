// SPDX-License-Identifier: MIT
#include "solvers/edits_apply.h"

#include "solvers/blas_threads.h"
#include "solvers/edits_labels.h"
#include "solvers/gap_methods.h"
#include "solvers/markers_check.h"
#include "solvers/markers_move.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SPLINE_MAX_S = 0.06;

static ug_status check_frames(const ug_markers *markers, const ug_edit *edit, ug_error *err)
{
    if (edit->first < 0 || edit->first > edit->last || (size_t)edit->last >= markers->frame_count) {
        return ug_fail(err, UG_E_DATA, "%s: frames %ld-%ld are not within the take's 0-%zu",
                       ug_edit_said(edit).text, edit->first, edit->last,
                       markers->frame_count > 0 ? markers->frame_count - 1 : 0);
    }
    return UG_OK;
}

// The gap around `frame`, whole.
static ug_gap gap_at(const ug_markers *markers, size_t marker, size_t frame)
{
    ug_gap gap = { marker, frame, frame, false, false };
    while (gap.first > 0 && !ug_markers_present(markers, gap.first - 1, marker)) {
        gap.first--;
    }
    while (gap.last + 1 < markers->frame_count &&
           !ug_markers_present(markers, gap.last + 1, marker)) {
        gap.last++;
    }
    gap.has_start = gap.first > 0;
    gap.has_end = gap.last + 1 < markers->frame_count;
    return gap;
}

// What the fills of one edit need of the take.
static ug_status prepare_fill(ug_gap_scene **scene, ug_gap_workspace **workspace,
                              const ug_markers *markers, const ug_edit *edit, ug_error *err)
{
    *scene = ug_gap_scene_create(markers);
    *workspace = ug_gap_workspace_create(markers->frame_count);
    if (!*scene || !*workspace) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %s", ug_edit_said(edit).text);
    }
    ug_blas_single_thread();
    ug_gap_scene_measure_pairs(*scene);
    return UG_OK;
}

static ug_status fill_gap(ug_markers *markers, ug_edits_report *report, const ug_gap_scene *scene,
                          ug_gap_workspace *workspace, const ug_edit *edit, const ug_gap *gap,
                          ug_error *err)
{
    ug_fill_method method = UG_FILL_STACKED;
    const double spline_max = SPLINE_MAX_S * ug_rate_hz(markers->rate) + 0.5;
    if (!edit->method && gap->has_start && gap->has_end &&
        (double)ug_gap_length(gap) <= spline_max) {
        method = UG_FILL_CUBIC;
    } else if (edit->method && !ug_gap_method_from_name(&method, edit->method)) {
        return ug_fail(err, UG_E_DATA, "%s: no fill method '%s'; there are " UG_GAP_METHOD_NAMES,
                       ug_edit_said(edit).text, edit->method);
    }
    if (!ug_gap_method_fill(workspace, scene, gap, method, false)) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "%s: marker '%s', frames %zu-%zu cannot be filled: %s",
                       ug_edit_said(edit).text, edit->labels[0], gap->first, gap->last,
                       method == UG_FILL_CUBIC || method == UG_FILL_LINEAR
                           ? "a marker's own path needs samples on both sides"
                           : "fewer than three neighbours are seen through the gap");
    }
    for (size_t i = 0; i < ug_gap_length(gap); i++) {
        const size_t f = gap->first + i;
        if (f < (size_t)edit->first || f > (size_t)edit->last) {
            continue;
        }
        const size_t at = ug_markers_index(markers, f, gap->marker);
        ug_markers_set_m(markers, f, gap->marker,
                         ug_vec3_scale(ug_vec3_of(workspace->mm + 3 * i), 1e-3),
                         UG_ORIGIN_FILLED | UG_ORIGIN_EDITED);
        markers->method[at] = (uint8_t)workspace->used;
        markers->predicted_error_mm[at] = workspace->error_mm[i];
        report->filled_samples++;
    }
    return UG_OK;
}

static ug_status apply_fill(ug_markers *markers, ug_edits_report *report, const ug_edit *edit,
                            size_t marker, ug_error *err)
{
    ug_gap_scene *scene = NULL;
    ug_gap_workspace *workspace = NULL;
    ug_status status = prepare_fill(&scene, &workspace, markers, edit, err);
    for (size_t f = (size_t)edit->first; status == UG_OK && f <= (size_t)edit->last; f++) {
        if (!ug_markers_present(markers, f, marker)) {
            const ug_gap gap = gap_at(markers, marker, f);
            status = fill_gap(markers, report, scene, workspace, edit, &gap, err);
            f = gap.last;
        }
    }
    ug_gap_workspace_destroy(workspace);
    ug_gap_scene_destroy(scene);
    return status;
}

static void apply_swap(ug_markers *m, ug_edits_report *report, const ug_edit *edit,
                       const size_t marker[2])
{
    for (size_t f = (size_t)edit->first; f <= (size_t)edit->last; f++) {
        ug_markers_exchange(m, f, marker[0], marker[1]);
        for (size_t k = 0; k < 2; k++) {
            if (ug_markers_present(m, f, marker[k])) {
                m->origin[ug_markers_index(m, f, marker[k])] |=
                    UG_ORIGIN_REPAIRED | UG_ORIGIN_EDITED;
                report->swapped_samples++;
            }
        }
    }
}

static void apply_clear(ug_markers *markers, ug_edits_report *report, const ug_edit *edit,
                        size_t marker)
{
    for (size_t f = (size_t)edit->first; f <= (size_t)edit->last; f++) {
        report->cleared_samples += ug_markers_present(markers, f, marker);
        ug_markers_clear(markers, f, marker);
    }
}

static ug_status settle(ug_edits_report *report, const ug_edit *edit, const size_t marker[2],
                        ug_error *err)
{
    ug_swap_settled *more =
        realloc(report->settled, (report->settled_count + 1) * sizeof *report->settled);
    if (!more) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %s", ug_edit_said(edit).text);
    }
    report->settled = more;
    more[report->settled_count++] = (ug_swap_settled){ .first = (size_t)edit->first,
                                                       .last = (size_t)edit->last,
                                                       .markers = { marker[0], marker[1] } };
    return UG_OK;
}

// A keep is one: it holds back what would come later.
static size_t effects(const ug_edits_report *r)
{
    return r->filled_samples + r->swapped_samples + r->cleared_samples + r->renamed_markers +
           r->merged_samples + r->split_samples + r->dropped_markers + r->settled_count;
}

static bool needs_pair(ug_edit_kind kind)
{
    return kind == UG_EDIT_SWAP || kind == UG_EDIT_KEEP;
}

static bool has_frames(ug_edit_kind kind)
{
    return kind != UG_EDIT_RENAME;
}

static ug_status find_markers(size_t marker[2], const ug_markers *markers, const ug_edit *edit,
                              ug_error *err)
{
    ug_status status = ug_edit_find_label(&marker[0], markers, edit, edit->labels[0], err);
    if (status == UG_OK && needs_pair(edit->kind)) {
        status = ug_edit_find_label(&marker[1], markers, edit, edit->labels[1], err);
        if (status == UG_OK && marker[0] == marker[1]) {
            status =
                ug_fail(err, UG_E_DATA, "%s: '%s' is %s itself", ug_edit_said(edit).text,
                        edit->labels[0], edit->kind == UG_EDIT_SWAP ? "swapped with" : "kept from");
        }
    }
    if (status == UG_OK && has_frames(edit->kind)) {
        status = check_frames(markers, edit, err);
    }
    return status;
}

static ug_status do_edit(ug_markers *markers, ug_edits_report *report, ug_warnings *warnings,
                         const ug_edit *edit, const size_t marker[2], ug_error *err)
{
    switch (edit->kind) {
    case UG_EDIT_FILL:
        return apply_fill(markers, report, edit, marker[0], err);
    case UG_EDIT_SWAP:
        apply_swap(markers, report, edit, marker);
        return UG_OK;
    case UG_EDIT_KEEP:
        return UG_OK;
    case UG_EDIT_CLEAR:
        apply_clear(markers, report, edit, marker[0]);
        return UG_OK;
    default:
        return ug_edit_labels(markers, report, warnings, edit, marker[0], err);
    }
}

static ug_status apply_edit(ug_markers *markers, ug_edits_report *report, ug_warnings *warnings,
                            const ug_edit *asked, ug_error *err)
{
    if (asked->kind == UG_EDIT_CONTACT) {
        report->contact_edits++;
        return UG_OK;
    }
    const size_t before = effects(report);
    size_t marker[2] = { 0, 0 };
    ug_edit edit = *asked;
    if (edit.whole_take) {
        edit.first = 0;
        edit.last = (long)markers->frame_count - 1;
    }
    ug_status status = find_markers(marker, markers, &edit, err);
    if (status == UG_OK) {
        status = do_edit(markers, report, warnings, &edit, marker, err);
    }
    if (status == UG_OK && effects(report) == before && edit.kind != UG_EDIT_KEEP) {
        ug_warn(warnings, "edit_without_effect", "the %s of '%s', frames %ld-%ld, changed nothing",
                ug_edit_said(&edit).text, edit.labels[0], edit.first, edit.last);
    }
    if (status == UG_OK && needs_pair(edit.kind)) {
        status = settle(report, &edit, marker, err);
    }
    return status;
}

void ug_edits_report_fini(ug_edits_report *report)
{
    if (report) {
        free(report->settled);
        free(report->columns);
        *report = (ug_edits_report){ 0 };
    }
}

static ug_status start_report(ug_edits_report *report, const ug_markers *markers, ug_error *err)
{
    *report = (ug_edits_report){ .column_count = markers->marker_count };
    report->columns = malloc((markers->marker_count + 1) * sizeof *report->columns);
    for (size_t i = 0; report->columns && i < markers->marker_count; i++) {
        report->columns[i] = i;
    }
    return report->columns ? UG_OK
                           : ug_fail(err, UG_E_NOMEM, "out of memory for the labels of a take");
}

ug_status ug_edits_apply(ug_markers *markers, ug_edits_report *report, ug_warnings *warnings,
                         const ug_edits *edits, ug_error *err)
{
    assert(markers && edits);
    ug_status status = ug_markers_check(markers, err);
    if (status != UG_OK) {
        return status;
    }
    // on a copy, so that a wrong line leaves the take as it was
    ug_markers *work = ug_markers_copy(markers);
    if (!work) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for a copy of the markers");
    }
    ug_edits_report r;
    status = start_report(&r, work, err);
    for (size_t i = 0; status == UG_OK && i < edits->count; i++) {
        size_t drops = 0;
        while (i + drops < edits->count && edits->items[i + drops].kind == UG_EDIT_DROP) {
            drops++;
        }
        if (drops > 0) {
            status = ug_edit_drop(work, &r, &edits->items[i], drops, err);
            i += drops - 1;
        } else {
            status = apply_edit(work, &r, warnings, &edits->items[i], err);
        }
    }
    if (status == UG_OK) {
        const ug_markers keep = *markers;
        *markers = *work;
        *work = keep;
        if (report) {
            *report = r;
            r = (ug_edits_report){ 0 };
        }
    }
    ug_edits_report_fini(&r);
    ug_markers_destroy(work);
    return status;
}
