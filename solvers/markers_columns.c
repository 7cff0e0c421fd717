// SPDX-License-Identifier: MIT
#include "solvers/markers_columns.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

static void copy_sample(ug_markers *to, size_t i, const ug_markers *from, size_t k)
{
    memcpy(to->positions + 3 * i, from->positions + 3 * k, 3 * sizeof *to->positions);
    to->origin[i] = from->origin[k];
    to->method[i] = from->method[k];
    to->predicted_error_mm[i] = from->predicted_error_mm[k];
    to->residuals[i] = from->residuals[k];
    to->cameras[i] = from->cameras[k];
    if (from->unfiltered) {
        memcpy(to->unfiltered + 3 * i, from->unfiltered + 3 * k, 3 * sizeof *to->unfiltered);
    }
}

static bool copy_column(ug_markers *to, size_t at, const ug_markers *from, size_t column)
{
    if (column == SIZE_MAX) {
        return true;
    }
    to->kinds[at] = from->kinds[column];
    to->labels[at] = from->labels[column] ? ug_text_copy(from->labels[column]) : NULL;
    to->subjects[at] = from->subjects[column] ? ug_text_copy(from->subjects[column]) : NULL;
    for (size_t f = 0; f < from->frame_count; f++) {
        copy_sample(to, ug_markers_index(to, f, at), from, ug_markers_index(from, f, column));
    }
    return (!from->labels[column] || to->labels[at]) &&
           (!from->subjects[column] || to->subjects[at]);
}

ug_status ug_markers_columns(ug_markers *markers, const size_t *columns, size_t count,
                             ug_error *err)
{
    ug_markers *to = ug_markers_create(markers->frame_count, count, markers->rate);
    bool made = to && (!markers->unfiltered || ug_markers_make_unfiltered(to));
    if (made) {
        to->first_frame = markers->first_frame;
        to->scale_m = markers->scale_m;
    }
    for (size_t i = 0; made && i < count; i++) {
        made = copy_column(to, i, markers, columns[i]);
    }
    if (!made) {
        ug_markers_destroy(to);
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu columns of markers", count);
    }
    const ug_markers kept = *markers;
    *markers = *to;
    *to = kept;
    ug_markers_destroy(to);
    return UG_OK;
}
