// SPDX-License-Identifier: MIT
// Run a recipe's stages over takes, each stage's file feeding the next, skipping what is current.
//
// Per take a folder DIR/<take>/ holds 1-import.h5, 2-clean.h5 … and the exports. `calibrate`
// makes the subject that later stages use; `retarget` fans out to one file per character.
#pragma once

#include "motion/recipe.h"
#include "pipeline/stages/stage.h"

typedef struct ug_run_opts {
    const char *recipe_path; ///< relative file names in the recipe start from its folder
    const char *folder;      ///< of the results
    const char *data_dir;
    const char *command_line;
    size_t jobs;
    uint64_t seed;
    bool strict, compress;
    bool overwrite; ///< also files that no run of this folder made
    ug_progress progress;
    ug_stage_trace trace; ///< of every stage
    /// Called after each stage, also a skipped or failed one.
    void (*report)(void *user, const ug_stage *stage, const char *input, const char *output,
                   bool skipped, const ug_stage_context *context, ug_status status,
                   const ug_error *err);
    void *user;
} ug_run_opts;

/// Run `recipe` over `takes` (none: the recipe's own inputs). A take that fails stops there; the
/// others go on, and so they do when a pattern of the inputs matches nothing. The worst status is
/// returned and each failure reported.
///
/// @return UG_E_USAGE at once for a recipe that names unknown stages or options or has a `require`
///         that cannot be read (with its line), before anything runs
UG_CHECKED ug_status ug_run_recipe(const ug_recipe *recipe, char *const *takes, size_t take_count,
                                   const ug_run_opts *opts, ug_error *err);
