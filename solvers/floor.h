// SPDX-License-Identifier: MIT
// The floor of a clip: one plane, found where feet stand still, and the clip moved so that it
// lies level at height 0.
//
// One rigid transform per clip, never per frame (a jump would lose its flight). Real floors tilt
// by up to a degree against the capture volume. Not for stairs or boxes: feet that rest elsewhere
// are left out, and reported by their share.
#pragma once

#include "motion/clip.h"
#include "motion/skeleton.h"
#include "motion/status.h"
#include "solvers/foot_model.h"

/// y = height_m + slope_x x + slope_z z, in the clip's world.
typedef struct ug_floor {
    bool found; ///< false: no foot ever rests; the plane is then height 0
    double height_m, slope_x, slope_z;
    double tilt_deg;
    size_t run_count;   ///< stretches of rest that were seen …
    size_t used_count;  ///< … and lie on this floor
    double residual_mm; ///< rms of the used ones
} ug_floor;

/// Fit. Slopes are kept small by a weak prior and are 0 along an axis over which the contacts span
/// less than 0.8 m.
///
/// @return UG_E_NOMEM
///
/// O(frame_count · joint_count).
UG_CHECKED ug_status ug_floor_find(ug_floor *floor, const ug_foot_model feet[2],
                                   const ug_skeleton *skeleton, const ug_clip *clip, double leg_m,
                                   ug_error *err);

/// Turn and move every root of `clip` in place, so that the plane becomes y = 0. Every root must
/// be among the clip's translated joints.
void ug_floor_level(ug_clip *clip, const ug_skeleton *skeleton, const ug_floor *floor);

/// Where a point of the levelled world lies in the world before: the inverse for points.
ug_vec3 ug_floor_raise_m(const ug_floor *floor, ug_vec3 level_m);
