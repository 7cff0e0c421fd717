// SPDX-License-Identifier: MIT
// Keep feet where they touch: no slide, no sinking, no pops, with the least change to the pose.
//
// For every contact one place; the way there is a displacement of heel and ball that is exact
// while they touch and eases off between contacts; the pelvis is lowered where a leg would be too
// short; thigh and shin then reach in closed form (solvers/two_bone.h), the foot keeps its roll.
// Give it PLANTED contacts (solvers/contacts_detect.h), found on the *source* motion: a motion
// whose feet already slide shows none. Not for hands, nor for a root that drifts off the floor.
// Source: Kovar, Schreiner & Gleicher 2002, "Footskate cleanup for motion capture editing", SCA.
#pragma once

#include "motion/clip.h"
#include "motion/contacts.h"
#include "motion/progress.h"
#include "motion/skeleton.h"
#include "motion/status.h"
#include "motion/warnings.h"
#include "solvers/body_map.h"
#include "solvers/foot_model.h"

typedef struct ug_foot_plant_opts {
    double cutoff_hz;   ///< low-pass of pelvis and feet, rates over 30 Hz only; 0: none
    double ease_s;      ///< how long a foot keeps its speed off after lift-off
    double reach;       ///< share of its length that a leg may stretch to: near 1, a millimetre
                        ///< of foot is two degrees of knee
    double max_shift_m; ///< a contact that asks for more, sideways, is refused …
    double max_lift_m;  ///< … or vertically
    double max_drop_m;  ///< a clip whose pelvis must sink by more is left as it is
    double soft_m;      ///< depth below the floor at which a free foot comes to rest
    const ug_progress *progress; ///< NULL: nobody listens
} ug_foot_plant_opts;

/// For a leg of that length: 10 Hz, 0.15 s, 0.99, 60 mm, 60 mm, 100 mm, 2 mm at 0.85 m.
ug_foot_plant_opts ug_foot_plant_default_opts(double leg_m);

typedef struct ug_foot_plant_report {
    size_t accepted_count, refused_count;
    double drop_max_m;         ///< of the pelvis
    size_t unreachable_frames; ///< leg-frames whose target is out of reach
    double miss_max_m;         ///< by how much at worst
    bool refused;              ///< the clip is unchanged: see max_drop_m
} ug_foot_plant_report;

/// Plant the feet of `clip` in place. The floor is y = 0.
///
/// @param clip      roots must be among its translated joints; unchanged on failure or refusal
/// @param contacts  PLANTED ones of the four foot points that are `accepted` are used: target_m is
///                  set to where the point now rests, `accepted` and `reason` where one is refused
/// @param report    overwritten; may be NULL
/// @param opts      NULL means the defaults for this skeleton's legs
/// @param warnings  "contact_refused", "foot_plant_refused", "foot_out_of_reach"; may be NULL
/// @return UG_E_DATA for legs of no length; UG_E_INTERRUPTED; UG_E_NOMEM
///
/// O(frame_count · joint_count).
UG_CHECKED ug_status ug_foot_plant(ug_clip *clip, ug_contacts *contacts,
                                   ug_foot_plant_report *report, const ug_skeleton *skeleton,
                                   const ug_body_map *body, const ug_foot_model feet[2],
                                   const ug_foot_plant_opts *opts, ug_warnings *warnings,
                                   ug_error *err);
