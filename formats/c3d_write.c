// SPDX-License-Identifier: MIT
// Writes a take as C3D: header block, parameters, then frame by frame points and analog.
#include "formats/c3d.h"
#include "formats/c3d_internal.h"
#include "formats/file.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20 };

typedef struct encoder {
    const ug_take *take;
    const c3d_plan *plan;
    uint8_t *bytes; // some frames in the file's order
    float *row;     // one frame of points
    size_t residuals_cut;
} encoder;

// The reader's arithmetic, to find the word that comes back as the same residual.
static float residual_of(float word, float base, double scale)
{
    return (word - base) * (float)scale;
}

// Camera mask and residual as one number; a float file may carry a fraction.
static float flag_word(encoder *e, size_t sample)
{
    const ug_markers *m = e->take->markers;
    const c3d_layout *l = &e->plan->layout;
    const double residual = (double)m->residuals[sample] * (double)e->plan->factor;
    const float base = (float)(256 * (m->cameras[sample] & 0x7f));
    if (!(residual > 0)) {
        return base;
    }
    const double steps = residual / l->scale;
    if (!(steps < 256.0)) {
        e->residuals_cut++;
        return base + 255.0f;
    }
    const float whole = base + rintf((float)steps);
    if (l->is_integer || residual_of(whole, base, l->scale) == (float)residual) {
        return fminf(whole, base + 255.0f);
    }
    const float near = (float)((double)base + steps);
    for (int way = 0; way < 3; way++) {
        const float word = way == 0 ? near : nextafterf(near, way == 1 ? 0.0f : 65536.0f);
        if (residual_of(word, base, l->scale) == (float)residual) {
            return word;
        }
    }
    return near;
}

static bool is_length(uint8_t kind)
{
    return kind <= UG_POINT_UNLABELLED || kind == UG_POINT_VIRTUAL;
}

static void encode_point(encoder *e, float out[4], size_t sample, uint8_t kind)
{
    const ug_markers *m = e->take->markers;
    if (!(m->origin[sample] & UG_ORIGIN_PRESENT)) {
        out[0] = out[1] = out[2] = 0.0f;
        out[3] = -1.0f;
        return;
    }
    memcpy(out, m->positions + 3 * sample, 3 * sizeof *out);
    ug_axes_export_f32(e->plan->axes, out, 1);
    const float factor = is_length(kind) ? e->plan->factor : 1.0f;
    for (int i = 0; factor != 1.0f && i < 3; i++) {
        out[i] *= factor;
    }
    out[3] = flag_word(e, sample);
    if (out[0] == 0.0f && out[1] == 0.0f && out[2] == 0.0f && out[3] == 0.0f) {
        out[3] = -0.0f; // really there: the reader tells it from a gap written as zeros
    }
}

static void put_points(encoder *e, uint8_t *to, size_t frame)
{
    const ug_markers *m = e->take->markers;
    const c3d_layout *l = &e->plan->layout;
    for (size_t i = 0; i < m->marker_count; i++) {
        encode_point(e, e->row + 4 * i, frame * m->marker_count + i, m->kinds[i]);
    }
    if (!l->is_integer) {
        c3d_put_f32_row(to, e->row, 4 * m->marker_count, l->processor);
        return;
    }
    for (size_t i = 0; i < 4 * m->marker_count; i++) {
        const double v = (i & 3) == 3 ? (double)e->row[i] : rint((double)e->row[i] / l->scale);
        const double cut = v > 32767.0 ? 32767.0 : v < -32768.0 ? -32768.0 : v;
        c3d_put_u16(to + 2 * i, l->processor, (uint16_t)(int16_t)cut);
    }
}

static void put_analog(const encoder *e, uint8_t *to, size_t frame)
{
    const c3d_layout *l = &e->plan->layout;
    const size_t row = l->channel_count * l->samples_per_frame;
    if (row == 0) {
        return;
    }
    const float *raw = e->take->analog->raw + frame * row;
    if (!l->is_integer) {
        c3d_put_f32_row(to, raw, row, l->processor);
        return;
    }
    for (size_t i = 0; i < row; i++) {
        c3d_put_u16(to + 2 * i, l->processor, (uint16_t)(int32_t)raw[i]);
    }
}

static ug_status write_frames(FILE *stream, encoder *e, ug_error *err)
{
    const c3d_layout *l = &e->plan->layout;
    if (l->frame_bytes == 0) {
        return UG_OK;
    }
    const size_t batch = l->frame_bytes < BUFFER_BYTES ? BUFFER_BYTES / l->frame_bytes : 1;
    ug_status status = UG_OK;
    e->bytes = malloc(batch * l->frame_bytes);
    e->row = malloc((4 * l->point_count + 1) * sizeof *e->row);
    if (!e->bytes || !e->row) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    const size_t point_bytes = 4 * l->point_count * (l->is_integer ? 2u : 4u);
    for (size_t f = 0; status == UG_OK && f < l->frame_count; f += batch) {
        const double share = (double)f / (double)l->frame_count;
        status = ug_progress_check(e->plan->progress, share, err);
        if (status != UG_OK) {
            break;
        }
        const size_t n = l->frame_count - f < batch ? l->frame_count - f : batch;
        for (size_t k = 0; k < n; k++) {
            uint8_t *to = e->bytes + k * l->frame_bytes;
            put_points(e, to, f + k);
            put_analog(e, to + point_bytes, f + k);
        }
        if (fwrite(e->bytes, l->frame_bytes, n, stream) != n) {
            status = ug_fail(err, UG_E_WRITE, "cannot be written: %s", strerror(errno));
        }
    }
    free(e->bytes);
    free(e->row);
    return status;
}

ug_status c3d_stream_write(FILE *stream, const ug_take *take, const c3d_plan *plan,
                           ug_warnings *warnings, ug_error *err)
{
    const c3d_layout *l = &plan->layout;
    encoder e = { .take = take, .plan = plan };
    if (fwrite(plan->header, C3D_BLOCK, 1, stream) != 1 ||
        fwrite(plan->section, plan->section_size, 1, stream) != 1) {
        return ug_fail(err, UG_E_WRITE, "cannot be written: %s", strerror(errno));
    }
    const ug_status status = write_frames(stream, &e, err);
    if (status != UG_OK) {
        return status;
    }
    static const uint8_t zeros[C3D_BLOCK];
    const size_t over = l->frame_count * l->frame_bytes % C3D_BLOCK;
    if (over > 0 && fwrite(zeros, C3D_BLOCK - over, 1, stream) != 1) {
        return ug_fail(err, UG_E_WRITE, "cannot be written: %s", strerror(errno));
    }
    ug_warn_times(warnings, e.residuals_cut, "c3d_residual_cut",
                  "%zu residuals are larger than 255 steps of %g; that is the largest C3D can hold",
                  e.residuals_cut, l->scale);
    return UG_OK;
}

ug_status ug_c3d_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    assert(path && take);
    c3d_plan plan;
    ug_outfile out = { 0 };
    ug_status status = c3d_plan_make(&plan, take, opts, warnings, err);
    if (status != UG_OK) {
        return status;
    }
    status = ug_outfile_open(&out, path, err);
    if (status == UG_OK) {
        status = c3d_stream_write(out.stream, take, &plan, warnings, err);
    }
    if (status == UG_OK) {
        status = ug_outfile_commit(&out, err);
    }
    ug_outfile_discard(&out);
    c3d_plan_fini(&plan);
    return status;
}
