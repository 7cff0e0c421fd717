// SPDX-License-Identifier: MIT
#include "solvers/swap_check.h"

#include "motion/median.h"

static const double REACH_S = 0.1; // a straight line holds for so long

// Nearer than so much of what three frames in four have is not usual.
static const double USUAL_SHARE = 0.75, USUAL_QUANTILE = 0.25;

enum { LOOKS_MAX = 512 };

// Distances between the two in at most LOOKS_MAX frames of first … last in which both are seen,
// evenly spread; with `without`, those of its frames left out. @return how many
static size_t apart(double *distances_m, const ug_markers *m, const ug_swap *s, size_t first,
                    size_t last, const ug_swap *without)
{
    size_t n = 0;
    const size_t step = (last - first) / LOOKS_MAX + 1;
    for (size_t f = first; f <= last; f += step) {
        const bool left_out = without && f >= without->first && f <= without->last;
        if (!left_out && ug_markers_present(m, f, s->markers[0]) &&
            ug_markers_present(m, f, s->markers[1])) {
            distances_m[n++] =
                ug_vec3_norm(ug_vec3_sub(ug_markers_position_m(m, f, s->markers[0]),
                                         ug_markers_position_m(m, f, s->markers[1])));
        }
    }
    return n;
}

// Whether one of the two is missing where the exchange begins or ends.
static bool ends_out_of_sight(const ug_markers *m, const ug_swap *s)
{
    const size_t at[4] = { s->first > 0 ? s->first - 1 : 0, s->first, s->last,
                           s->last + 1 < m->frame_count ? s->last + 1 : s->last };
    for (size_t i = 0; i < 4; i++) {
        if (!ug_markers_present(m, at[i], s->markers[0]) ||
            !ug_markers_present(m, at[i], s->markers[1])) {
            return true;
        }
    }
    return false;
}

// An exchange leaves the distance between the two as it is. Where that is not what it ever is
// otherwise, something else is wrong.
static bool are_too_close(const ug_markers *m, const ug_swap *s)
{
    double within[LOOKS_MAX + 1], outside[LOOKS_MAX + 1];
    const size_t n = apart(within, m, s, s->first, s->last, NULL);
    if (n == 0) {
        return false;
    }
    const double distance = ug_median(within, n);
    if (distance < UG_SWAP_APART_M) {
        return true;
    }
    const size_t others = apart(outside, m, s, 0, m->frame_count - 1, s);
    return others > 0 && ends_out_of_sight(m, s) &&
           distance < USUAL_SHARE * ug_quantile(outside, others, USUAL_QUANTILE);
}

// The last sample of `marker` before the exchange, or the first after it, not further than `reach`
// frames from it.
static bool find_anchor(size_t *frame, const ug_markers *m, const ug_swap *s, size_t marker,
                        bool after, size_t reach)
{
    for (size_t i = 1; i <= reach; i++) {
        if (after ? s->last + i >= m->frame_count : s->first < i) {
            return false;
        }
        *frame = after ? s->last + i : s->first - i;
        if (ug_markers_present(m, *frame, marker)) {
            return true;
        }
    }
    return false;
}

// Distance from the sample of `marker` to the straight path of `path` over the exchange.
static double distance_m(const ug_markers *m, size_t frame, size_t marker, size_t path,
                         const size_t anchor[2])
{
    const ug_vec3 a = ug_markers_position_m(m, anchor[0], path),
                  b = ug_markers_position_m(m, anchor[1], path);
    const double u = (double)(frame - anchor[0]) / (double)(anchor[1] - anchor[0]);
    const ug_vec3 there = ug_vec3_add(a, ug_vec3_scale(ug_vec3_sub(b, a), u));
    return ug_vec3_norm(ug_vec3_sub(ug_markers_position_m(m, frame, marker), there));
}

// Nothing is said of an exchange whose two paths are not both known on both sides.
static bool keeps_its_path(const ug_markers *m, const ug_swap *s)
{
    const double reach = REACH_S * ug_rate_hz(m->rate);
    if ((double)(s->last - s->first + 1) > reach) {
        return false;
    }
    size_t anchor[2][2];
    for (size_t k = 0; k < 2; k++) {
        for (size_t side = 0; side < 2; side++) {
            if (!find_anchor(&anchor[k][side], m, s, s->markers[k], side == 1, (size_t)reach)) {
                return false;
            }
        }
    }
    double moved = 0.0, kept = 0.0;
    for (size_t f = s->first; f <= s->last; f++) {
        for (size_t k = 0; k < 2; k++) {
            if (ug_markers_present(m, f, s->markers[k])) {
                moved += distance_m(m, f, s->markers[k], s->markers[k], anchor[k]);
                kept += distance_m(m, f, s->markers[k], s->markers[1 - k], anchor[1 - k]);
            }
        }
    }
    return kept < moved;
}

bool ug_swap_doubtful(const ug_markers *markers, const ug_swap *swap)
{
    return swap->count == 2 && (are_too_close(markers, swap) || keeps_its_path(markers, swap));
}
