// SPDX-License-Identifier: MIT
// Find the humanoid roles of a skeleton from the names of its joints.
//
// Not for skeletons without telling names: solvers/roles_by_topology.h looks at the tree alone,
// and solvers/roles_find.h combines both. What a name means depends on its limb ("Leg" is a shin
// below "UpLeg" and a thigh above "Knee"), so each limb is assigned as a whole.
#pragma once

#include "motion/role_dictionary.h"
#include "motion/skeleton.h"

enum { UG_ROLE_NAME_MAX = 96 }; ///< longer names stand for no body part

/// A joint's name, taken apart.
typedef struct ug_role_word {
    char rest[UG_ROLE_NAME_MAX]; ///< lower case letters and digits; "" when nothing is left
    ug_side side;
} ug_role_word;

/// Take namespace, prefix, suffix and side off `name`. A glued "l" or "r" counts as a side only
/// when the rest is a limb word of the dictionary.
///
/// @return UG_E_DATA naming a malformed pattern; UG_E_NOMEM
UG_CHECKED ug_status ug_role_word_split(ug_role_word *word, const char *name,
                                        const ug_role_dictionary *dictionary, ug_error *err);

/// Roles by name alone; joints without one get UG_ROLE_NONE. Several joints may get SPINE and
/// NECK, every other role goes to one joint. Missing roles are no error here.
///
/// Each limb takes the assignment (in order from the root outwards) that fills most roles, then
/// most of upper arm, forearm, hand, thigh, shin and foot, then the preferred patterns, then the
/// joints nearest to the root. The pelvis is the preferred match above both thighs, else their
/// lowest common ancestor.
///
/// @param roles  (joint_count) written
/// @return UG_E_DATA naming a malformed pattern; UG_E_NOMEM
///
/// O(joint_count · patterns).
UG_CHECKED ug_status ug_roles_by_name(ug_role *roles, const ug_skeleton *skeleton,
                                      const ug_role_dictionary *dictionary, ug_error *err);
