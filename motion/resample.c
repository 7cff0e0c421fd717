// SPDX-License-Identifier: MIT
#include "motion/resample.h"

#include "motion/text.h"

#include <assert.h>
#include <stdlib.h>

// frame · rate products pass 64 bits for long takes at odd rates
__extension__ typedef __int128 wide;

// Frame k of `to` in frames of `from`: k·(from.num·to.den)/(from.den·to.num), exact.
typedef struct ratio {
    int64_t num, den;
} ratio;

static ratio source_frames_per_frame(ug_rate from, ug_rate to)
{
    assert(ug_rate_is_valid(from) && ug_rate_is_valid(to));
    // reduce crosswise first, so that the products stay small
    const ug_rate a = ug_rate_make(from.num, to.num);
    const ug_rate b = ug_rate_make(to.den, from.den);
    return (ratio){ a.num * b.num, a.den * b.den };
}

size_t ug_resample_count(size_t frame_count, ug_rate from, ug_rate to)
{
    if (frame_count == 0) {
        return 0;
    }
    const ratio r = source_frames_per_frame(from, to);
    return (size_t)(((wide)(frame_count - 1) * r.den) / r.num) + 1;
}

// Source frame and fraction of target frame k. fraction 0 means "exactly on it".
static size_t locate(double *fraction, ratio r, size_t k, size_t frame_count)
{
    const wide at = (wide)k * r.num;
    size_t f = (size_t)(at / r.den);
    const int64_t rest = (int64_t)(at % r.den);
    *fraction = (double)rest / (double)r.den;
    if (f + 1 >= frame_count) {
        f = frame_count - 1;
        *fraction = 0.0;
    }
    return f;
}

static bool resample_origin(ug_clip *out, const ug_clip *clip)
{
    if (!clip->origin) {
        return true;
    }
    const size_t n = out->frame_count * out->joint_count;
    out->origin = calloc(n > 0 ? n : 1, sizeof *out->origin);
    return out->origin != NULL;
}

static void resample_clip_frame(ug_clip *out, size_t k, const ug_clip *clip, size_t f, double u)
{
    const size_t joints = clip->joint_count, moved = clip->translated_count;
    const size_t g = u > 0.0 ? f + 1 : f;
    const ug_quat *a = ug_clip_rotations(clip, f), *b = ug_clip_rotations(clip, g);
    ug_quat *q = ug_clip_rotations(out, k);
    for (size_t j = 0; j < joints; j++) {
        q[j] = u > 0.0 ? ug_quat_slerp(a[j], b[j], u) : a[j];
        if (out->origin) {
            const uint16_t both = clip->origin[f * joints + j] & clip->origin[g * joints + j];
            out->origin[k * joints + j] =
                u > 0.0 ? (uint16_t)(both | UG_ORIGIN_COMPUTED) : clip->origin[f * joints + j];
        }
    }
    const ug_vec3 *ta = ug_clip_translations(clip, f), *tb = ug_clip_translations(clip, g);
    ug_vec3 *t = ug_clip_translations(out, k);
    for (size_t i = 0; i < moved; i++) {
        t[i] = u > 0.0 ? ug_vec3_lerp(ta[i], tb[i], u) : ta[i];
    }
}

ug_clip *ug_clip_resample(const ug_clip *clip, ug_rate rate)
{
    assert(clip);
    const size_t n = ug_resample_count(clip->frame_count, clip->rate, rate);
    ug_clip *out =
        ug_clip_create(n, clip->joint_count, clip->translated_joints, clip->translated_count, rate);
    if (!out || !resample_origin(out, clip)) {
        ug_clip_destroy(out);
        return NULL;
    }
    const ratio r = source_frames_per_frame(clip->rate, rate);
    for (size_t k = 0; k < n; k++) {
        double u;
        const size_t f = locate(&u, r, k, clip->frame_count);
        resample_clip_frame(out, k, clip, f, u);
    }
    // frame numbers belong to a rate; keep the time of the first frame as near as a number can
    out->first_frame = clip->first_frame * r.den / r.num;
    return out;
}

static void resample_sample(ug_markers *out, size_t to, const ug_markers *in, size_t a, size_t b,
                            double u)
{
    if (!(in->origin[a] & UG_ORIGIN_PRESENT) || !(in->origin[b] & UG_ORIGIN_PRESENT)) {
        return; // created missing
    }
    const float uf = (float)u;
    for (size_t i = 0; i < 3; i++) {
        const float pa = in->positions[3 * a + i], pb = in->positions[3 * b + i];
        out->positions[3 * to + i] = u > 0.0 ? pa + uf * (pb - pa) : pa;
    }
    for (size_t i = 0; out->unfiltered && i < 3; i++) { // NaN where one of both was not filtered
        const float pa = in->unfiltered[3 * a + i], pb = in->unfiltered[3 * b + i];
        out->unfiltered[3 * to + i] = u > 0.0 ? pa + uf * (pb - pa) : pa;
    }
    out->origin[to] =
        u > 0.0 ? (uint16_t)((in->origin[a] & in->origin[b]) | UG_ORIGIN_COMPUTED) : in->origin[a];
    if (out->origin[to] & UG_ORIGIN_FILLED) { // method and error belong to filled samples alone
        out->method[to] = in->method[a];
        out->predicted_error_mm[to] = in->predicted_error_mm[a];
    }
    out->residuals[to] = in->residuals[a];
    out->cameras[to] = in->cameras[a];
}

ug_markers *ug_markers_resample(const ug_markers *markers, ug_rate rate)
{
    assert(markers);
    const size_t n = ug_resample_count(markers->frame_count, markers->rate, rate);
    ug_markers *out = ug_markers_create(n, markers->marker_count, rate);
    if (!out || (markers->unfiltered && !ug_markers_make_unfiltered(out))) {
        ug_markers_destroy(out);
        return NULL;
    }
    out->scale_m = markers->scale_m;
    for (size_t m = 0; m < markers->marker_count; m++) {
        out->kinds[m] = markers->kinds[m];
        out->labels[m] = ug_text_copy(markers->labels[m] ? markers->labels[m] : "");
        out->subjects[m] = ug_text_copy(markers->subjects[m] ? markers->subjects[m] : "");
        if (!out->labels[m] || !out->subjects[m]) {
            ug_markers_destroy(out);
            return NULL;
        }
    }
    const ratio r = source_frames_per_frame(markers->rate, rate);
    for (size_t k = 0; k < n; k++) {
        double u;
        const size_t f = locate(&u, r, k, markers->frame_count);
        for (size_t m = 0; m < markers->marker_count; m++) {
            const size_t a = ug_markers_index(markers, f, m);
            resample_sample(out, ug_markers_index(out, k, m), markers, a,
                            u > 0.0 ? a + markers->marker_count : a, u);
        }
    }
    out->first_frame = markers->first_frame * r.den / r.num;
    return out;
}
