// SPDX-License-Identifier: MIT
#include "solvers/markers_move.h"

#include <assert.h>
#include <string.h>

static void exchange_bytes(void *a, void *b, size_t size)
{
    unsigned char keep[16];
    assert(size <= sizeof keep);
    memcpy(keep, a, size);
    memcpy(a, b, size);
    memcpy(b, keep, size);
}

void ug_markers_exchange(ug_markers *markers, size_t frame, size_t a, size_t b)
{
    ug_markers *m = markers;
    const size_t i = ug_markers_index(m, frame, a), k = ug_markers_index(m, frame, b);
    exchange_bytes(m->positions + 3 * i, m->positions + 3 * k, 3 * sizeof *m->positions);
    exchange_bytes(m->origin + i, m->origin + k, sizeof *m->origin);
    exchange_bytes(m->method + i, m->method + k, sizeof *m->method);
    exchange_bytes(m->predicted_error_mm + i, m->predicted_error_mm + k,
                   sizeof *m->predicted_error_mm);
    exchange_bytes(m->residuals + i, m->residuals + k, sizeof *m->residuals);
    exchange_bytes(m->cameras + i, m->cameras + k, sizeof *m->cameras);
    if (m->unfiltered) {
        exchange_bytes(m->unfiltered + 3 * i, m->unfiltered + 3 * k, 3 * sizeof *m->unfiltered);
    }
}
