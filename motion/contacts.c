// SPDX-License-Identifier: MIT
#include "motion/contacts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const POINT_NAMES[UG_CONTACT_POINT_COUNT] = {
    "left_heel", "left_toe", "right_heel", "right_toe", "left_hand", "right_hand",
};

const char *ug_contact_point_name(ug_contact_point point)
{
    assert((int)point >= 0 && point < UG_CONTACT_POINT_COUNT);
    return POINT_NAMES[point];
}

bool ug_contact_point_from_name(ug_contact_point *point, const char *name)
{
    for (int i = 0; i < UG_CONTACT_POINT_COUNT; i++) {
        if (strcmp(POINT_NAMES[i], name) == 0) {
            *point = (ug_contact_point)i;
            return true;
        }
    }
    return false;
}

void ug_contacts_fini(ug_contacts *contacts)
{
    if (contacts) {
        free(contacts->items);
        *contacts = (ug_contacts){ 0 };
    }
}

ug_status ug_contacts_add(ug_contacts *contacts, const ug_contact *contact, ug_error *err)
{
    ug_contact *grown = realloc(contacts->items, (contacts->count + 1) * sizeof *grown);
    if (!grown) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    contacts->items = grown;
    contacts->items[contacts->count++] = *contact;
    return UG_OK;
}

ug_status ug_contacts_copy(ug_contacts *to, const ug_contacts *from, ug_error *err)
{
    assert(to && from && to->count == 0);
    for (size_t i = 0; i < from->count; i++) {
        const ug_status status = ug_contacts_add(to, &from->items[i], err);
        if (status != UG_OK) {
            ug_contacts_fini(to);
            return status;
        }
    }
    to->found = from->found;
    return UG_OK;
}
