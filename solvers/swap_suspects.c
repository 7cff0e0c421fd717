// SPDX-License-Identifier: MIT
#include "solvers/swap_suspects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWIN_M = 0.005;
static const double JUMP_M = 0.004;
static const double CLOSE_M = 0.015;
static const double EXCHANGED_SHARE = 0.6; // of the miss that is left once exchanged
static const double LANDING_SHARE = 0.6;   // of the miss: nearer to another's place than that
static const double HIDDEN_JUMP_M = 0.02;
static const double HIDDEN_S = 1.0; // longer, and it may be anywhere
static const double HIDDEN_REACH_M = 1.0;
static const double RETURN_MISS_M = 0.01; // less is how well neighbours carry a marker
static const double RETURNED_SHARE = 1.5;

void ug_swap_suspects_fini(ug_swap_suspects *suspects)
{
    if (suspects) {
        free(suspects->groups);
        *suspects = (ug_swap_suspects){ 0 };
    }
}

static int by_members(const void *a, const void *b)
{
    const ug_swap_group *x = a, *y = b;
    for (size_t i = 0; i < UG_SWAP_GROUP_MAX; i++) {
        const size_t p = i < x->count ? x->members[i] + 1 : 0;
        const size_t q = i < y->count ? y->members[i] + 1 : 0;
        if (p != q) {
            return p < q ? -1 : 1;
        }
    }
    return 0;
}

static void remove_doubles(ug_swap_suspects *s)
{
    if (s->count < 2) {
        return;
    }
    qsort(s->groups, s->count, sizeof *s->groups, by_members);
    size_t kept = 1;
    for (size_t i = 1; i < s->count; i++) {
        if (by_members(&s->groups[kept - 1], &s->groups[i]) != 0) {
            s->groups[kept++] = s->groups[i];
        }
    }
    s->count = kept;
}

typedef struct group_list {
    ug_swap_suspects *out;
    const ug_swap_space *space;
    size_t capacity;
    bool failed;
} group_list;

// One marker under two labels, raw and filtered say: their exchange means nothing.
static bool are_twins(const ug_swap_space *s, size_t a, size_t b)
{
    return (double)s->median_m[a * s->count + b] < TWIN_M; // false for NaN
}

// Doubles are taken out when the room is used up: the list stays as long as there are groups.
static void add(group_list *l, const size_t *members, size_t count)
{
    ug_swap_suspects *s = l->out;
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (are_twins(l->space, members[i], members[k])) {
                return;
            }
        }
    }
    if (s->count == l->capacity) {
        remove_doubles(s);
        if (2 * s->count >= l->capacity) {
            const size_t capacity = 2 * l->capacity + 64;
            ug_swap_group *groups = realloc(s->groups, capacity * sizeof *groups);
            if (!groups) {
                l->failed = true;
                return;
            }
            s->groups = groups;
            l->capacity = capacity;
        }
    }
    ug_swap_group *g = &s->groups[s->count++];
    *g = (ug_swap_group){ .count = count };
    for (size_t i = 0; i < count; i++) { // in order
        size_t at = i;
        for (; at > 0 && g->members[at - 1] > members[i]; at--) {
            g->members[at] = g->members[at - 1];
        }
        g->members[at] = members[i];
    }
}

// A ring may turn out to be two of the three.
static void add_ring(group_list *l, size_t a, size_t b, size_t c)
{
    add(l, (size_t[]){ a, b, c }, 3);
    add(l, (size_t[]){ a, b }, 2);
    add(l, (size_t[]){ b, c }, 2);
    add(l, (size_t[]){ c, a }, 2);
}

typedef struct track {
    size_t last;         // frame it was last seen in before this one; SIZE_MAX: never
    bool seen, expected; // is there; and where it would be is known
    bool jumps;
    ug_vec3 at_m, expected_m, before_m;
} track;

static void look(track *tracks, const ug_swap_space *s, size_t f)
{
    for (size_t i = 0; i < s->count; i++) {
        track *t = &tracks[i];
        const size_t last = t->seen ? f - 1 : t->last;
        *t = (track){ .last = last, .seen = ug_swap_seen(s, f, i) };
        if (!t->seen || f == 0 || !ug_swap_seen(s, f - 1, i)) {
            continue;
        }
        t->at_m = ug_swap_place_m(s, f, i);
        t->before_m = t->expected_m = ug_swap_place_m(s, f - 1, i);
        if (f > 1 && ug_swap_seen(s, f - 2, i)) {
            t->expected_m =
                ug_vec3_sub(ug_vec3_scale(t->before_m, 2.0), ug_swap_place_m(s, f - 2, i));
        }
        t->expected = true;
        t->jumps = ug_vec3_distance(t->at_m, t->expected_m) >= JUMP_M;
    }
}

