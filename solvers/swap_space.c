// SPDX-License-Identifier: MIT
#include "solvers/swap_space.h"

#include "motion/median.h"
#include "solvers/kabsch.h"
#include "solvers/parallel.h"

#include <math.h>
#include <stdlib.h>

enum { LOOKS_MAX = 600, LOOKS_MIN = 12, WINDOWS = 24, WINDOWS_MIN = 6 };

static const double MAD_TO_SIGMA = 1.4826; // of a normal distribution
static const double UNKNOWN_ERROR_M = 0.1;
static const double FAR_COST = 0.05; // a far marker is less likely on the same bone
static const double SOFT_M = 0.005;  // skin moves as much; steadier than that is luck

void ug_swap_space_fini(ug_swap_space *space)
{
    if (space) {
        free(space->columns);
        free(space->median_m);
        free(space->spread_m);
        free(space->nearest_m);
        *space = (ug_swap_space){ 0 };
    }
}

static void measure_pair(ug_swap_space *s, size_t a, size_t b)
{
    double d[LOOKS_MAX];
    size_t n = 0;
    const size_t frames = s->markers->frame_count;
    const size_t looks = frames < LOOKS_MAX ? frames : LOOKS_MAX;
    for (size_t i = 0; i < looks; i++) {
        const size_t f = i * frames / looks;
        if (ug_swap_seen(s, f, a) && ug_swap_seen(s, f, b)) {
            d[n++] = ug_vec3_distance(ug_swap_place_m(s, f, a), ug_swap_place_m(s, f, b));
        }
    }
    double median = NAN, spread = NAN, nearest = NAN;
    if (n >= LOOKS_MIN) {
        median = ug_median(d, n);
        nearest = d[0]; // in order now
        for (size_t i = 0; i < n; i++) {
            d[i] = fabs(d[i] - median);
        }
        spread = MAD_TO_SIGMA * ug_median(d, n);
    }
    s->median_m[a * s->count + b] = s->median_m[b * s->count + a] = (float)median;
    s->spread_m[a * s->count + b] = s->spread_m[b * s->count + a] = (float)spread;
    s->nearest_m[a * s->count + b] = s->nearest_m[b * s->count + a] = (float)nearest;
}

static void measure_row(void *context, size_t a, size_t worker)
{
    (void)worker;
    ug_swap_space *s = context;
    for (size_t b = 0; b < a; b++) {
        measure_pair(s, a, b);
    }
    s->median_m[a * s->count + a] = s->spread_m[a * s->count + a] = NAN;
    s->nearest_m[a * s->count + a] = NAN;
}

ug_status ug_swap_space_init(ug_swap_space *space, const ug_markers *markers, size_t workers,
                             ug_error *err)
{
    *space = (ug_swap_space){ .markers = markers };
    const size_t all = markers->marker_count;
    space->columns = malloc((all + 1) * sizeof *space->columns);
    for (size_t m = 0; space->columns && m < all; m++) {
        if (markers->kinds[m] == UG_POINT_MARKER) {
            space->columns[space->count++] = m;
        }
    }
    const size_t n = space->count;
    space->median_m = malloc((n * n + 1) * sizeof *space->median_m);
    space->spread_m = malloc((n * n + 1) * sizeof *space->spread_m);
    space->nearest_m = malloc((n * n + 1) * sizeof *space->nearest_m);
    if (!space->columns || !space->median_m || !space->spread_m || !space->nearest_m) {
        ug_swap_space_fini(space);
        return ug_fail(err, UG_E_NOMEM, "out of memory for the distances of %zu markers", all);
    }
    ug_parallel_for(n, workers, measure_row, space);
    return UG_OK;
}

static bool is_among(size_t member, const size_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == member) {
            return true;
        }
    }
    return false;
}

void ug_swap_carriers_choose(ug_swap_carriers *carriers, const ug_swap_space *space, size_t member,
                             size_t from, size_t to, const size_t *excluded, size_t excluded_count)
{
    double costs[UG_SWAP_CARRIER_MAX];
    *carriers = (ug_swap_carriers){ 0 };
    for (size_t m = 0; m < space->count; m++) {
        const double spread = (double)space->spread_m[member * space->count + m];
        if (isnan(spread) || is_among(m, excluded, excluded_count) ||
            (from != SIZE_MAX && !ug_swap_seen(space, from, m)) ||
            (to != SIZE_MAX && !ug_swap_seen(space, to, m))) {
            continue;
        }
        const double cost = spread + FAR_COST * (double)space->median_m[member * space->count + m];
        size_t at = carriers->count;
        while (at > 0 && costs[at - 1] > cost) {
            at--;
        }
        if (at == UG_SWAP_CARRIER_MAX) {
            continue;
        }
        carriers->count += carriers->count < UG_SWAP_CARRIER_MAX;
        for (size_t i = carriers->count - 1; i > at; i--) {
            costs[i] = costs[i - 1];
            carriers->members[i] = carriers->members[i - 1];
            carriers->weights[i] = carriers->weights[i - 1];
        }
        costs[at] = cost;
        carriers->members[at] = m;
        carriers->weights[at] = 1.0 / (SOFT_M * SOFT_M + spread * spread);
    }
}

ug_vec3 ug_swap_carry_m(const ug_swap_space *space, const ug_swap_carriers *carriers,
                        ug_vec3 place_m, size_t from, size_t to)
{
    ug_vec3 before[UG_SWAP_CARRIER_MAX], after[UG_SWAP_CARRIER_MAX], shift = { 0 };
    double weights = 0.0;
    for (size_t i = 0; i < carriers->count; i++) {
        before[i] = ug_swap_place_m(space, from, carriers->members[i]);
        after[i] = ug_swap_place_m(space, to, carriers->members[i]);
        shift = ug_vec3_madd(shift, carriers->weights[i], ug_vec3_sub(after[i], before[i]));
        weights += carriers->weights[i];
    }
    if (carriers->count >= 3) {
        const ug_rigid fit =
            ug_kabsch(&before[0].x, &after[0].x, carriers->weights, carriers->count);
        return ug_vec3_add(ug_quat_rotate(fit.q, place_m), fit.t);
    }
    return carriers->count > 0 ? ug_vec3_madd(place_m, 1.0 / weights, shift) : place_m;
}

double ug_swap_carry_error_m(const ug_swap_space *space, const ug_swap_carriers *carriers,
                             size_t member, size_t length)
{
    double errors[WINDOWS];
    size_t n = 0;
    const size_t frames = space->markers->frame_count;
    for (size_t i = 0; i < WINDOWS && length < frames; i++) {
        const size_t from = i * (frames - length) / WINDOWS, to = from + length;
        bool seen = ug_swap_seen(space, from, member) && ug_swap_seen(space, to, member);
        for (size_t k = 0; seen && k < carriers->count; k++) {
            seen = ug_swap_seen(space, from, carriers->members[k]) &&
                   ug_swap_seen(space, to, carriers->members[k]);
        }
        if (seen) {
            const ug_vec3 there =
                ug_swap_carry_m(space, carriers, ug_swap_place_m(space, from, member), from, to);
            errors[n++] = ug_vec3_distance(there, ug_swap_place_m(space, to, member));
        }
    }
    return n >= WINDOWS_MIN ? ug_quantile(errors, n, 0.75) : UNKNOWN_ERROR_M;
}
