// SPDX-License-Identifier: MIT
#include "solvers/swaps.h"

#include "solvers/markers_check.h"
#include "solvers/markers_move.h"
#include "solvers/parallel.h"
#include "solvers/swap_path.h"
#include "solvers/swap_suspects.h"

#include <assert.h>
#include <stdlib.h>

enum { ROUNDS_MAX = 8 };

ug_swaps_opts ug_swaps_default_opts(void)
{
    return (ug_swaps_opts){ .repair = true, .workers = 1 };
}

void ug_swaps_fini(ug_swaps *swaps)
{
    if (swaps) {
        free(swaps->items);
        *swaps = (ug_swaps){ 0 };
    }
}

// One group and what was found of it in the last round.
typedef struct verdict {
    ug_swap_group group;
    bool stale; // its members' samples have moved since
    size_t count;
    ug_swap_stretch *stretches; // owned
    ug_status status;
} verdict;

typedef struct search {
    ug_markers *markers;
    ug_swap_space space;
    size_t count;
    verdict *verdicts;
    const ug_swaps_opts *opts;
} search;

static void judge(void *context, size_t piece, size_t worker)
{
    (void)worker;
    const search *s = context;
    verdict *v = &s->verdicts[piece];
    if (!v->stale) {
        return;
    }
    free(v->stretches);
    v->stretches = NULL;
    v->count = 0;
    v->stale = false;
    ug_swap_model model;
    v->status = ug_swap_model_init(&model, &s->space, &v->group, NULL);
    if (v->status == UG_OK) {
        v->status = ug_swap_path(&v->stretches, &v->count, &model, NULL);
    }
    ug_swap_model_fini(&model);
}

// Which label holds member i in a state; as in ug_swap_model.
static const uint8_t STATES[UG_SWAP_STATE_MAX][UG_SWAP_GROUP_MAX] = {
    { 0, 1, 2 }, { 1, 0, 2 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 2, 0 }, { 2, 0, 1 }
};

static ug_swap to_swap(const search *s, const verdict *v, const ug_swap_stretch *stretch)
{
    ug_swap swap = { .first = stretch->first, .last = stretch->last, .gain = stretch->gain };
    size_t columns[UG_SWAP_GROUP_MAX] = { 0 };
    for (size_t i = 0; i < v->group.count; i++) {
        columns[i] = s->space.columns[v->group.members[i]];
    }
    const uint8_t *label_of = STATES[stretch->state];
    size_t start = 0;
    while (label_of[start] == start) {
        start++;
    }
    for (size_t label = start; swap.count < v->group.count;) { // follow the ring
        swap.markers[swap.count++] = columns[label];
        size_t held = 0;
        while (label_of[held] != label) {
            held++;
        }
        label = held;
        if (label == start) {
            break;
        }
    }
    return swap;
}

// markers[i] held markers[i + 1]'s.
static void put_right(ug_markers *m, const ug_swap *swap)
{
    for (size_t f = swap->first; f <= swap->last; f++) {
        for (size_t i = swap->count - 1; i > 0; i--) {
            ug_markers_exchange(m, f, swap->markers[i - 1], swap->markers[i]);
        }
    }
}

static void put_back(ug_markers *m, const ug_swap *swap)
{
    for (size_t f = swap->first; f <= swap->last; f++) {
        for (size_t i = 1; i < swap->count; i++) {
            ug_markers_exchange(m, f, swap->markers[i - 1], swap->markers[i]);
        }
    }
}

static bool share_marker(const ug_swap *a, const ug_swap *b)
{
    for (size_t i = 0; i < a->count; i++) {
        for (size_t k = 0; k < b->count; k++) {
            if (a->markers[i] == b->markers[k]) {
                return true;
            }
        }
    }
    return false;
}

static bool share_frame(size_t first, size_t last, const ug_swap *b)
{
    return first <= b->last && b->first <= last;
}

