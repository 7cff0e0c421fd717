// SPDX-License-Identifier: MIT
#include "formats/marker_import.h"

#include "formats/infer.h"
#include "motion/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ug_warning_code ug_warning_code_of(const char *format, const char *what)
{
    ug_warning_code code;
    (void)snprintf(code.text, sizeof code.text, "%.10s_%.30s", format, what);
    return code;
}

static char *from_latin1(ug_span bytes)
{
    char *text = malloc(2 * ug_span_length(bytes) + 1);
    char *out = text;
    for (const char *p = bytes.p; text && p < bytes.end; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c >= 0x80) {
            *out++ = (char)(0xC0 | c >> 6);
        }
        *out++ = (char)(c < 0x80 ? c : 0x80 | (c & 0x3F));
    }
    if (text) {
        *out = '\0';
    }
    return text;
}

ug_status ug_marker_import_name(ug_markers *markers, size_t i, ug_span name, const char *format,
                                ug_warnings *warnings, ug_error *err)
{
    assert(i < markers->marker_count && !markers->labels[i] && !markers->subjects[i]);
    char *whole;
    if (ug_text_is_utf8(name.p, ug_span_length(name))) {
        whole = ug_text_copy_n(name.p, ug_span_length(name));
    } else {
        whole = from_latin1(name);
        ug_warn(warnings, ug_warning_code_of(format, "label_encoding").text,
                "label '%s' is not UTF-8; read as Latin-1", whole ? whole : "");
    }
    if (!whole) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    // "subject:label"; a colon at either end belongs to the label
    const char *colon = strrchr(whole, ':');
    const bool split = colon && colon != whole && colon[1] != '\0';
    markers->subjects[i] = ug_text_copy_n(whole, split ? (size_t)(colon - whole) : 0);
    markers->labels[i] = ug_text_copy(split ? colon + 1 : whole);
    free(whole);
    if (!markers->subjects[i] || !markers->labels[i]) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (markers->labels[i][0] == '*') {
        markers->kinds[i] = UG_POINT_UNLABELLED;
    }
    return UG_OK;
}

