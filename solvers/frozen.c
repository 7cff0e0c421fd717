// SPDX-License-Identifier: MIT
#include "solvers/frozen.h"

#include "solvers/markers_check.h"
#include "solvers/swap_space.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS_MIN = 3, CARRIERS_MIN = 3 };

static const double MOVED_M = 0.005;

void ug_frozen_fini(ug_frozen *frozen)
{
    if (frozen) {
        free(frozen->items);
        *frozen = (ug_frozen){ 0 };
    }
}

static bool is_same(const ug_markers *m, size_t marker, size_t a, size_t b)
{
    const float *p = m->positions + 3 * ug_markers_index(m, a, marker);
    const float *q = m->positions + 3 * ug_markers_index(m, b, marker);
    return memcmp(p, q, 3 * sizeof *p) == 0;
}

// Made by hand or by an earlier filling: whoever did that meant it.
static bool is_measured(const ug_markers *m, size_t frame, size_t marker)
{
    const uint16_t origin = m->origin[ug_markers_index(m, frame, marker)];
    return (origin & UG_ORIGIN_PRESENT) && !(origin & (UG_ORIGIN_EDITED | UG_ORIGIN_FILLED));
}

// Most takes have none, and need no closer look.
static bool any_repeats(const ug_markers *m)
{
    for (size_t k = 0; k < m->marker_count; k++) {
        for (size_t f = 2; m->kinds[k] == UG_POINT_MARKER && f < m->frame_count; f++) {
            if (is_measured(m, f, k) && is_measured(m, f - 1, k) && is_measured(m, f - 2, k) &&
                is_same(m, k, f, f - 1) && is_same(m, k, f, f - 2)) {
                return true;
            }
        }
    }
    return false;
}

static double missed_m(const ug_swap_space *s, size_t member, size_t first, size_t last)
{
    ug_swap_carriers carriers;
    ug_swap_carriers_choose(&carriers, s, member, first, last, &member, 1);
    if (carriers.count < CARRIERS_MIN) {
        return 0.0;
    }
    const ug_vec3 was = ug_swap_place_m(s, first, member);
    return ug_vec3_distance(was, ug_swap_carry_m(s, &carriers, was, first, last));
}

static ug_status append(ug_frozen *out, ug_frozen_run run, ug_error *err)
{
    if ((out->count & (out->count - 1)) == 0) { // grow at 0, 1, 2, 4, 8 …
        const size_t capacity = out->count > 0 ? 2 * out->count : 1;
        ug_frozen_run *items = realloc(out->items, capacity * sizeof *items);
        if (!items) {
            return ug_fail(err, UG_E_NOMEM, "out of memory for %zu frozen runs", capacity);
        }
        out->items = items;
    }
    out->items[out->count++] = run;
    out->sample_count += run.last - run.first + 1;
    return UG_OK;
}

static ug_status find_in_marker(ug_frozen *out, const ug_swap_space *s, size_t member,
                                ug_error *err)
{
    const ug_markers *m = s->markers;
    const size_t marker = s->columns[member];
    for (size_t f = 0; f < m->frame_count; f++) {
        const size_t first = f;
        while (f + 1 < m->frame_count && is_measured(m, f, marker) &&
               is_measured(m, f + 1, marker) && is_same(m, marker, first, f + 1)) {
            f++;
        }
        if (f - first + 1 < REPEATS_MIN) {
            continue;
        }
        const double missed = missed_m(s, member, first, f);
        if (missed >= MOVED_M) {
            const ug_status status =
                append(out, (ug_frozen_run){ marker, first + 1, f, 1e3 * missed }, err);
            if (status != UG_OK) {
                return status;
            }
        }
    }
    return UG_OK;
}

ug_status ug_frozen_find(ug_markers *markers, ug_frozen *frozen, ug_warnings *warnings, bool clear,
                         ug_error *err)
{
    assert(markers && frozen);
    *frozen = (ug_frozen){ 0 };
    ug_swap_space space = { 0 };
    ug_status status = ug_markers_check(markers, err);
    if (status == UG_OK && any_repeats(markers)) {
        status = ug_swap_space_init(&space, markers, 1, err);
    }
    for (size_t i = 0; i < space.count && status == UG_OK; i++) {
        status = find_in_marker(frozen, &space, i, err);
    }
    ug_swap_space_fini(&space);
    if (status != UG_OK) {
        ug_frozen_fini(frozen);
        return status;
    }
    for (size_t i = 0; i < frozen->count; i++) {
        const ug_frozen_run *r = &frozen->items[i];
        ug_warn(warnings, clear ? "frozen_cleared" : "frozen",
                "marker '%s', frames %zu-%zu: the value of the frame before, while its neighbours "
                "moved %.1f mm",
                ug_markers_name(markers, r->marker).text, r->first, r->last, r->missed_mm);
        for (size_t f = r->first; f <= r->last && clear; f++) {
            ug_markers_clear(markers, f, r->marker);
        }
    }
    return UG_OK;
}
