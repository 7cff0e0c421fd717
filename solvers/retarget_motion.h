// SPDX-License-Identifier: MIT
// The whole way from one humanoid's motion to another's: level, detect, transfer, plant, measure.
//
// What the retarget stage calls. Each step is a solver of its own: solvers/floor.h,
// contacts_detect.h, retarget.h, foot_plant.h, motion_metrics.h.
#pragma once

#include "motion/clip.h"
#include "motion/contacts.h"
#include "motion/skeleton.h"
#include "motion/status.h"
#include "motion/warnings.h"
#include "solvers/floor.h"
#include "solvers/foot_plant.h"
#include "solvers/motion_metrics.h"
#include "solvers/retarget.h"

typedef struct ug_retarget_motion_opts {
    bool keep_floor;             ///< do not level: the floor is at height 0 already
    bool keep_feet;              ///< transfer only
    const ug_contacts *contacts; ///< PLANTED labels of the source to use; NULL: detect them
    ug_retarget_opts transfer;
    const ug_foot_plant_opts *plant; ///< NULL: defaults, see ug_retarget_plant_opts()
    const ug_progress *progress;     ///< of all steps; those of `transfer` and `plant` are not used
} ug_retarget_motion_opts;

typedef struct ug_retarget_motion_report {
    ug_retarget_report transfer;
    ug_floor floor; ///< of the source, before levelling
    ug_foot_plant_report plant;
    ug_foot_metrics source_feet, before, after; ///< source; target without and with planting
    double knee_accel_ratio;                    ///< bend angle, target / source, after planting
    double knee_accel_ratio_before;             ///< and before
    double knee_position_accel_ratio;           ///< of the joint in the world, over the path ratio
    double knee_position_accel_ratio_before;
    double pose_change_mm;   ///< by planting
    double contact_share;    ///< of leg-frames with a planted point
    float *contact_slide_mm; ///< of every contact, on the target without and with planting; NaN of
                             ///< hands                            (contact count x 2), owned
} ug_retarget_motion_report;

/// Limits for planting a retargeted clip. Wrong labels are refused on the source (by its own
/// leg length); on the target feet of other proportions may honestly ask for much more.
ug_foot_plant_opts ug_retarget_plant_opts(double leg_m);

/// Releases what is below. NULL is fine.
void ug_retarget_motion_report_fini(ug_retarget_motion_report *report);

/// @param out       the target's motion, ug_clip_destroy() it; NULL on failure
/// @param contacts  must be empty; the labels in the target's world, with targets and, where one
/// was
///                  refused, the reason. ug_contacts_fini() it
/// @param report    overwritten; ug_retarget_motion_report_fini() it; may be NULL
/// @param source    with roles; target likewise
/// @param opts      NULL means all zero
/// @param warnings  those of the steps, and "few_contacts", "floor_not_found",
///                  "foot_rests_off_floor"; may be NULL
/// @return as ug_retarget and ug_foot_plant; UG_E_INTERRUPTED
UG_CHECKED ug_status ug_retarget_motion(ug_clip **out, ug_contacts *contacts,
                                        ug_retarget_motion_report *report,
                                        const ug_skeleton *source, const ug_clip *clip,
                                        const ug_skeleton *target,
                                        const ug_retarget_motion_opts *opts, ug_warnings *warnings,
                                        ug_error *err);

/// PLANTED contacts of heels and balls of a levelled clip. Contacts whose point wanders or stands
/// off the floor by more than 60 mm (scaled) are kept as refused.
///
/// @param out  must be empty
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_planted_contacts_detect(ug_contacts *out, const ug_skeleton *skeleton,
                                                const ug_clip *clip, const ug_foot_model feet[2],
                                                double leg_m, ug_error *err);
