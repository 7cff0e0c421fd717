// SPDX-License-Identifier: MIT
#include "solvers/spikes.h"

#include "motion/median.h"
#include "solvers/excursions.h"
#include "solvers/markers_check.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 2, WINDOW_MAX = 201 }; // frames of the local scale, both sides together

static const double AGREED_SHARE = 0.5;   // of a spike's height, against the neighbours
static const double STRETCH_TIMES = 2.0;  // as high as a single one
static const double STRETCH_MIN_MM = 1.0; // camera noise, whatever was asked for
static const double SCALE_WINDOW_S = 0.5;
static const double MAD_TO_SIGMA = 1.4826; // of a normal distribution

ug_spikes_opts ug_spikes_default_opts(void)
{
    return (ug_spikes_opts){ .threshold = 12.0, .height_mm = 5.0, .clear = false };
}

void ug_spikes_fini(ug_spikes *spikes)
{
    if (spikes) {
        free(spikes->items);
        *spikes = (ug_spikes){ 0 };
    }
}

// Distance of each sample from the cubic through two neighbours on each side; NaN where one of the
// five is missing. The weights are Lagrange's at -2 -1 1 2.
static void deviations_m(double *out_m, const ug_markers *markers, size_t marker)
{
    for (size_t f = 0; f < markers->frame_count; f++) {
        out_m[f] = NAN;
        if (f < SIDE || f + SIDE >= markers->frame_count) {
            continue;
        }
        ug_vec3 p[2 * SIDE + 1];
        bool complete = true;
        for (size_t k = 0; k < 2 * SIDE + 1; k++) {
            complete = complete && ug_markers_present(markers, f - SIDE + k, marker);
            p[k] = ug_markers_position_m(markers, f - SIDE + k, marker);
        }
        if (complete) {
            ug_vec3 d = ug_vec3_madd(p[2], -4.0 / 6.0, ug_vec3_add(p[1], p[3]));
            d = ug_vec3_madd(d, 1.0 / 6.0, ug_vec3_add(p[0], p[4]));
            out_m[f] = ug_vec3_norm(d);
        }
    }
}

static double local_median(const double *values, size_t count, size_t centre, size_t half)
{
    double window[WINDOW_MAX];
    size_t n = 0;
    const size_t from = centre > half ? centre - half : 0;
    for (size_t f = from; f < count && f <= centre + half; f++) {
        if (!isnan(values[f])) {
            window[n++] = values[f];
        }
    }
    ug_sort_ascending(window, n);
    return window[n / 2];
}

static bool is_largest_nearby(const double *values, size_t count, size_t centre)
{
    for (size_t f = centre - SIDE; f <= centre + SIDE && f < count; f++) {
        // of two equal ones the first counts
        if (f != centre &&
            (values[f] > values[centre] || (f < centre && values[f] == values[centre]))) {
            return false;
        }
    }
    return true;
}

static ug_status add_spike(ug_spikes *spikes, ug_spike spike, ug_error *err)
{
    if ((spikes->count & (spikes->count - 1)) == 0) { // grow at 0, 1, 2, 4, 8 …
        const size_t capacity = spikes->count > 0 ? 2 * spikes->count : 1;
        ug_spike *items = realloc(spikes->items, capacity * sizeof *items);
        if (!items) {
            return ug_fail(err, UG_E_NOMEM, "out of memory for %zu spikes", capacity);
        }
        spikes->items = items;
    }
    spikes->items[spikes->count++] = spike;
    return UG_OK;
}

// A jerk of the whole limb is none: the neighbours make it, too. What they cannot tell stands.
static bool neighbours_agree(const ug_swap_space *space, size_t member, size_t frame,
                             double deviation_m)
{
    const double in = ug_excursion_step_m(space, member, frame);
    const double out = ug_excursion_step_m(space, member, frame + 1);
    return !(in < AGREED_SHARE * deviation_m || out < AGREED_SHARE * deviation_m);
}

static bool is_listed(const ug_spikes *spikes, size_t since, size_t frame)
{
    for (size_t i = since; i < spikes->count; i++) {
        if (spikes->items[i].frame == frame) {
            return true;
        }
    }
    return false;
}

