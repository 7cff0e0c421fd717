// SPDX-License-Identifier: MIT
// Small marker takes for tests: labelled "M0", "M1" …, in millimetres, all missing to begin with.
#pragma once

#include "motion/markers.h"
#include "motion/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static inline ug_markers *make_markers(size_t frames, size_t count, int64_t hz)
{
    ug_markers *m = ug_markers_create(frames, count, (ug_rate){ hz, 1 });
    assert(m);
    m->scale_m = 0.001;
    for (size_t i = 0; i < count; i++) {
        m->labels[i] = ug_text_format("M%zu", i);
        m->subjects[i] = ug_text_copy("");
    }
    return m;
}

/// One measured sample, millimetres.
static inline void put_mm(ug_markers *m, size_t frame, size_t marker, double x, double y, double z)
{
    const size_t i = ug_markers_index(m, frame, marker);
    m->positions[3 * i] = (float)x;
    m->positions[3 * i + 1] = (float)y;
    m->positions[3 * i + 2] = (float)z;
    m->origin[i] = UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED;
    m->residuals[i] = 0.5f;
}

static inline void hide(ug_markers *m, size_t marker, size_t first, size_t last)
{
    for (size_t f = first; f <= last; f++) {
        ug_markers_clear(m, f, marker);
    }
}

/// Every array of the same content, NaN equal to NaN.
static inline bool same_markers(const ug_markers *a, const ug_markers *b)
{
    const size_t n = a->frame_count * a->marker_count;
    return a->frame_count == b->frame_count && a->marker_count == b->marker_count &&
           memcmp(a->positions, b->positions, 3 * n * sizeof *a->positions) == 0 &&
           memcmp(a->origin, b->origin, n * sizeof *a->origin) == 0 &&
           memcmp(a->method, b->method, n) == 0 &&
           memcmp(a->predicted_error_mm, b->predicted_error_mm, n * sizeof *a->positions) == 0 &&
           memcmp(a->residuals, b->residuals, n * sizeof *a->residuals) == 0;
}
