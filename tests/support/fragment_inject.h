// SPDX-License-Identifier: MIT
// Hide stretches of markers under points without a name, and count which were joined again.
//
// A stretch lasts 0.05 … 3 s (logarithmically uniform), with up to half a second missing on either
// side. A third are decoys: ghosts 6 … 20 cm from the marker that is missing.
#pragma once

#include "datasets/random.h"
#include "motion/text.h"
#include "solvers/fragments.h"
#include "solvers/markers_columns.h"
#include "solvers/markers_move.h"

#include <math.h>
#include <stdlib.h>

enum { HIDDEN_STRETCHES = 24 };

typedef struct hidden_stretch {
    size_t marker, first, last, before, after;
    bool decoy;
} hidden_stretch;

typedef struct fragment_score {
    size_t hidden, joined, decoys, wrong;
} fragment_score;

static inline bool seen_through(const ug_markers *m, const hidden_stretch *h)
{
    for (size_t f = h->first - h->before - 1; f <= h->last + h->after + 1; f++) {
        if (!ug_markers_present(m, f, h->marker)) {
            return false;
        }
    }
    return m->kinds[h->marker] == UG_POINT_MARKER;
}

static inline hidden_stretch draw_stretch(const ug_markers *m, size_t named, ug_random *r)
{
    const double hz = ug_rate_hz(m->rate);
    for (;;) {
        const size_t length = (size_t)(hz * exp(ug_random_range(r, log(0.05), log(3.0)))) + 1;
        hidden_stretch h = { .marker = (size_t)ug_random_below(r, named),
                             .before = (size_t)(hz * ug_random_range(r, 0.0, 0.5)),
                             .after = (size_t)(hz * ug_random_range(r, 0.0, 0.5)) };
        const size_t room = length + h.before + h.after + 3;
        if (m->frame_count <= room) {
            continue;
        }
        h.first = h.before + 1 + (size_t)ug_random_below(r, m->frame_count - room);
        h.last = h.first + length - 1;
        if (seen_through(m, &h)) {
            return h;
        }
    }
}

static inline void hide_stretch(ug_markers *m, const hidden_stretch *h, size_t point, ug_random *r)
{
    ug_vec3 off = { ug_random_gaussian(r), ug_random_gaussian(r), ug_random_gaussian(r) };
    off = ug_vec3_scale(ug_vec3_unit(off, (ug_vec3){ 1, 0, 0 }), ug_random_range(r, 0.06, 0.2));
    for (size_t f = h->first - h->before; f <= h->last + h->after; f++) {
        if (f < h->first || f > h->last) {
            ug_markers_clear(m, f, h->marker);
            continue;
        }
        ug_markers_exchange(m, f, h->marker, point);
        if (h->decoy) {
            ug_markers_set_m(m, f, point, ug_vec3_add(ug_markers_position_m(m, f, point), off),
                             UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED);
        }
    }
}

/// Spoils `m`, joins, and adds to `score`. False when out of memory or refused.
static inline bool run_fragments(fragment_score *score, ug_markers *m, uint64_t seed)
{
    const size_t named = m->marker_count;
    size_t *columns = malloc((named + HIDDEN_STRETCHES) * sizeof *columns);
    for (size_t i = 0; i < named + HIDDEN_STRETCHES; i++) {
        columns[i] = i < named ? i : SIZE_MAX;
    }
    bool good = ug_markers_columns(m, columns, named + HIDDEN_STRETCHES, NULL) == UG_OK;
    free(columns);
    ug_random r = ug_random_make(seed, 3);
    hidden_stretch stretches[HIDDEN_STRETCHES];
    for (size_t i = 0; i < HIDDEN_STRETCHES; i++) {
        m->labels[named + i] = ug_text_format("*%zu", i);
        m->subjects[named + i] = ug_text_copy("");
        m->kinds[named + i] = UG_POINT_UNLABELLED;
        stretches[i] = draw_stretch(m, named, &r);
        stretches[i].decoy = i % 3 == 2;
        hide_stretch(m, &stretches[i], named + i, &r);
        *(stretches[i].decoy ? &score->decoys : &score->hidden) += 1;
    }
    ug_fragments found;
    good = good && ug_fragments_find(&found, m, NULL, true, NULL) == UG_OK;
    for (size_t i = 0; good && i < found.count; i++) {
        const hidden_stretch *h = &stretches[found.items[i].point - named];
        const bool right = !h->decoy && h->marker == found.items[i].marker;
        *(right ? &score->joined : &score->wrong) += 1;
    }
    ug_fragments_fini(&found);
    return good;
}
