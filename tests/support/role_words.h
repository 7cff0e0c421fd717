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
        { UG_BODY_PELVIS, "hips?" },      { UG_BODY_PELVIS, "root" },
        { UG_BODY_SPINE, "spine[0-9]*" }, { UG_BODY_NECK, "neck[0-9]*" },
        { UG_BODY_HEAD, "head" },         { UG_BODY_CLAVICLE, "collar" },
        { UG_BODY_CLAVICLE, "shoulder" }, { UG_BODY_UPPER_ARM, "upperarm" },
        { UG_BODY_UPPER_ARM, "arm" },     { UG_BODY_UPPER_ARM, "shoulder" },
        { UG_BODY_FOREARM, "forearm" },   { UG_BODY_FOREARM, "elbow" },
        { UG_BODY_HAND, "wrist" },        { UG_BODY_HAND, "hand" },
        { UG_BODY_THIGH, "thigh" },       { UG_BODY_THIGH, "upleg" },
        { UG_BODY_THIGH, "leg" },         { UG_BODY_SHIN, "calf" },
        { UG_BODY_SHIN, "leg" },          { UG_BODY_FOOT, "foot" },
        { UG_BODY_FOOT, "ankle" },        { UG_BODY_TOE, "toes?" },
        { UG_BODY_TOE, "foot" },
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
