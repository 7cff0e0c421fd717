// SPDX-License-Identifier: MIT
// A take of one rigid body that tumbles along a path: markers 0 … 4 sit on it, the rest are given.
#pragma once

#include "motion/quat.h"
#include "tests/support/markers.h"

#include <math.h>

static const ug_vec3 BODY_MM[5] = {
    { 0, 0, 0 }, { 120, 0, 0 }, { 0, 90, 10 }, { 20, 30, 80 }, { -60, 40, -30 }
};

/// Place of a body point at `frame`, millimetres.
static inline ug_vec3 body_point_mm(ug_vec3 local, double frame)
{
    const ug_quat q =
        ug_quat_exp((ug_vec3){ 1.5 * sin(0.031 * frame), 0.02 * frame, 0.9 * cos(0.047 * frame) });
    return ug_vec3_add(ug_quat_rotate(q, local),
                       (ug_vec3){ 500.0 * sin(0.02 * frame), 1000.0, 10.0 * frame });
}

/// `count` <= 5 markers on the body, 120 Hz.
static inline ug_markers *make_rigid_take(size_t frames, size_t count)
{
    ug_markers *m = make_markers(frames, count, 120);
    for (size_t f = 0; f < frames; f++) {
        for (size_t k = 0; k < count; k++) {
            const ug_vec3 p = body_point_mm(BODY_MM[k], (double)f);
            put_mm(m, f, k, p.x, p.y, p.z);
        }
    }
    return m;
}
