// SPDX-License-Identifier: MIT
// A body whose last two markers move in its frame, the one by a known law of the other.
#pragma once

#include "tests/support/rigid_take.h"

enum { ELASTIC_MARKERS = 6 };

/// Where marker 4 is in the body, millimetres: a swing that never repeats.
static inline ug_vec3 swing_mm(double frame)
{
    return (ug_vec3){ 300.0 + 40.0 * sin(0.06 * frame) + 25.0 * sin(0.0371 * frame + 1.0),
                      30.0 * cos(0.0613 * frame), 20.0 * sin(0.11 * frame) };
}

/// Where marker 5 is: a linear image of that and a little of its own.
static inline ug_vec3 follow_mm(double frame)
{
    const ug_vec3 s = swing_mm(frame);
    return (ug_vec3){ 200.0 + 0.8 * s.x - 0.3 * s.y, 0.5 * s.y + 0.2 * s.z + 0.02 * s.x,
                      60.0 + 0.4 * s.z + 0.3 * sin(0.9 * frame) };
}

/// Markers 0 … 3 as in make_rigid_take(), 4 at swing_mm(), 5 at follow_mm(); 120 Hz.
static inline ug_markers *make_elastic_take(size_t frames)
{
    ug_markers *m = make_markers(frames, ELASTIC_MARKERS, 120);
    for (size_t f = 0; f < frames; f++) {
        for (size_t k = 0; k < ELASTIC_MARKERS; k++) {
            const ug_vec3 local = k < 4    ? BODY_MM[k]
                                  : k == 4 ? swing_mm((double)f)
                                           : follow_mm((double)f);
            const ug_vec3 p = body_point_mm(local, (double)f);
            put_mm(m, f, k, p.x, p.y, p.z);
        }
    }
    return m;
}
