// SPDX-License-Identifier: MIT
// Where a foot touches the ground: heel, ball and tip as points fixed to its joints.
//
// The ankle is no contact point, it rolls over the heel. Measured from frames in which the foot
// lies flat, or taken from a rest pose that stands flat.
#pragma once

#include "motion/clip.h"
#include "motion/skeleton.h"
#include "motion/status.h"
#include "solvers/body_map.h"

typedef struct ug_foot_model {
    int ankle, toe, tip;    ///< joints; toe and tip -1 when there are none
    ug_vec3 heel_m, ball_m; ///< in the ankle joint's frame
    ug_vec3 tip_m;          ///< in the toe joint's frame, 0 without one
    double ankle_height_m;  ///< over the sole, foot flat
    double ball_height_m;   ///< the same for the ball; 0 when the tip is higher
    double tip_height_m;
    ug_vec3 foot_up, foot_forward; ///< unit, in the ankle's frame: world up, heading of a flat foot
    ug_vec3 toe_up, toe_forward;   ///< the same in the toe's frame
    size_t flat_frame_count;       ///< 0: from the rest pose
    bool points_down;              ///< rest pose on tiptoe (over 60 degrees): not a flat foot
    bool ball_guessed;             ///< nothing below the ankle: ball and heights are proportions
} ug_foot_model;

/// Both feet, left and right, from the rest pose, which is taken to stand flat on the lowest point
/// of each foot.
///
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_foot_models_from_rest(ug_foot_model feet[2], const ug_skeleton *skeleton,
                                              const ug_body_map *body, ug_error *err);

/// From the frames of `clip` in which ankle and ball are slowest (below 8 cm/s scaled by leg
/// length, or the slowest 15 %). World up must be +Y. A foot that never lies flat in the clip is
/// taken from the rest pose, when the other foot shows that the rest pose is flat.
///
/// @return UG_E_NOMEM. A clip of fewer than 3 frames gives the model of its middle frame.
///
/// O(frame_count · joint_count).
UG_CHECKED ug_status ug_foot_models_from_clip(ug_foot_model feet[2], const ug_skeleton *skeleton,
                                              const ug_body_map *body, const ug_clip *clip,
                                              ug_error *err);

/// The same foot on a skeleton whose bones are `ratio` times as long.
ug_foot_model ug_foot_model_scale(const ug_foot_model *foot, double ratio);

/// World positions for one pose.
ug_vec3 ug_foot_heel_m(const ug_foot_model *foot, const ug_quat *world_q, const ug_vec3 *world_m);
ug_vec3 ug_foot_ball_m(const ug_foot_model *foot, const ug_quat *world_q, const ug_vec3 *world_m);
/// The ball when there is no tip.
ug_vec3 ug_foot_tip_m(const ug_foot_model *foot, const ug_quat *world_q, const ug_vec3 *world_m);

/// Paths of the contact points of both feet.
typedef struct ug_foot_paths {
    size_t frame_count;
    ug_vec3 *heel_m[2]; ///< owned, left and right (frame_count)
    ug_vec3 *ball_m[2];
    ug_vec3 *tip_m[2];
} ug_foot_paths;

/// @param out  overwritten; ug_foot_paths_fini() it
/// @return UG_E_NOMEM, `out` empty then
UG_CHECKED ug_status ug_foot_paths_init(ug_foot_paths *out, const ug_foot_model feet[2],
                                        const ug_skeleton *skeleton, const ug_clip *clip,
                                        ug_error *err);

/// Releases what is below. NULL is fine.
void ug_foot_paths_fini(ug_foot_paths *paths);
