// SPDX-License-Identifier: MIT
#include "formats/marker_rows.h"

#include "formats/decimal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void warn(const ug_marker_rows *t, size_t times, const char *what, const char *fmt, ...)
    UG_PRINTF(4, 5);

static void warn(const ug_marker_rows *t, size_t times, const char *what, const char *fmt, ...)
{
    char words[256];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(words, sizeof words, fmt, args);
    va_end(args);
    ug_warn_times(t->warnings, times, ug_warning_code_of(t->format, what).text, "%s", words);
}

// Frames that numbers with holes may span, however few rows there are: a quarter of an hour at
// 100 Hz. More needs rows to show for it.
enum { SPAN_MAX = 100000 };

#define NO_NUMBER LONG_MIN // of a row whose first cell is no whole number

// --- rows ---

static bool read_double(double *value, ug_span cell)
{
    cell = ug_span_trim(cell);
    return ug_span_length(cell) > 0 && ug_decimal_read(value, cell.p, cell.end) == cell.end;
}

static ug_marker_row scan_row(double *time_precision_s, ug_span line, size_t line_number,
                              char separator)
{
    ug_marker_row r = { .line = line_number, .number = NO_NUMBER, .time_s = NAN };
    *time_precision_s = 1.0;
    ug_span cell;
    double number;
    if (ug_span_cell(&cell, &line, separator) && read_double(&number, cell) && fabs(number) < 1e9 &&
        number == floor(number)) {
        r.number = (long)number;
    }
    if (ug_span_cell(&cell, &line, separator)) {
        if (!read_double(&r.time_s, cell)) {
            r.time_s = NAN;
        }
        *time_precision_s = ug_decimal_precision(ug_span_trim(cell));
    }
    r.cells = line;
    size_t count = 0;
    for (ug_span rest = line; ug_span_cell(&cell, &rest, separator);) {
        count++;
        r.cell_count = ug_span_length(ug_span_trim(cell)) > 0 ? count : r.cell_count;
    }
    return r;
}

ug_status ug_marker_rows_scan(ug_marker_rows *t)
{
    ug_span rest = t->data, line;
    // rows are looked at twice, now and for their samples
    const ug_progress first_look = ug_progress_part(t->progress, 0.0, 0.5);
    const double size = (double)ug_span_length(t->data);
    for (size_t number = t->first_line; ug_span_line(&line, &rest); number++) {
        if (number % 256 == 0) {
            const double share = 1.0 - (double)ug_span_length(rest) / size;
            const ug_status status = ug_progress_check(&first_look, share, t->err);
            if (status != UG_OK) {
                return status;
            }
        }
        if (ug_span_length(ug_span_trim(line)) == 0) {
            continue;
        }
        if (t->row_count == t->capacity) {
            const size_t capacity = t->capacity > 0 ? 2 * t->capacity : 256;
            ug_marker_row *rows = realloc(t->rows, capacity * sizeof *rows);
            if (!rows) {
                return ug_fail(t->err, UG_E_NOMEM, "out of memory");
            }
            t->rows = rows;
            t->capacity = capacity;
        }
        double time_precision_s;
        const ug_marker_row r = scan_row(&time_precision_s, line, number, t->separator);
        const size_t triples = (r.cell_count + 2) / 3;
        t->triples = triples > t->triples ? triples : t->triples;
        // "0.5" may be short for "0.500": the longest text says how well times are printed
        if (t->row_count == 0 || time_precision_s < t->time_precision_s) {
            t->time_precision_s = time_precision_s;
        }
        t->rows[t->row_count++] = r;
    }
    if (t->row_count == 0) {
        return ug_fail(t->err, UG_E_FORMAT, "there are no rows of data");
    }
    return UG_OK;
}

// Bounds the memory by the file, whatever a damaged one may claim.
static bool fits_file(const ug_marker_rows *t, size_t frames, size_t markers)
{
    return markers == 0 || frames / 16 <= (t->file_size + 65536) / markers;
}

// The row whose frame number is furthest from the one before. There are at least two rows.
static size_t widest_jump(const ug_marker_rows *t)
{
    size_t widest = 1;
    for (size_t i = 2; i < t->row_count; i++) {
        const long step = t->rows[i].number - t->rows[i - 1].number;
        widest = step > t->rows[widest].number - t->rows[widest - 1].number ? i : widest;
    }
    return widest;
}

