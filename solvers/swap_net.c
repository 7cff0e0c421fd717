// SPDX-License-Identifier: MIT
#include "solvers/swap_net.h"

#include "solvers/swap_rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct net {
    const ug_swaps *made;
    size_t label_count;
    size_t *labels; // columns that any exchange touches, ascending
    size_t *held;   // of each label: index of the label that had its sample  (label_count)
    bool *said;     // (label_count)
} net;

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static size_t keep_unique(size_t *values, size_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(values, count, sizeof *values, ascending);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (values[i] != values[kept - 1]) {
            values[kept++] = values[i];
        }
    }
    return kept;
}

static size_t index_of(const net *n, size_t column)
{
    const size_t *at = bsearch(&column, n->labels, n->label_count, sizeof *at, ascending);
    return (size_t)(at - n->labels);
}

// Where the samples of one frame were before everything was put right.
static void replay(net *n, size_t frame)
{
    for (size_t i = 0; i < n->label_count; i++) {
        n->held[i] = i;
        n->said[i] = false;
    }
    for (size_t k = 0; k < n->made->count; k++) {
        const ug_swap *s = &n->made->items[k];
        for (size_t i = s->count - 1; i > 0 && s->first <= frame && frame <= s->last; i--) {
            const size_t a = index_of(n, s->markers[i - 1]), b = index_of(n, s->markers[i]);
            const size_t kept = n->held[a];
            n->held[a] = n->held[b];
            n->held[b] = kept;
        }
    }
}

static double best_gain(const net *n, const ug_swap *ring)
{
    double gain = 0.0;
    for (size_t k = 0; k < n->made->count; k++) {
        const ug_swap *s = &n->made->items[k];
        if (s->first <= ring->last && ring->first <= s->last && s->markers[0] >= ring->markers[0]) {
            for (size_t i = 0; i < ring->count; i++) {
                gain = s->markers[0] == ring->markers[i] ? fmax(gain, s->gain) : gain;
            }
        }
    }
    return gain;
}

// Continues one that ends just before, or begins.
static ug_status say(ug_swaps *out, const net *n, ug_swap ring, ug_error *err)
{
    for (size_t i = out->count; i-- > 0;) {
        ug_swap *s = &out->items[i];
        if (s->last + 1 == ring.first && s->count == ring.count &&
            memcmp(s->markers, ring.markers, sizeof s->markers) == 0) {
            s->last = ring.last;
            s->gain = fmax(s->gain, best_gain(n, &ring));
            return UG_OK;
        }
    }
    ring.gain = best_gain(n, &ring);
    return ug_swaps_append(out, &ring, err);
}

static bool is_on_ring(const net *n, size_t start, size_t column)
{
    const size_t wanted = index_of(n, column);
    size_t label = start;
    do {
        if (label == wanted) {
            return true;
        }
        label = n->held[label];
    } while (label != start);
    return false;
}

// Too long a ring to say as one.
static ug_status say_parts(ug_swaps *out, const net *n, size_t start, size_t first, size_t end,
                           ug_error *err)
{
    ug_status status = UG_OK;
    for (size_t k = 0; k < n->made->count && status == UG_OK; k++) {
        ug_swap part = n->made->items[k];
        if (part.first <= first && end - 1 <= part.last && is_on_ring(n, start, part.markers[0])) {
            part.first = first;
            part.last = end - 1;
            status = say(out, n, part, err);
        }
    }
    return status;
}

// Frames first … end - 1, in which the same exchanges are in force.
static ug_status say_interval(ug_swaps *out, net *n, size_t first, size_t end, ug_error *err)
{
    ug_status status = UG_OK;
    replay(n, first);
    for (size_t i = 0; i < n->label_count && status == UG_OK; i++) {
        ug_swap ring = { .first = first, .last = end - 1 };
        size_t length = 0;
        // what is right under a label came from held[label]: that one held this label's
        for (size_t label = i; !n->said[label] && n->held[label] != label;) {
            n->said[label] = true;
            if (length < UG_SWAP_MARKERS_MAX) {
                ring.markers[length] = n->labels[label];
            }
            length++;
            label = n->held[label];
        }
        if (length < 2) {
            continue;
        }
        if (length > UG_SWAP_MARKERS_MAX) {
            status = say_parts(out, n, i, first, end, err);
            continue;
        }
        // the walk went from a marker to the label that had it; a ring is said the other way round
        ring.count = length;
        for (size_t a = 1, b = ring.count - 1; a < b; a++, b--) {
            const size_t kept = ring.markers[a];
            ring.markers[a] = ring.markers[b];
            ring.markers[b] = kept;
        }
        status = say(out, n, ring, err);
    }
    return status;
}

ug_status ug_swap_net(ug_swaps *out, const ug_swaps *made, ug_error *err)
{
    const size_t room = made->count * UG_SWAP_MARKERS_MAX + 1;
    net n = { .made = made,
              .labels = malloc(room * sizeof *n.labels),
              .held = malloc(room * sizeof *n.held),
              .said = malloc(room * sizeof *n.said) };
    size_t *cuts = malloc((2 * made->count + 1) * sizeof *cuts), cut_count = 0;
    ug_status status = UG_OK;
    if (!n.labels || !n.held || !n.said || !cuts) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for %zu swaps", made->count);
        goto done;
    }
    for (size_t k = 0; k < made->count; k++) {
        const ug_swap *s = &made->items[k];
        for (size_t i = 0; i < s->count; i++) {
            n.labels[n.label_count++] = s->markers[i];
        }
        cuts[cut_count++] = s->first;
        cuts[cut_count++] = s->last + 1;
    }
    n.label_count = keep_unique(n.labels, n.label_count);
    cut_count = keep_unique(cuts, cut_count);
    for (size_t i = 0; i + 1 < cut_count && status == UG_OK; i++) {
        status = say_interval(out, &n, cuts[i], cuts[i + 1], err);
    }
    ug_swaps_sort(out);

done:
    free(n.labels);
    free(n.held);
    free(n.said);
    free(cuts);
    return status;
}
