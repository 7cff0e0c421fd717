// SPDX-License-Identifier: MIT
// The steps of the clean stage, in the order they are done. For pipeline/stages/clean.c only.
//
// Each reads its options from `context`, changes take->markers, adds what it found to take->quality
// (a report shows where), its figures (docs/figures.md) and warnings to `context`, and says what it
// did. On an error the take is half done and must not be written.
#pragma once

#include "motion/take.h"
#include "pipeline/stages/stage.h"
#include "solvers/edits_apply.h"

/// @param edited  what the edits of the file settled; start from zero, ug_edits_report_fini() it
UG_CHECKED ug_status ug_clean_edit(ug_take *take, ug_edits_report *edited,
                                   ug_stage_context *context, ug_error *err);
UG_CHECKED ug_status ug_clean_find_frozen(ug_take *take, ug_stage_context *context, ug_error *err);
UG_CHECKED ug_status ug_clean_find_swaps(ug_take *take, const ug_edits_report *edited,
                                         ug_stage_context *context, ug_error *err);
UG_CHECKED ug_status ug_clean_join(ug_take *take, ug_stage_context *context, ug_error *err);
UG_CHECKED ug_status ug_clean_find_fallen(ug_take *take, ug_stage_context *context, ug_error *err);
UG_CHECKED ug_status ug_clean_find_spikes(ug_take *take, ug_stage_context *context, ug_error *err);
UG_CHECKED ug_status ug_clean_fill(ug_take *take, ug_stage_context *context, ug_error *err);
UG_CHECKED ug_status ug_clean_smooth(ug_take *take, ug_stage_context *context, ug_error *err);