// Frame numbers that only leave some out say where each row belongs; others are of no use.
static void place_rows(ug_marker_rows *t, size_t markers)
{
    bool ascending = true;
    size_t odd = 0; // the first row that does not follow the one before
    const long first = t->rows[0].number, last = t->rows[t->row_count - 1].number;
    t->frame_count = t->row_count;
    for (size_t i = 0; i < t->row_count; i++) {
        ug_marker_row *r = &t->rows[i];
        const bool numbered = r->number != NO_NUMBER;
        const long before = i > 0 ? t->rows[i - 1].number : NO_NUMBER;
        const long step = numbered && before != NO_NUMBER ? r->number - before : 1;
        r->frame = i;
        ascending = ascending && numbered && step > 0;
        odd = odd == 0 && step != 1 ? i : odd;
    }
    if (!ascending) {
        warn(t, 1, "frame_numbers",
             "line %zu: frame numbers do not count up; rows are taken one after the other",
             t->rows[odd].line);
        return;
    }
    if (odd == 0) {
        return;
    }
    const size_t span = (size_t)(last - first) + 1;
    const size_t most = 4 * t->row_count > SPAN_MAX ? 4 * t->row_count : SPAN_MAX;
    if (span > most || !fits_file(t, span, markers)) {
        const size_t widest = widest_jump(t);
        warn(t, 1, "frame_jump",
             "line %zu: frame %ld after %ld is too far to be true; nothing is put in between, rows "
             "are taken one after the other",
             t->rows[widest].line, t->rows[widest].number, t->rows[widest - 1].number);
        return;
    }
    t->frame_count = span;
    warn(t, span - t->row_count, "frames_skipped",
         "line %zu: frame %ld follows %ld; what lies between is missing", t->rows[odd].line,
         t->rows[odd].number, t->rows[odd - 1].number);
    for (size_t i = 0; i < t->row_count; i++) {
        t->rows[i].frame = (size_t)(t->rows[i].number - first);
    }
}

// --- names ---

static ug_status set_names(ug_marker_rows *t, ug_markers *markers)
{
    size_t unnamed = 0;
    for (size_t i = 0; i < markers->marker_count; i++) {
        char made_up[32];
        ug_span name = i < t->named ? t->names[i] : (ug_span){ NULL, NULL };
        if (ug_span_length(name) == 0) {
            const int length = snprintf(made_up, sizeof made_up, "*%zu", ++unnamed);
            name = (ug_span){ made_up, made_up + length };
        }
        const ug_status status =
            ug_marker_import_name(markers, i, name, t->format, t->warnings, t->err);
        if (status != UG_OK) {
            return status;
        }
    }
    warn(t, unnamed, "unnamed_columns",
         "%zu columns of coordinates have no name; kept as unlabelled points", unnamed);
    return ug_marker_import_unique(markers, t->format, t->warnings, t->err);
}

// --- samples ---

static ug_status read_cell(ug_marker_rows *t, const ug_marker_row *r, const ug_markers *markers,
                           size_t at, ug_span cell, float *value)
{
    double number = NAN;
    cell = ug_span_trim(cell);
    if (ug_span_length(cell) > 0 && ug_decimal_read(&number, cell.p, cell.end) != cell.end) {
        char text[24];
        ug_span_copy(text, sizeof text, cell);
        return ug_fail(t->err, UG_E_FORMAT, "line %zu, marker '%s', %c: '%s' is not a number",
                       r->line, ug_markers_name(markers, at / 3).text, "XYZ"[at % 3], text);
    }
    *value = (float)number;
    t->not_finite = t->not_finite || (ug_span_length(cell) > 0 && !isfinite(*value));
    return UG_OK;
}

static void set_sample(ug_marker_rows *t, const ug_marker_row *r, ug_markers *markers,
                       size_t marker, const float xyz[3])
{
    const int finite = isfinite(xyz[0]) + isfinite(xyz[1]) + isfinite(xyz[2]);
    if (finite == 3) {
        const size_t at = ug_markers_index(markers, r->frame, marker);
        memcpy(markers->positions + 3 * at, xyz, 3 * sizeof *xyz);
        markers->origin[at] = UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED;
        markers->residuals[at] = 0.0f;
    } else if (t->not_finite) {
        warn(t, 1, "not_finite",
             "line %zu, frame %ld, marker '%s': a coordinate is nan or infinite; taken as "
             "missing",
             r->line, r->number != NO_NUMBER ? r->number : (long)r->frame,
             ug_markers_name(markers, marker).text);
    } else if (finite > 0) {
        warn(t, 1, "partial_sample",
             "line %zu, marker '%s': only %d of 3 coordinates; taken as missing", r->line,
             ug_markers_name(markers, marker).text, finite);
    }
}

// Values beyond the named columns are trajectories nobody named, where several rows have them or
// the header counts them; in one row alone they are values too many.
static bool has_unnamed(const ug_marker_rows *t)
{
    size_t wide = 0;
    for (size_t i = 0; i < t->row_count && wide < 2; i++) {
        wide += t->rows[i].cell_count > 3 * t->named;
    }
    return wide > 1 || t->declared_markers > (long)t->named;
}

