// SPDX-License-Identifier: MIT
#include "solvers/gap_spline.h"

// Samples of the gap's marker going away from `frame` by `step`, until one is missing.
static size_t collect(ug_vec3 *values, size_t capacity, const ug_markers *markers, size_t marker,
                      size_t frame, int step)
{
    size_t count = 0;
    // stepping below frame 0 wraps round to a huge number and ends the loop
    for (size_t f = frame; count < capacity && f < markers->frame_count; f += (size_t)step) {
        if (!ug_markers_present(markers, f, marker)) {
            break;
        }
        values[count++] = ug_markers_position_m(markers, f, marker);
    }
    return count;
}

bool ug_gap_spline_fill(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap)
{
    if (!gap->has_start || !gap->has_end) {
        return false;
    }
    ug_vec3 before[UG_GAP_SUPPORT_MAX], after[UG_GAP_SUPPORT_MAX];
    const size_t support = ug_gap_support(markers->rate);
    const size_t n0 = collect(before, support, markers, gap->marker, gap->first - 1, -1);
    const size_t n1 = collect(after, support, markers, gap->marker, gap->last + 1, 1);
    if (n0 == 0 || n1 == 0) {
        return false;
    }
    const double span = (double)ug_gap_length(gap) + 1.0;
    const ug_vec3 p0 = before[0], p1 = after[0], chord = ug_vec3_sub(p1, p0);
    // slopes per span, forwards in time: the one before was fitted backwards
    ug_vec3 m0 = chord, m1 = chord;
    if (n0 >= 2) {
        m0 = ug_vec3_scale(ug_gap_slope(before, n0), -span);
    }
    if (n1 >= 2) {
        m1 = ug_vec3_scale(ug_gap_slope(after, n1), span);
    }
    if (n0 == 1 && n1 >= 2) {
        m0 = ug_vec3_sub(ug_vec3_scale(chord, 2.0), m1);
    } else if (n1 == 1 && n0 >= 2) {
        m1 = ug_vec3_sub(ug_vec3_scale(chord, 2.0), m0);
    }
    for (size_t i = 0; i < ug_gap_length(gap); i++) {
        const double u = (double)(i + 1) / span, v = 1.0 - u;
        ug_vec3 p = ug_vec3_madd(p0, u * u * (3.0 - 2.0 * u), chord);
        p = ug_vec3_madd(p, u * v * v, m0);
        out_m[i] = ug_vec3_madd(p, -u * u * v, m1);
    }
    return true;
}
