// SPDX-License-Identifier: MIT
#include "formats/marker_export.h"

#include "formats/decimal_write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_written(uint8_t kind)
{
    return kind == UG_POINT_MARKER || kind == UG_POINT_UNLABELLED || kind == UG_POINT_VIRTUAL;
}

static ug_status choose_frame(ug_marker_export *out, const ug_take *take, const char *custom_unit,
                              const ug_write_opts *opts, ug_error *err)
{
    const ug_source *source = &take->source;
    const bool has_source = ug_unit_to_metres(source->unit) == take->markers->scale_m;
    const char *unit = opts && opts->unit ? opts->unit : has_source ? source->unit : custom_unit;
    const double unit_m = ug_unit_to_metres(unit);
    if (!(unit_m > 0.0)) {
        return ug_fail(err, UG_E_USAGE, "'%s' is not a unit of length; write mm, cm, m, in or ft",
                       unit);
    }
    (void)snprintf(out->unit, sizeof out->unit, "%s", unit);
    out->factor = unit_m == take->markers->scale_m ? 1.0 : take->markers->scale_m / unit_m;
    out->axes = source->axes;
    if (opts && opts->up) {
        return ug_axes_from_names(&out->axes, opts->up, NULL, err);
    }
    return UG_OK;
}

ug_status ug_marker_export_init(ug_marker_export *out, const ug_take *take, const char *custom_unit,
                                const ug_write_opts *opts, ug_warnings *warnings, ug_error *err)
{
    *out = (ug_marker_export){ .markers = take->markers,
                               .decimals = opts ? opts->decimals : 0,
                               .progress = opts ? opts->progress : NULL };
    const ug_markers *m = take->markers;
    if (!m || m->marker_count == 0) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "there are no markers to write");
    }
    out->points = malloc(m->marker_count * sizeof *out->points);
    if (!out->points) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < m->marker_count; i++) {
        if (is_written(m->kinds[i])) {
            out->points[out->count++] = i;
        } else {
            ug_warn(warnings, "points_left_out", "'%s' is a model output, not a marker",
                    m->labels[i] ? m->labels[i] : "");
        }
    }
    ug_status status = choose_frame(out, take, custom_unit, opts, err);
    if (status == UG_OK && out->count == 0) {
        status = ug_fail(err, UG_E_NOT_ENOUGH, "there are no markers to write");
    }
    if (status == UG_OK && !ug_rate_is_valid(m->rate)) {
        status = ug_fail(err, UG_E_NOT_ENOUGH, "the markers have no frame rate");
    }
    if (status != UG_OK) {
        ug_marker_export_fini(out);
    }
    return status;
}

void ug_marker_export_fini(ug_marker_export *out)
{
    free(out->points);
    *out = (ug_marker_export){ 0 };
}

bool ug_marker_export_at(float xyz[3], const ug_marker_export *out, size_t frame, size_t i)
{
    const ug_markers *m = out->markers;
    const size_t point = out->points[i];
    if (!ug_markers_present(m, frame, point)) {
        return false;
    }
    memcpy(xyz, m->positions + 3 * ug_markers_index(m, frame, point), 3 * sizeof *xyz);
    ug_axes_export_f32(out->axes, xyz, 1);
    for (int k = 0; out->factor != 1.0 && k < 3; k++) {
        xyz[k] = (float)((double)xyz[k] * out->factor);
    }
    return true;
}

void ug_marker_export_number(char text[64], const ug_marker_export *out, float value)
{
    if (out->decimals > 0) {
        (void)snprintf(text, 64, "%.*f", out->decimals > 20 ? 20 : out->decimals, (double)value);
    } else {
        ug_decimal_write_f32(text, value);
    }
}

static void write_row(FILE *stream, const ug_marker_export *out, char separator, size_t frame)
{
    char text[64];
    for (size_t i = 0; i < out->count; i++) {
        float xyz[3];
        const bool present = ug_marker_export_at(xyz, out, frame, i);
        for (int k = 0; k < 3; k++) {
            fputc(separator, stream);
            if (present) {
                ug_marker_export_number(text, out, xyz[k]);
                fputs(text, stream);
            }
        }
    }
    fputc('\n', stream);
}

ug_status ug_marker_export_rows(FILE *stream, const ug_marker_export *out, char separator,
                                double start_s, ug_error *err)
{
    const ug_markers *m = out->markers;
    ug_status status = UG_OK;
    for (size_t f = 0; f < m->frame_count && status == UG_OK; f++) {
        fprintf(stream, "%" PRId64 "%c%.9g", m->first_frame + (int64_t)f, separator,
                start_s + ug_rate_time_s(m->rate, (double)f));
        write_row(stream, out, separator, f);
        status = ug_progress_step(out->progress, f, m->frame_count, err);
    }
    return status;
}

void ug_marker_export_name(char *text, size_t size, const ug_marker_export *out, size_t i,
                           const char *forbidden)
{
    const size_t point = out->points[i];
    const char *subject = out->markers->subjects[point], *label = out->markers->labels[point];
    (void)snprintf(text, size, "%s%s%s", subject ? subject : "", subject && *subject ? ":" : "",
                   label ? label : "");
    for (char *p = text; *p; p++) {
        *p = strchr(forbidden, *p) ? '_' : *p;
    }
}

void ug_rate_to_text(char text[32], ug_rate rate)
{
    assert(ug_rate_is_valid(rate));
    for (int digits = 0; digits <= 9; digits++) {
        ug_rate back;
        const int length = snprintf(text, 32, "%.*f", digits, ug_rate_hz(rate));
        if (length > 0 && length < 32 &&
            ug_rate_from_hz_text(&back, text, (size_t)length, NULL) == UG_OK &&
            ug_rate_equal(back, rate)) {
            return;
        }
    }
    (void)snprintf(text, 32, "%.17g", ug_rate_hz(rate));
}
