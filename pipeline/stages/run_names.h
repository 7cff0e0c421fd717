// SPDX-License-Identifier: MIT
// Which takes a recipe runs over, and the result folder of each.
#pragma once

#include "motion/recipe.h"
#include "motion/status.h"

#include <stddef.h>

/// The files that the recipe's `inputs:` match, relative to the recipe's folder, sorted per
/// pattern. A pattern that is a file's very name ("take[1].c3d") is that file. Patterns that match
/// nothing are set apart in `unmatched`, as in the recipe. ug_text_list_destroy() both.
///
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_run_inputs(char ***takes, size_t *count, char ***unmatched,
                                   size_t *unmatched_count, const ug_recipe *recipe,
                                   const char *recipe_path, ug_error *err);

/// One folder name a take: its file name without ending, with its folder's name in front where
/// two are called alike. ug_text_list_destroy() them.
///
/// @return UG_E_USAGE when two takes would still share one; UG_E_NOMEM
UG_CHECKED ug_status ug_run_names(char ***names, char *const *takes, size_t count, ug_error *err);

/// `text` as a path beside the recipe where such a file is, else as it is. free() it.
char *ug_run_beside(const char *recipe_path, const char *text);
