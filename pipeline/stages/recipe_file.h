// SPDX-License-Identifier: MIT
// A recipe by path, or by the name of a built-in one ("demo").
//
// When NOT: to check its stages and options, which ug_run_recipe does before anything runs.
#pragma once

#include "motion/recipe.h"
#include "motion/status.h"

/// Read a whole recipe (a small YAML file).
///
/// @param recipe        starts as { 0 }; ug_recipe_fini() it, also after a failure
/// @param path_or_name  a file, else a recipe of the data folder
/// @param data_dir      that folder; NULL: the usual places
/// @return UG_E_USAGE when there is no such file or name, with the names there are; UG_E_IO;
///         UG_E_FORMAT with file and line; UG_E_NOMEM
UG_CHECKED ug_status ug_recipe_file_read(ug_recipe *recipe, const char *path_or_name,
                                         const char *data_dir, ug_error *err);
