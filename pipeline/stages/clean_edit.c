// SPDX-License-Identifier: MIT
// Of clean: what people ask for by name, done before anything else looks at the take: the subject,
// the labels given on the command line or in the recipe, then the hand edits of a file.
#include "formats/settings_yaml.h"
#include "motion/text.h"
#include "pipeline/stages/clean_labels.h"
#include "pipeline/stages/clean_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Series of /quality that name columns of the markers, and in how many of their own, the first.
static const struct {
    const char *name;
    size_t columns;
    bool rows_stay; // a row is of something else: its marker becomes unknown
} SERIES[] = {
    { "spikes", 1, false },          { "frozen", 1, false },
    { "fallen", 1, false },          { "swaps", 4, false },
    { "swap_candidates", 2, false }, { "joined_fragments", 2, false },
    { "smoothed_runs", 1, false },   { "residual_marker", 1, true },
};

static float column_now(const ug_edits_report *report, float was)
{
    for (size_t i = 0; i < report->column_count; i++) {
        if (report->columns[i] != SIZE_MAX && (float)report->columns[i] == was) {
            return (float)i;
        }
    }
    return NAN;
}

static ug_status follow_series(ug_take *take, const ug_series *s, size_t columns, bool rows_stay,
                               const ug_edits_report *report, ug_error *err)
{
    float *rows = malloc((s->rows * s->columns + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for /quality/%s", s->name);
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->rows; i++) {
        float *row = rows + kept * s->columns;
        bool gone = false;
        memcpy(row, s->values + i * s->columns, s->columns * sizeof *row);
        for (size_t k = 0; k < columns && k < s->columns; k++) {
            const float was = row[k];
            row[k] = isnan(was) ? was : column_now(report, was);
            gone = gone || (isnan(row[k]) && !isnan(was));
        }
        kept += !gone || rows_stay;
    }
    const ug_status status =
        ug_quality_set(&take->quality, s->name, s->unit, kept, s->columns, rows, err);
    free(rows);
    return status;
}

static bool columns_changed(const ug_edits_report *report, size_t marker_count)
{
    bool changed = report->column_count != marker_count;
    for (size_t i = 0; i < report->column_count && !changed; i++) {
        changed = report->columns[i] != i;
    }
    return changed;
}

// What earlier stages said of markers by number goes with them.
static ug_status follow_quality(ug_take *take, const ug_edits_report *report, ug_error *err)
{
    ug_status status = UG_OK;
    for (size_t i = 0; i < sizeof SERIES / sizeof *SERIES && status == UG_OK; i++) {
        const ug_series *s = ug_quality_find(&take->quality, SERIES[i].name);
        if (s) {
            status = follow_series(take, s, SERIES[i].columns, SERIES[i].rows_stay, report, err);
        }
    }
    return status;
}

static ug_status apply(ug_take *take, ug_edits_report *report, const ug_edits *edits,
                       ug_stage_context *context, ug_error *err)
{
    const size_t marker_count = take->markers->marker_count;
    const ug_status status = ug_edits_apply(take->markers, report, &context->warnings, edits, err);
    return status == UG_OK && columns_changed(report, marker_count)
               ? follow_quality(take, report, err)
               : status;
}

static ug_status apply_options(ug_take *take, ug_stage_context *context, ug_error *err)
{
    ug_edits edits = { 0 };
    ug_edits_report report = { 0 };
    ug_status status = ug_clean_label_edits(&edits, take->markers, context->options, err);
    if (status == UG_OK && edits.count > 0) {
        status = apply(take, &report, &edits, context, err);
    }
    if (status == UG_OK && edits.count > 0) {
        ug_stage_say(context, "changed labels: %zu renamed, %zu dropped", report.renamed_markers,
                     report.dropped_markers);
    }
    ug_edits_report_fini(&report);
    ug_edits_fini(&edits);
    return status;
}

static ug_status apply_file(ug_take *take, ug_edits_report *report, const char *path,
                            ug_stage_context *context, ug_error *err)
{
    ug_edits edits = { 0 };
    ug_status status = ug_edits_read(&edits, path, err);
    if (status == UG_OK) {
        status = apply(take, report, &edits, context, err);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    } else {
        ug_metrics_set(&context->metrics, "edit_count", (double)edits.count);
        ug_stage_say(context, "applied %zu edits", edits.count);
    }
    ug_edits_fini(&edits);
    return status;
}

ug_status ug_clean_edit(ug_take *take, ug_edits_report *report, ug_stage_context *context,
                        ug_error *err)
{
    const char *path = ug_option_text(context->options, "edits");
    const ug_status status = apply_options(take, context, err);
    return status == UG_OK && path ? apply_file(take, report, path, context, err) : status;
}
