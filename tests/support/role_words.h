// SPDX-License-Identifier: MIT
// A small role dictionary in code, for tests of solvers, which cannot read files.
#pragma once

#include "motion/role_dictionary.h"

static inline ug_role_dictionary test_role_words(void)
{
    static const struct {
        ug_role_part part;
        const char *pattern;
    } WORDS[] = {
        { UG_PART_PELVIS, "hips?" },      { UG_PART_PELVIS, "root" },
        { UG_PART_SPINE, "spine[0-9]*" }, { UG_PART_NECK, "neck[0-9]*" },
        { UG_PART_HEAD, "head" },         { UG_PART_CLAVICLE, "collar" },
        { UG_PART_CLAVICLE, "shoulder" }, { UG_PART_UPPER_ARM, "upperarm" },
        { UG_PART_UPPER_ARM, "arm" },     { UG_PART_UPPER_ARM, "shoulder" },
        { UG_PART_FOREARM, "forearm" },   { UG_PART_FOREARM, "elbow" },
        { UG_PART_HAND, "wrist" },        { UG_PART_HAND, "hand" },
        { UG_PART_THIGH, "thigh" },       { UG_PART_THIGH, "upleg" },
        { UG_PART_THIGH, "leg" },         { UG_PART_SHIN, "calf" },
        { UG_PART_SHIN, "leg" },          { UG_PART_FOOT, "foot" },
        { UG_PART_FOOT, "ankle" },        { UG_PART_TOE, "toes?" },
        { UG_PART_TOE, "foot" },
    };
    ug_role_dictionary d = { 0 };
    ug_status status = UG_OK;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS && status == UG_OK; i++) {
        status = ug_pattern_list_add(&d.parts[WORDS[i].part], WORDS[i].pattern, NULL);
    }
    status = status == UG_OK ? ug_pattern_list_add(&d.prefixes, "rig[0-9]*", NULL) : status;
    status = status == UG_OK ? ug_pattern_list_add(&d.suffixes, "jnt", NULL) : status;
    status = status == UG_OK ? ug_pattern_list_add(&d.ignore, "thumb", NULL) : status;
    (void)status; // out of memory shows as a missing role
    return d;
}
