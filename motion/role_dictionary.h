// SPDX-License-Identifier: MIT
// How joints are called in the world: patterns for each body part, as data.
//
// Patterns are POSIX extended regular expressions over *normalised* names (lower case ASCII
// letters and digits, namespace, prefix and side taken off). Here they are only text; who uses
// them (solvers/roles_by_name.h) compiles them and says which one is malformed.
#pragma once

#include "motion/roles.h"
#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>

/// A role without its side.
typedef enum ug_role_part {
    UG_BODY_PELVIS = 0,
    UG_BODY_SPINE,
    UG_BODY_NECK,
    UG_BODY_HEAD,
    UG_BODY_CLAVICLE, ///< this one and all that follow have a left and a right
    UG_BODY_UPPER_ARM,
    UG_BODY_FOREARM,
    UG_BODY_HAND,
    UG_BODY_THIGH,
    UG_BODY_SHIN,
    UG_BODY_FOOT,
    UG_BODY_TOE,
    UG_ROLE_PART_COUNT
} ug_role_part;

typedef enum ug_side { UG_SIDE_NONE = -1, UG_SIDE_LEFT = 0, UG_SIDE_RIGHT = 1 } ug_side;

/// Patterns, the preferred one first. Owned texts.
typedef struct ug_pattern_list {
    size_t count;
    char **items;
} ug_pattern_list;

typedef struct ug_role_dictionary {
    ug_pattern_list prefixes; ///< plain names that may stand before a separator or a capital
    ug_pattern_list suffixes; ///< the same after a separator
    ug_pattern_list ignore;   ///< found anywhere in the normalised name: not a body part
    ug_pattern_list parts[UG_ROLE_PART_COUNT]; ///< must match the whole normalised name
} ug_role_dictionary;

/// Releases what is below. NULL is fine.
void ug_role_dictionary_fini(ug_role_dictionary *dictionary);

/// Append a copy. @return UG_E_NOMEM, the list unchanged
UG_CHECKED ug_status ug_pattern_list_add(ug_pattern_list *list, const char *pattern, ug_error *err);

bool ug_role_part_is_sided(ug_role_part part);

/// "upper_arm"; static text.
const char *ug_role_part_name(ug_role_part part);

/// Inverse. @return false when there is no such part
bool ug_role_part_from_name(ug_role_part *part, const char *name);

/// The role of a part on a side; `side` is ignored for unsided parts and must not be NONE for
/// the others.
ug_role ug_role_of_part(ug_role_part part, ug_side side);
