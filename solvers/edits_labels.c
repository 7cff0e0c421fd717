// SPDX-License-Identifier: MIT
#include "solvers/edits_labels.h"

#include "motion/text.h"
#include "solvers/markers_columns.h"
#include "solvers/markers_move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ug_edit_name ug_edit_said(const ug_edit *edit)
{
    ug_edit_name name;
    if (edit->said) {
        (void)snprintf(name.text, sizeof name.text, "%s", edit->said);
    } else {
        (void)snprintf(name.text, sizeof name.text, "edit at line %d", edit->line);
    }
    return name;
}

ug_status ug_edit_find_label(size_t *marker, const ug_markers *markers, const ug_edit *edit,
                             const char *label, ug_error *err)
{
    const ptrdiff_t found = ug_markers_find(markers, label);
    if (found < 0) {
        return ug_fail(err, UG_E_DATA,
                       "%s: there is no marker '%s'; see `ugoki info` for the labels",
                       ug_edit_said(edit).text, label);
    }
    *marker = (size_t)found;
    return UG_OK;
}

// Among those of one subject.
static bool is_taken(const ug_markers *m, const char *label, size_t marker)
{
    const char *mine = m->subjects[marker];
    for (size_t i = 0; i < m->marker_count; i++) {
        const char *other = m->subjects[i];
        if (m->labels[i] && strcmp(m->labels[i], label) == 0 &&
            strcmp(mine ? mine : "", other ? other : "") == 0) {
            return true;
        }
    }
    return false;
}

static ug_status rename_marker(ug_markers *m, ug_edits_report *report, const ug_edit *edit,
                               size_t marker, ug_error *err)
{
    if (is_taken(m, edit->labels[1], marker)) {
        return ug_fail(err, UG_E_DATA,
                       "%s: '%s' cannot become '%s', which exists; swap or merge them, or rename "
                       "that one first",
                       ug_edit_said(edit).text, edit->labels[0], edit->labels[1]);
    }
    char *label = ug_text_copy(edit->labels[1]);
    if (!label) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %s", ug_edit_said(edit).text);
    }
    free(m->labels[marker]);
    m->labels[marker] = label;
    // a name makes a marker of a point that nobody had named
    m->kinds[marker] = m->kinds[marker] == UG_POINT_UNLABELLED ? UG_POINT_MARKER : m->kinds[marker];
    report->renamed_markers++;
    return UG_OK;
}

static void follow_columns(ug_edits_report *report, size_t gone)
{
    size_t kept = 0;
    for (size_t i = 0; i < report->settled_count; i++) {
        ug_swap_settled s = report->settled[i];
        if (s.markers[0] != gone && s.markers[1] != gone) {
            s.markers[0] -= s.markers[0] > gone;
            s.markers[1] -= s.markers[1] > gone;
            report->settled[kept++] = s;
        }
    }
    report->settled_count = kept;
    for (size_t i = gone + 1; i < report->column_count; i++) {
        report->columns[i - 1] = report->columns[i];
    }
    report->column_count--;
}

// `gone` (marker_count) says which.
static ug_status drop_columns(ug_markers *m, ug_edits_report *report, const bool *gone,
                              ug_error *err)
{
    size_t *columns = calloc(m->marker_count + 1, sizeof *columns);
    if (!columns) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu columns", m->marker_count);
    }
    const size_t before = m->marker_count;
    size_t count = 0;
    for (size_t i = 0; i < before; i++) {
        if (!gone[i]) {
            columns[count++] = i;
        }
    }
    const ug_status status = ug_markers_columns(m, columns, count, err);
    free(columns);
    for (size_t i = before; status == UG_OK && i-- > 0;) {
        if (gone[i]) {
            follow_columns(report, i);
            report->dropped_markers++;
        }
    }
    return status;
}

ug_status ug_edit_drop(ug_markers *markers, ug_edits_report *report, const ug_edit *edits,
                       size_t count, ug_error *err)
{
    bool *gone = calloc(markers->marker_count + 1, sizeof *gone);
    ug_status status =
        gone ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory for %s", ug_edit_said(edits).text);
    for (size_t i = 0; i < count && status == UG_OK; i++) {
        size_t marker = 0;
        status = ug_edit_find_label(&marker, markers, &edits[i], edits[i].labels[0], err);
        if (status == UG_OK && gone[marker]) {
            status = ug_fail(err, UG_E_DATA, "%s: '%s' was dropped already",
                             ug_edit_said(&edits[i]).text, edits[i].labels[0]);
        } else if (status == UG_OK) {
            gone[marker] = true;
        }
    }
    if (status == UG_OK) {
        status = drop_columns(markers, report, gone, err);
    }
    free(gone);
    return status;
}

