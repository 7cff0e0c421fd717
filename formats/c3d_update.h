// SPDX-License-Identifier: MIT
// The steps that bring a parameter tree up to date before it is written; see c3d_update.c.
#pragma once

#include "formats/c3d_internal.h"

/// Are both lists the same text by text? NULL is the same as "".
bool c3d_same_texts(char *const *a, char *const *b, size_t count);

/// Labels, descriptions and lists of model outputs. `old_count`: points the tree was made for.
UG_CHECKED ug_status c3d_update_points(ug_parameters *tree, const ug_markers *m, size_t old_count,
                                       ug_warnings *warnings, ug_error *err);

/// USED, FRAMES, LONG_FRAMES, TRIAL, SCALE, RATE; DATA_START becomes 0. `is_new`: the tree comes
/// from no C3D file, so everything is written.
UG_CHECKED ug_status c3d_update_counts(ug_parameters *tree, const c3d_layout *l, bool is_new,
                                       ug_error *err);

/// `a` may be NULL.
UG_CHECKED ug_status c3d_update_analog(ug_parameters *tree, const ug_analog *a, const c3d_layout *l,
                                       bool is_new, bool rate_changed, ug_warnings *warnings,
                                       ug_error *err);

/// UNITS, X_SCREEN, Y_SCREEN where they say something else, or where they are missing and
/// are to be declared.
UG_CHECKED ug_status c3d_update_frame(ug_parameters *tree, const char *unit, double unit_m,
                                      ug_axes axes, bool declare_unit, bool declare_axes,
                                      ug_error *err);
