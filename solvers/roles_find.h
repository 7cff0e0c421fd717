// SPDX-License-Identifier: MIT
// Give the joints of a skeleton their roles: those it has already, by name, then by its tree.
#pragma once

#include "motion/clip.h"
#include "motion/role_dictionary.h"
#include "motion/skeleton.h"
#include "motion/warnings.h"

typedef struct ug_roles_report {
    size_t preset_count, named_count, topology_count; ///< joints by where their role came from
    bool by_topology;                                 ///< the tree had to be asked
} ug_roles_report;

/// Set skeleton->joints[].role. A skeleton that carries any role is believed as it is. Otherwise
/// names decide; when a leg or the pelvis has no named joint, the tree decides on all of the
/// body, when only arms are missing, on those. `clip` (may be NULL) helps to tell left from
/// right. The result is checked as solvers/body_map.h does.
///
/// @param report    may be NULL
/// @param warnings  "roles_by_topology", "roles_side_guessed"; may be NULL
/// @return UG_E_NOT_ENOUGH naming the part that is missing and the joints there are (not a
///         humanoid); UG_E_DATA (preset roles that contradict, malformed pattern); UG_E_NOMEM.
///         Roles are unchanged on failure.
UG_CHECKED ug_status ug_roles_find(ug_skeleton *skeleton, ug_roles_report *report,
                                   const ug_clip *clip, const ug_role_dictionary *dictionary,
                                   ug_warnings *warnings, ug_error *err);
