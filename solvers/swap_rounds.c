// SPDX-License-Identifier: MIT
#include "solvers/swap_rounds.h"

#include "solvers/markers_move.h"
#include "solvers/parallel.h"
#include "solvers/swap_path.h"
#include "solvers/swap_suspects.h"

#include <stdlib.h>

enum { ROUNDS_MAX = 64 };

static const double WAIT_S = 0.25; // verdicts nearer than that in time may rest on one another

// One group and what was found of it in the last round.
typedef struct verdict {
    ug_swap_group group;
    size_t company_count; // markers the verdict rests on beside the group's own
    size_t company[UG_SWAP_COMPANY_MAX];
    bool stale; // samples it rests on have moved since
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
        v->company_count = ug_swap_model_company(v->company, &model);
        v->status = ug_swap_path(&v->stretches, &v->count, &model, NULL);
    }
    ug_swap_model_fini(&model);
}

// The exchange that a state is, as a ring of columns.
static ug_swap to_swap(const search *s, const verdict *v, const ug_swap_stretch *stretch)
{
    ug_swap swap = { .first = stretch->first, .last = stretch->last, .gain = stretch->gain };
    const uint8_t *label_of = ug_swap_states(v->group.count, NULL)[stretch->state];
    size_t start = 0;
    while (label_of[start] == start) {
        start++;
    }
    size_t label = start;
    do {
        swap.markers[swap.count++] = s->space.columns[v->group.members[label]];
        size_t held = 0;
        while (label_of[held] != label) {
            held++;
        }
        label = held;
    } while (label != start);
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

void ug_swap_put_back(ug_markers *markers, const ug_swap *swap)
{
    for (size_t f = swap->first; f <= swap->last; f++) {
        for (size_t i = 1; i < swap->count; i++) {
            ug_markers_exchange(markers, f, swap->markers[i - 1], swap->markers[i]);
        }
    }
}

static bool has_marker(const ug_swap *swap, size_t column)
{
    for (size_t i = 0; i < swap->count; i++) {
        if (swap->markers[i] == column) {
            return true;
        }
    }
    return false;
}

// Would the verdict be another if `swap` were put right?
static bool rests_on(const search *s, const verdict *v, const ug_swap *swap)
{
    for (size_t i = 0; i < v->group.count; i++) {
        if (has_marker(swap, s->space.columns[v->group.members[i]])) {
            return true;
        }
    }
    for (size_t i = 0; i < v->company_count; i++) {
        if (has_marker(swap, s->space.columns[v->company[i]])) {
            return true;
        }
    }
    return false;
}

static bool is_settled(const ug_swaps_opts *o, const ug_swap *swap)
{
    for (size_t i = 0; i < o->settled_count; i++) {
        const ug_swap_settled *k = &o->settled[i];
        if (has_marker(swap, k->markers[0]) && has_marker(swap, k->markers[1]) &&
            swap->first <= k->last && k->first <= swap->last) {
            return true;
        }
    }
    return false;
}

ug_status ug_swaps_append(ug_swaps *swaps, const ug_swap *swap, ug_error *err)
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

static int by_time(const void *a, const void *b)
{
    const ug_swap *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    for (size_t i = 0; i < UG_SWAP_MARKERS_MAX; i++) {
        if (x->markers[i] != y->markers[i]) {
            return x->markers[i] < y->markers[i] ? -1 : 1;
        }
    }
    return (x->last > y->last) - (x->last < y->last);
}

void ug_swaps_sort(ug_swaps *swaps)
{
    if (swaps->count > 1) {
        qsort(swaps->items, swaps->count, sizeof *swaps->items, by_time);
    }
}

typedef struct proposal {
    ug_swap swap;
    const verdict *verdict;
} proposal;

static int by_gain(const void *a, const void *b)
{
    const proposal *x = a, *y = b;
    if (x->swap.gain != y->swap.gain) {
        return x->swap.gain > y->swap.gain ? -1 : 1;
    }
    return by_time(&x->swap, &y->swap);
}

// What the round proposes, `sure` or not, the likeliest first; free() `*out`.
static ug_status propose(proposal **out, size_t *count, const search *s, bool sure, ug_error *err)
{
    size_t room = 1;
    for (size_t i = 0; i < s->count; i++) {
        if (s->verdicts[i].status != UG_OK) {
            return ug_fail(err, s->verdicts[i].status, "out of memory for the search of swaps");
        }
        room += s->verdicts[i].count;
    }
    *count = 0;
    *out = malloc(room * sizeof **out);
    if (!*out) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu swaps", room);
    }
    for (size_t i = 0; i < s->count; i++) {
        const verdict *v = &s->verdicts[i];
        for (size_t k = 0; k < v->count; k++) {
            const ug_swap swap = to_swap(s, v, &v->stretches[k]);
            // two of three are judged better as two: the third is a neighbour then
            if (v->stretches[k].sure == sure && swap.count == v->group.count &&
                !is_settled(s->opts, &swap)) {
                (*out)[(*count)++] = (proposal){ swap, v };
            }
        }
    }
    qsort(*out, *count, sizeof **out, by_gain);
    return UG_OK;
}

// Until all that are likelier are done, those included that wait themselves.
static bool must_wait(const search *s, const proposal *proposed, size_t at)
{
    const size_t slack = (size_t)(WAIT_S * ug_rate_hz(s->markers->rate)) + 1;
    const ug_swap *swap = &proposed[at].swap;
    for (size_t i = 0; i < at; i++) {
        const ug_swap *other = &proposed[i].swap;
        if (swap->first <= other->last + slack && other->first <= swap->last + slack &&
            rests_on(s, proposed[at].verdict, other)) {
            return true;
        }
    }
    return false;
}

static ug_status settle_round(ug_swaps *made, search *s, ug_error *err)
{
    proposal *proposed = NULL;
    size_t count = 0;
    const size_t before = made->count;
    ug_status status = propose(&proposed, &count, s, true, err);
    for (size_t i = 0; i < count && status == UG_OK; i++) {
        if (!must_wait(s, proposed, i)) {
            status = ug_swaps_append(made, &proposed[i].swap, err);
            if (status == UG_OK) {
                put_right(s->markers, &proposed[i].swap);
            }
        }
    }
    free(proposed);
    for (size_t i = before; i < made->count; i++) {
        for (size_t k = 0; k < s->count; k++) {
            s->verdicts[k].stale =
                s->verdicts[k].stale || rests_on(s, &s->verdicts[k], &made->items[i]);
        }
    }
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

ug_status ug_swap_rounds(ug_swaps *made, ug_swaps *unsure, ug_markers *markers,
                         const ug_swaps_opts *opts, ug_error *err)
{
    search s = { .markers = markers, .opts = opts };
    ug_status status = start_search(&s, err);
    size_t before = SIZE_MAX;
    for (int round = 0; round < ROUNDS_MAX && made->count != before && status == UG_OK; round++) {
        before = made->count;
        ug_parallel_for(s.count, opts->workers, judge, &s);
        status = settle_round(made, &s, err);
    }
    proposal *left = NULL;
    size_t count = 0;
    if (status == UG_OK) {
        status = propose(&left, &count, &s, false, err);
    }
    for (size_t i = 0; i < count && status == UG_OK; i++) {
        status = ug_swaps_append(unsure, &left[i].swap, err);
    }
    free(left);
    end_search(&s);
    return status;
}
