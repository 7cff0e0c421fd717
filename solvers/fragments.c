// SPDX-License-Identifier: MIT
#include "solvers/fragments.h"

#include "solvers/markers_check.h"
#include "solvers/markers_move.h"
#include "solvers/swap_space.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { ROUNDS_MAX = 8, LOOKS = 8 };

static const double NEAR_M = 0.15;      // of the expected place: no closer look beyond
static const double SIGMAS = 3.0;       // of what neighbours are off by
static const double SLACK_M = 0.005;    // where they are hardly ever off
static const double UNSURE_M = 0.03;    // neighbours that are off by more decide nothing
static const double DOUBLE_M = 0.01;    // of a labelled marker that is there: its double
static const double MISFIT_MAX = 9.0;   // squared sigmas of the distances to neighbours
static const double OTHERS_SHARE = 2.0; // the next best must be that many times as far off
static const double SPREAD_FLOOR_M = 0.004;
static const double SHORT_S = 0.1;
static const double LONG_AGO_S = 5.0; // since a marker was seen: it may be anywhere

void ug_fragments_fini(ug_fragments *fragments)
{
    if (fragments) {
        free(fragments->items);
        *fragments = (ug_fragments){ 0 };
    }
}

typedef struct run {
    size_t point, first, last; // point: column
    bool joined;
} run;

static ug_status list_runs(run **out, size_t *count, const ug_markers *m, ug_error *err)
{
    size_t capacity = 0;
    *out = NULL;
    *count = 0;
    for (size_t p = 0; p < m->marker_count; p++) {
        for (size_t f = 0; m->kinds[p] == UG_POINT_UNLABELLED && f < m->frame_count; f++) {
            if (!ug_markers_present(m, f, p)) {
                continue;
            }
            if (*count == capacity) {
                capacity = 2 * capacity + 64;
                run *more = realloc(*out, capacity * sizeof *more);
                if (!more) {
                    return ug_fail(err, UG_E_NOMEM, "out of memory for %zu fragments", capacity);
                }
                *out = more;
            }
            run *r = &(*out)[(*count)++];
            *r = (run){ .point = p, .first = f };
            while (f + 1 < m->frame_count && ug_markers_present(m, f + 1, p)) {
                f++;
            }
            r->last = f;
        }
    }
    return UG_OK;
}

// One end of a fragment against a marker that was last seen at `seen`.
typedef struct end_fit {
    bool known;
    double miss_m, scale_m;
} end_fit;

static end_fit fit_end(const ug_swap_space *s, size_t member, size_t seen, size_t at,
                       ug_vec3 place_m)
{
    const size_t early = seen < at ? seen : at, late = seen < at ? at : seen;
    ug_swap_carriers carriers;
    ug_swap_carriers_choose(&carriers, s, member, early, late, &member, 1);
    const ug_vec3 there = ug_swap_carry_m(s, &carriers, ug_swap_place_m(s, seen, member), seen, at);
    end_fit fit = { .known = true, .miss_m = ug_vec3_distance(there, place_m) };
    if (fit.miss_m < NEAR_M) {
        fit.scale_m = ug_swap_carry_error_m(s, &carriers, member, late - early);
    }
    return fit;
}

static bool is_missing_in(const ug_swap_space *s, size_t member, const run *r)
{
    for (size_t f = r->first; f <= r->last; f++) {
        if (ug_swap_seen(s, f, member)) {
            return false;
        }
    }
    return true;
}

// Mean squared sigmas, over a few frames, of the distances that the marker keeps; 0 without any.
static double place_misfit(const ug_swap_space *s, size_t member, const run *r)
{
    double sum = 0.0;
    size_t count = 0;
    ug_swap_carriers near;
    ug_swap_carriers_choose(&near, s, member, SIZE_MAX, SIZE_MAX, &member, 1);
    const size_t length = r->last - r->first + 1, looks = length < LOOKS ? length : LOOKS;
    for (size_t i = 0; i < looks; i++) {
        const size_t f = r->first + i * length / looks;
        const ug_vec3 p = ug_markers_position_m(s->markers, f, r->point);
        for (size_t k = 0; k < near.count; k++) {
            if (ug_swap_seen(s, f, near.members[k])) {
                const size_t at = member * s->count + near.members[k];
                const double d = ug_vec3_distance(p, ug_swap_place_m(s, f, near.members[k]));
                const double z =
                    (d - (double)s->median_m[at]) / ((double)s->spread_m[at] + SPREAD_FLOOR_M);
                sum += z * z;
                count++;
            }
        }
    }
    return count > 0 ? sum / (double)count : 0.0;
}