// An exchange leaves the centre of both alone, so only the vector between them tells.
static bool is_exchange(const track *a, const track *b)
{
    const ug_vec3 now = ug_vec3_sub(b->at_m, a->at_m);
    const ug_vec3 expected = ug_vec3_sub(b->expected_m, a->expected_m);
    return ug_vec3_dot(now, expected) < 0.0 &&
           ug_vec3_norm(ug_vec3_add(now, expected)) <
               EXCHANGED_SHARE * ug_vec3_norm(ug_vec3_sub(now, expected));
}

static bool is_crossing(const track *a, const track *b)
{
    const ug_vec3 now = ug_vec3_sub(b->at_m, a->at_m);
    const ug_vec3 step = ug_vec3_sub(now, ug_vec3_sub(b->before_m, a->before_m));
    const double near = ug_vec3_norm(now);
    return near < CLOSE_M || near < 0.5 * ug_vec3_norm(step);
}

// Label `of` stands where marker `on` was expected, rather than where its own was.
static bool lands_on(const track *of, const track *on)
{
    return ug_vec3_distance(of->at_m, on->expected_m) <
           LANDING_SHARE * ug_vec3_distance(of->at_m, of->expected_m);
}

static void look_for_rings(group_list *l, const track *tracks, size_t count, size_t a)
{
    for (size_t b = a + 1; b < count; b++) {
        if (!tracks[b].jumps || !lands_on(&tracks[a], &tracks[b])) {
            continue;
        }
        for (size_t c = a + 1; c < count; c++) {
            if (c != b && tracks[c].jumps && lands_on(&tracks[b], &tracks[c]) &&
                lands_on(&tracks[c], &tracks[a])) {
                add_ring(l, a, b, c);
            }
        }
    }
}

// A label that jumps to where a hidden marker is: the other label of an exchange may be unseen.
static void look_for_hidden(group_list *l, const ug_swap_space *s, const track *tracks, size_t f,
                            size_t a)
{
    const double late = HIDDEN_S * ug_rate_hz(s->markers->rate);
    const double miss = ug_vec3_distance(tracks[a].at_m, tracks[a].expected_m);
    for (size_t b = 0; b < s->count && miss >= HIDDEN_JUMP_M; b++) {
        const size_t last = tracks[b].last;
        if (tracks[b].seen || last == SIZE_MAX || (double)(f - last) > late) {
            continue;
        }
        const ug_vec3 was = ug_swap_place_m(s, last, b);
        if (ug_vec3_distance(was, tracks[a].at_m) > HIDDEN_REACH_M) {
            continue;
        }
        ug_swap_carriers carriers;
        ug_swap_carriers_choose(&carriers, s, b, last, f, (size_t[]){ a, b }, 2);
        const ug_vec3 there = ug_swap_carry_m(s, &carriers, was, last, f);
        if (ug_vec3_distance(there, tracks[a].at_m) < LANDING_SHARE * miss) {
            add(l, (size_t[]){ a, b }, 2);
        }
    }
}

static void look_at_jumps(group_list *l, const ug_swap_space *s, const track *tracks, size_t f)
{
    const size_t count = s->count;
    for (size_t a = 0; a < count; a++) {
        if (!tracks[a].expected) {
            continue;
        }
        for (size_t b = a + 1; b < count; b++) {
            if (tracks[b].expected &&
                (is_crossing(&tracks[a], &tracks[b]) ||
                 (tracks[a].jumps && tracks[b].jumps && is_exchange(&tracks[a], &tracks[b])))) {
                add(l, (size_t[]){ a, b }, 2);
            }
        }
        if (tracks[a].jumps) {
            look_for_rings(l, tracks, count, a);
            look_for_hidden(l, s, tracks, f, a);
        }
    }
}

// --- out of sight together ---

typedef struct absence {
    size_t member, first, end; // frames first … end - 1; a sample before and after
    double miss_m;             // on return, from where its neighbours carry it
} absence;

static int by_first(const void *a, const void *b)
{
    const absence *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
                                : (x->member > y->member) - (x->member < y->member);
}

// From where `of` was last seen to where it would be at `frame`.
static double miss_m(const ug_swap_space *s, const absence *of, size_t frame, ug_vec3 place_m,
                     const absence *company)
{
    const size_t excluded[] = { of->member, company->member };
    ug_swap_carriers carriers;
    ug_swap_carriers_choose(&carriers, s, of->member, of->first - 1, frame, excluded, 2);
    const ug_vec3 there = ug_swap_carry_m(
        s, &carriers, ug_swap_place_m(s, of->first - 1, of->member), of->first - 1, frame);
    return ug_vec3_distance(there, place_m);
}

