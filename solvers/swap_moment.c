// SPDX-License-Identifier: MIT
// Of solvers/swap_group.h: the costs of one frame.
#include "solvers/swap_group.h"

#include <math.h>
#include <string.h>

static const double MOTION_WEIGHT = 2.0; // Student's t with this many halves of freedom
static const double RETURN_WEIGHT = 1.5;
static const double APPEAR_COST = 6.0; // of a marker that is lost, or found, from frame to frame
static const double PLACE_CAP = 4.0;   // what one frame's distances can say
static const double RETURN_FLOOR_M = 0.002;
static const double LATE_S = 1.0; // a label that returns later than another speaks for itself

static double surprise(double miss_m, double scale_m)
{
    const double z = miss_m / scale_m;
    return log(1.0 + z * z);
}

// Did label `l`'s sample belong to `i`: log of the odds against its own.
static void set_place_costs(ug_swap_moment *t, const ug_swap_model *m)
{
    double odds[UG_SWAP_GROUP_MAX][UG_SWAP_GROUP_MAX] = { { 0 } };
    memset(t->place_cost, 0, sizeof t->place_cost);
    for (size_t l = 0; l < m->group.count; l++) {
        double u[UG_SWAP_GROUP_MAX];
        if (!t->now.seen[l] || !ug_swap_misfits(u, m, t->frame, t->now.place_m[l])) {
            continue;
        }
        for (size_t i = 0; i < m->group.count; i++) {
            const ug_swap_leaning *lean = &m->leanings[l][i];
            const double value = -lean->gain * (u[i] - u[l] - lean->centre);
            odds[l][i] = l == i ? 0.0 : fmax(-PLACE_CAP, fmin(PLACE_CAP, value));
        }
    }
    for (size_t s = 1; s < m->state_count; s++) {
        for (size_t i = 0; i < m->group.count; i++) {
            t->place_cost[s] -= m->frame_weight * odds[m->states[s][i]][i];
        }
    }
}

static bool last_seen(size_t *frame, const ug_swap_model *m, size_t label, size_t before)
{
    for (size_t f = before; f-- > 0;) {
        if (ug_swap_seen(m->space, f, m->group.members[label])) {
            *frame = f;
            return true;
        }
    }
    return false;
}

static double return_cost(const ug_swap_moment *t, const ug_swap_model *m, size_t label,
                          size_t was_label, size_t at)
{
    size_t from = 0;
    if (!last_seen(&from, m, was_label, t->frame)) {
        return 0.0;
    }
    ug_swap_carriers carriers;
    const size_t member = m->group.members[was_label];
    ug_swap_carriers_choose(&carriers, m->space, member, from, at, m->group.members,
                            m->group.count);
    const ug_vec3 there =
        ug_swap_carry_m(m->space, &carriers, ug_swap_place_m(m->space, from, member), from, at);
    const double scale =
        RETURN_FLOOR_M + ug_swap_carry_error_m(m->space, &carriers, member, at - from);
    const ug_vec3 here = ug_swap_place_m(m->space, at, m->group.members[label]);
    return RETURN_WEIGHT * surprise(ug_vec3_distance(there, here), scale);
}

static bool next_seen(size_t *frame, const ug_swap_model *m, size_t label, size_t from)
{
    const double late = LATE_S * ug_rate_hz(m->space->markers->rate);
    for (size_t f = from; f < m->space->markers->frame_count && (double)(f - from) <= late; f++) {
        if (ug_swap_seen(m->space, f, m->group.members[label])) {
            *frame = f;
            return true;
        }
    }
    return false;
}

// Only where two or more are out of sight can a label return on another's marker. The first that
// returns speaks for all of them, those included that follow it.
static void set_return_costs(ug_swap_moment *t, const ug_swap_model *m)
{
    t->any_return = false;
    if (!t->has_before || t->before.seen_count + 2 > m->group.count) {
        return;
    }
    for (size_t l = 0; l < m->group.count; l++) {
        t->any_return = t->any_return || (t->now.seen[l] && !t->before.seen[l]);
    }
    memset(t->return_cost, 0, sizeof t->return_cost);
    for (size_t l = 0; t->any_return && l < m->group.count; l++) {
        size_t at = 0;
        if (t->before.seen[l] || !next_seen(&at, m, l, t->frame)) {
            continue;
        }
        for (size_t was = 0; was < m->group.count; was++) {
            if (!t->before.seen[was]) {
                t->return_cost[l][was] = return_cost(t, m, l, was, at);
            }
        }
    }
}