typedef struct match {
    bool fits;
    double miss_m; // the worse end
} match;

static bool end_fits(const end_fit *e)
{
    return e->miss_m < NEAR_M && e->scale_m < UNSURE_M &&
           e->miss_m <= SLACK_M + SIGMAS * e->scale_m;
}

static match compare(const ug_swap_space *s, size_t member, const run *r)
{
    match m = { .miss_m = INFINITY };
    end_fit before = { 0 }, after = { 0 };
    if (!is_missing_in(s, member, r)) {
        return m;
    }
    const size_t reach = (size_t)(LONG_AGO_S * ug_rate_hz(s->markers->rate));
    for (size_t f = r->first; f-- > 0 && f + reach >= r->first && !before.known;) {
        if (ug_swap_seen(s, f, member)) {
            before = fit_end(s, member, f, r->first,
                             ug_markers_position_m(s->markers, r->first, r->point));
        }
    }
    for (size_t f = r->last + 1;
         f < s->markers->frame_count && f <= r->last + reach && !after.known; f++) {
        if (ug_swap_seen(s, f, member)) {
            after = fit_end(s, member, f, r->last,
                            ug_markers_position_m(s->markers, r->last, r->point));
        }
    }
    if (!before.known && !after.known) {
        return m;
    }
    m.miss_m = fmax(before.known ? before.miss_m : 0.0, after.known ? after.miss_m : 0.0);
    // an end too far away in time to tell must not speak against the other
    const bool starts = before.known && end_fits(&before), ends = after.known && end_fits(&after);
    m.fits = (starts && (ends || !after.known || after.scale_m >= UNSURE_M)) ||
             (ends && (!before.known || before.scale_m >= UNSURE_M));
    m.fits = m.fits && place_misfit(s, member, r) <= MISFIT_MAX;
    return m;
}

static bool is_double(const ug_swap_space *s, const run *r)
{
    const size_t f = (r->first + r->last) / 2;
    const ug_vec3 p = ug_markers_position_m(s->markers, f, r->point);
    for (size_t i = 0; i < s->count; i++) {
        if (ug_swap_seen(s, f, i) && ug_vec3_distance(p, ug_swap_place_m(s, f, i)) < DOUBLE_M) {
            return true;
        }
    }
    return false;
}

// The member that `r` continues, or SIZE_MAX.
static size_t find_marker(double *miss_m, const ug_swap_space *s, const run *r)
{
    size_t best = SIZE_MAX;
    double least = INFINITY, next = INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        const match m = compare(s, i, r);
        if (m.fits && m.miss_m < least) {
            next = least;
            least = m.miss_m;
            best = i;
        } else {
            next = fmin(next, m.miss_m);
        }
    }
    *miss_m = least;
    const bool alone = OTHERS_SHARE * (least + 0.5 * SLACK_M) <= next;
    return best != SIZE_MAX && alone && !is_double(s, r) ? best : SIZE_MAX;
}

static void move_run(ug_markers *m, const ug_fragment *g)
{
    for (size_t f = g->first; f <= g->last; f++) {
        ug_markers_exchange(m, f, g->marker, g->point);
    }
}

static ug_status append(ug_fragments *out, ug_fragment fragment, ug_error *err)
{
    if ((out->count & (out->count - 1)) == 0) { // grow at 0, 1, 2, 4, 8 …
        const size_t capacity = out->count > 0 ? 2 * out->count : 1;
        ug_fragment *items = realloc(out->items, capacity * sizeof *items);
        if (!items) {
            return ug_fail(err, UG_E_NOMEM, "out of memory for %zu fragments", capacity);
        }
        out->items = items;
    }
    out->items[out->count++] = fragment;
    out->sample_count += fragment.last - fragment.first + 1;
    return UG_OK;
}

