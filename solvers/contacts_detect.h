// SPDX-License-Identifier: MIT
// When points of the feet touch the ground, from their paths: speed and height, with hysteresis.
//
// Two kinds of answer (motion/contacts.h): LOAD reaches from the force's first newton to its last,
// when heel and toe still move; PLANTED is shorter and is what a foot constraint needs. Do not use
// one for the other: load labels used as planted pull the foot by centimetres.
// The hysteresis runs forward in time (the symmetric kind is 30 ms early at touch-down); height
// alone marks the low toe in swing, speed alone the apex of a jump.
// Source: thresholds measured against force plates (19 edges of one subject, 100 Hz): F1 0.988,
// median edge error 0-10 ms.
#pragma once

#include "motion/contacts.h"
#include "motion/status.h"

#include <stdint.h>

typedef struct ug_contact_opts {
    ug_contact_kind kind;
    double enter_m_s, leave_m_s; ///< speeds
    double height_m;             ///< enter below this
    double leave_height;         ///< leave above this times height_m
    double cutoff_hz;            ///< low-pass of the paths, where the rate is over 30 Hz
    double scale;                ///< leg length / 0.85 m: scales speeds and heights
    bool local_floor;  ///< height over the nearest slow run of the point (boxes, stairs, tilted
                       ///< floors); else over height 0 plus the point's rest height
    double shortest_s; ///< holes and contacts shorter than this are closed and dropped
} ug_contact_opts;

/// For heel and toe markers / for ankle and ball joints of a skeleton / for foot constraints.
ug_contact_opts ug_contact_opts_load_markers(void);
ug_contact_opts ug_contact_opts_load_joints(void);
ug_contact_opts ug_contact_opts_planted(void);

/// One point over time. NaN where it is missing: no contact there.
typedef struct ug_point_path {
    ug_contact_point point;
    const ug_vec3 *path_m; ///< world, +Y up                (frame_count)
    double rest_height_m;  ///< over the sole when the foot lies flat
} ug_point_path;

/// 1 where the point touches, else 0.
///
/// @param labels  (frame_count) written
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_contact_labels(uint8_t *labels, const ug_point_path *path,
                                       size_t frame_count, double rate_hz,
                                       const ug_contact_opts *opts, ug_error *err);

/// Close holes shorter than `shortest_s`, then drop runs shorter than that; never those at the
/// ends of the clip. In place.
void ug_contact_labels_tidy(uint8_t *labels, size_t frame_count, double rate_hz, double shortest_s);

/// Append one contact for every run of ones: accepted, its target the mean place weighted
/// towards rest, 1 / (v² + 0.05²).
///
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_contacts_from_labels(ug_contacts *out, const uint8_t *labels,
                                             const ug_point_path *path, size_t frame_count,
                                             double rate_hz, ug_contact_kind kind, ug_error *err);

/// All of it for several points, ordered by point then start. `out` must be empty.
///
/// @return UG_E_NOMEM, `out` empty then
///
/// O(frame_count) per point.
UG_CHECKED ug_status ug_contacts_detect(ug_contacts *out, const ug_point_path *paths,
                                        size_t path_count, size_t frame_count, double rate_hz,
                                        const ug_contact_opts *opts, ug_error *err);

/// First frame, and one past the last, of a contact on a clip of that rate; clipped to the clip.
void ug_contact_frames(size_t *start, size_t *end, const ug_contact *contact, double rate_hz,
                       size_t frame_count);
