// SPDX-License-Identifier: MIT
// How far a motion is from one that is known: the demo's last word, and the accuracy tests'.
#pragma once

#include "motion/status.h"
#include "motion/take.h"

typedef struct ug_motion_difference {
    size_t joint_count;     ///< joints of the same name in both, End Sites left out
    double position_rms_mm; ///< of joint centres in the world
    double position_p95_mm;
    double direction_deg; ///< rms angle of the bones between those joints
} ug_motion_difference;

/// Compare frame by frame; both must have skeleton and motion, the same rate and frame count.
///
/// @return UG_E_NOT_ENOUGH when a part is missing or no joint name is shared; UG_E_DATA when rate
///         or frame count differ; UG_E_NOMEM. O(frames · joints).
UG_CHECKED ug_status ug_motion_compare(ug_motion_difference *out, const ug_take *motion,
                                       const ug_take *truth, ug_error *err);

/// The same for two store files.
UG_CHECKED ug_status ug_motion_compare_files(ug_motion_difference *out, const char *motion,
                                             const char *truth, ug_error *err);
