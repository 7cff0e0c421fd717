// SPDX-License-Identifier: MIT
// Exchange labels in a take that is right, from a seed, and count which of them were found.
//
// Pairs are 4 … 25 cm apart where the exchange begins and where it ends, and it lasts from one
// frame to 2 s, logarithmically uniform. A third of them happens out of sight: both markers are
// hidden for 0.1 … 1 s and return exchanged; half of these end in a second gap, half in view. As
// many gaps again hide two neighbours that return as they were. No two share a marker within half
// a second, so that what is right is not in doubt.
#pragma once

#include "datasets/random.h"
#include "solvers/markers_move.h"
#include "solvers/swaps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct injected {
    size_t count;      ///< markers: 2, or 3 for a ring
    size_t markers[3]; ///< label [i] holds [i + 1]'s
    size_t first, last;
    size_t before, after; ///< frames hidden before `first` and after `last`
    bool decoy;           ///< hidden, not exchanged
    bool found;
} injected;

typedef struct injection {
    size_t count;
    injected items[256];
} injection;

typedef struct swap_score {
    size_t injected, found;      ///< in view
    size_t hidden, hidden_found; ///< beginning out of sight
    size_t reported, false_alarms;
} swap_score;

static inline bool seen_together(const ug_markers *m, size_t f, const size_t *markers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!ug_markers_present(m, f, markers[i])) {
            return false;
        }
    }
    return true;
}

static inline bool near_at(const ug_markers *m, size_t f, size_t a, size_t b)
{
    const double d =
        ug_vec3_distance(ug_markers_position_m(m, f, a), ug_markers_position_m(m, f, b));
    return d >= 0.04 && d <= 0.25;
}

static inline bool is_free(const injection *in, const injected *e, size_t margin)
{
    for (size_t i = 0; i < in->count; i++) {
        const injected *o = &in->items[i];
        const bool apart = e->last + e->after + margin < o->first - o->before ||
                           o->last + o->after + margin < e->first - e->before;
        for (size_t a = 0; a < e->count && !apart; a++) {
            for (size_t b = 0; b < o->count; b++) {
                if (e->markers[a] == o->markers[b]) {
                    return false;
                }
            }
        }
    }
    return true;
}

// A candidate place for an exchange of `count` markers; false when chance found none.
static inline bool draw(injected *e, const ug_markers *m, ug_random *r, size_t count, bool hidden)
{
    const double hz = ug_rate_hz(m->rate);
    const size_t length = (size_t)(exp(ug_random_range(r, 0.0, log(2.0 * hz))) + 0.5);
    *e = (injected){ .count = count };
    if (hidden) {
        e->before = (size_t)ug_random_range(r, 0.1 * hz, 1.0 * hz);
        e->after = ug_random_below(r, 2) ? (size_t)ug_random_range(r, 0.1 * hz, 1.0 * hz) : 0;
    }
    const size_t margin = (size_t)(0.25 * hz);
    if (m->frame_count <= 2 * margin + e->before + length + e->after) {
        return false;
    }
    e->first =
        margin + e->before +
        (size_t)ug_random_below(r, m->frame_count - 2 * margin - e->before - length - e->after);
    e->last = e->first + length - 1;
    for (size_t i = 0; i < count; i++) {
        e->markers[i] = (size_t)ug_random_below(r, m->marker_count);
        for (size_t k = 0; k < i; k++) {
            if (e->markers[k] == e->markers[i]) {
                return false;
            }
        }
    }
    for (size_t f = e->first - e->before - 2; f <= e->last + e->after + 2; f++) {
        if (!seen_together(m, f, e->markers, count)) {
            return false;
        }
    }
    for (size_t i = 1; i < count; i++) {
        if (!near_at(m, e->first, e->markers[i - 1], e->markers[i]) ||
            !near_at(m, e->last, e->markers[i - 1], e->markers[i]) ||
            m->kinds[e->markers[i]] != UG_POINT_MARKER ||
            m->kinds[e->markers[i - 1]] != UG_POINT_MARKER) {
            return false;
        }
    }
    return true;
}

static inline void hide_frames(ug_markers *m, const injected *e, size_t first, size_t count)
{
    for (size_t f = first; f < first + count; f++) {
        for (size_t i = 0; i < e->count; i++) {
            ug_markers_clear(m, f, e->markers[i]);
        }
    }
}

static inline void spoil(ug_markers *m, const injected *e)
{
    hide_frames(m, e, e->first - e->before, e->before);
    hide_frames(m, e, e->last + 1, e->after);
    for (size_t f = e->first; f <= e->last && !e->decoy; f++) {
        for (size_t i = 1; i < e->count; i++) {
            ug_markers_exchange(m, f, e->markers[i - 1], e->markers[i]);
        }
    }
}

/// `count` exchanges into `m`, a third of them out of sight, and as many decoys as those.
static inline injection inject(ug_markers *m, uint64_t seed, size_t count, size_t ring)
{
    ug_random r = ug_random_make(seed, 77);
    injection in = { 0 };
    const size_t margin = (size_t)(0.5 * ug_rate_hz(m->rate));
    const size_t hidden = (count + 2) / 3;
    for (size_t tries = 0; tries < 200000 && in.count < count + hidden; tries++) {
        injected e;
        if (draw(&e, m, &r, ring, in.count < 2 * hidden) && is_free(&in, &e, margin)) {
            e.decoy = in.count >= hidden && in.count < 2 * hidden;
            in.items[in.count++] = e;
        }
    }
    for (size_t i = 0; i < in.count; i++) {
        spoil(m, &in.items[i]);
    }
    return in;
}

static inline bool same_ring(const ug_swap *s, const injected *e)
{
    if (s->count != e->count) {
        return false;
    }
    for (size_t turn = 0; turn < e->count; turn++) {
        bool same = true;
        for (size_t i = 0; i < e->count; i++) {
            same = same && s->markers[i] == e->markers[(i + turn) % e->count];
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static inline bool within(size_t a, size_t b, size_t slack)
{
    return a <= b + slack && b <= a + slack;
}

/// A hit has the same labels, and begins and ends within two frames.
static inline void score_swaps(swap_score *score, injection *in, const ug_swaps *swaps)
{
    for (size_t i = 0; i < swaps->count; i++) {
        const ug_swap *s = &swaps->items[i];
        if (s->outcome != UG_SWAP_REPAIRED) {
            continue;
        }
        bool hit = false;
        for (size_t k = 0; k < in->count && !hit; k++) {
            injected *e = &in->items[k];
            hit = !e->decoy && !e->found && same_ring(s, e) && within(s->first, e->first, 2) &&
                  within(s->last, e->last, 2);
            e->found = e->found || hit;
        }
        score->reported++;
        score->false_alarms += !hit;
    }
    for (size_t k = 0; k < in->count; k++) {
        const injected *e = &in->items[k];
        if (!e->decoy && e->before > 0) {
            score->hidden++;
            score->hidden_found += e->found;
        } else if (!e->decoy) {
            score->injected++;
            score->found += e->found;
        }
    }
}

static inline void add_noise(ug_markers *m, uint64_t seed, double sigma_m)
{
    ug_random r = ug_random_make(seed, 78);
    for (size_t i = 0; i < m->frame_count * m->marker_count; i++) {
        for (size_t k = 0; k < 3; k++) {
            const double d = sigma_m / m->scale_m * ug_random_gaussian(&r);
            m->positions[3 * i + k] += (float)(m->origin[i] & UG_ORIGIN_PRESENT ? d : 0.0);
        }
    }
}
