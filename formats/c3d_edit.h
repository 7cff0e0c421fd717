// SPDX-License-Identifier: MIT
// Changing a parameter tree as little as possible: what already says the right thing stays as it
// is, type and shape are kept where the new value fits.
//
// Values are as C3D stores them: numbers in the file's own unit, texts as UTF-8. The tree owns what
// it is given a copy of. When NOT: for a tree that is made anew; ug_parameters_set is enough there.
// Cost: a search by name each, and a copy of what is set.
#pragma once

#include "formats/c3d_internal.h"

/// One number. `type` is for a new parameter, or when the old one's type cannot hold the value; a
/// value that `type` cannot hold either becomes a FLOAT.
/// @return UG_E_NOMEM
UG_CHECKED ug_status c3d_set_number(ug_parameters *tree, const char *group, const char *name,
                                    ug_parameter_type type, double value, ug_error *err);

/// The same only where the parameter exists already.
/// @return UG_E_NOMEM
UG_CHECKED ug_status c3d_update_number(ug_parameters *tree, const char *group, const char *name,
                                       ug_parameter_type type, double value, ug_error *err);

/// A list of numbers, continued in NAME2 … beyond 255 rows; continuations that are not needed any
/// more are removed.
///
/// @param type    FLOAT takes its place when it cannot hold all of the values
/// @param values  (count x row), borrowed
/// @return UG_E_NOMEM; the tree may hold a part of the list then
UG_CHECKED ug_status c3d_set_numbers(ug_parameters *tree, const char *group, const char *name,
                                     ug_parameter_type type, const double *values, size_t row,
                                     size_t count, ug_error *err);

/// A list of texts, padded with blanks to the widest, continued in NAME2 …; texts over 255 bytes
/// are cut and warned about ("c3d_text_cut").
///
/// @param texts     (count), borrowed, none of them NULL
/// @param warnings  may be NULL
/// @return UG_E_NOMEM; the tree may hold a part of the list then
UG_CHECKED ug_status c3d_set_texts(ug_parameters *tree, const char *group, const char *name,
                                   char *const *texts, size_t count, ug_warnings *warnings,
                                   ug_error *err);

/// One text, its first 255 bytes.
/// @return UG_E_NOMEM
UG_CHECKED ug_status c3d_set_text(ug_parameters *tree, const char *group, const char *name,
                                  const char *text, ug_error *err);

/// Remove continuation `first_part` (NAME2 is 2; 1 is NAME itself) and those that follow it.
/// Nothing where there is none.
void c3d_remove(ug_parameters *tree, const char *group, const char *name, int first_part);
