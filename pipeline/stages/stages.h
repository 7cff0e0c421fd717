// SPDX-License-Identifier: MIT
// The stages, one file each. Reached through ug_stage_list / ug_stage_find.
#pragma once

#include "pipeline/stages/stage.h"

extern const ug_stage ug_stage_import;
extern const ug_stage ug_stage_clean;
extern const ug_stage ug_stage_calibrate;
extern const ug_stage ug_stage_solve;
extern const ug_stage ug_stage_retarget;
extern const ug_stage ug_stage_export;
extern const ug_stage ug_stage_synth;
