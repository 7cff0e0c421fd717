// SPDX-License-Identifier: MIT
// The steps that bring a parameter tree up to date before it is written; see c3d_update.c.
//
// The tree is the one the take was read with, so each step rewrites only what would be read back
// wrong. When NOT: for the header block, see c3d_header_fill. Cost: a few searches by name, and the
// text of what changes; never the samples.
#pragma once

#include "formats/c3d_internal.h"

/// Are both lists the same text by text? NULL is the same as "".
/// @param a  (count), b likewise; borrowed
bool c3d_same_texts(char *const *a, char *const *b, size_t count);

/// Labels, descriptions and lists of model outputs.
///
/// @param old_count  points the tree was made for: what it says of others is dropped
/// @param warnings   "c3d_text_cut"; may be NULL
/// @return UG_E_NOMEM; the tree may be half updated then
UG_CHECKED ug_status c3d_update_points(ug_parameters *tree, const ug_markers *m, size_t old_count,
                                       ug_warnings *warnings, ug_error *err);

/// USED, FRAMES, LONG_FRAMES, TRIAL, SCALE, RATE (hertz); DATA_START becomes 0.
///
/// @param is_new  the tree comes from no C3D file, so everything is written
/// @return UG_E_NOMEM; the tree may be half updated then
UG_CHECKED ug_status c3d_update_counts(ug_parameters *tree, const c3d_layout *l, bool is_new,
                                       ug_error *err);

/// ANALOG: how many channels, their labels, units, scales, offsets and rate.
///
/// @param a             NULL: none, the group then says 0 where it exists
/// @param is_new        as above
/// @param rate_changed  the file's own analog rate no longer holds
/// @param warnings      "c3d_text_cut"; may be NULL
/// @return UG_E_NOMEM; the tree may be half updated then
UG_CHECKED ug_status c3d_update_analog(ug_parameters *tree, const ug_analog *a, const c3d_layout *l,
                                       bool is_new, bool rate_changed, ug_warnings *warnings,
                                       ug_error *err);

/// UNITS, X_SCREEN, Y_SCREEN where they say something else, or where they are missing and
/// are to be declared.
///
/// @param unit    name to write; `unit_m` what it is in metres, so that "mm" and "MM" are the same
/// @param axes    from the file's axes to ours
/// @return UG_E_NOMEM; the tree may be half updated then
UG_CHECKED ug_status c3d_update_frame(ug_parameters *tree, const char *unit, double unit_m,
                                      ug_axes axes, bool declare_unit, bool declare_axes,
                                      ug_error *err);
