// SPDX-License-Identifier: MIT
// What a joint is in a body, whatever its file calls it. Left is the character's left (+X).
//
// Several joints may carry SPINE or NECK (their order is the order along the chain); every other
// role belongs to one joint at most. Finding roles is solvers/roles_by_name.h and _by_topology.h.
#pragma once

#include <stdbool.h>

typedef enum ug_role {
    UG_ROLE_NONE = 0,
    UG_ROLE_PELVIS = 1,
    UG_ROLE_SPINE = 2,
    UG_ROLE_NECK = 3,
    UG_ROLE_HEAD = 4,
    UG_ROLE_L_CLAVICLE = 5,
    UG_ROLE_L_UPPER_ARM = 6,
    UG_ROLE_L_FOREARM = 7,
    UG_ROLE_L_HAND = 8,
    UG_ROLE_L_THIGH = 9,
    UG_ROLE_L_SHIN = 10,
    UG_ROLE_L_FOOT = 11,
    UG_ROLE_L_TOE = 12,
    UG_ROLE_R_CLAVICLE = 13,
    UG_ROLE_R_UPPER_ARM = 14,
    UG_ROLE_R_FOREARM = 15,
    UG_ROLE_R_HAND = 16,
    UG_ROLE_R_THIGH = 17,
    UG_ROLE_R_SHIN = 18,
    UG_ROLE_R_FOOT = 19,
    UG_ROLE_R_TOE = 20,
    UG_ROLE_COUNT
} ug_role;

/// "left_upper_arm"; "none" for UG_ROLE_NONE. Static text.
const char *ug_role_name(ug_role role);

/// Inverse of ug_role_name. @return false when there is no such role
bool ug_role_from_name(ug_role *role, const char *name);

/// The same role on the other side; unsided roles are their own mirror.
ug_role ug_role_mirror(ug_role role);