void ug_swap_moment_set(ug_swap_moment *moment, const ug_swap_model *model, size_t frame)
{
    const bool follows = frame > 0 && moment->frame + 1 == frame;
    ug_swap_moment t = { .frame = frame, .now = ug_swap_look_at(model, frame) };
    t.has_before = frame >= 1;
    t.has_first = frame >= 2;
    if (t.has_before) {
        t.before = follows ? moment->now : ug_swap_look_at(model, frame - 1);
    }
    if (t.has_first) {
        t.first = follows ? moment->before : ug_swap_look_at(model, frame - 2);
    }
    t.scale = &model->scales[frame / model->block];
    set_place_costs(&t, model);
    set_return_costs(&t, model);
    *moment = t;
}

static double spread_square(const ug_vec3 *d, size_t n)
{
    ug_vec3 mean = { 0 };
    double square = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean = ug_vec3_madd(mean, 1.0 / (double)n, d[i]);
    }
    for (size_t i = 0; i < n; i++) {
        const ug_vec3 r = ug_vec3_sub(d[i], mean);
        square += ug_vec3_dot(r, r);
    }
    return square / (double)n;
}

// All are there: what the group does as a whole does not count.
static double together_cost(const ug_swap_moment *t, const ug_swap_model *m, const uint8_t *first,
                            const uint8_t *before, const uint8_t *now, bool turn)
{
    ug_vec3 d[UG_SWAP_GROUP_MAX];
    const size_t n = m->group.count;
    for (size_t i = 0; i < n; i++) {
        d[i] = ug_vec3_sub(t->now.place_m[now[i]], t->before.place_m[before[i]]);
        if (turn) {
            d[i] = ug_vec3_sub(
                d[i], ug_vec3_sub(t->before.place_m[before[i]], t->first.place_m[first[i]]));
        }
    }
    const double scale = (double)(turn ? t->scale->turn_m : t->scale->step_m);
    return MOTION_WEIGHT * surprise(sqrt(spread_square(d, n)), scale);
}

static double alone_cost(const ug_swap_moment *t, uint8_t first, uint8_t before, uint8_t now)
{
    const bool is_seen = t->now.seen[now], was_seen = t->before.seen[before];
    if (!is_seen || !was_seen) {
        const bool returns = t->any_return && !t->before.seen[now] && !was_seen;
        return (is_seen != was_seen ? APPEAR_COST : 0.0) +
               (returns ? t->return_cost[now][before] : 0.0);
    }
    const ug_vec3 step = ug_vec3_sub(t->now.place_m[now], t->before.place_m[before]);
    if (t->has_first && t->first.seen[first]) {
        const ug_vec3 was = ug_vec3_sub(t->before.place_m[before], t->first.place_m[first]);
        return surprise(ug_vec3_distance(step, was), (double)t->scale->alone_turn_m);
    }
    return surprise(ug_vec3_norm(step), (double)t->scale->alone_step_m);
}

double ug_swap_moment_cost(const ug_swap_moment *moment, const ug_swap_model *model, size_t first,
                           size_t before, size_t now)
{
    const size_t n = model->group.count;
    const double place = moment->place_cost[now];
    if (!moment->has_before) {
        return place;
    }
    const uint8_t *f = model->states[first], *b = model->states[before], *w = model->states[now];
    const bool pair = moment->now.seen_count == n && moment->before.seen_count == n;
    if (pair) {
        const bool turn = moment->has_first && moment->first.seen_count == n;
        return place + together_cost(moment, model, f, b, w, turn);
    }
    double cost = place;
    for (size_t i = 0; i < n; i++) {
        cost += alone_cost(moment, f[i], b[i], w[i]);
    }
    return cost;
}
