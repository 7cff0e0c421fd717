// SPDX-License-Identifier: MIT
// A recipe by path, or by the name of a built-in one.
#pragma once

#include "motion/recipe.h"
#include "motion/status.h"

/// ug_recipe_fini() it.
UG_CHECKED ug_status ug_recipe_file_read(ug_recipe *recipe, const char *path_or_name,
                                         const char *data_dir, ug_error *err);
