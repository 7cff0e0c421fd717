// SPDX-License-Identifier: MIT
// Of clean: the options on labels as a list of edits. For pipeline/stages/clean_edit.c only.
#pragma once

#include "motion/markers.h"
#include "motion/recipe.h"
#include "pipeline/stages/option.h"

/// `subject`, `drop`, `split`, `merge` and `rename`, in this order: a name is still that of the
/// file wherever it is given, but for the new ones of `split`.
///
/// @param edits    overwritten; ug_edits_fini() it
/// @param markers  for the subject: the markers of all others are dropped, unlabelled points stay
/// @return UG_E_USAGE for one that is not written as it must be; UG_E_DATA for a subject that is
/// not
///         there, naming those that are; UG_E_NOMEM
UG_CHECKED ug_status ug_clean_label_edits(ug_edits *edits, const ug_markers *markers,
                                          const ug_option_values *options, ug_error *err);