static ug_status read_row(ug_marker_rows *t, const ug_marker_row *r, ug_markers *markers)
{
    const bool whole = r->cell_count % 3 == 0;
    if (r->cell_count > 3 * t->named && !(t->unnamed_allowed && whole && has_unnamed(t))) {
        return ug_fail(t->err, UG_E_FORMAT,
                       "line %zu: %zu coordinates, but the %zu markers named in line %zu take %zu",
                       r->line, r->cell_count, t->named, t->names_line, 3 * t->named);
    }
    ug_span rest = r->cells, cell;
    float xyz[3] = { NAN, NAN, NAN };
    for (size_t i = 0; i < r->cell_count && ug_span_cell(&cell, &rest, t->separator); i++) {
        const ug_status status = read_cell(t, r, markers, i, cell, &xyz[i % 3]);
        if (status != UG_OK) {
            return status;
        }
        if (i % 3 == 2 || i + 1 == r->cell_count) {
            set_sample(t, r, markers, i / 3, xyz);
            xyz[0] = xyz[1] = xyz[2] = NAN;
            t->not_finite = false;
        }
    }
    return UG_OK;
}

// --- time ---

static ug_status settle_rate(ug_marker_rows *t, ug_markers *markers, const ug_read_opts *opts)
{
    const ug_marker_row *first = &t->rows[0], *last = &t->rows[t->row_count - 1];
    const size_t steps = last->frame - first->frame;
    ug_rate by_time = { 0, 0 };
    const bool timed =
        ug_rate_from_times(&by_time, first->time_s, last->time_s, steps, t->time_precision_s);
    markers->rate = opts && ug_rate_is_valid(opts->rate) ? opts->rate : t->declared_rate;
    if (!ug_rate_is_valid(markers->rate) && timed) {
        markers->rate = by_time;
    }
    if (!ug_rate_is_valid(markers->rate)) {
        return ug_fail(t->err, UG_E_DATA,
                       "neither header nor times give a frame rate: import it with --fps");
    }
    const double hz = ug_rate_hz(markers->rate);
    const double expected = ug_rate_time_s(markers->rate, (double)steps);
    const double found = last->time_s - first->time_s;
    // times are often cut to milliseconds; half a frame is more than any rounding
    if (isfinite(found) && fabs(found - expected) > t->time_precision_s + 0.5 / hz) {
        warn(t, 1, "time_disagrees",
             "the times span %g s, but %zu frames at %g Hz take %g s; the rate is believed", found,
             steps + 1, hz, expected);
    }
    markers->first_frame = first->number != NO_NUMBER ? first->number : 0;
    return UG_OK;
}

static ug_status check_counts(ug_marker_rows *t, size_t count)
{
    if (count > UG_TEXT_MARKERS_MAX || !fits_file(t, t->frame_count, count)) {
        return ug_fail(t->err, UG_E_FORMAT,
                       "%zu markers and %zu frames are more than a file of %zu bytes can hold",
                       count, t->frame_count, t->file_size);
    }
    if (t->declared_frames >= 0 && (size_t)t->declared_frames != t->row_count) {
        warn(t, 1, "frame_count", "the header says %ld frames, but there are %zu rows",
             t->declared_frames, t->row_count);
    }
    if (t->declared_markers >= 0 && (size_t)t->declared_markers != t->named) {
        warn(t, 1, "marker_count", "the header says %ld markers, but %zu have a name",
             t->declared_markers, t->named);
    }
    return UG_OK;
}

ug_status ug_marker_rows_build(ug_take *take, ug_marker_rows *t, const char *unit,
                               const ug_read_opts *opts)
{
    const size_t count = t->named > t->triples ? t->named : t->triples;
    place_rows(t, count);
    ug_status status = check_counts(t, count);
    if (status != UG_OK) {
        return status;
    }
    ug_markers *markers = take->markers =
        ug_markers_create(t->frame_count, count, (ug_rate){ 0, 0 });
    if (!markers) {
        return ug_fail(t->err, UG_E_NOMEM, "out of memory");
    }
    status = set_names(t, markers);
    const ug_progress second_look = ug_progress_part(t->progress, 0.5, 1.0);
    for (size_t i = 0; status == UG_OK && i < t->row_count; i++) {
        status = ug_progress_step(&second_look, i, t->row_count, t->err);
        status = status == UG_OK ? read_row(t, &t->rows[i], markers) : status;
    }
    status = status == UG_OK ? settle_rate(t, markers, opts) : status;
    if (status == UG_OK) {
        ug_marker_import_zeros(markers, t->format, t->warnings);
        status = ug_marker_import_frame(take, t->format, unit, opts, t->warnings, t->err);
    }
    return status;
}

void ug_marker_rows_fini(ug_marker_rows *t)
{
    free(t->rows);
    *t = (ug_marker_rows){ 0 };
}
