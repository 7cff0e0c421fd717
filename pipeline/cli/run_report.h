// SPDX-License-Identifier: MIT
// Drive a recipe and show its progress; `run` and `demo` share it.
#pragma once

#include "pipeline/cli/args.h"

/// Run the recipe file over `takes` into `folder`, printing as it goes.
ug_status cli_run_recipe(const char *recipe_path, char *const *takes, size_t take_count,
                         const char *folder, const cli_args *args, const char *command_line);
