// SPDX-License-Identifier: MIT
#include "solvers/edits_apply.h"

#include "motion/text.h"
#include "solvers/gap_methods.h"
#include "solvers/markers_check.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SPLINE_MAX_S = 0.1;

static ug_status find_label(size_t *marker, const ug_markers *markers, const ug_edit *edit,
                            const char *label, ug_error *err)
{
    const ptrdiff_t found = ug_markers_find(markers, label);
    if (found < 0) {
        return ug_fail(err, UG_E_DATA,
                       "edit at line %d: there is no marker '%s'; see `ugoki info` for the labels",
                       edit->line, label);
    }
    *marker = (size_t)found;
    return UG_OK;
}

static ug_status check_frames(const ug_markers *markers, const ug_edit *edit, ug_error *err)
{
    if (edit->first < 0 || edit->first > edit->last || (size_t)edit->last >= markers->frame_count) {
        return ug_fail(err, UG_E_DATA,
                       "edit at line %d: frames %ld-%ld are not within the take's 0-%zu",
                       edit->line, edit->first, edit->last,
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

static ug_status fill_gap(ug_markers *markers, ug_edits_report *report, ug_gap_scratch *scratch,
                          const ug_edit *edit, const ug_gap *gap, ug_error *err)
{
    ug_fill_method method = UG_FILL_RIGID;
    const double spline_max = SPLINE_MAX_S * ug_rate_hz(markers->rate) + 0.5;
    if (!edit->method && gap->has_start && gap->has_end &&
        (double)ug_gap_length(gap) <= spline_max) {
        method = UG_FILL_CUBIC;
    } else if (edit->method && !ug_gap_method_from_name(&method, edit->method)) {
        return ug_fail(err, UG_E_DATA, "edit at line %d: no fill method '%s'; use spline or rigid",
                       edit->line, edit->method);
    }
    double error_mm = NAN;
    if (!ug_gap_method_fill(scratch, &error_mm, markers, gap, method)) {
        return ug_fail(err, UG_E_NOT_ENOUGH,
                       "edit at line %d: marker '%s', frames %zu-%zu cannot be filled: %s",
                       edit->line, edit->labels[0], gap->first, gap->last,
                       method == UG_FILL_CUBIC
                           ? "a spline needs samples on both sides"
                           : "fewer than three neighbours are seen through the gap");
    }
    for (size_t i = 0; i < ug_gap_length(gap); i++) {
        const size_t f = gap->first + i;
        if (f < (size_t)edit->first || f > (size_t)edit->last) {
            continue;
        }
        const size_t at = ug_markers_index(markers, f, gap->marker);
        ug_markers_set_m(markers, f, gap->marker, scratch->out_m[i],
                         UG_ORIGIN_FILLED | UG_ORIGIN_EDITED);
        markers->method[at] = (uint8_t)method;
        markers->predicted_error_mm[at] = (float)error_mm;
        report->filled_samples++;
    }
    return UG_OK;
}

static ug_status apply_fill(ug_markers *markers, ug_edits_report *report, const ug_edit *edit,
                            size_t marker, ug_error *err)
{
    ug_gap_scratch scratch = { calloc(markers->frame_count, sizeof *scratch.out_m),
                               calloc(markers->marker_count, sizeof *scratch.neighbours) };
    ug_status status = UG_OK;
    if (!scratch.out_m || !scratch.neighbours) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for the edit at line %d", edit->line);
    }
    for (size_t f = (size_t)edit->first; status == UG_OK && f <= (size_t)edit->last; f++) {
        if (!ug_markers_present(markers, f, marker)) {
            const ug_gap gap = gap_at(markers, marker, f);
            status = fill_gap(markers, report, &scratch, edit, &gap, err);
            f = gap.last;
        }
    }
    free(scratch.out_m);
    free(scratch.neighbours);
    return status;
}

static void swap_bytes(void *a, void *b, size_t size)
{
    unsigned char keep[16];
    assert(size <= sizeof keep);
    memcpy(keep, a, size);
    memcpy(a, b, size);
    memcpy(b, keep, size);
}

static void apply_swap(ug_markers *m, ug_edits_report *report, const ug_edit *edit,
                       const size_t marker[2])
{
    for (size_t f = (size_t)edit->first; f <= (size_t)edit->last; f++) {
        const size_t a = ug_markers_index(m, f, marker[0]), b = ug_markers_index(m, f, marker[1]);
        swap_bytes(m->positions + 3 * a, m->positions + 3 * b, 3 * sizeof *m->positions);
        swap_bytes(m->origin + a, m->origin + b, sizeof *m->origin);
        if (m->unfiltered) {
            swap_bytes(m->unfiltered + 3 * a, m->unfiltered + 3 * b, 3 * sizeof *m->unfiltered);
        }
        swap_bytes(m->method + a, m->method + b, sizeof *m->method);
        swap_bytes(m->predicted_error_mm + a, m->predicted_error_mm + b,
                   sizeof *m->predicted_error_mm);
        swap_bytes(m->residuals + a, m->residuals + b, sizeof *m->residuals);
        swap_bytes(m->cameras + a, m->cameras + b, sizeof *m->cameras);
        for (size_t k = 0; k < 2; k++) {
            if (ug_markers_present(m, f, marker[k])) {
                m->origin[k == 0 ? a : b] |= UG_ORIGIN_REPAIRED | UG_ORIGIN_EDITED;
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

static ug_status apply_rename(ug_markers *markers, ug_edits_report *report, const ug_edit *edit,
                              size_t marker, ug_error *err)
{
    for (size_t m = 0; m < markers->marker_count; m++) {
        const char *mine = markers->subjects[marker], *other = markers->subjects[m];
        if (markers->labels[m] && strcmp(markers->labels[m], edit->labels[1]) == 0 &&
            strcmp(mine ? mine : "", other ? other : "") == 0) {
            return ug_fail(err, UG_E_DATA,
                           "edit at line %d: '%s' cannot become '%s', which exists; swap them, or "
                           "rename that one first",
                           edit->line, edit->labels[0], edit->labels[1]);
        }
    }
    char *label = ug_text_copy(edit->labels[1]);
    if (!label) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for the edit at line %d", edit->line);
    }
    free(markers->labels[marker]);
    markers->labels[marker] = label;
    report->renamed_markers++;
    return UG_OK;
}

static ug_status apply_edit(ug_markers *markers, ug_edits_report *report, ug_warnings *warnings,
                            const ug_edit *edit, ug_error *err)
{
    if (edit->kind == UG_EDIT_CONTACT) {
        report->contact_edits++;
        return UG_OK;
    }
    const ug_edits_report before = *report;
    size_t marker[2] = { 0, 0 };
    ug_status status = find_label(&marker[0], markers, edit, edit->labels[0], err);
    if (status == UG_OK && edit->kind == UG_EDIT_SWAP) {
        status = find_label(&marker[1], markers, edit, edit->labels[1], err);
        if (status == UG_OK && marker[0] == marker[1]) {
            status = ug_fail(err, UG_E_DATA, "edit at line %d: '%s' is swapped with itself",
                             edit->line, edit->labels[0]);
        }
    }
    if (status == UG_OK && edit->kind != UG_EDIT_RENAME) {
        status = check_frames(markers, edit, err);
    }
    if (status != UG_OK) {
        return status;
    }
    if (edit->kind == UG_EDIT_FILL) {
        status = apply_fill(markers, report, edit, marker[0], err);
    } else if (edit->kind == UG_EDIT_SWAP) {
        apply_swap(markers, report, edit, marker);
    } else if (edit->kind == UG_EDIT_CLEAR) {
        apply_clear(markers, report, edit, marker[0]);
    } else {
        status = apply_rename(markers, report, edit, marker[0], err);
    }
    if (status == UG_OK && memcmp(&before, report, sizeof before) == 0) {
        ug_warn(warnings, "edit_without_effect",
                "the edit at line %d of '%s', frames %ld-%ld, changed nothing", edit->line,
                edit->labels[0], edit->first, edit->last);
    }
    return status;
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
    ug_edits_report r = { 0 };
    for (size_t i = 0; status == UG_OK && i < edits->count; i++) {
        status = apply_edit(work, &r, warnings, &edits->items[i], err);
    }
    if (status == UG_OK) {
        const ug_markers keep = *markers;
        *markers = *work;
        *work = keep;
        if (report) {
            *report = r;
        }
    }
    ug_markers_destroy(work);
    return status;
}
