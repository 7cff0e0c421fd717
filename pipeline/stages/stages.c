// SPDX-License-Identifier: MIT
#include "pipeline/stages/stages.h"

#include <string.h>

static const ug_stage *const STAGES[] = {
    &ug_stage_import,   &ug_stage_clean,  &ug_stage_calibrate, &ug_stage_solve,
    &ug_stage_retarget, &ug_stage_export, &ug_stage_synth,
};

const ug_stage *const *ug_stage_list(size_t *count)
{
    *count = sizeof STAGES / sizeof STAGES[0];
    return STAGES;
}

const ug_stage *ug_stage_find(const char *name)
{
    for (size_t i = 0; i < sizeof STAGES / sizeof STAGES[0]; i++) {
        if (strcmp(STAGES[i]->name, name) == 0) {
            return STAGES[i];
        }
    }
    return NULL;
}
