// SPDX-License-Identifier: MIT
// What the synthetic body does when: the timeline, and the wished-for pose at every frame.
//
// T-pose (still), arms down with a bend of the elbows, stand, walk with a turn on the way, stand,
// crouch, jump, land, stand. Walking takes the published curves (datasets/synth_curves.h) with an
// amplitude that swells and ebbs at start and stop; everything else (arms, trunk, crouch) is set by
// hand. Feet are not planted here: datasets/synth_feet.h does that.
//
// Standing and walking are measured on the skeleton's own legs, so stride length and height of
// the pelvis follow from the curves: over a half cycle the pelvis goes forward as far as the
// standing leg lets it, with the ball of the foot on its place.
#pragma once

#include "datasets/synth.h"
#include "motion/skeleton.h"
#include "solvers/body_map.h"

enum { UG_ROCK_HARMONICS = 4 };

/// The legs and how walking on them moves the pelvis. Lengths in metres.
typedef struct ug_synth_legs {
    int pelvis, thigh[2], shin[2], foot[2], toe[2];
    double thigh_m, shin_m;
    double hip_m;         ///< half the distance of the hips
    ug_vec3 ball_m;       ///< ball of the foot in the foot's frame
    ug_vec3 heel_m;       ///< point that rolls on the ground at heel strike, in the foot's frame
    double ball_height_m; ///< of the ball joint over the ground
    double step_m;        ///< forward way of the pelvis in half a cycle
    double stand_m;       ///< height of the hips when standing
    double height[1 + 2 * UG_ROCK_HARMONICS]; ///< of the hips over half a cycle: mean, cos, sin …
    double advance[1 + 2 * UG_ROCK_HARMONICS]; ///< forward of even progress, the same
} ug_synth_legs;

/// Times in seconds.
typedef struct ug_synth_times {
    double arms_start, arms_end;
    double walk_start, stride, walk_end; ///< walk_end = walk_start + (strides + ½) stride
    double crouch, push, take_off, touch_down, absorbed, end;
} ug_synth_times;

/// The wished-for pose at one moment.
typedef struct ug_synth_wish {
    double time_s;
    double phase;       ///< of the left side, cycles since walk_start; held outside
    double weight;      ///< amplitude of walking, 0 … 1
    double heading_rad; ///< of the path: 0 looks along +Z, positive turns left
    ug_vec3 pelvis_m;   ///< joint centre
    ug_quat pelvis_q;
    double hip_flexion_rad[2], hip_adduction_rad[2], knee_rad[2];
    double pitch_rad[2]; ///< of the foot in the air, toes up positive
    double flight_m;     ///< height of the pelvis over that at take-off, while in the air
} ug_synth_wish;

/// Where a foot is in its step; phases of its own side. The curves count from heel strike and leave
/// the ground at 0.62; with one place for each foot it strikes a little later and leaves earlier.
#define UG_HEEL_STRIKE 0.025
#define UG_FOOT_FLAT 0.08 ///< the ball comes down
#define UG_HEEL_OFF 0.40
#define UG_TOE_OFF 0.60

/// @return UG_E_DATA when the template has no legs, knees that are no hinges about x, or bones
///         that do not hang straight down
UG_CHECKED ug_status ug_synth_legs_init(ug_synth_legs *legs, const ug_skeleton *skeleton,
                                        ug_error *err);

/// `size` = stature over 1.75 m: times go with its root (Froude), lengths with it.
ug_synth_times ug_synth_times_make(const ug_synth_opts *opts, double size, double stride_scale);

/// Wishes for `frame_count` frames at `rate`; the path is integrated from frame to frame.
void ug_synth_wishes(ug_synth_wish *wishes, size_t frame_count, ug_rate rate,
                     const ug_synth_legs *legs, const ug_synth_times *times,
                     const ug_synth_opts *opts, double size);

/// Foot pitch of the curves at `phase` of its side, toes up positive: thigh - knee + ankle.
double ug_synth_gait_pitch_rad(double phase);

/// 0 below 0, 1 above 1, three times differentiable between.
double ug_smooth_step(double x);
