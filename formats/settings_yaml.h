// SPDX-License-Identifier: MIT
// The YAML files people write: templates and characters, marker sets, recipes, hand edits.
//
// Every number goes through our strict parser ("0.2s", "1,5" and "nan" are errors), every unknown
// or doubled key is an error with its line. Errors say file:line in err->where.
#pragma once

#include "motion/attachments.h"
#include "motion/recipe.h"
#include "motion/skeleton.h"

/// A skeleton template or character: joints with offsets, rests, types, limits, priors, roles.
/// `*out` is the caller's.
///
/// @return UG_E_IO; UG_E_FORMAT (not YAML, unknown key, bad number: file and line); UG_E_DATA
UG_CHECKED ug_status ug_template_read(ug_skeleton **out, const char *path, ug_error *err);

/// Write a skeleton as such a file (exact round trip of every number). Atomic.
UG_CHECKED ug_status ug_template_write(const char *path, const ug_skeleton *skeleton,
                                       ug_error *err);

/// `out` is overwritten; ug_marker_set_fini() it.
UG_CHECKED ug_status ug_marker_set_read(ug_marker_set *out, const char *path, ug_error *err);

/// `out` is overwritten; ug_recipe_fini() it.
UG_CHECKED ug_status ug_recipe_read(ug_recipe *out, const char *path, ug_error *err);

/// A file with a list of edits, or with an `edits:` key. ug_edits_fini() it.
UG_CHECKED ug_status ug_edits_read(ug_edits *out, const char *path, ug_error *err);
