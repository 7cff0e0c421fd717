// SPDX-License-Identifier: MIT
#include "solvers/swaps.h"

#include "solvers/markers_check.h"

#include <assert.h>
#include <stdlib.h>

static const double JUMP_M = 0.010;
static const double CROSSED_SHARE = 0.25; // of the distance by which both miss their own place

void ug_swaps_fini(ug_swaps *swaps)
{
    if (swaps) {
        free(swaps->items);
        *swaps = (ug_swaps){ 0 };
    }
}

// A marker that is not where its last two samples lead.
typedef struct jump {
    size_t marker;
    ug_vec3 at_m, expected_m;
    double miss_m;
} jump;

static size_t find_jumps(jump *out, const ug_markers *m, size_t frame)
{
    size_t count = 0;
    for (size_t k = 0; k < m->marker_count; k++) {
        if (m->kinds[k] != UG_POINT_MARKER || !ug_markers_present(m, frame, k) ||
            !ug_markers_present(m, frame - 1, k) || !ug_markers_present(m, frame - 2, k)) {
            continue;
        }
        const ug_vec3 last = ug_markers_position_m(m, frame - 1, k);
        const ug_vec3 before = ug_markers_position_m(m, frame - 2, k);
        jump j = { .marker = k, .at_m = ug_markers_position_m(m, frame, k) };
        j.expected_m = ug_vec3_add(last, ug_vec3_sub(last, before));
        j.miss_m = ug_vec3_distance(j.at_m, j.expected_m);
        if (j.miss_m >= JUMP_M) {
            out[count++] = j;
        }
    }
    return count;
}

static bool is_exchange(const jump *a, const jump *b)
{
    const double crossed =
        ug_vec3_distance(a->at_m, b->expected_m) + ug_vec3_distance(b->at_m, a->expected_m);
    return crossed < CROSSED_SHARE * (a->miss_m + b->miss_m);
}

static ug_status add_swap(ug_swaps *swaps, ug_swap swap, ug_error *err)
{
    if ((swaps->count & (swaps->count - 1)) == 0) { // grow at 0, 1, 2, 4, 8 …
        const size_t capacity = swaps->count > 0 ? 2 * swaps->count : 1;
        ug_swap *items = realloc(swaps->items, capacity * sizeof *items);
        if (!items) {
            return ug_fail(err, UG_E_NOMEM, "out of memory for %zu swaps", capacity);
        }
        swaps->items = items;
    }
    swaps->items[swaps->count++] = swap;
    return UG_OK;
}

ug_status ug_swaps_find(ug_swaps *swaps, const ug_markers *markers, ug_warnings *warnings,
                        ug_error *err)
{
    assert(swaps && markers);
    *swaps = (ug_swaps){ 0 };
    ug_status status = ug_markers_check(markers, err);
    if (status != UG_OK) {
        return status;
    }
    jump *jumps = malloc((markers->marker_count + 1) * sizeof *jumps);
    if (!jumps) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu markers", markers->marker_count);
    }
    for (size_t f = 2; f < markers->frame_count && status == UG_OK; f++) {
        const size_t count = find_jumps(jumps, markers, f);
        for (size_t i = 0; i < count; i++) {
            for (size_t k = i + 1; k < count && status == UG_OK; k++) {
                if (is_exchange(&jumps[i], &jumps[k])) {
                    ug_warn(warnings, "swap_suspected",
                            "markers '%s' and '%s' exchange their places at frame %zu",
                            ug_markers_name(markers, jumps[i].marker).text,
                            ug_markers_name(markers, jumps[k].marker).text, f);
                    status = add_swap(swaps, (ug_swap){ jumps[i].marker, jumps[k].marker, f }, err);
                }
            }
        }
    }
    free(jumps);
    if (status != UG_OK) {
        ug_swaps_fini(swaps);
    }
    return status;
}
