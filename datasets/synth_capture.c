// SPDX-License-Identifier: MIT
#include "datasets/synth_capture.h"

#include "datasets/random.h"
#include "motion/kinematics.h"
#include "motion/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_NOISE = 16, STREAM_GAPS, STREAM_DROPOUT, STREAM_SWAPS, STREAM_GHOSTS };

static const double GAP_MIN_S = 0.02, GAP_MAX_S = 0.8;
static const double SWAP_MIN_S = 0.1, SWAP_MAX_S = 1.0;
static const double SWAP_NEAR_M = 0.25; // labels are exchanged between neighbours
static const double GHOST_MIN_S = 0.05, GHOST_MAX_S = 0.6;

static ug_status out_of_memory(ug_error *err)
{
    return ug_fail(err, UG_E_NOMEM, "out of memory for the synthetic markers");
}

ug_status ug_synth_observe(ug_markers **markers, const ug_skeleton *skeleton,
                           const ug_attachments *attachments, const ug_clip *clip,
                           const ug_progress *progress, ug_error *err)
{
    ug_status status = UG_OK;
    ug_markers *m = ug_markers_create(clip->frame_count, attachments->count, clip->rate);
    ug_quat *q = malloc(skeleton->joint_count * sizeof *q);
    ug_vec3 *p = malloc(skeleton->joint_count * sizeof *p);
    bool ok = m && q && p;
    for (size_t i = 0; ok && i < attachments->count; i++) {
        m->labels[i] = ug_text_copy(attachments->items[i].label);
        m->subjects[i] = ug_text_copy("");
        ok = m->labels[i] && m->subjects[i];
    }
    if (ok) {
        m->scale_m = 0.001;
        for (size_t f = 0; f < clip->frame_count && status == UG_OK; f++) {
            status = ug_progress_step(progress, f, clip->frame_count, err);
            ug_clip_forward(q, p, skeleton, clip, f);
            for (size_t i = 0; i < attachments->count; i++) {
                const ug_attachment *a = &attachments->items[i];
                const ug_vec3 at =
                    ug_vec3_add(p[a->joint], ug_quat_rotate(q[a->joint], a->local_m));
                ug_markers_set_m(m, f, i, at, UG_ORIGIN_MEASURED);
                m->residuals[ug_markers_index(m, f, i)] = 0.0f;
                m->cameras[ug_markers_index(m, f, i)] = 0x7f;
            }
        }
    }
    free(q);
    free(p);
    if (!ok || status != UG_OK) {
        ug_markers_destroy(m);
        return ok ? status : out_of_memory(err);
    }
    *markers = m;
    return UG_OK;
}

// The clean take with room for ghosts behind.
static ug_markers *widen(const ug_markers *clean, size_t ghosts)
{
    ug_markers *m =
        ug_markers_create(clean->frame_count, clean->marker_count + ghosts, clean->rate);
    if (!m) {
        return NULL;
    }
    bool ok = true;
    m->scale_m = clean->scale_m;
    for (size_t i = 0; i < m->marker_count; i++) {
        const bool ghost = i >= clean->marker_count;
        m->labels[i] = ghost ? ug_text_format("*%zu", i - clean->marker_count + 1)
                             : ug_text_copy(clean->labels[i]);
        m->subjects[i] = ug_text_copy("");
        m->kinds[i] = ghost ? UG_POINT_UNLABELLED : UG_POINT_MARKER;
        ok = ok && m->labels[i] && m->subjects[i];
    }
    for (size_t f = 0; f < clean->frame_count; f++) {
        const size_t to = ug_markers_index(m, f, 0), from = ug_markers_index(clean, f, 0);
        memcpy(m->positions + 3 * to, clean->positions + 3 * from,
               3 * clean->marker_count * sizeof *m->positions);
        memcpy(m->origin + to, clean->origin + from, clean->marker_count * sizeof *m->origin);
        memcpy(m->residuals + to, clean->residuals + from,
               clean->marker_count * sizeof *m->residuals);
        memcpy(m->cameras + to, clean->cameras + from, clean->marker_count);
    }
    if (!ok) {
        ug_markers_destroy(m);
        return NULL;
    }
    return m;
}

