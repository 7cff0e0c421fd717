// SPDX-License-Identifier: MIT
#include "solvers/fallen.h"

#include "motion/median.h"
#include "solvers/markers_check.h"
#include "solvers/swap_space.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// blocks of a take, frames of one, blocks that must be seen, neighbours that must agree
enum { BLOCKS_MAX = 400, BLOCK_MAX = 512, BEFORE_MIN = 6, AFTER_MIN = 4, AGREE = 3 };

static const double BLOCK_S = 0.25;
static const double STEADY_M = 0.06; // a distance across a joint may vary so much
static const double CHANGED_M = 0.015;
static const double CHANGED_TIMES = 2.0; // of the largest difference before

void ug_fallen_fini(ug_fallen *fallen)
{
    if (fallen) {
        free(fallen->items);
        *fallen = (ug_fallen){ 0 };
    }
}

typedef struct blocks {
    size_t length, count; // frames of one; a long take has longer ones
} blocks;

static blocks cut(const ug_markers *m)
{
    const double wanted = fmax(1.0, BLOCK_S * ug_rate_hz(m->rate));
    size_t length = wanted < (double)BLOCK_MAX ? (size_t)wanted : BLOCK_MAX;
    if (m->frame_count / length > BLOCKS_MAX) {
        length = m->frame_count / BLOCKS_MAX + 1;
    }
    return (blocks){ length, m->frame_count / length };
}

// Median distance of a block, NaN where they are seen together in less than half of the frames
// looked at.
static double block_distance_m(const ug_swap_space *s, const blocks *b, size_t i, size_t a,
                               size_t c)
{
    enum { LOOKS = 15 };
    double d[LOOKS];
    size_t n = 0;
    const size_t looks = b->length < LOOKS ? b->length : LOOKS;
    for (size_t k = 0; k < looks; k++) {
        const size_t f = i * b->length + k * b->length / looks;
        if (ug_swap_seen(s, f, a) && ug_swap_seen(s, f, c)) {
            d[n++] = ug_vec3_distance(ug_swap_place_m(s, f, a), ug_swap_place_m(s, f, c));
        }
    }
    return 2 * n >= looks ? ug_median(d, n) : (double)NAN;
}

// A distance over the take.
typedef struct course {
    bool known;   // seen often enough at the beginning
    bool changes; // and stays changed
    size_t block; // the first changed one
    double before_m, after_m;
} course;

// Of the first blocks in which both are seen.
static double first_median_m(const ug_swap_space *s, const blocks *b, size_t a, size_t c)
{
    double first[BEFORE_MIN];
    size_t n = 0;
    for (size_t i = 0; i < b->count && n < BEFORE_MIN; i++) {
        const double d = block_distance_m(s, b, i, a, c);
        if (!isnan(d)) {
            first[n++] = d;
        }
    }
    return n == BEFORE_MIN ? ug_median(first, n) : (double)NAN;
}

// The earliest block from which on everything is farther off, by far, than anything before.
static bool find_change(course *out, const double *off, size_t count)
{
    double least[BLOCKS_MAX + 1];
    size_t seen_after[BLOCKS_MAX + 1];
    least[count] = INFINITY;
    seen_after[count] = 0;
    for (size_t i = count; i-- > 0;) {
        least[i] = fmin(least[i + 1], off[i]); // fmin passes NaN by
        seen_after[i] = seen_after[i + 1] + !isnan(off[i]);
    }
    double most = 0.0, at_turn = 0.0; // the block of the change itself may lie between
    size_t seen = 0;
    for (size_t i = 0; i < count && most <= STEADY_M && seen_after[i] >= AFTER_MIN; i++) {
        if (seen >= BEFORE_MIN && least[i] >= CHANGED_M && least[i] >= CHANGED_TIMES * most) {
            out->block = i;
            return true;
        }
        most = fmax(most, at_turn);
        at_turn = isnan(off[i]) ? 0.0 : off[i];
        seen += !isnan(off[i]);
    }
    return false;
}

