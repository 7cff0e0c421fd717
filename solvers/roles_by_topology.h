// SPDX-License-Identifier: MIT
// Find the humanoid roles of a skeleton from its tree and bone lengths alone.
//
// A fallback for joints with no telling names. Legs and arms are pairs of child subtrees of one
// joint that reach equally far (within 15 %) with equally many joints, at least three; the first
// pair from the root are the legs. Left and right are told by where the feet point: with a motion
// summed over its frames (one frame fails on dancers), without one in the rest pose. Not for bodies
// whose thighs hang on stubs longer than 0.3 of a leg, nor for quadrupeds.
#pragma once

#include "motion/clip.h"
#include "motion/skeleton.h"

/// What was seen on the way, for the reader of a report.
typedef struct ug_topology_report {
    bool legs_found, arms_found;
    bool legs_sided, arms_sided; ///< false: left and right are a guess (no clear heading)
} ug_topology_report;

/// @param roles   (joint_count) written; UG_ROLE_NONE throughout when no legs are found
/// @param report  written; may be NULL
/// @param clip    a motion of `skeleton`, or NULL
/// @return UG_E_NOMEM
///
/// O(joint_count² + frame_count · joint_count).
UG_CHECKED ug_status ug_roles_by_topology(ug_role *roles, ug_topology_report *report,
                                          const ug_skeleton *skeleton, const ug_clip *clip,
                                          ug_error *err);
