// SPDX-License-Identifier: MIT
// Figures that say how well feet stand and how smooth knees are. The names are stable.
#pragma once

#include "motion/clip.h"
#include "motion/contacts.h"
#include "motion/skeleton.h"
#include "motion/status.h"
#include "solvers/body_map.h"
#include "solvers/foot_model.h"

/// How feet stand on the floor y = 0. NaN where there is nothing to measure.
typedef struct ug_foot_metrics {
    double foot_slide_mm;        ///< diameter of a contact point's horizontal path, contacts
                                 ///< detected on this very clip; median over them
    double foot_slide_worst_mm;  ///< the same, worst
    double foot_slide_pinned_mm; ///< on the accepted contacts that were given, worst
    double penetration_mm;       ///< deepest heel, ball or toe tip under the floor
    double float_mm;             ///< mean height over its resting height on given contacts
    size_t contact_count;        ///< given and accepted
    size_t detected_count;       ///< detected on this clip
} ug_foot_metrics;

/// @param contacts  those that count as given: PLANTED and accepted; may be NULL
/// @param leg_m     leg length, > 0: scales the detection
/// @return UG_E_NOMEM
///
/// A path's diameter is taken as twice the largest distance from its mean, which is never less.
/// O(frame_count · joint_count).
UG_CHECKED ug_status ug_foot_metrics_measure(ug_foot_metrics *out, const ug_skeleton *skeleton,
                                             const ug_clip *clip, const ug_foot_model feet[2],
                                             const ug_contacts *contacts, double leg_m,
                                             ug_error *err);

/// How far the point of each contact slides while it touches, millimetres: the diameter of its
/// horizontal path, of every contact of heel or ball, accepted or not; NaN of hands, and of
/// contacts that lie in no frame of the clip.
///
/// @param slide_mm  (contacts->count), `stride` apart, written
/// @return UG_E_NOMEM. O(frame_count · joint_count).
UG_CHECKED ug_status ug_contact_slides_measure(float *slide_mm, size_t stride,
                                               const ug_skeleton *skeleton, const ug_clip *clip,
                                               const ug_foot_model feet[2],
                                               const ug_contacts *contacts, ug_error *err);

/// Accelerations of both knees, 99.9th percentile over the frames.
typedef struct ug_knee_metrics {
    double angle_rad_s2;  ///< of the bend angle
    double position_m_s2; ///< of the joint in the world
} ug_knee_metrics;

/// Zero for fewer than three frames.
///
/// @param first  frames before it are left out: see ug_pose_apart_count()
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_knee_metrics_measure(ug_knee_metrics *out, const ug_skeleton *skeleton,
                                             const ug_body_map *body, const ug_clip *clip,
                                             size_t first, ug_error *err);

/// Frames at the start that are no part of the motion: 1 where frame 0 is a pose apart, as the
/// T-pose that converters put in front of a take, else 0.
///
/// A pose apart is one from which the joints go farther, on average, in one frame than three times
/// the farthest they go in any other. When NOT: for a clip cut together from several, whose cuts
/// are as far. Never for fewer than four frames.
///
/// @return UG_E_NOMEM. O(frame_count · joint_count).
UG_CHECKED ug_status ug_pose_apart_count(size_t *count, const ug_skeleton *skeleton,
                                         const ug_clip *clip, ug_error *err);

/// Mean distance, over joints and frames, between two motions of one skeleton, millimetres; roots'
/// paths included. 0 for no frames. @return UG_E_NOMEM
UG_CHECKED ug_status ug_pose_change_mm(double *change_mm, const ug_skeleton *skeleton,
                                       const ug_clip *before, const ug_clip *after, ug_error *err);