static double crossed_miss_m(const ug_swap_space *s, const absence *label, const absence *marker)
{
    return miss_m(s, marker, label->end, ug_swap_place_m(s, label->end, label->member), label);
}

static size_t list_absences(absence **out, const ug_swap_space *s)
{
    size_t count = 0, capacity = 0;
    *out = NULL;
    for (size_t m = 0; m < s->count; m++) {
        size_t last = SIZE_MAX;
        for (size_t f = 0; f < s->markers->frame_count; f++) {
            if (!ug_swap_seen(s, f, m)) {
                continue;
            }
            if (last != SIZE_MAX && f > last + 1) {
                if (count == capacity) {
                    capacity = 2 * capacity + 64;
                    absence *more = realloc(*out, capacity * sizeof *more);
                    if (!more) {
                        free(*out);
                        *out = NULL;
                        return SIZE_MAX;
                    }
                    *out = more;
                }
                absence *a = &(*out)[count++];
                *a = (absence){ .member = m, .first = last + 1, .end = f };
                a->miss_m = miss_m(s, a, f, ug_swap_place_m(s, f, m), a);
            }
            last = f;
        }
    }
    if (count > 0) {
        qsort(*out, count, sizeof **out, by_first);
    }
    return count;
}

static bool overlap(const absence *a, const absence *b)
{
    return a->member != b->member && a->first < b->end && b->first < a->end;
}

// The marker that label `of` may be on: of those absent with it the one expected nearest.
static size_t nearest_absent(const ug_swap_space *s, const absence *list, size_t from, size_t end,
                             size_t of)
{
    double least = list[of].miss_m;
    size_t best = of;
    for (size_t i = from; i < end; i++) {
        if (list[i].miss_m >= RETURN_MISS_M && overlap(&list[i], &list[of])) {
            const double miss = crossed_miss_m(s, &list[of], &list[i]);
            if (miss < least) {
                least = miss;
                best = i;
            }
        }
    }
    return best;
}

static void look_at_returns(group_list *l, const ug_swap_space *s, const absence *list,
                            size_t count)
{
    size_t from = 0; // nothing before it reaches to where we are
    for (size_t i = 0; i < count && !l->failed; i++) {
        if (list[i].miss_m < RETURN_MISS_M) {
            continue;
        }
        while (from < i && list[from].end <= list[i].first) {
            from++;
        }
        size_t end = i + 1;
        for (; end < count && list[end].first < list[i].end; end++) {
            const absence *a = &list[i], *b = &list[end];
            if (b->miss_m < RETURN_MISS_M || !overlap(a, b)) {
                continue;
            }
            const double crossed = crossed_miss_m(s, a, b) + crossed_miss_m(s, b, a);
            if (crossed < RETURNED_SHARE * (a->miss_m + b->miss_m)) {
                add(l, (size_t[]){ a->member, b->member }, 2);
            }
        }
        const size_t b = nearest_absent(s, list, from, end, i);
        const size_t c = b == i ? i : nearest_absent(s, list, from, end, b);
        if (b != i && c != b && c != i && nearest_absent(s, list, from, end, c) == i) {
            add_ring(l, list[i].member, list[b].member, list[c].member);
        }
    }
}

ug_status ug_swap_suspects_find(ug_swap_suspects *suspects, const ug_swap_space *space,
                                ug_error *err)
{
    *suspects = (ug_swap_suspects){ 0 };
    group_list l = { .out = suspects, .space = space };
    absence *absences = NULL;
    track *tracks = malloc((space->count + 1) * sizeof *tracks);
    const size_t count = tracks ? list_absences(&absences, space) : SIZE_MAX;
    l.failed = count == SIZE_MAX;
    for (size_t i = 0; tracks && i < space->count; i++) {
        tracks[i] = (track){ .last = SIZE_MAX };
    }
    for (size_t f = 0; f < space->markers->frame_count && !l.failed; f++) {
        look(tracks, space, f);
        look_at_jumps(&l, space, tracks, f);
    }
    if (!l.failed) {
        look_at_returns(&l, space, absences, count);
    }
    free(tracks);
    free(absences);
    remove_doubles(suspects);
    return l.failed ? ug_fail(err, UG_E_NOMEM, "out of memory for the jumps of a take") : UG_OK;
}
