// SPDX-License-Identifier: MIT
// The synthetic body's motion: wishes and feet made into a clip of the skeleton.
#pragma once

#include "datasets/synth_feet.h"
#include "motion/clip.h"

/// Lower the pelvis, smoothly and no more than needed, so that no leg is stretched to more than
/// 99.92 % while walking. The jump is left alone.
///
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_synth_settle_pelvis(ug_synth_wish *wishes, ug_synth_foot *const feet[2],
                                            size_t frame_count, const ug_skeleton *skeleton,
                                            const ug_synth_legs *legs, const ug_synth_times *times,
                                            ug_rate rate, ug_error *err);

/// A clip for `skeleton`: legs by inverse kinematics onto the feet, with the wished-for plane of
/// the knee; trunk, arms and head by hand.
///
/// @param clip  `*clip` is the caller's
/// @return UG_E_DATA when a foot is out of reach, naming foot and frame; UG_E_NOMEM
UG_CHECKED ug_status ug_synth_body(ug_clip **clip, const ug_skeleton *skeleton,
                                   const ug_synth_wish *wishes, ug_synth_foot *const feet[2],
                                   size_t frame_count, const ug_synth_legs *legs,
                                   const ug_synth_times *times, const ug_synth_opts *opts,
                                   ug_error *err);
