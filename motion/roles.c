// SPDX-License-Identifier: MIT
#include "motion/roles.h"

#include <assert.h>
#include <string.h>

static const char *const NAMES[UG_ROLE_COUNT] = {
    "none",          "pelvis",         "spine",        "neck",           "head",
    "left_clavicle", "left_upper_arm", "left_forearm", "left_hand",      "left_thigh",
    "left_shin",     "left_foot",      "left_toe",     "right_clavicle", "right_upper_arm",
    "right_forearm", "right_hand",     "right_thigh",  "right_shin",     "right_foot",
    "right_toe",
};

const char *ug_role_name(ug_role role)
{
    assert((int)role >= 0 && role < UG_ROLE_COUNT);
    return NAMES[role];
}

bool ug_role_from_name(ug_role *role, const char *name)
{
    for (int i = 0; i < UG_ROLE_COUNT; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *role = (ug_role)i;
            return true;
        }
    }
    return false;
}

ug_role ug_role_mirror(ug_role role)
{
    const int sided = UG_ROLE_R_CLAVICLE - UG_ROLE_L_CLAVICLE;
    if (role >= UG_ROLE_R_CLAVICLE) {
        return (ug_role)(role - sided);
    }
    return role >= UG_ROLE_L_CLAVICLE ? (ug_role)(role + sided) : role;
}
