// SPDX-License-Identifier: MIT
#include "solvers/excursions.h"

#include <math.h>

static const double LONGEST_S = 0.1;
static const double SIGMAS = 6.0;       // of what the neighbours are off by over as long
static const double BACK_SHARE = 0.3;   // of the least distance within: it is back
static const double ABRUPT_SHARE = 0.6; // of the height, in one step
enum { CARRIERS_MIN = 3 };

static bool carriers_for(ug_swap_carriers *carriers, const ug_swap_space *s, size_t member,
                         size_t from, size_t to)
{
    ug_swap_carriers_choose(carriers, s, member, from, to, &member, 1);
    return carriers->count >= CARRIERS_MIN;
}

static bool are_seen(const ug_swap_space *s, const ug_swap_carriers *carriers, size_t frame)
{
    for (size_t i = 0; i < carriers->count; i++) {
        if (!ug_swap_seen(s, frame, carriers->members[i])) {
            return false;
        }
    }
    return true;
}

static double miss_m(const ug_swap_space *s, const ug_swap_carriers *carriers, size_t member,
                     size_t from, size_t to)
{
    const ug_vec3 there = ug_swap_carry_m(s, carriers, ug_swap_place_m(s, from, member), from, to);
    return ug_vec3_distance(there, ug_swap_place_m(s, to, member));
}

double ug_excursion_step_m(const ug_swap_space *space, size_t member, size_t frame)
{
    ug_swap_carriers carriers;
    if (frame == 0 || !ug_swap_seen(space, frame, member) ||
        !ug_swap_seen(space, frame - 1, member) ||
        !carriers_for(&carriers, space, member, frame - 1, frame)) {
        return NAN;
    }
    return miss_m(space, &carriers, member, frame - 1, frame);
}

// A cheap look: off the line through the two samples before.
static bool jumps(const ug_swap_space *s, size_t member, size_t f, double height_m)
{
    if (!ug_swap_seen(s, f, member) || !ug_swap_seen(s, f - 1, member)) {
        return false;
    }
    ug_vec3 d = ug_vec3_sub(ug_swap_place_m(s, f, member), ug_swap_place_m(s, f - 1, member));
    if (f >= 2 && ug_swap_seen(s, f - 2, member)) {
        d = ug_vec3_sub(
            d, ug_vec3_sub(ug_swap_place_m(s, f - 1, member), ug_swap_place_m(s, f - 2, member)));
    }
    return ug_vec3_norm(d) >= ABRUPT_SHARE * height_m;
}

// Does it come back at `back`, after being away since `first`?
static bool is_back(ug_excursion *out, const ug_swap_space *s, size_t member, size_t first,
                    size_t back, double height_m)
{
    ug_swap_carriers carriers;
    if (!carriers_for(&carriers, s, member, first - 1, back)) {
        return false;
    }
    double least = INFINITY, most = 0.0;
    for (size_t f = first; f < back; f++) {
        if (!ug_swap_seen(s, f, member) || !are_seen(s, &carriers, f)) {
            return false;
        }
        const double miss = miss_m(s, &carriers, member, first - 1, f);
        least = fmin(least, miss);
        most = fmax(most, miss);
    }
    if (least < height_m || miss_m(s, &carriers, member, first - 1, back) > BACK_SHARE * least) {
        return false;
    }
    const double in = miss_m(s, &carriers, member, first - 1, first);
    const double out_step = miss_m(s, &carriers, member, back - 1, back);
    if (fmin(in, out_step) < ABRUPT_SHARE * most ||
        least < SIGMAS * ug_swap_carry_error_m(s, &carriers, member, back - first + 1)) {
        return false;
    }
    *out = (ug_excursion){ first, back - 1, 1e3 * most };
    return true;
}

bool ug_excursion_next(ug_excursion *out, const ug_swap_space *space, size_t member, size_t from,
                       double height_mm)
{
    const size_t frames = space->markers->frame_count;
    const double longest = LONGEST_S * ug_rate_hz(space->markers->rate);
    const size_t most = longest < 1.0                ? 1
                        : longest > UG_EXCURSION_MAX ? UG_EXCURSION_MAX
                                                     : (size_t)longest;
    const double height_m = 1e-3 * height_mm;
    for (size_t f = from > 1 ? from : 1; f + 1 < frames; f++) {
        if (!jumps(space, member, f, height_m)) {
            continue;
        }
        const double step = ug_excursion_step_m(space, member, f);
        if (!(step >= ABRUPT_SHARE * height_m)) { // not for NaN
            continue;
        }
        for (size_t back = f + 1; back < frames && back <= f + most; back++) {
            if (!ug_swap_seen(space, back, member)) {
                break;
            }
            if (is_back(out, space, member, f, back, height_m)) {
                return true;
            }
        }
    }
    return false;
}