static void add_noise(ug_markers *m, size_t marker_count, const ug_synth_opts *opts)
{
    ug_random random = ug_random_make(opts->seed, STREAM_NOISE);
    for (size_t f = 0; f < m->frame_count; f++) {
        for (size_t i = 0; i < marker_count; i++) {
            const size_t at = ug_markers_index(m, f, i);
            double square = 0.0;
            for (size_t axis = 0; axis < 3; axis++) {
                const double e = opts->noise_mm * ug_random_gaussian(&random);
                m->positions[3 * at + axis] =
                    (float)((double)m->positions[3 * at + axis] + e); // the unit is millimetres
                square += e * e;
            }
            m->residuals[at] = (float)sqrt(square / 3.0);
        }
    }
}

typedef struct fault_list {
    size_t count, capacity;
    ug_synth_fault *items;
} fault_list;

static bool add_fault(fault_list *list, ug_synth_fault fault)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        ug_synth_fault *items = realloc(list->items, capacity * sizeof *items);
        if (!items) {
            return false;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = fault;
    return true;
}

// A length between two times, short ones as likely as long ones on a logarithmic scale.
static size_t draw_frames(ug_random *random, double min_s, double max_s, ug_rate rate)
{
    const double s = min_s * pow(max_s / min_s, ug_random_uniform(random));
    const double frames = floor(s * ug_rate_hz(rate) + 0.5);
    return frames < 1.0 ? 1 : (size_t)frames;
}

static bool hide(ug_markers *m, fault_list *faults, size_t marker, size_t first, size_t length)
{
    size_t last = first + length - 1;
    last = last < m->frame_count ? last : m->frame_count - 1;
    for (size_t f = first; f <= last; f++) {
        ug_markers_clear(m, f, marker);
    }
    return add_fault(faults, (ug_synth_fault){ UG_FAULT_GAP, marker, marker, first, last });
}

// Bursts until the share asked for is hidden, then single samples.
static bool add_gaps(ug_markers *m, fault_list *faults, size_t marker_count, size_t still,
                     const ug_synth_opts *opts)
{
    ug_random random = ug_random_make(opts->seed, STREAM_GAPS);
    const size_t open = m->frame_count - still;
    const double want = opts->occluded_share * (double)(marker_count * m->frame_count);
    for (double hidden = 0.0; hidden < want;) {
        const size_t marker = (size_t)ug_random_below(&random, marker_count);
        const size_t first = still + (size_t)ug_random_below(&random, open);
        const size_t length = draw_frames(&random, GAP_MIN_S, GAP_MAX_S, m->rate);
        if (!hide(m, faults, marker, first, length)) {
            return false;
        }
        hidden += (double)length;
    }
    random = ug_random_make(opts->seed, STREAM_DROPOUT);
    for (size_t f = still; f < m->frame_count; f++) {
        for (size_t i = 0; i < marker_count; i++) {
            if (ug_random_uniform(&random) < opts->dropout_share && ug_markers_present(m, f, i) &&
                !hide(m, faults, i, f, 1)) {
                return false;
            }
        }
    }
    return true;
}

static void exchange(ug_markers *m, size_t frame, size_t a, size_t b)
{
    const size_t i = ug_markers_index(m, frame, a), j = ug_markers_index(m, frame, b);
    for (size_t axis = 0; axis < 3; axis++) {
        const float keep = m->positions[3 * i + axis];
        m->positions[3 * i + axis] = m->positions[3 * j + axis];
        m->positions[3 * j + axis] = keep;
    }
    const uint16_t origin = m->origin[i];
    m->origin[i] = m->origin[j];
    m->origin[j] = origin;
    const float residual = m->residuals[i];
    m->residuals[i] = m->residuals[j];
    m->residuals[j] = residual;
    const uint8_t cameras = m->cameras[i];
    m->cameras[i] = m->cameras[j];
    m->cameras[j] = cameras;
}

