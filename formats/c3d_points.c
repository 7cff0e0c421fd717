// SPDX-License-Identifier: MIT
// Samples of points: decoding, and deciding which are there (rules in formats/c3d.h).
#include "formats/c3d_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ZERO_FILE = 10, ZERO_MARKER = 5, ZERO_FRAME = 2 };

typedef struct decoder {
    const c3d_layout *layout;
    const uint8_t *data;
    ug_axes axes;
    ug_markers *markers;
    float *row;     // one frame of x y z and 4th word
    uint16_t *bits; // origin of a present sample of each marker
    size_t *zeros;  // per marker: exactly 0,0,0 and no residual
    size_t negative, wrapped, not_finite, zero_total, zero_worst_frame;
    size_t alive_negative;
    size_t first_wrapped, first_not_finite, first_zero; // sample indices, for the words
} decoder;

static void load_row(const decoder *d, size_t frame)
{
    const c3d_layout *l = d->layout;
    const uint8_t *p = d->data + l->data_offset + frame * l->frame_bytes;
    const size_t n = 4 * l->point_count;
    if (!l->is_integer) {
        c3d_get_f32_row(d->row, p, n, l->processor);
        return;
    }
    const float scale = (float)l->scale;
    for (size_t i = 0; i < n; i++) {
        const float v = (float)(int16_t)c3d_get_u16(p + 2 * i, l->processor);
        d->row[i] = (i & 3) == 3 ? v : v * scale;
    }
}

static bool is_zero(const float *v)
{
    return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f;
}

static bool is_finite(const float *v)
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

// A force of zero is a force: such points are not judged by where they are.
static bool is_model_value(uint8_t kind)
{
    return kind >= UG_POINT_ANGLE && kind <= UG_POINT_SCALAR;
}

// 0, or −1 that was cut to the largest positive 16-bit number on its way. Our writer puts −0 for a
// marker that really is at the origin.
static bool is_vendor_word(float word)
{
    return (word == 0.0f && !signbit(word)) || word == 32767.0f;
}

static void count_absent(decoder *d, const float *v, size_t sample)
{
    const float word = v[3];
    if (isnan(word)) {
        d->first_not_finite = d->not_finite++ == 0 ? sample : d->first_not_finite;
        return;
    }
    d->negative++;
    d->alive_negative += is_finite(v) && !is_zero(v);
    if (word >= (float)C3D_FLAG_MAX) {
        d->first_wrapped = d->wrapped++ == 0 ? sample : d->first_wrapped;
    }
}

static void set_sample(decoder *d, const float *v, size_t sample, size_t marker)
{
    ug_markers *m = d->markers;
    const int cameras = (int)v[3] >> 8;
    float *p = m->positions + 3 * sample; // a fortified memcpy costs a tenth of the whole load here
    p[0] = v[0];
    p[1] = v[1];
    p[2] = v[2];
    m->origin[sample] = d->bits[marker];
    m->residuals[sample] = (v[3] + 0.0f - (float)(256 * cameras)) * (float)d->layout->scale;
    if (cameras != 0) {
        m->cameras[sample] = (uint8_t)cameras; // zero already: untouched pages cost nothing
    }
}

static void set_missing(ug_markers *m, size_t sample)
{
    float *p = m->positions + 3 * sample;
    p[0] = p[1] = p[2] = NAN;
    m->origin[sample] = 0;
    m->residuals[sample] = -1.0f;
}

static void decode_frame(decoder *d, size_t frame)
{
    const size_t n = d->layout->point_count;
    ug_markers *m = d->markers;
    size_t zeros = 0;
    load_row(d, frame);
    for (size_t i = 0; i < n; i++) {
        const float *v = d->row + 4 * i;
        const size_t sample = frame * n + i;
        m->predicted_error_mm[sample] = NAN;
        if (!(v[3] >= 0.0f && v[3] < (float)C3D_FLAG_MAX)) {
            set_missing(m, sample);
            count_absent(d, v, sample);
        } else if (!is_finite(v)) {
            set_missing(m, sample);
            d->first_not_finite = d->not_finite++ == 0 ? sample : d->first_not_finite;
        } else {
            set_sample(d, v, sample, i);
            if (is_zero(v) && is_vendor_word(v[3]) && !is_model_value(m->kinds[i])) {
                d->first_zero = d->zero_total++ == 0 ? sample : d->first_zero;
                d->zeros[i]++;
                zeros++;
            }
        }
    }
    ug_axes_import_f32(d->axes, m->positions + 3 * frame * n, n); // while it is in the cache
    d->zero_worst_frame = zeros > d->zero_worst_frame ? zeros : d->zero_worst_frame;
}

