// SPDX-License-Identifier: MIT
#include "solvers/swap_check.h"

#include <math.h>

static const double REACH_S = 0.1; // a straight line holds for so long

// Of the frames in which both are seen, whether most have them this close.
static bool are_together(const ug_markers *m, const ug_swap *s)
{
    size_t seen = 0, close = 0;
    for (size_t f = s->first; f <= s->last; f++) {
        if (ug_markers_present(m, f, s->markers[0]) && ug_markers_present(m, f, s->markers[1])) {
            seen++;
            close += ug_vec3_norm(ug_vec3_sub(ug_markers_position_m(m, f, s->markers[0]),
                                              ug_markers_position_m(m, f, s->markers[1]))) <
                     UG_SWAP_APART_M;
        }
    }
    return 2 * close > seen;
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
    return swap->count == 2 && (are_together(markers, swap) || keeps_its_path(markers, swap));
}
