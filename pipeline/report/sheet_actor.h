// SPDX-License-Identifier: MIT
// A take on a contact sheet: its timeline, and the poses that are shown, ready to be projected.
#pragma once

#include "pipeline/report/sheet.h"
#include "pipeline/report/sheet_body.h"

enum { UG_SHEET_TRAILS = 5, UG_SHEET_TRAIL_STEPS = 24 };

typedef struct ug_sheet_sphere {
    ug_vec3 at_m;
    double radius_m;
} ug_sheet_sphere;

/// What a marker's sample is: of its several origin bits the one that says most.
typedef enum ug_sheet_rank {
    UG_SHEET_MEASURED = 0,
    UG_SHEET_FILLED,
    UG_SHEET_REPAIRED,
    UG_SHEET_FILTERED,
    UG_SHEET_COMPUTED,
    UG_SHEET_EDITED,
    UG_SHEET_UNLABELLED, ///< a point without a name, whatever its origin
    UG_SHEET_RANK_COUNT
} ug_sheet_rank;

/// "measured" …; static text.
const char *ug_sheet_rank_name(ug_sheet_rank rank);

/// @param kind  ug_point_kind
ug_sheet_rank ug_sheet_rank_of(uint16_t origin, uint8_t kind);

typedef struct ug_sheet_dot {
    ug_vec3 at_m;
    ug_sheet_rank rank;
    bool stray; ///< so far from the others that it does not count for the size
} ug_sheet_dot;

typedef struct ug_sheet_pose {
    ptrdiff_t frame;          ///< from 0; -1: the take does not reach
    ug_vec3 facing;           ///< horizontal unit; 0 when it cannot be told
    double time_s;            ///< from frame 0; NaN when the rate is not known
    ug_sheet_sphere *spheres; ///< owned; those of part after part; NaN where not known
    size_t dot_count;
    ug_sheet_dot *dots;                      ///< owned; only those that are there
    bool empty;                              ///< nothing can be drawn
    ug_vec3 low_m, high_m;                   ///< box of what counts; not set when empty
    unsigned planted, loaded;                ///< bit sets of ug_contact_point
    ug_vec3 touch_m[UG_CONTACT_POINT_COUNT]; ///< where the points are, of those bits
    ug_vec3 *trails; ///< owned, NULL without      (UG_SHEET_TRAILS x UG_SHEET_TRAIL_STEPS)
} ug_sheet_pose;

typedef enum ug_sheet_ground {
    UG_SHEET_GROUND_ZERO = 0, ///< height 0, as the store means it
    UG_SHEET_GROUND_FLOOR,    ///< where the feet rest, clearly not at 0
    UG_SHEET_GROUND_LOWEST,   ///< the lowest point shown, clearly not at 0; no floor is known
} ug_sheet_ground;

typedef struct ug_sheet_actor {
    ug_sheet_input in;
    bool has_motion, has_markers;
    ug_rate rate;
    size_t frame_count;
    int64_t first_frame;
    ug_sheet_body *body; ///< owned; NULL without a finite pose
    size_t sphere_count;
    size_t pose_count;
    ug_sheet_pose *poses; ///< owned
    ug_vec3 facing;       ///< mean of the poses, horizontal; +Z when it cannot be told
    double size_m;        ///< of the body, or of the cloud of markers
    double ground_m;
    ug_sheet_ground ground;
    int trail_joint[UG_SHEET_TRAILS]; ///< -1: none
} ug_sheet_actor;

/// Timeline of a take. ug_sheet_actor_fini() it. @return UG_E_NOT_ENOUGH
UG_CHECKED ug_status ug_sheet_actor_init(ug_sheet_actor *actor, const ug_sheet_input *in,
                                         ug_sheet_markers markers, ug_error *err);

/// Frame nearest to a time from frame 0, or -1 when that is more than half a frame outside.
ptrdiff_t ug_sheet_actor_frame_at(const ug_sheet_actor *actor, double time_s);

/// Frames a second; 1 when not known, so that times are frames.
double ug_sheet_actor_hz(const ug_sheet_actor *actor);

/// Evaluate `count` frames (-1: none), find facing, size and ground. @return UG_E_NOMEM
UG_CHECKED ug_status ug_sheet_actor_pose(ug_sheet_actor *actor, const ptrdiff_t *frames,
                                         size_t count, bool trails, ug_error *err);

void ug_sheet_actor_fini(ug_sheet_actor *actor);
