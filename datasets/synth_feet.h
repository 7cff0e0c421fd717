// SPDX-License-Identifier: MIT
// Where the feet of the synthetic body stand and swing: planted means not moving at all.
//
// Each stance has one footprint, the mean place of the wished-for ball while the foot is flat. At
// heel strike the foot turns about the heel, then lies flat, then turns about the ball. In the air
// it follows the wish plus a cubic that meets both footprints in place and speed, and is lifted
// where it would scrape the ground.
#pragma once

#include "datasets/synth_script.h"
#include "motion/contacts.h"

/// One foot at one frame.
typedef struct ug_synth_foot {
    ug_vec3 ball_m;            ///< of the foot: the toe joint
    double yaw_rad, pitch_rad; ///< of the foot; toes up positive
    double toe_rad;            ///< toes up against the foot
    bool heel_planted, ball_planted;
} ug_synth_foot;

/// World rotation of a foot.
ug_quat ug_synth_foot_q(const ug_synth_foot *foot);

/// World place of the heel point.
ug_vec3 ug_synth_heel_m(const ug_synth_foot *foot, const ug_synth_legs *legs);

/// Both feet over the take.
///
/// @param feet    left, then right, each (frame_count)
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_synth_feet(ug_synth_foot *feet[2], const ug_synth_wish *wishes,
                                   size_t frame_count, const ug_synth_legs *legs,
                                   const ug_skeleton *skeleton, const ug_synth_times *times,
                                   const ug_synth_opts *opts, ug_error *err);

/// World pose of thigh and shin as wished: adduction, then flexion, against the pelvis.
void ug_synth_wish_leg(ug_quat *thigh_q, ug_quat *shin_q, const ug_synth_wish *wish, int side);

/// Contacts of both feet, PLANTED and LOAD. @return UG_E_NOMEM
UG_CHECKED ug_status ug_synth_contacts(ug_contacts *contacts, ug_synth_foot *const feet[2],
                                       size_t frame_count, ug_rate rate, const ug_synth_legs *legs,
                                       ug_error *err);
