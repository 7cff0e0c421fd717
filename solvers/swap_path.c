// SPDX-License-Identifier: MIT
#include "solvers/swap_path.h"

#include <math.h>
#include <stdlib.h>

static const double CHANGE_COST = 3.0;  // labels rarely change
static const double OUTSIDE_COST = 3.0; // a take rarely begins or ends exchanged
static const double GAIN_MIN = 10.0;
static const double BEAM = 60.0; // a course that much worse by now is not followed on

enum { PAIRS = UG_SWAP_STATE_MAX * UG_SWAP_STATE_MAX };

// best[before * states + now]
static void advance(double *best, uint8_t *from, const ug_swap_model *m, const ug_swap_moment *t)
{
    double next[PAIRS], limit = INFINITY;
    const size_t n = m->state_count;
    for (size_t i = 0; i < n * n; i++) {
        limit = fmin(limit, best[i] + BEAM);
    }
    const bool may_change = t->now.seen_count > 0; // else it is not known when: on return
    for (size_t b = 0; b < n; b++) {
        for (size_t w = 0; w < n; w++) {
            double least = INFINITY;
            size_t chosen = 0;
            for (size_t a = 0; (b == w || may_change) && a < n; a++) {
                if (best[a * n + b] > limit) {
                    continue;
                }
                const double cost = best[a * n + b] + ug_swap_moment_cost(t, m, a, b, w);
                if (cost < least) {
                    least = cost;
                    chosen = a;
                }
            }
            next[b * n + w] = least + (b != w ? CHANGE_COST : 0.0);
            from[b * n + w] = (uint8_t)chosen;
        }
    }
    for (size_t i = 0; i < n * n; i++) {
        best[i] = next[i];
    }
}

// The state of every frame into `states`, which has the room of `from`'s first byte of each frame.
static void trace_back(uint8_t *states, const uint8_t *from, const double *best, size_t n,
                       size_t frames)
{
    size_t end = 0;
    for (size_t i = 1; i < n * n; i++) {
        const double a = best[i] + (i % n ? OUTSIDE_COST : 0.0);
        if (a < best[end] + (end % n ? OUTSIDE_COST : 0.0)) {
            end = i;
        }
    }
    size_t before = end / n, now = end % n;
    for (size_t f = frames; f-- > 0;) {
        states[f] = (uint8_t)now;
        const size_t a = from[f * n * n + before * n + now];
        now = before;
        before = a;
    }
}

static ug_status most_likely(uint8_t *states, const ug_swap_model *m, ug_error *err)
{
    const size_t n = m->state_count, frames = m->space->markers->frame_count;
    uint8_t *from = malloc(frames * n * n + 1);
    if (!from) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu frames", frames);
    }
    double best[PAIRS];
    for (size_t i = 0; i < n * n; i++) { // before the first frame nothing has changed
        best[i] = i / n != i % n ? (double)INFINITY : i % n ? OUTSIDE_COST : 0.0;
    }
    ug_swap_moment t = { .frame = SIZE_MAX - 1 };
    for (size_t f = 0; f < frames; f++) {
        ug_swap_moment_set(&t, m, f);
        advance(best, from + f * n * n, m, &t);
    }
    trace_back(states, from, best, n, frames);
    free(from);
    return UG_OK;
}

static bool anything_seen(const ug_swap_model *m, size_t frame)
{
    return ug_swap_look_at(m, frame).seen_count > 0;
}

// By how much `state` throughout the stretch is likelier than none, everything else as it is found
// outside: two frames more feel the motion within.
static double gain_of(const ug_swap_model *m, const uint8_t *states, const ug_swap_stretch *s)
{
    double gain = 0.0;
    ug_swap_moment t = { .frame = SIZE_MAX - 1 };
    const size_t frames = m->space->markers->frame_count;
    for (size_t f = s->first; f < frames && f <= s->last + 2; f++) {
        ug_swap_moment_set(&t, m, f);
        size_t with[3], without[3];
        for (size_t k = 0; k < 3; k++) {
            const bool inside = f >= k && f - k >= s->first && f - k <= s->last;
            with[k] = f >= k ? states[f - k] : 0;
            without[k] = inside ? 0 : with[k];
        }
        gain += ug_swap_moment_cost(&t, m, without[2], without[1], without[0]) -
                ug_swap_moment_cost(&t, m, with[2], with[1], with[0]);
    }
    return gain;
}

static ug_status collect(ug_swap_stretch **stretches, size_t *count, const ug_swap_model *m,
                         const uint8_t *states, ug_error *err)
{
    const size_t frames = m->space->markers->frame_count;
    for (size_t f = 0; f < frames; f++) {
        if (states[f] == 0) {
            continue;
        }
        ug_swap_stretch s = { .first = f, .state = states[f] };
        while (f + 1 < frames && states[f + 1] == states[s.first]) {
            f++;
        }
        s.last = f;
        s.gain = gain_of(m, states, &s);
        while (s.first < s.last && !anything_seen(m, s.first)) {
            s.first++;
        }
        while (s.last > s.first && !anything_seen(m, s.last)) {
            s.last--;
        }
        s.sure = s.gain >= GAIN_MIN;
        ug_swap_stretch *more = realloc(*stretches, (*count + 1) * sizeof **stretches);
        if (!more) {
            return ug_fail(err, UG_E_NOMEM, "out of memory for %zu exchanges", *count + 1);
        }
        *stretches = more;
        more[(*count)++] = s;
    }
    return UG_OK;
}

ug_status ug_swap_path(ug_swap_stretch **stretches, size_t *count, const ug_swap_model *model,
                       ug_error *err)
{
    *stretches = NULL;
    *count = 0;
    uint8_t *states = malloc(model->space->markers->frame_count + 1);
    if (!states) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for the states of a take");
    }
    ug_status status = most_likely(states, model, err);
    if (status == UG_OK) {
        status = collect(stretches, count, model, states, err);
    }
    free(states);
    if (status != UG_OK) {
        free(*stretches);
        *stretches = NULL;
        *count = 0;
    }
    return status;
}