static course follow(const ug_swap_space *s, const blocks *b, size_t a, size_t c)
{
    double off[BLOCKS_MAX], after[BLOCKS_MAX];
    course out = { .before_m = first_median_m(s, b, a, c) };
    out.known = !isnan(out.before_m);
    for (size_t i = 0; i < b->count && out.known; i++) {
        off[i] = fabs(block_distance_m(s, b, i, a, c) - out.before_m);
    }
    out.changes = out.known && find_change(&out, off, b->count);
    size_t n = 0;
    for (size_t i = out.block; i < b->count && out.changes; i++) {
        if (!isnan(off[i])) {
            after[n++] = off[i];
        }
    }
    out.after_m = n > 0 ? ug_median(after, n) : 0.0;
    return out;
}

// Those that are nearest in the beginning.
static size_t list_near(size_t *near, const ug_swap_space *s, const blocks *b, size_t member)
{
    double costs[AGREE];
    size_t count = 0;
    for (size_t m = 0; m < s->count; m++) {
        const double cost = m == member ? (double)NAN : first_median_m(s, b, member, m);
        size_t at = count;
        while (at > 0 && costs[at - 1] > cost) {
            at--;
        }
        if (isnan(cost) || at == AGREE) {
            continue;
        }
        count += count < AGREE;
        for (size_t i = count - 1; i > at; i--) {
            costs[i] = costs[i - 1];
            near[i] = near[i - 1];
        }
        costs[at] = cost;
        near[at] = m;
    }
    return count;
}

static bool is_near(size_t a, size_t b)
{
    return a > b ? a - b <= 1 : b - a <= 1;
}

// The first frame around the block from which the distance is half way over.
static size_t find_frame(const ug_swap_space *s, const blocks *b, size_t member, size_t other,
                         const course *c)
{
    const size_t from = c->block > 0 ? (c->block - 1) * b->length : 0;
    size_t frame = c->block * b->length;
    for (size_t f = (c->block + 1) * b->length; f-- > from;) {
        if (f >= s->markers->frame_count || !ug_swap_seen(s, f, member) ||
            !ug_swap_seen(s, f, other)) {
            continue;
        }
        const double d =
            ug_vec3_distance(ug_swap_place_m(s, f, member), ug_swap_place_m(s, f, other));
        if (fabs(d - c->before_m) < 0.5 * CHANGED_M) {
            break;
        }
        frame = f;
    }
    return frame;
}

static bool judge(ug_fallen_marker *out, const ug_swap_space *s, const blocks *b, size_t member)
{
    size_t near[AGREE];
    course courses[AGREE];
    double moved[AGREE];
    if (list_near(near, s, b, member) < AGREE) {
        return false;
    }
    for (size_t i = 0; i < AGREE; i++) {
        courses[i] = follow(s, b, member, near[i]);
        if (!courses[i].changes || !is_near(courses[i].block, courses[0].block)) {
            return false;
        }
        moved[i] = courses[i].after_m;
    }
    for (size_t i = 0; i < AGREE; i++) { // or is it a neighbour that moved?
        const course c = follow(s, b, near[i], near[(i + 1) % AGREE]);
        if (!c.known || c.changes) {
            return false;
        }
    }
    *out = (ug_fallen_marker){ s->columns[member], find_frame(s, b, member, near[0], &courses[0]),
                               1e3 * ug_median(moved, AGREE) };
    return true;
}

ug_status ug_fallen_find(ug_fallen *fallen, const ug_markers *markers, ug_warnings *warnings,
                         ug_error *err)
{
    assert(markers && fallen);
    *fallen = (ug_fallen){ 0 };
    ug_swap_space space = { 0 };
    ug_status status = ug_markers_check(markers, err);
    if (status == UG_OK) {
        status = ug_swap_space_init(&space, markers, 1, err);
    }
    if (status == UG_OK) {
        fallen->items = malloc((space.count + 1) * sizeof *fallen->items);
        status = fallen->items ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory for markers");
    }
    const blocks b = cut(markers);
    for (size_t i = 0; i < space.count && status == UG_OK; i++) {
        ug_fallen_marker *f = &fallen->items[fallen->count];
        if (judge(f, &space, &b, i)) {
            fallen->count++;
            ug_warn(warnings, "marker_fell_off",
                    "marker '%s' is %.0f mm away from its place from frame %zu on; clear or split "
                    "it by hand",
                    ug_markers_name(markers, f->marker).text, f->moved_mm, f->frame);
        }
    }
    ug_swap_space_fini(&space);
    if (status != UG_OK) {
        ug_fallen_fini(fallen);
    }
    return status;
}
