// SPDX-License-Identifier: MIT
#include "pipeline/stages/take_spectrum.h"

#include "motion/median.h"
#include "solvers/spectrum.h"

#include <math.h>
#include <stdlib.h>

enum { LENGTH_MIN = 32, LENGTH_MAX = 4096, SEGMENTS_MAX = 64, KINDS = 3, AXES = 3 };

static const double SEGMENT_S = 2.0;

static bool is_filtered(const ug_markers *m, size_t frame, size_t marker)
{
    const size_t i = ug_markers_index(m, frame, marker);
    return (m->origin[i] & UG_ORIGIN_FILTERED) && !isnan(m->unfiltered[3 * i]) &&
           !isnan(m->positions[3 * i]);
}

// Starts of segments of `length`, half a length apart, within runs that were filtered throughout.
// @param starts  room for 2 · frame_count / length
static size_t find_segments(size_t *starts, const ug_markers *m, size_t marker, size_t length)
{
    size_t count = 0, run = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        run = is_filtered(m, f, marker) ? run + 1 : 0;
        if (run >= length && (run - length) % (length / 2) == 0) {
            starts[count++] = f + 1 - length;
        }
    }
    return count;
}

static size_t longest_run(const ug_markers *m, size_t marker)
{
    size_t longest = 0, run = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        run = is_filtered(m, f, marker) ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static size_t count_reaching(const size_t *runs, size_t count, size_t length)
{
    size_t reaching = 0;
    for (size_t k = 0; k < count; k++) {
        reaching += runs[k] >= length;
    }
    return reaching;
}

// The longest power of two within two seconds that most markers have a run of; 0: none.
static ug_status choose_length(size_t *length, const ug_markers *m, ug_error *err)
{
    const double most = fmin(SEGMENT_S * ug_rate_hz(m->rate), LENGTH_MAX);
    size_t *runs = calloc(m->marker_count + 1, sizeof *runs);
    if (!runs) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t k = 0; k < m->marker_count; k++) {
        runs[k] = m->kinds[k] == UG_POINT_MARKER ? longest_run(m, k) : 0;
    }
    const size_t all = count_reaching(runs, m->marker_count, LENGTH_MIN);
    *length = all > 0 ? LENGTH_MIN : 0;
    while (all > 0 && 2.0 * (double)*length <= most &&
           2 * count_reaching(runs, m->marker_count, 2 * *length) > all) {
        *length *= 2;
    }
    free(runs);
    return UG_OK;
}

typedef struct reader {
    const ug_markers *m;
    size_t length;
    ug_spectrum *of[KINDS];
    double *series; // (KINDS x length)
    size_t *starts; // of a marker's segments
} reader;

static void add_segment(reader *r, size_t marker, size_t start)
{
    const double to_mm = 1e3 * r->m->scale_m;
    double *before = r->series, *after = before + r->length, *removed = after + r->length;
    for (size_t axis = 0; axis < AXES; axis++) {
        for (size_t i = 0; i < r->length; i++) {
            const size_t at = 3 * ug_markers_index(r->m, start + i, marker) + axis;
            before[i] = to_mm * (double)r->m->unfiltered[at];
            after[i] = to_mm * (double)r->m->positions[at];
            removed[i] = before[i] - after[i];
        }
        for (size_t k = 0; k < KINDS; k++) {
            ug_spectrum_add(r->of[k], r->series + k * r->length, 1);
        }
    }
}

// Densities of one marker, of the three axes together. @return false: it has no segment
static bool read_marker(reader *r, size_t marker, double *density, double rate_hz)
{
    const size_t count = find_segments(r->starts, r->m, marker, r->length);
    const size_t used = count < SEGMENTS_MAX ? count : SEGMENTS_MAX;
    for (size_t k = 0; k < KINDS; k++) {
        ug_spectrum_reset(r->of[k]);
    }
    for (size_t i = 0; i < used; i++) {
        add_segment(r, marker, r->starts[i * count / used]);
    }
    const size_t bins = r->length / 2 + 1;
    for (size_t k = 0; k < KINDS; k++) {
        ug_spectrum_read(density + k * bins, r->of[k], rate_hz);
        for (size_t b = 0; b < bins; b++) {
            density[k * bins + b] *= AXES; // each axis counted as a segment of its own
        }
    }
    return used > 0;
}