static bool is_settled(const ug_swaps_opts *o, const ug_swap *swap)
{
    for (size_t i = 0; i < o->settled_count; i++) {
        const ug_swap_settled *k = &o->settled[i];
        const ug_swap two = { .count = 2, .markers = { k->markers[0], k->markers[1] } };
        size_t shared = 0;
        for (size_t j = 0; j < swap->count; j++) {
            shared += swap->markers[j] == two.markers[0] || swap->markers[j] == two.markers[1];
        }
        if (shared == 2 && share_frame(k->first, k->last, swap)) {
            return true;
        }
    }
    return false;
}

static ug_status append(ug_swaps *swaps, const ug_swap *swap, ug_error *err)
{
    if ((swaps->count & (swaps->count - 1)) == 0) { // grow at 0, 1, 2, 4, 8 …
        const size_t capacity = swaps->count > 0 ? 2 * swaps->count : 1;
        ug_swap *items = realloc(swaps->items, capacity * sizeof *items);
        if (!items) {
            return ug_fail(err, UG_E_NOMEM, "out of memory for %zu swaps", capacity);
        }
        swaps->items = items;
    }
    swaps->items[swaps->count++] = *swap;
    return UG_OK;
}

static int by_gain(const void *a, const void *b)
{
    const ug_swap *x = a, *y = b;
    if (x->gain != y->gain) {
        return x->gain > y->gain ? -1 : 1;
    }
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return (x->markers[0] > y->markers[0]) - (x->markers[0] < y->markers[0]);
}

static int by_time(const void *a, const void *b)
{
    const ug_swap *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    if (x->markers[0] != y->markers[0]) {
        return x->markers[0] < y->markers[0] ? -1 : 1;
    }
    return (x->markers[1] > y->markers[1]) - (x->markers[1] < y->markers[1]);
}

static void sort_swaps(ug_swaps *swaps, int (*order)(const void *, const void *))
{
    if (swaps->count > 1) {
        qsort(swaps->items, swaps->count, sizeof *swaps->items, order);
    }
}

// What the round proposes, `sure` or not.
static ug_status propose(ug_swaps *out, const search *s, bool sure, ug_error *err)
{
    ug_status status = UG_OK;
    for (size_t i = 0; i < s->count && status == UG_OK; i++) {
        const verdict *v = &s->verdicts[i];
        status = v->status == UG_OK ? UG_OK : ug_fail(err, v->status, "out of memory for swaps");
        for (size_t k = 0; k < v->count && status == UG_OK; k++) {
            const ug_swap swap = to_swap(s, v, &v->stretches[k]);
            if (v->stretches[k].sure == sure && !is_settled(s->opts, &swap)) {
                status = append(out, &swap, err);
            }
        }
    }
    sort_swaps(out, by_gain);
    return status;
}

static void mark_stale(search *s, const ug_swap *swap)
{
    for (size_t i = 0; i < s->count; i++) {
        verdict *v = &s->verdicts[i];
        ug_swap members = { .count = v->group.count };
        for (size_t k = 0; k < v->group.count; k++) {
            members.markers[k] = s->space.columns[v->group.members[k]];
        }
        v->stale = v->stale || share_marker(&members, swap);
    }
}

// The likeliest first; what overlaps one of them in markers and frames waits for the next round.
static ug_status settle_round(ug_swaps *done, size_t *made, search *s, ug_error *err)
{
    ug_swaps proposed = { 0 };
    const size_t before = done->count;
    ug_status status = propose(&proposed, s, true, err);
    for (size_t i = 0; i < proposed.count && status == UG_OK; i++) {
        const ug_swap *swap = &proposed.items[i];
        bool waits = false;
        for (size_t k = before; k < done->count && !waits; k++) {
            waits = share_frame(swap->first, swap->last, &done->items[k]) &&
                    share_marker(swap, &done->items[k]);
        }
        if (!waits) {
            status = append(done, swap, err);
            if (status == UG_OK) {
                put_right(s->markers, swap);
                mark_stale(s, swap);
            }
        }
    }
    *made = done->count - before;
    ug_swaps_fini(&proposed);
    return status;
}