static ug_status drop_marker(ug_markers *m, ug_edits_report *report, size_t marker, ug_error *err)
{
    bool *gone = calloc(m->marker_count, sizeof *gone);
    if (!gone) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu columns", m->marker_count);
    }
    gone[marker] = true;
    const ug_status status = drop_columns(m, report, gone, err);
    free(gone);
    return status;
}

// One missing sample of `to` comes from `from`.
static void hand_over(ug_markers *m, size_t frame, size_t to, size_t from)
{
    ug_markers_exchange(m, frame, to, from);
    m->origin[ug_markers_index(m, frame, to)] |= UG_ORIGIN_REPAIRED | UG_ORIGIN_EDITED;
}

static ug_status merge_marker(ug_markers *m, ug_edits_report *report, ug_warnings *warnings,
                              const ug_edit *edit, size_t marker, ug_error *err)
{
    size_t other = 0, both = 0, first_both = 0;
    const ug_status status = ug_edit_find_label(&other, m, edit, edit->labels[1], err);
    if (status != UG_OK) {
        return status;
    }
    if (other == marker) {
        return ug_fail(err, UG_E_DATA, "%s: '%s' is merged with itself", ug_edit_said(edit).text,
                       edit->labels[0]);
    }
    for (size_t f = (size_t)edit->first; f <= (size_t)edit->last; f++) {
        const bool here = ug_markers_present(m, f, marker), there = ug_markers_present(m, f, other);
        if (!here && there) {
            hand_over(m, f, marker, other);
            report->merged_samples++;
        } else if (here && there) {
            first_both = both++ == 0 ? f : first_both;
        }
    }
    if (both > 0) {
        ug_warn_times(warnings, both, "merge_overlap",
                      "%s: both '%s' and '%s' are there (first: frame %zu); %s",
                      ug_edit_said(edit).text, edit->labels[0], edit->labels[1], first_both,
                      edit->whole_take ? "those of the second are dropped"
                                       : "those of the second stay with it");
    }
    return edit->whole_take ? drop_marker(m, report, other, err) : UG_OK;
}

static ug_status add_column(ug_markers *m, ug_edits_report *report, const ug_edit *edit,
                            size_t marker, ug_error *err)
{
    const size_t count = m->marker_count + 1;
    size_t *columns = malloc(count * sizeof *columns);
    size_t *more = realloc(report->columns, count * sizeof *more);
    report->columns = more ? more : report->columns;
    char *label = ug_text_copy(edit->labels[1]);
    char *subject = ug_text_copy(m->subjects[marker] ? m->subjects[marker] : "");
    ug_status status = UG_OK;
    if (!columns || !more || !label || !subject) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for %s", ug_edit_said(edit).text);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        columns[i] = i < m->marker_count ? i : SIZE_MAX;
    }
    status = ug_markers_columns(m, columns, count, err);
    if (status == UG_OK) {
        m->labels[count - 1] = label;
        m->subjects[count - 1] = subject;
        label = subject = NULL;
        report->columns[report->column_count++] = SIZE_MAX;
    }

done:
    free(columns);
    free(label);
    free(subject);
    return status;
}

static ug_status split_marker(ug_markers *m, ug_edits_report *report, const ug_edit *edit,
                              size_t marker, ug_error *err)
{
    if (is_taken(m, edit->labels[1], marker)) {
        return ug_fail(err, UG_E_DATA,
                       "%s: the part of '%s' cannot be called '%s', which exists; take another "
                       "name, and merge the two",
                       ug_edit_said(edit).text, edit->labels[0], edit->labels[1]);
    }
    const ug_status status = add_column(m, report, edit, marker, err);
    for (size_t f = (size_t)edit->first; status == UG_OK && f <= (size_t)edit->last; f++) {
        if (ug_markers_present(m, f, marker)) {
            hand_over(m, f, m->marker_count - 1, marker);
            report->split_samples++;
        }
    }
    return status;
}

ug_status ug_edit_labels(ug_markers *markers, ug_edits_report *report, ug_warnings *warnings,
                         const ug_edit *edit, size_t marker, ug_error *err)
{
    switch (edit->kind) {
    case UG_EDIT_RENAME:
        return rename_marker(markers, report, edit, marker, err);
    case UG_EDIT_MERGE:
        return merge_marker(markers, report, warnings, edit, marker, err);
    default:
        return split_marker(markers, report, edit, marker, err);
    }
}
