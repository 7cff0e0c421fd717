// SPDX-License-Identifier: MIT
// When a point of the body touches, as data: detected once, stored, editable, reused.
//
// Two kinds that must not be mixed: LOAD = the foot carries weight (what a force plate says),
// PLANTED = the point does not move (what a foot constraint needs).
#pragma once

#include "motion/status.h"
#include "motion/vec3.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ug_contact_kind { UG_CONTACT_LOAD = 0, UG_CONTACT_PLANTED = 1 } ug_contact_kind;

/// Points that can touch. Heel and toe are planted separately; toe is the ball of the foot.
typedef enum ug_contact_point {
    UG_POINT_LEFT_HEEL = 0,
    UG_POINT_LEFT_TOE = 1,
    UG_POINT_RIGHT_HEEL = 2,
    UG_POINT_RIGHT_TOE = 3,
    UG_POINT_LEFT_HAND = 4,
    UG_POINT_RIGHT_HAND = 5,
    UG_CONTACT_POINT_COUNT
} ug_contact_point;

typedef struct ug_contact {
    ug_contact_point point;
    ug_contact_kind kind;
    double start_s, end_s; ///< from frame 0, end excluded; sub-frame
    ug_vec3 target_m;      ///< world place of the point while it touches
    bool accepted;         ///< false: kept for the record, not used
    char reason[96];       ///< why not, or ""
} ug_contact;

typedef struct ug_contacts {
    size_t count;
    ug_contact *items; ///< owned, by point, then ascending start
    bool found;        ///< of no file: found on the motion they stand beside, to be looked at
} ug_contacts;

/// "left_heel" …; static text.
const char *ug_contact_point_name(ug_contact_point point);

/// Inverse. @return false when there is no such point
bool ug_contact_point_from_name(ug_contact_point *point, const char *name);

/// Releases what is below. NULL is fine.
void ug_contacts_fini(ug_contacts *contacts);

/// Append. @return UG_E_NOMEM, contacts unchanged
UG_CHECKED ug_status ug_contacts_add(ug_contacts *contacts, const ug_contact *contact,
                                     ug_error *err);

/// Deep copy into `to`, which must be empty. @return UG_E_NOMEM
UG_CHECKED ug_status ug_contacts_copy(ug_contacts *to, const ug_contacts *from, ug_error *err);