static int longest_first(const void *a, const void *b)
{
    const run *x = a, *y = b;
    const size_t p = x->last - x->first, q = y->last - y->first;
    if (p != q) {
        return p > q ? -1 : 1;
    }
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
                                : (x->point > y->point) - (x->point < y->point);
}

static int by_first(const void *a, const void *b)
{
    const ug_fragment *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
                                : (x->marker > y->marker) - (x->marker < y->marker);
}

// What is joined shortens the gap for what lies beside it, so again until nothing more is.
static ug_status join_runs(ug_fragments *out, ug_markers *markers, const ug_swap_space *s,
                           run *runs, size_t count, ug_error *err)
{
    ug_status status = UG_OK;
    size_t before = SIZE_MAX;
    for (int round = 0; round < ROUNDS_MAX && out->count != before && status == UG_OK; round++) {
        before = out->count;
        for (size_t i = 0; i < count && status == UG_OK; i++) {
            run *r = &runs[i];
            double miss_m = 0.0;
            const size_t member = r->joined ? SIZE_MAX : find_marker(&miss_m, s, r);
            if (member == SIZE_MAX) {
                continue;
            }
            const ug_fragment g = { r->point, s->columns[member], r->first, r->last, 1e3 * miss_m };
            status = append(out, g, err);
            if (status == UG_OK) {
                move_run(markers, &g);
                r->joined = true;
            }
        }
    }
    return status;
}

static void conclude(ug_fragments *out, ug_markers *m, const run *runs, size_t count, bool keep,
                     ug_warnings *warnings)
{
    const double short_frames = SHORT_S * ug_rate_hz(m->rate);
    for (size_t i = 0; i < count; i++) {
        out->left += !runs[i].joined;
        out->short_left +=
            !runs[i].joined && (double)(runs[i].last - runs[i].first + 1) < short_frames;
    }
    if (out->count > 1) {
        qsort(out->items, out->count, sizeof *out->items, by_first);
    }
    for (size_t i = 0; i < out->count; i++) {
        const ug_fragment *g = &out->items[i];
        for (size_t f = g->first; f <= g->last && keep; f++) {
            m->origin[ug_markers_index(m, f, g->marker)] |= UG_ORIGIN_REPAIRED;
        }
        ug_warn(warnings, keep ? "fragment_joined" : "fragment_found",
                "'%s' %s '%s', frames %zu-%zu, %.1f mm from where it is expected",
                ug_markers_name(m, g->point).text, keep ? "was joined to" : "continues",
                ug_markers_name(m, g->marker).text, g->first, g->last, g->miss_mm);
    }
}

ug_status ug_fragments_find(ug_fragments *fragments, ug_markers *markers, ug_warnings *warnings,
                            bool join, ug_error *err)
{
    assert(fragments && markers);
    *fragments = (ug_fragments){ 0 };
    ug_swap_space space = { 0 };
    run *runs = NULL;
    size_t count = 0;
    ug_status status = ug_markers_check(markers, err);
    if (status == UG_OK) {
        status = list_runs(&runs, &count, markers, err);
    }
    if (status != UG_OK || count == 0) {
        goto done;
    }
    qsort(runs, count, sizeof *runs, longest_first);
    status = ug_swap_space_init(&space, markers, 1, err);
    if (status == UG_OK) {
        status = join_runs(fragments, markers, &space, runs, count, err);
    }
    for (size_t i = fragments->count; (status != UG_OK || !join) && i-- > 0;) {
        move_run(markers, &fragments->items[i]);
    }
    if (status == UG_OK) {
        conclude(fragments, markers, runs, count, join, warnings);
    }

done:
    free(runs);
    ug_swap_space_fini(&space);
    if (status != UG_OK) {
        ug_fragments_fini(fragments);
    }
    return status;
}
