// SPDX-License-Identifier: MIT
// A moving frame that three or more markers span, in which a marker of the same body part hardly
// moves.
//
// The mean shape of the markers (generalised Procrustes over at most 300 frames) is laid on them in
// every frame. Not for markers on one line: they leave a turn undecided, and are passed over.
// Source: Gower 1975, "Generalized Procrustes analysis", for the mean shape; solvers/kabsch.h.
#pragma once

#include "solvers/gap_scene.h"

enum { UG_GAP_FRAME_MIN = 3, UG_GAP_FRAME_MAX = 6 };

typedef struct ug_gap_frame {
    size_t count;
    size_t markers[UG_GAP_FRAME_MAX];
    double weights[UG_GAP_FRAME_MAX];
    double shape_mm[3 * UG_GAP_FRAME_MAX]; ///< about its own middle
} ug_gap_frame;

/// Where the frame is at one instant: world = turn · local + origin.
typedef struct ug_gap_place {
    double turn[9]; ///< row-major rotation
    ug_vec3 origin; ///< millimetres, world
} ug_gap_place;

/// Span a frame by those of the first ten markers of a list that are steadiest, to the target and
/// to each other, and not on one line; by later ones where those are.
///
/// @param ranked  markers, the best first            (count)
/// @param most    markers wanted, 3 … UG_GAP_FRAME_MAX; those beyond three join when hardly worse
/// @param target  the marker that the frame is for: weights are by how steady its distance is
/// @param near_f  a frame of the take in which the listed markers are there
/// @return false when there are not three such markers
///
/// O(count³ + 300 frames), allocates nothing.
bool ug_gap_frame_choose(ug_gap_frame *frame, const ug_gap_scene *scene, const size_t *ranked,
                         size_t count, size_t most, size_t target, size_t near_f);

/// Every marker of the frame must be there in frame `f`. About 1 µs.
ug_gap_place ug_gap_frame_place(const ug_gap_frame *frame, const ug_gap_scene *scene, size_t f);

static inline ug_vec3 ug_gap_place_local(const ug_gap_place *place, ug_vec3 world)
{
    const ug_vec3 d = ug_vec3_sub(world, place->origin);
    const double *r = place->turn;
    return (ug_vec3){ r[0] * d.x + r[3] * d.y + r[6] * d.z, r[1] * d.x + r[4] * d.y + r[7] * d.z,
                      r[2] * d.x + r[5] * d.y + r[8] * d.z };
}

static inline ug_vec3 ug_gap_place_world(const ug_gap_place *place, ug_vec3 p)
{
    const double *r = place->turn;
    return (ug_vec3){ r[0] * p.x + r[1] * p.y + r[2] * p.z + place->origin.x,
                      r[3] * p.x + r[4] * p.y + r[5] * p.z + place->origin.y,
                      r[6] * p.x + r[7] * p.y + r[8] * p.z + place->origin.z };
}
