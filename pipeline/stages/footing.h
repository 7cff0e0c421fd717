// SPDX-License-Identifier: MIT
// Where the feet of a motion are and on what floor: for pictures, which may not call solvers. When
// they rest is pipeline/stages/shown_contacts.h.
//
// Only for looking. A stage that needs feet takes solvers/foot_model.h and its report. Nothing is
// found on a skeleton without legs, and `found` says so.
#pragma once

#include "motion/take.h"

typedef struct ug_footing {
    bool found;              ///< the rest holds nothing without
    int ankle[2];            ///< joint, left and right
    ug_vec3 heel_m[2];       ///< lowest point of the heel, in the ankle joint's frame
    ug_vec3 ball_m[2];       ///< centre of the ball, in the ankle joint's frame
    double ball_height_m[2]; ///< of that centre over the sole, foot flat
    double tip_height_m[2];  ///< the same of the toe's tip
    bool floor_found;
    double floor_m, slope_x, slope_z; ///< the floor that the feet rest on: y = floor_m + slope_x x
                                      ///< + slope_z z; all 0 when not found
} ug_footing;

/// Look at take->clip. The skeleton must have its roles (ug_open_roles()).
///
/// @param footing  overwritten; owns nothing. `found` is false, and all is well, for a take without
///                 a motion or whose skeleton is no biped
/// @return UG_E_NOMEM. O(frame_count · joint_count).
UG_CHECKED ug_status ug_footing_find(ug_footing *footing, const ug_take *take, ug_error *err);
