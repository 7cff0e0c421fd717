// SPDX-License-Identifier: MIT
#include "motion/role_dictionary.h"

#include "motion/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const PART_NAMES[UG_ROLE_PART_COUNT] = {
    "pelvis",  "spine", "neck",  "head", "clavicle", "upper_arm",
    "forearm", "hand",  "thigh", "shin", "foot",     "toe",
};

static void list_fini(ug_pattern_list *list)
{
    ug_text_list_destroy(list->items, list->count);
    *list = (ug_pattern_list){ 0 };
}

void ug_role_dictionary_fini(ug_role_dictionary *dictionary)
{
    if (dictionary) {
        list_fini(&dictionary->prefixes);
        list_fini(&dictionary->suffixes);
        list_fini(&dictionary->ignore);
        for (int p = 0; p < UG_ROLE_PART_COUNT; p++) {
            list_fini(&dictionary->parts[p]);
        }
    }
}

ug_status ug_pattern_list_add(ug_pattern_list *list, const char *pattern, ug_error *err)
{
    char *copy = ug_text_copy(pattern);
    char **grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (grown) {
        list->items = grown;
    }
    if (!copy || !grown) {
        free(copy);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    list->items[list->count++] = copy;
    return UG_OK;
}

bool ug_role_part_is_sided(ug_role_part part)
{
    return part >= UG_BODY_CLAVICLE;
}

const char *ug_role_part_name(ug_role_part part)
{
    assert((int)part >= 0 && part < UG_ROLE_PART_COUNT);
    return PART_NAMES[part];
}

bool ug_role_part_from_name(ug_role_part *part, const char *name)
{
    for (int p = 0; p < UG_ROLE_PART_COUNT; p++) {
        if (strcmp(PART_NAMES[p], name) == 0) {
            *part = (ug_role_part)p;
            return true;
        }
    }
    return false;
}

ug_role ug_role_of_part(ug_role_part part, ug_side side)
{
    const int role = UG_ROLE_PELVIS + (int)part; // both lists name the left side in this order
    if (!ug_role_part_is_sided(part)) {
        return (ug_role)role;
    }
    assert(side != UG_SIDE_NONE);
    return side == UG_SIDE_LEFT ? (ug_role)role : ug_role_mirror((ug_role)role);
}