// Several samples in a row, which a look at two neighbours on each side takes for the path.
static ug_status find_stretches(ug_spikes *spikes, const ug_swap_space *space, size_t member,
                                size_t since, const ug_spikes_opts *o, ug_error *err)
{
    ug_excursion e = { 0 };
    ug_status status = UG_OK;
    const double height_mm = fmax(STRETCH_TIMES * o->height_mm, STRETCH_MIN_MM);
    for (size_t from = 1; status == UG_OK && ug_excursion_next(&e, space, member, from, height_mm);
         from = e.last + 1) {
        for (size_t f = e.first; f <= e.last && status == UG_OK; f++) {
            if (!is_listed(spikes, since, f)) {
                status =
                    add_spike(spikes, (ug_spike){ space->columns[member], f, e.height_mm }, err);
            }
        }
    }
    return status;
}

static int by_frame(const void *a, const void *b)
{
    const ug_spike *x = a, *y = b;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

static ug_status find_in_marker(ug_spikes *spikes, const ug_swap_space *space, size_t member,
                                const ug_spikes_opts *o, double *deviation_m, ug_error *err)
{
    const ug_markers *markers = space->markers;
    const size_t marker = space->columns[member], since = spikes->count;
    const double window = 0.5 * SCALE_WINDOW_S * ug_rate_hz(markers->rate);
    const size_t half = window < 5.0                    ? 5
                        : window > (WINDOW_MAX - 1) / 2 ? (WINDOW_MAX - 1) / 2
                                                        : (size_t)window;
    deviations_m(deviation_m, markers, marker);
    for (size_t f = 0; f < markers->frame_count; f++) {
        const double d = deviation_m[f];
        if (isnan(d) || !(d > 1e-3 * o->height_mm) ||
            !is_largest_nearby(deviation_m, markers->frame_count, f)) {
            continue;
        }
        const double sigma =
            MAD_TO_SIGMA * local_median(deviation_m, markers->frame_count, f, half);
        if (d > o->threshold * sigma && neighbours_agree(space, member, f, d)) {
            const ug_status status = add_spike(spikes, (ug_spike){ marker, f, 1e3 * d }, err);
            if (status != UG_OK) {
                return status;
            }
        }
    }
    const ug_status status = find_stretches(spikes, space, member, since, o, err);
    if (spikes->count > since) {
        qsort(spikes->items + since, spikes->count - since, sizeof *spikes->items, by_frame);
    }
    return status;
}

ug_status ug_spikes_find(ug_markers *markers, ug_spikes *spikes, ug_warnings *warnings,
                         const ug_spikes_opts *opts, ug_error *err)
{
    assert(markers);
    const ug_spikes_opts o = opts ? *opts : ug_spikes_default_opts();
    ug_spikes found = { 0 };
    double *deviation_m = NULL;
    ug_swap_space space = { 0 };
    ug_status status = UG_OK;
    if (!(isfinite(o.threshold) && o.threshold > 0.0 && isfinite(o.height_mm) &&
          o.height_mm >= 0.0)) {
        status = ug_fail(err, UG_E_USAGE,
                         "spike threshold %g and height %g mm: must be above 0, and 0 or more",
                         o.threshold, o.height_mm);
    } else {
        status = ug_markers_check(markers, err);
    }
    if (status != UG_OK) {
        goto done;
    }
    deviation_m = malloc((markers->frame_count + 1) * sizeof *deviation_m);
    if (!deviation_m) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for %zu frames", markers->frame_count);
        goto done;
    }
    status = ug_swap_space_init(&space, markers, 1, err);
    for (size_t m = 0; m < space.count && status == UG_OK; m++) {
        status = find_in_marker(&found, &space, m, &o, deviation_m, err);
    }
    for (size_t i = 0; i < found.count && status == UG_OK; i++) {
        const ug_spike *s = &found.items[i];
        ug_warn(warnings, o.clear ? "spike_cleared" : "spike",
                "marker '%s', frame %zu: %.1f mm off its path",
                ug_markers_name(markers, s->marker).text, s->frame, s->height_mm);
        // what a person did stands
        if (o.clear &&
            !(markers->origin[ug_markers_index(markers, s->frame, s->marker)] & UG_ORIGIN_EDITED)) {
            ug_markers_clear(markers, s->frame, s->marker);
        }
    }

done:
    ug_swap_space_fini(&space);
    free(deviation_m);
    if (status != UG_OK || !spikes) {
        ug_spikes_fini(&found);
    }
    if (spikes) {
        *spikes = found;
    }
    return status;
}