// Two markers near each other carry each other's label for a while.
static bool add_swaps(ug_markers *m, fault_list *faults, const ug_markers *clean, size_t still,
                      const ug_synth_opts *opts)
{
    enum { TRIES = 1000 };
    ug_random random = ug_random_make(opts->seed, STREAM_SWAPS);
    int done = 0;
    for (int k = 0; k < TRIES && done < opts->swaps && clean->marker_count >= 2; k++) {
        const size_t a = (size_t)ug_random_below(&random, clean->marker_count);
        const size_t b = (size_t)ug_random_below(&random, clean->marker_count);
        const size_t first = still + (size_t)ug_random_below(&random, m->frame_count - still);
        const size_t length = draw_frames(&random, SWAP_MIN_S, SWAP_MAX_S, m->rate);
        const double apart = ug_vec3_distance(ug_markers_position_m(clean, first, a),
                                              ug_markers_position_m(clean, first, b));
        if (a == b || apart > SWAP_NEAR_M || first + length > m->frame_count) {
            continue;
        }
        for (size_t f = first; f < first + length; f++) {
            exchange(m, f, a, b);
        }
        if (!add_fault(faults,
                       (ug_synth_fault){ UG_FAULT_SWAP, a, b, first, first + length - 1 })) {
            return false;
        }
        done++;
    }
    return true;
}

// Flickering points beside the body: each appears a few times, drifts a little, and is nothing.
static bool add_ghosts(ug_markers *m, fault_list *faults, const ug_markers *clean,
                       const ug_synth_opts *opts)
{
    enum { TIMES = 5 };
    ug_random random = ug_random_make(opts->seed, STREAM_GHOSTS);
    for (size_t g = clean->marker_count; g < m->marker_count; g++) {
        for (int k = 0; k < TIMES; k++) {
            const size_t first = (size_t)ug_random_below(&random, m->frame_count);
            size_t last = first + draw_frames(&random, GHOST_MIN_S, GHOST_MAX_S, m->rate) - 1;
            last = last < m->frame_count ? last : m->frame_count - 1;
            const size_t near = (size_t)ug_random_below(&random, clean->marker_count);
            ug_vec3 at = ug_markers_position_m(clean, first, near), drift;
            at.x += ug_random_range(&random, -0.3, 0.3);
            at.y = fmax(0.01, at.y + ug_random_range(&random, -0.3, 0.3));
            at.z += ug_random_range(&random, -0.3, 0.3);
            drift.x = 0.002 * ug_random_gaussian(&random);
            drift.y = 0.002 * ug_random_gaussian(&random);
            drift.z = 0.002 * ug_random_gaussian(&random);
            for (size_t f = first; f <= last; f++) {
                ug_markers_set_m(m, f, g, ug_vec3_madd(at, (double)(f - first), drift),
                                 UG_ORIGIN_MEASURED);
                m->residuals[ug_markers_index(m, f, g)] = (float)(3.0 * opts->noise_mm);
                m->cameras[ug_markers_index(m, f, g)] = 0x03;
            }
            if (!add_fault(faults, (ug_synth_fault){ UG_FAULT_GHOST, g, g, first, last })) {
                return false;
            }
        }
    }
    return true;
}

ug_status ug_synth_spoil(ug_markers **spoilt, ug_synth_fault **faults, size_t *count,
                         const ug_markers *clean, double still_s, const ug_synth_opts *opts,
                         ug_error *err)
{
    const size_t still = (size_t)ceil(still_s * ug_rate_hz(clean->rate));
    assert(still < clean->frame_count);
    fault_list list = { 0 };
    ug_markers *m = widen(clean, (size_t)opts->ghosts);
    if (m) {
        add_noise(m, clean->marker_count, opts);
    }
    if (!m || !add_gaps(m, &list, clean->marker_count, still, opts) ||
        !add_swaps(m, &list, clean, still, opts) || !add_ghosts(m, &list, clean, opts)) {
        free(list.items);
        ug_markers_destroy(m);
        return out_of_memory(err);
    }
    *spoilt = m;
    *faults = list.items;
    *count = list.count;
    return UG_OK;
}
