// SPDX-License-Identifier: MIT
#include "solvers/excursions.h"

#include "motion/median.h"

#include <math.h>

static const double LONGEST_S = 0.1;
static const double SIGMAS = 6.0;        // of what the neighbours are off by over as long
static const double ABRUPT_SHARE = 0.6;  // of the height, in one step
static const double BACK_SHARE = 0.5;    // of the height, as the neighbours carry it: it is back
static const double CARRIER_SHARE = 0.4; // of its steps, that a carrier may be off itself
enum { CARRIERS_MIN = 3, WINDOWS = 24, WINDOWS_MIN = 6 };

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

// Distance at `f` from the place between `from` and `to`: carried from both, blended, so that what
// the marker itself does between them does not count.
static double off_bridge_m(const ug_swap_space *s, const ug_swap_carriers *carriers, size_t member,
                           size_t from, size_t to, size_t f)
{
    const double u = (double)(f - from) / (double)(to - from);
    const ug_vec3 a = ug_swap_carry_m(s, carriers, ug_swap_place_m(s, from, member), from, f);
    const ug_vec3 b = ug_swap_carry_m(s, carriers, ug_swap_place_m(s, to, member), to, f);
    return ug_vec3_distance(ug_vec3_lerp(a, b, u), ug_swap_place_m(s, f, member));
}

// How far off the middle of such a bridge is as a rule; infinite where it cannot be known.
static double bridge_error_m(const ug_swap_space *s, const ug_swap_carriers *carriers,
                             size_t member, size_t length)
{
    double errors[WINDOWS];
    size_t n = 0;
    const size_t frames = s->markers->frame_count;
    for (size_t i = 0; i < WINDOWS && length < frames; i++) {
        const size_t from = i * (frames - length) / WINDOWS, to = from + length,
                     middle = from + length / 2;
        if (ug_swap_seen(s, from, member) && ug_swap_seen(s, middle, member) &&
            ug_swap_seen(s, to, member) && are_seen(s, carriers, from) &&
            are_seen(s, carriers, middle) && are_seen(s, carriers, to)) {
            errors[n++] = off_bridge_m(s, carriers, member, from, to, middle);
        }
    }
    return n >= WINDOWS_MIN ? ug_quantile(errors, n, 0.75) : (double)INFINITY;
}

// Of the carriers themselves, from where they carry one another: one that jumps takes the rest
// along.
static double worst_carrier_m(const ug_swap_space *s, const ug_swap_carriers *carriers, size_t from,
                              size_t to)
{
    double worst = 0.0;
    for (size_t i = 0; i < carriers->count; i++) {
        worst = fmax(worst, miss_m(s, carriers, carriers->members[i], from, to));
    }
    return worst;
}

// Is it away from `first` to the frame before `back`, all the time and at once?
static bool is_away(ug_excursion *out, const ug_swap_space *s, size_t member, size_t first,
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
        const double off = off_bridge_m(s, &carriers, member, first - 1, back, f);
        least = fmin(least, off);
        most = fmax(most, off);
    }
    const double edge = fmin(miss_m(s, &carriers, member, first - 1, first),
                             miss_m(s, &carriers, member, back - 1, back));
    if (least < height_m || edge < ABRUPT_SHARE * most ||
        miss_m(s, &carriers, member, first - 1, back) > BACK_SHARE * most ||
        least < SIGMAS * bridge_error_m(s, &carriers, member, back - first + 1)) {
        return false;
    }
    if (worst_carrier_m(s, &carriers, first - 1, first) > CARRIER_SHARE * edge ||
        worst_carrier_m(s, &carriers, back - 1, back) > CARRIER_SHARE * edge) {
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
            if (is_away(out, space, member, f, back, height_m)) {
                return true;
            }
        }
    }
    return false;
}