// all: (marker_count x KINDS x bins), those of the markers that have some.
static ug_status take_medians(ug_take_spectrum *out, const double *all, size_t bins, ug_error *err)
{
    const size_t n = out->marker_count;
    double *column = malloc((n + 1) * sizeof *column);
    out->before_mm2_hz = malloc((KINDS * (bins - 1) + 1) * sizeof *out->before_mm2_hz);
    if (!column || !out->before_mm2_hz) {
        free(column);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    out->count = bins - 1; // what stands still has no place on a logarithmic axis
    out->after_mm2_hz = out->before_mm2_hz + out->count;
    out->removed_mm2_hz = out->after_mm2_hz + out->count;
    for (size_t k = 0; k < KINDS; k++) {
        for (size_t b = 1; b < bins; b++) {
            for (size_t i = 0; i < n; i++) {
                column[i] = all[(i * KINDS + k) * bins + b];
            }
            out->before_mm2_hz[k * out->count + b - 1] = ug_median(column, n);
        }
    }
    free(column);
    return UG_OK;
}

static double removed_rms_mm(const ug_markers *m)
{
    double sum = 0.0;
    size_t count = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        for (size_t k = 0; k < m->marker_count; k++) {
            if (m->kinds[k] == UG_POINT_MARKER && is_filtered(m, f, k)) {
                const ug_vec3 off =
                    ug_vec3_sub(ug_markers_unfiltered_m(m, f, k), ug_markers_position_m(m, f, k));
                sum += ug_vec3_dot(off, off);
                count++;
            }
        }
    }
    return 1e3 * sqrt(sum / (double)count);
}

static ug_status read_all(ug_take_spectrum *out, reader *r, ug_error *err)
{
    const size_t bins = r->length / 2 + 1;
    double *all = malloc((r->m->marker_count * KINDS * bins + 1) * sizeof *all);
    r->starts = malloc((2 * r->m->frame_count / r->length + 1) * sizeof *r->starts);
    bool ok = all && r->series && r->starts;
    for (size_t k = 0; k < KINDS; k++) {
        ok = ok && r->of[k];
    }
    for (size_t k = 0; ok && k < r->m->marker_count; k++) {
        if (r->m->kinds[k] == UG_POINT_MARKER &&
            read_marker(r, k, all + out->marker_count * KINDS * bins, ug_rate_hz(r->m->rate))) {
            out->marker_count++;
        }
    }
    const ug_status status =
        ok ? take_medians(out, all, bins, err) : ug_fail(err, UG_E_NOMEM, "out of memory");
    free(r->starts);
    free(all);
    return status;
}

ug_status ug_take_spectrum_read(ug_take_spectrum *out, const ug_take *take, ug_error *err)
{
    const ug_markers *m = take->markers;
    *out = (ug_take_spectrum){ .removed_rms_mm = NAN };
    size_t length = 0;
    ug_status status = UG_OK;
    if (m && m->unfiltered && ug_rate_is_valid(m->rate)) {
        status = choose_length(&length, m, err);
    }
    if (length == 0) {
        return status;
    }
    reader r = { .m = m, .length = length };
    r.series = malloc(KINDS * length * sizeof *r.series);
    for (size_t k = 0; k < KINDS; k++) {
        r.of[k] = ug_spectrum_create(length);
    }
    status = read_all(out, &r, err);
    out->step_hz = ug_rate_hz(m->rate) / (double)length;
    out->removed_rms_mm = removed_rms_mm(m);
    for (size_t k = 0; k < KINDS; k++) {
        ug_spectrum_destroy(r.of[k]);
    }
    free(r.series);
    if (status != UG_OK) {
        ug_take_spectrum_fini(out);
    }
    return status;
}

void ug_take_spectrum_fini(ug_take_spectrum *spectrum)
{
    if (spectrum) {
        free(spectrum->before_mm2_hz);
        *spectrum = (ug_take_spectrum){ .removed_rms_mm = NAN };
    }
}
