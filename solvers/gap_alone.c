// SPDX-License-Identifier: MIT
#include "solvers/gap_alone.h"

#include "solvers/gap_spline.h"

#include <math.h>

enum { CHECKS = 24, PLACES = 4 * CHECKS, SHUFFLE = 29 }; // SHUFFLE and PLACES have no common factor

static bool line_fill(double *mm, const ug_gap_scene *scene, const ug_gap *gap)
{
    if (!gap->has_start || !gap->has_end) {
        return false;
    }
    const ug_vec3 a = ug_scene_mm(scene, gap->first - 1, gap->marker);
    const ug_vec3 b = ug_scene_mm(scene, gap->last + 1, gap->marker);
    const double span = (double)ug_gap_length(gap) + 1.0;
    for (size_t k = 0; k < ug_gap_length(gap); k++) {
        const ug_vec3 p = ug_vec3_lerp(a, b, (double)(k + 1) / span);
        mm[3 * k] = p.x;
        mm[3 * k + 1] = p.y;
        mm[3 * k + 2] = p.z;
    }
    return true;
}

static bool fill(double *mm, const ug_gap_scene *scene, const ug_gap *gap, ug_fill_method method)
{
    return method == UG_FILL_LINEAR ? line_fill(mm, scene, gap)
                                    : ug_gap_spline_fill(mm, scene, gap);
}

bool ug_gap_alone_fill(double *mm, float *error_mm, double *scratch, const ug_gap_scene *scene,
                       const ug_gap *gap, ug_fill_method method)
{
    const size_t length = ug_gap_length(gap), frames = scene->frame_count;
    if (!fill(mm, scene, gap, method)) {
        return false;
    }
    size_t done = 0;
    for (size_t k = 0; k < length; k++) {
        error_mm[k] = 0.0f;
    }
    for (size_t k = 0; k < PLACES && done < CHECKS; k++) {
        // a fixed shuffle of the even grid: the first successes are spread over the take too
        const size_t slot = k * SHUFFLE % PLACES;
        const size_t first = 1 + slot * (frames - length - 2) / (PLACES - 1);
        const ug_gap check = { gap->marker, first, first + length - 1, true, true };
        if (!ug_scene_seen(scene, gap->marker, first - 1, first + length) ||
            !fill(scratch, scene, &check, method)) {
            continue;
        }
        for (size_t i = 0; i < length; i++) {
            const double e = ug_vec3_distance(ug_vec3_of(scratch + 3 * i),
                                              ug_scene_mm(scene, first + i, gap->marker));
            error_mm[i] += (float)(e * e);
        }
        done++;
    }
    for (size_t k = 0; k < length; k++) {
        error_mm[k] = done > 0 ? sqrtf(error_mm[k] / (float)done) : NAN;
    }
    return true;
}