// Rule 3: samples at the origin are gaps when the file writes gaps so.
static void judge_zeros(decoder *d, ug_warnings *warnings)
{
    ug_markers *m = d->markers;
    const size_t n = m->marker_count;
    const size_t total = d->zero_total;
    size_t worst = 0;
    for (size_t i = 0; i < n; i++) {
        worst = d->zeros[i] > worst ? d->zeros[i] : worst;
    }
    if (total == 0) {
        return;
    }
    const size_t frame = d->first_zero / n;
    const ug_marker_name name = ug_markers_name(m, d->first_zero % n);
    if (total < ZERO_FILE && worst < ZERO_MARKER && d->zero_worst_frame < ZERO_FRAME) {
        ug_warn_times(warnings, total, "c3d_zero_kept",
                      "%s lies exactly at 0,0,0 in frame %zu; so few such samples are taken as "
                      "measured",
                      name.text, frame);
        return;
    }
    for (size_t f = 0; f < m->frame_count; f++) {
        load_row(d, f);
        for (size_t i = 0; i < n; i++) {
            const float *v = d->row + 4 * i;
            if (d->zeros[i] > 0 && is_zero(v) && is_vendor_word(v[3])) {
                ug_markers_clear(m, f, i);
            }
        }
    }
    ug_warn_times(warnings, total, "c3d_zero_missing",
                  "the file writes gaps as 0,0,0 with no residual (first: %s, frame %zu); they are "
                  "missing",
                  name.text, frame);
}

// Does anything move, or is there only one frame to judge by?
static bool is_moving(const decoder *d)
{
    const size_t n = d->layout->point_count, frames = d->markers->frame_count;
    float *first = malloc(4 * n * sizeof *first);
    bool moves = frames == 1 || !first;
    if (first) {
        load_row(d, 0);
        memcpy(first, d->row, 4 * n * sizeof *first);
    }
    for (size_t f = 1; f < frames && !moves; f++) {
        load_row(d, f);
        moves = memcmp(first, d->row, 4 * n * sizeof *first) != 0;
    }
    free(first);
    return moves;
}

// Rule 4: a writer that knew no residuals put −1 everywhere.
static void judge_all_negative(decoder *d, ug_warnings *warnings)
{
    ug_markers *m = d->markers;
    const size_t n = m->marker_count, samples = n * m->frame_count;
    if (samples == 0 || d->negative != samples || 2 * d->alive_negative <= samples ||
        !is_moving(d)) {
        return;
    }
    for (size_t f = 0; f < m->frame_count; f++) {
        load_row(d, f);
        for (size_t i = 0; i < n; i++) {
            float *v = d->row + 4 * i;
            if (is_finite(v) && !is_zero(v)) {
                v[3] = 0.0f;
                set_sample(d, v, f * n + i, i);
                ug_axes_import_f32(d->axes, m->positions + 3 * (f * n + i), 1);
            }
        }
    }
    d->wrapped = 0;
    ug_warn_times(warnings, d->alive_negative, "c3d_all_negative",
                  "every sample carries a negative residual but the coordinates move: all that are "
                  "not 0,0,0 are taken as measured");
}

static void warn_counts(const decoder *d, ug_warnings *warnings)
{
    const size_t n = d->markers->marker_count;
    if (d->wrapped > 0) {
        ug_warn_times(warnings, d->wrapped, "c3d_flag_unsigned",
                      "the mark of a missing sample, -1, is written as a positive number (first: "
                      "%s, frame %zu)",
                      ug_markers_name(d->markers, d->first_wrapped % n).text, d->first_wrapped / n);
    }
    if (d->not_finite > 0) {
        ug_warn_times(warnings, d->not_finite, "c3d_not_finite",
                      "%s has a coordinate that is no finite number in frame %zu; such samples are "
                      "missing",
                      ug_markers_name(d->markers, d->first_not_finite % n).text,
                      d->first_not_finite / n);
    }
}

ug_status c3d_points_read(ug_markers *markers, const uint8_t *data, const c3d_layout *layout,
                          ug_axes axes, const ug_progress *progress, ug_warnings *warnings,
                          ug_error *err)
{
    const size_t n = layout->point_count;
    if (n == 0 || markers->frame_count == 0) {
        return UG_OK;
    }
    decoder d = { .layout = layout, .data = data, .axes = axes, .markers = markers };
    ug_status status = UG_OK;
    d.row = malloc(4 * n * sizeof *d.row);
    d.bits = malloc(n * sizeof *d.bits);
    d.zeros = calloc(n, sizeof *d.zeros);
    if (!d.row || !d.bits || !d.zeros) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        const bool is_model = markers->kinds[i] >= UG_POINT_ANGLE;
        d.bits[i] = UG_ORIGIN_PRESENT | (is_model ? UG_ORIGIN_COMPUTED : UG_ORIGIN_MEASURED);
    }
    for (size_t f = 0; f < markers->frame_count && status == UG_OK; f++) {
        decode_frame(&d, f);
        status = ug_progress_step(progress, f, markers->frame_count, err);
    }
    if (status != UG_OK) {
        goto done;
    }
    judge_zeros(&d, warnings);
    judge_all_negative(&d, warnings);
    warn_counts(&d, warnings);
done:
    free(d.row);
    free(d.bits);
    free(d.zeros);
    return status;
}
