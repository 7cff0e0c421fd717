// SPDX-License-Identifier: MIT
// Changing a parameter tree as little as possible: what already says the right thing stays as it
// is, type and shape are kept where the new value fits.
#pragma once

#include "formats/c3d_internal.h"

/// One number. `type` is for a new parameter, or when the old one's type cannot hold the value.
UG_CHECKED ug_status c3d_set_number(ug_parameters *tree, const char *group, const char *name,
                                    ug_parameter_type type, double value, ug_error *err);

/// The same only where the parameter exists already.
UG_CHECKED ug_status c3d_update_number(ug_parameters *tree, const char *group, const char *name,
                                       ug_parameter_type type, double value, ug_error *err);

/// A list of numbers in rows of `row`, continued in NAME2 … beyond 255 rows.
UG_CHECKED ug_status c3d_set_numbers(ug_parameters *tree, const char *group, const char *name,
                                     ug_parameter_type type, const double *values, size_t row,
                                     size_t count, ug_error *err);

/// A list of texts, continued in NAME2 …; texts over 255 bytes are cut and warned about.
UG_CHECKED ug_status c3d_set_texts(ug_parameters *tree, const char *group, const char *name,
                                   char *const *texts, size_t count, ug_warnings *warnings,
                                   ug_error *err);

UG_CHECKED ug_status c3d_set_text(ug_parameters *tree, const char *group, const char *name,
                                  const char *text, ug_error *err);

/// Removes NAME, or from `first_part` on its continuations NAME2 ….
void c3d_remove(ug_parameters *tree, const char *group, const char *name, int first_part);