static ug_status start_search(search *s, ug_error *err)
{
    ug_swap_suspects suspects = { 0 };
    ug_status status = ug_swap_space_init(&s->space, s->markers, s->opts->workers, err);
    if (status == UG_OK) {
        status = ug_swap_suspects_find(&suspects, &s->space, err);
    }
    if (status == UG_OK) {
        s->verdicts = calloc(suspects.count + 1, sizeof *s->verdicts);
        if (!s->verdicts) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory for %zu groups", suspects.count);
        }
    }
    for (size_t i = 0; status == UG_OK && i < suspects.count; i++) {
        s->verdicts[s->count++] = (verdict){ .group = suspects.groups[i], .stale = true };
    }
    ug_swap_suspects_fini(&suspects);
    return status;
}

static void end_search(search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->verdicts[i].stretches);
    }
    free(s->verdicts);
    ug_swap_space_fini(&s->space);
}

static void mark_repaired(ug_markers *m, const ug_swap *swap)
{
    for (size_t f = swap->first; f <= swap->last; f++) {
        for (size_t i = 0; i < swap->count; i++) {
            if (ug_markers_present(m, f, swap->markers[i])) {
                m->origin[ug_markers_index(m, f, swap->markers[i])] |= UG_ORIGIN_REPAIRED;
            }
        }
    }
}

static void warn_of(ug_warnings *warnings, const ug_markers *m, const ug_swap *s, const char *code,
                    const char *what)
{
    const ug_marker_name a = ug_markers_name(m, s->markers[0]);
    const ug_marker_name b = ug_markers_name(m, s->markers[1]);
    if (s->count == 2) {
        ug_warn(warnings, code, "labels '%s' and '%s' %s, frames %zu-%zu", a.text, b.text, what,
                s->first, s->last);
    } else {
        ug_warn(warnings, code, "labels '%s', '%s' and '%s' %s in a ring, frames %zu-%zu", a.text,
                b.text, ug_markers_name(m, s->markers[2]).text, what, s->first, s->last);
    }
}

static ug_status finish(ug_swaps *done, search *s, ug_status status, ug_warnings *warnings,
                        ug_error *err)
{
    const size_t made = done->count;
    if (status != UG_OK || !s->opts->repair) {
        for (size_t i = made; i-- > 0;) {
            put_back(s->markers, &done->items[i]);
        }
    }
    for (size_t i = 0; i < made && status == UG_OK && s->opts->repair; i++) {
        mark_repaired(s->markers, &done->items[i]);
        done->items[i].repaired = true;
    }
    if (status == UG_OK) {
        ug_swaps unsure = { 0 };
        status = propose(&unsure, s, false, err);
        for (size_t i = 0; i < unsure.count && status == UG_OK; i++) {
            status = append(done, &unsure.items[i], err);
        }
        ug_swaps_fini(&unsure);
    }
    for (size_t i = 0; i < done->count && status == UG_OK; i++) {
        if (i >= made) {
            warn_of(warnings, s->markers, &done->items[i], "swap_unsure", "may be exchanged");
        } else {
            warn_of(warnings, s->markers, &done->items[i],
                    s->opts->repair ? "swap_repaired" : "swap_found",
                    s->opts->repair ? "were exchanged, put right" : "are exchanged");
        }
    }
    sort_swaps(done, by_time);
    return status;
}

ug_status ug_swaps_find(ug_swaps *swaps, ug_markers *markers, ug_warnings *warnings,
                        const ug_swaps_opts *opts, ug_error *err)
{
    assert(swaps && markers);
    const ug_swaps_opts o = opts ? *opts : ug_swaps_default_opts();
    *swaps = (ug_swaps){ 0 };
    ug_status status = ug_markers_check(markers, err);
    if (status != UG_OK) {
        return status;
    }
    search s = { .markers = markers, .opts = &o };
    status = start_search(&s, err);
    size_t made = 1;
    for (int round = 0; round < ROUNDS_MAX && made > 0 && status == UG_OK; round++) {
        ug_parallel_for(s.count, o.workers, judge, &s);
        status = settle_round(swaps, &made, &s, err);
    }
    status = finish(swaps, &s, status, warnings, err);
    end_search(&s);
    if (status != UG_OK) {
        ug_swaps_fini(swaps);
    }
    return status;
}
