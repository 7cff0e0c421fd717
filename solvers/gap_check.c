// SPDX-License-Identifier: MIT
#include "solvers/gap_check.h"

#include <math.h>

enum { PLACES = 4 * UG_GAP_CHECKS, SHUFFLE = 29 }; // SHUFFLE has no factor in common with PLACES

// Seen by cameras through the stretch and next to it, so that it can stand for a gap.
static bool is_measured_through(const ug_markers *markers, const ug_gap *gap)
{
    const size_t from = gap->first - (gap->has_start ? 1 : 0);
    const size_t to = gap->last + (gap->has_end ? 1 : 0);
    for (size_t f = from; f <= to; f++) {
        const uint16_t o = markers->origin[ug_markers_index(markers, f, gap->marker)];
        if (!(o & UG_ORIGIN_PRESENT) || (o & UG_ORIGIN_FILLED)) {
            return false;
        }
    }
    return true;
}

static double squared_error_m2(const ug_vec3 *fill_m, const ug_markers *markers, const ug_gap *gap)
{
    double sum = 0.0;
    for (size_t i = 0; i < ug_gap_length(gap); i++) {
        const ug_vec3 d =
            ug_vec3_sub(fill_m[i], ug_markers_position_m(markers, gap->first + i, gap->marker));
        sum += ug_vec3_dot(d, d);
    }
    return sum;
}

double ug_gap_predict_error_mm(ug_vec3 *scratch_m, const ug_markers *markers, const ug_gap *gap,
                               ug_gap_filler filler, const void *model)
{
    const size_t length = ug_gap_length(gap), frames = markers->frame_count;
    double sum = 0.0;
    size_t samples = 0;
    if (frames < length + 2) {
        return NAN;
    }
    const size_t places = frames - length - 1; // first frames 1 … places
    for (size_t k = 0, done = 0; k < PLACES && done < UG_GAP_CHECKS; k++) {
        // a fixed shuffle of the even grid: the first successes are spread over the take too
        const size_t slot = (k * SHUFFLE) % PLACES;
        const size_t first = 1 + slot * (places - 1) / (PLACES - 1);
        const ug_gap check = { gap->marker, first, first + length - 1, gap->has_start,
                               gap->has_end };
        if (!is_measured_through(markers, &check) || !filler(scratch_m, markers, &check, model)) {
            continue;
        }
        sum += squared_error_m2(scratch_m, markers, &check);
        samples += length;
        done++;
    }
    return samples > 0 ? 1e3 * sqrt(sum / (double)samples) : NAN;
}