static bool is_taken(const ug_markers *m, size_t except, const char *label)
{
    for (size_t j = 0; j < m->marker_count; j++) {
        if (j != except && strcmp(m->labels[j], label) == 0 &&
            strcmp(m->subjects[j], m->subjects[except]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_second(const ug_markers *m, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (strcmp(m->labels[j], m->labels[i]) == 0 &&
            strcmp(m->subjects[j], m->subjects[i]) == 0) {
            return true;
        }
    }
    return false;
}

ug_status ug_marker_import_unique(ug_markers *markers, const char *format, ug_warnings *warnings,
                                  ug_error *err)
{
    for (size_t i = 1; i < markers->marker_count; i++) {
        if (!is_second(markers, i)) {
            continue;
        }
        char *label = NULL;
        for (size_t n = 2; !label || is_taken(markers, i, label); n++) {
            free(label);
            label = ug_text_format("%s_%zu", markers->labels[i], n);
            if (!label) {
                return ug_fail(err, UG_E_NOMEM, "out of memory");
            }
        }
        ug_warn(warnings, ug_warning_code_of(format, "label_doubled").text,
                "label '%s' stands twice; the second is called '%s'",
                ug_markers_name(markers, i).text, label);
        free(markers->labels[i]);
        markers->labels[i] = label;
    }
    return UG_OK;
}

static bool is_zero(const ug_markers *m, size_t i)
{
    const float *p = m->positions + 3 * i;
    return (m->origin[i] & UG_ORIGIN_PRESENT) && p[0] == 0.0f && p[1] == 0.0f && p[2] == 0.0f;
}

void ug_marker_import_zeros(ug_markers *markers, const char *format, ug_warnings *warnings)
{
    size_t total = 0, most_of_marker = 0, most_in_frame = 0, first_frame = 0, first_marker = 0;
    for (size_t m = 0; m < markers->marker_count; m++) {
        size_t count = 0;
        for (size_t f = 0; f < markers->frame_count; f++) {
            count += is_zero(markers, ug_markers_index(markers, f, m));
        }
        most_of_marker = count > most_of_marker ? count : most_of_marker;
    }
    for (size_t f = 0; f < markers->frame_count; f++) {
        size_t count = 0;
        for (size_t m = 0; m < markers->marker_count; m++) {
            if (is_zero(markers, ug_markers_index(markers, f, m))) {
                first_frame = total == 0 ? f : first_frame;
                first_marker = total == 0 ? m : first_marker;
                total++;
                count++;
            }
        }
        most_in_frame = count > most_in_frame ? count : most_in_frame;
    }
    if (total == 0) {
        return;
    }
    const bool pattern = total >= 10 || most_of_marker >= 5 || most_in_frame >= 2;
    ug_warn_times(warnings, total,
                  ug_warning_code_of(format, pattern ? "zero_missing" : "zero_kept").text,
                  "frame %zu, marker '%s': exactly 0,0,0 %s", first_frame,
                  ug_markers_name(markers, first_marker).text,
                  pattern ? "is how this file writes a gap; taken as missing" : "is kept");
    for (size_t f = 0; pattern && f < markers->frame_count; f++) {
        for (size_t m = 0; m < markers->marker_count; m++) {
            if (is_zero(markers, ug_markers_index(markers, f, m))) {
                ug_markers_clear(markers, f, m);
            }
        }
    }
}

static bool has_samples(const ug_markers *m)
{
    for (size_t i = 0; i < m->frame_count * m->marker_count; i++) {
        if (m->origin[i] & UG_ORIGIN_PRESENT) {
            return true;
        }
    }
    return false;
}

ug_status ug_marker_import_frame(ug_take *take, const char *format, const char *unit,
                                 const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    assert(take->markers && unit);
    ug_source *source = &take->source;
    ug_markers *markers = take->markers;
    const char *asked_unit = opts ? opts->unit : NULL, *up = opts ? opts->up : NULL;
    (void)snprintf(source->format, sizeof source->format, "%s", format);
    (void)snprintf(source->unit, sizeof source->unit, "%s", asked_unit ? asked_unit : unit);
    source->unit_m = ug_unit_to_metres(source->unit);
    if (asked_unit && !(source->unit_m > 0.0)) {
        return ug_fail(err, UG_E_USAGE, "'%s' is not a unit of length; write mm, cm, m, in or ft",
                       asked_unit);
    }
    if (!asked_unit && !(source->unit_m > 0.0) && unit[0] != '\0') {
        ug_warn(warnings, ug_warning_code_of(format, "unit_unknown").text,
                "the file's unit '%s' is not a unit of length", unit);
    }
    if (!has_samples(markers)) { // nothing to measure: the custom
        up = up ? up : "+Y";
        if (!(source->unit_m > 0.0)) {
            strcpy(source->unit, "mm");
            source->unit_m = ug_unit_to_metres("mm");
        }
    }
    const bool need_unit = !(source->unit_m > 0.0);
    source->unit_inferred =
        !(ug_unit_to_metres(unit) > 0.0) || (asked_unit && !ug_text_equal_nocase(asked_unit, unit));
    source->unit_stated = source->unit_inferred && asked_unit;
    source->axes_inferred = true; // no text format of markers declares its axes
    source->axes_stated = opts && opts->up;
    markers->scale_m = need_unit ? 1.0 : source->unit_m;
    ug_inferred_frame found = { 0 };
    if (need_unit || !up) {
        const ug_status status = ug_infer_from_markers(&found, markers, !up, need_unit, err);
        if (status != UG_OK) {
            return status;
        }
    }
    if (need_unit) {
        (void)snprintf(source->unit, sizeof source->unit, "%s", found.unit);
        source->unit_m = ug_unit_to_metres(found.unit);
        ug_warn(warnings, "unit_inferred", "no unit in the file: taken as %s, by the body's size",
                found.unit);
    }
    if (!up) {
        up = found.up;
        ug_warn(warnings, "up_inferred", "%s files do not say which axis is up: taken as %s",
                format, up);
    }
    markers->scale_m = source->unit_m;
    const ug_status status = ug_axes_from_names(&source->axes, up, NULL, err);
    if (status == UG_OK) {
        ug_axes_import_f32(source->axes, markers->positions,
                           markers->frame_count * markers->marker_count);
    }
    return status;
}

static bool hz_from_digits(ug_rate *rate, double hz, int digits)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "%.*f", digits, hz);
    return length > 0 && (size_t)length < sizeof text &&
           ug_rate_from_hz_text(rate, text, (size_t)length, NULL) == UG_OK;
}

bool ug_rate_from_times(ug_rate *rate, double first_s, double last_s, size_t steps,
                        double precision_s)
{
    const double duration = last_s - first_s;
    if (steps == 0 || !(duration > 0.0) || !isfinite(duration)) {
        return false;
    }
    const double hz = (double)steps / duration;
    // a usual rate that the times allow …
    static const short USUAL[] = { 24,  25,  30,  48,  50,  60,  75,  90,  100, 120, 125, 150,
                                   180, 200, 240, 250, 300, 360, 400, 480, 500, 600, 1000 };
    int best = 0;
    for (size_t i = 0; i < sizeof USUAL / sizeof USUAL[0]; i++) {
        const double needed = (double)steps / USUAL[i];
        if (fabs(needed - duration) <= precision_s &&
            (best == 0 || fabs(USUAL[i] - hz) < fabs(best - hz))) {
            best = USUAL[i];
        }
    }
    if (best > 0) {
        *rate = ug_rate_make(best, 1);
        return true;
    }
    // … else a simple one that they give exactly …
    if (hz_from_digits(rate, hz, 6) && (rate->den <= 100 || rate->den == 1001)) {
        return true;
    }
    // … else hz to within hz·precision/duration, with as many digits as that is worth
    const double error = hz * precision_s / duration;
    int digits = error > 0.0 ? (int)floor(-log10(2.0 * error)) : 6;
    digits = digits < 0 ? 0 : digits > 6 ? 6 : digits;
    return hz_from_digits(rate, hz, digits);
}

double ug_decimal_precision(ug_span number)
{
    const char *point = number.p ? memchr(number.p, '.', ug_span_length(number)) : NULL;
    double precision = 1.0;
    for (const char *p = point ? point + 1 : number.end; p < number.end && *p >= '0' && *p <= '9';
         p++) {
        precision *= 0.1;
    }
    return precision;
}

ug_status ug_text_check(ug_span text, ug_error *err)
{
    const size_t size = ug_span_length(text);
    if (size >= 2 && (memcmp(text.p, "\xFF\xFE", 2) == 0 || memcmp(text.p, "\xFE\xFF", 2) == 0)) {
        return ug_fail(err, UG_E_FORMAT, "is UTF-16 text; save it as UTF-8");
    }
    const char *zero = size > 0 ? memchr(text.p, '\0', size) : NULL;
    if (zero) {
        return ug_fail(err, UG_E_FORMAT, "byte %zu is zero: not a text file, or damaged",
                       (size_t)(zero - text.p));
    }
    return UG_OK;
}
