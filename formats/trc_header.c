// SPDX-License-Identifier: MIT
#include "formats/trc_header.h"

#include "formats/decimal.h"

#include <stdio.h>
#include <string.h>

enum { DATA_RATE, CAMERA_RATE, NUM_FRAMES, NUM_MARKERS, UNITS, FIELD_COUNT, COLUMNS_MAX = 32 };
enum { COUNT_MAX = 1 << 30 };

static const char *const FIELDS[FIELD_COUNT] = { "DataRate", "CameraRate", "NumFrames",
                                                 "NumMarkers", "Units" };

// Cells of one line, trimmed; with `compact` empty ones are left out. Returns their count.
static size_t split(ug_span cells[COLUMNS_MAX], ug_span line, bool compact)
{
    size_t count = 0;
    for (ug_span cell; count < COLUMNS_MAX && ug_span_cell(&cell, &line, '\t');) {
        cell = ug_span_trim(cell);
        if (!compact || ug_span_length(cell) > 0) {
            cells[count++] = cell;
        }
    }
    return count;
}

static bool read_count(long *value, ug_span cell)
{
    char text[32];
    long long parsed;
    ug_span_copy(text, sizeof text, cell);
    if (!ug_integer_parse(&parsed, text, 0, COUNT_MAX)) {
        return false;
    }
    *value = (long)parsed;
    return true;
}

// Fill the header from values[i] under keys[i]; returns how many fields make sense.
static int assign(ug_trc_header *header, const ug_span keys[], size_t key_count,
                  const ug_span values[], size_t value_count)
{
    int good = 0;
    header->rate = (ug_rate){ 0, 0 };
    header->frame_count = header->marker_count = -1;
    header->unit[0] = '\0';
    for (size_t i = 0; i < key_count && i < value_count; i++) {
        const ug_span v = values[i];
        if (ug_span_equal(keys[i], FIELDS[DATA_RATE])) {
            good += ug_rate_from_hz_text(&header->rate, v.p, ug_span_length(v), NULL) == UG_OK;
        } else if (ug_span_equal(keys[i], FIELDS[CAMERA_RATE])) {
            ug_rate unused;
            good += ug_rate_from_hz_text(&unused, v.p, ug_span_length(v), NULL) == UG_OK;
        } else if (ug_span_equal(keys[i], FIELDS[NUM_FRAMES])) {
            good += read_count(&header->frame_count, v);
        } else if (ug_span_equal(keys[i], FIELDS[NUM_MARKERS])) {
            good += read_count(&header->marker_count, v);
        } else if (ug_span_equal(keys[i], FIELDS[UNITS])) {
            ug_span_copy(header->unit, sizeof header->unit, v);
            good += ug_unit_to_metres(header->unit) > 0.0;
        }
    }
    return good;
}

// A count that cannot be one is worth a word: the rows say how many there are.
static void warn_of_counts(const ug_span keys[], size_t key_count, const ug_span values[],
                           size_t value_count, ug_warnings *warnings)
{
    for (size_t i = 0; i < key_count && i < value_count; i++) {
        long unused;
        const bool frames = ug_span_equal(keys[i], FIELDS[NUM_FRAMES]);
        if ((frames || ug_span_equal(keys[i], FIELDS[NUM_MARKERS])) &&
            ug_span_length(values[i]) > 0 && !read_count(&unused, values[i])) {
            char text[32];
            ug_span_copy(text, sizeof text, values[i]);
            ug_warn(warnings, "trc_header_value",
                    "line 3: %s is '%s', not a whole number from 0 to %d; the %s are counted",
                    FIELDS[frames ? NUM_FRAMES : NUM_MARKERS], text, COUNT_MAX,
                    frames ? "rows" : "columns");
        }
    }
}

// Some programs write two tabs between values: then every value stands too far right.
static void read_values(ug_trc_header *header, ug_span key_line, ug_span value_line,
                        ug_warnings *warnings)
{
    ug_span keys[COLUMNS_MAX], values[COLUMNS_MAX], compact[COLUMNS_MAX];
    const size_t key_count = split(keys, key_line, false);
    const size_t value_count = split(values, value_line, false);
    const size_t compact_count = split(compact, value_line, true);
    const int as_written = assign(header, keys, key_count, values, value_count);
    if (as_written == FIELD_COUNT) {
        return;
    }
    ug_trc_header shifted = *header;
    const bool is_shifted = assign(&shifted, keys, key_count, compact, compact_count) > as_written;
    warn_of_counts(keys, key_count, is_shifted ? compact : values,
                   is_shifted ? compact_count : value_count, warnings);
    if (is_shifted) {
        *header = shifted;
        ug_warn(warnings, "trc_header_shifted",
                "line 3: values do not stand under their names; read in order");
    }
}

static bool starts_with(ug_span line, const char *word)
{
    line = ug_span_trim(line);
    const size_t length = strlen(word);
    return ug_span_length(line) >= length &&
           ug_span_equal((ug_span){ line.p, line.p + length }, word);
}

static bool is_number(ug_span line)
{
    ug_span cell;
    double value;
    if (!ug_span_cell(&cell, &line, '\t')) {
        return false;
    }
    cell = ug_span_trim(cell);
    return ug_span_length(cell) > 0 && ug_decimal_read(&value, cell.p, cell.end) == cell.end;
}

ug_status ug_trc_header_read(ug_trc_header *header, ug_span text, ug_warnings *warnings,
                             ug_error *err)
{
    *header = (ug_trc_header){ .frame_count = -1, .marker_count = -1 };
    ug_span rest = text, line, values;
    if (ug_span_length(rest) >= 3 && memcmp(rest.p, "\xEF\xBB\xBF", 3) == 0) {
        rest.p += 3;
    }
    if (!ug_span_line(&line, &rest) || !starts_with(line, "PathFileType")) {
        return ug_fail(err, UG_E_FORMAT, "line 1 must begin with PathFileType: not a TRC file");
    }
    if (!ug_span_line(&line, &rest) || !starts_with(line, "DataRate") ||
        !ug_span_line(&values, &rest)) {
        return ug_fail(err, UG_E_FORMAT,
                       "lines 2 and 3 must be DataRate, CameraRate, NumFrames … and their values");
    }
    read_values(header, line, values, warnings);
    if (!ug_span_line(&header->names, &rest) || !starts_with(header->names, "Frame#")) {
        return ug_fail(err, UG_E_FORMAT, "line 4 must be Frame#, Time and the markers' names");
    }
    header->names_line = 4;
    header->data_line = 5;
    header->data = rest;
    // X1 Y1 Z1 … stands next, except where a program leaves it out
    if (ug_span_line(&line, &rest) && !is_number(line)) {
        header->data = rest;
        header->data_line = 6;
    }
    return UG_OK;
}
