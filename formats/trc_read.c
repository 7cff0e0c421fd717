// SPDX-License-Identifier: MIT
#include "formats/marker_rows.h"
#include "formats/trc.h"
#include "formats/trc_header.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Names of markers: the cells from the third on. In place, they stand above every third column,
// and a hole among them is a marker without a name.
static ug_status read_names(ug_marker_rows *t, ug_span line)
{
    ug_span cell, shifted = line;
    size_t filled = 0, in_place = 0, width = 0;
    for (size_t column = 0; ug_span_cell(&cell, &line, '\t'); column++) {
        if (column < 2 || ug_span_length(ug_span_trim(cell)) == 0) {
            continue;
        }
        if (column >= 2 + 3 * UG_TEXT_MARKERS_MAX) {
            return ug_fail(t->err, UG_E_FORMAT, "line %zu: more than %d markers", t->names_line,
                           UG_TEXT_MARKERS_MAX);
        }
        filled++;
        in_place += (column - 2) % 3 == 0;
        width = (column - 2) / 3 + 1;
        t->names[width - 1] = ug_span_trim(cell);
    }
    t->named = width;
    if (in_place == filled) {
        return UG_OK;
    }
    if (filled < t->triples) {
        return ug_fail(t->err, UG_E_FORMAT,
                       "line %zu: names do not stand above every third column, and %zu names for "
                       "%zu markers cannot be read in order",
                       t->names_line, filled, t->triples);
    }
    ug_warn(t->warnings, "trc_names_shifted",
            "line %zu: names do not stand above their columns; read in order", t->names_line);
    t->named = 0;
    for (size_t column = 0; ug_span_cell(&cell, &shifted, '\t'); column++) {
        cell = ug_span_trim(cell);
        if (column >= 2 && ug_span_length(cell) > 0 && t->named < UG_TEXT_MARKERS_MAX) {
            t->names[t->named++] = cell;
        }
    }
    return UG_OK;
}

// Recordings are matched to force plates by time, so the time of the first row is kept.
static ug_status keep_start(ug_take *take, double start_s, ug_error *err)
{
    if (!isfinite(start_s) || start_s == 0.0) {
        return UG_OK;
    }
    char text[32];
    const uint8_t length = (uint8_t)snprintf(text, sizeof text, "%.9g", start_s);
    return ug_parameters_set(&take->source.parameters, "TRC", "TIME_START", UG_PARAMETER_CHAR, 1,
                             &length, text, err);
}

static ug_status parse(ug_take *take, ug_marker_rows *t, ug_span text, const ug_read_opts *opts)
{
    ug_trc_header header;
    ug_status status = ug_text_check(text, t->err);
    status = status == UG_OK ? ug_trc_header_read(&header, text, t->warnings, t->err) : status;
    if (status != UG_OK) {
        return status;
    }
    t->data = header.data;
    t->first_line = header.data_line;
    t->names_line = header.names_line;
    t->declared_frames = header.frame_count;
    t->declared_markers = header.marker_count;
    t->declared_rate = header.rate;
    status = ug_marker_rows_scan(t);
    status = status == UG_OK ? read_names(t, header.names) : status;
    status = status == UG_OK ? ug_marker_rows_build(take, t, header.unit, opts) : status;
    if (status == UG_OK && !ug_rate_is_valid(header.rate) &&
        !(opts && ug_rate_is_valid(opts->rate))) {
        ug_warn(t->warnings, "trc_rate_from_time",
                "line 3: DataRate is not a rate; the times give %g Hz",
                ug_rate_hz(take->markers->rate));
    }
    return status == UG_OK ? keep_start(take, t->rows[0].time_s, t->err) : status;
}

ug_status ug_trc_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                       const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    assert(take && bytes && !take->markers);
    const ug_span text = { (const char *)bytes->data, (const char *)bytes->data + bytes->size };
    ug_marker_rows t = { .format = "trc",
                         .separator = '\t',
                         .file_size = bytes->size,
                         .unnamed_allowed = true,
                         .progress = opts ? opts->progress : NULL,
                         .warnings = warnings,
                         .err = err };
    ug_span *names = t.names = calloc(UG_TEXT_MARKERS_MAX, sizeof *names);
    const ug_status status =
        names ? parse(take, &t, text, opts) : ug_fail(err, UG_E_NOMEM, "out of memory");
    ug_marker_rows_fini(&t);
    free(names);
    if (status != UG_OK) {
        ug_take_fini(take);
        ug_error_where(err, "%s", name);
    }
    return status;
}

ug_status ug_trc_read(ug_take *take, const char *path, const ug_read_opts *opts,
                      ug_warnings *warnings, ug_error *err)
{
    ug_bytes bytes = { 0 };
    ug_status status = ug_bytes_read(&bytes, path, err);
    if (status == UG_OK) {
        status = ug_trc_parse(take, &bytes, path, opts, warnings, err);
    }
    ug_bytes_fini(&bytes);
    return status;
}

static bool matches(const uint8_t *head, size_t size)
{
    static const char WORD[] = "PathFileType";
    const size_t skip = size >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return size >= skip + sizeof WORD - 1 && memcmp(head + skip, WORD, sizeof WORD - 1) == 0;
}

const ug_format ug_format_trc = {
    .name = "trc",
    .extensions = ".trc",
    .summary = "TRC, text table of markers",
    .matches = matches,
    .read = ug_trc_read,
    .write = ug_trc_write,
};
