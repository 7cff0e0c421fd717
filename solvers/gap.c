// SPDX-License-Identifier: MIT
#include "solvers/gap.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static size_t list_marker(ug_gap *gaps, const ug_markers *markers, size_t marker)
{
    size_t count = 0;
    for (size_t f = 0; f < markers->frame_count; f++) {
        if (ug_markers_present(markers, f, marker)) {
            continue;
        }
        const size_t first = f;
        while (f < markers->frame_count && !ug_markers_present(markers, f, marker)) {
            f++;
        }
        if (gaps) {
            gaps[count] = (ug_gap){ marker, first, f - 1, first > 0, f < markers->frame_count };
        }
        count++;
    }
    return count;
}

ug_status ug_gaps_list(ug_gap **gaps, size_t *count, const ug_markers *markers, ug_error *err)
{
    *gaps = NULL;
    *count = 0;
    for (size_t m = 0; m < markers->marker_count; m++) {
        *count += markers->kinds[m] == UG_POINT_MARKER ? list_marker(NULL, markers, m) : 0;
    }
    if (*count == 0) {
        return UG_OK;
    }
    *gaps = calloc(*count, sizeof **gaps);
    if (!*gaps) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for a list of %zu gaps", *count);
    }
    size_t done = 0;
    for (size_t m = 0; m < markers->marker_count; m++) {
        done += markers->kinds[m] == UG_POINT_MARKER ? list_marker(*gaps + done, markers, m) : 0;
    }
    return UG_OK;
}

size_t ug_gap_support(ug_rate rate)
{
    const double frames = 0.05 * ug_rate_hz(rate) + 0.5;
    return frames < 4.0 ? 4 : frames > UG_GAP_SUPPORT_MAX ? UG_GAP_SUPPORT_MAX : (size_t)frames;
}

ug_vec3 ug_gap_slope(const ug_vec3 *values, size_t count)
{
    assert(count >= 2);
    // Moments about the mean abscissa, where line and parabola are orthogonal:
    // x ~ a + b s + c (s² - s2/n), slope at s = -mean is b - 2 c mean.
    const double n = (double)count, mean = 0.5 * (n - 1.0);
    const double s2 = n * (n * n - 1.0) / 12.0;
    const double s4 = s2 * (3.0 * n * n - 7.0) / 20.0;
    const double q2 = s4 - s2 * s2 / n; // 0 for two samples
    ug_vec3 b = { 0 }, c = { 0 };
    for (size_t i = 0; i < count; i++) {
        const double s = (double)i - mean;
        b = ug_vec3_madd(b, s / s2, values[i]);
        if (count >= 4) {
            c = ug_vec3_madd(c, (s * s - s2 / n) / q2, values[i]);
        }
    }
    return ug_vec3_madd(b, -2.0 * mean, c);
}
