// SPDX-License-Identifier: MIT
// Skeletons, marker sets and characters by name or by file, whatever the file's format.
#pragma once

#include "datasets/catalog.h"
#include "formats/format.h"
#include "motion/attachments.h"
#include "motion/clip.h"
#include "motion/role_dictionary.h"
#include "motion/skeleton.h"
#include "motion/warnings.h"

/// A template skeleton: a built-in name, a template YAML, a VSK, a BVH, or a store. A file that
/// brings its own markers (VSK, store) fills `attachments`; else that stays empty.
///
/// @param opts         what the user knows of a file that does not say its unit or vertical; NULL:
///                     nothing
/// @param skeleton     ug_skeleton_destroy() it
/// @param attachments  must be empty; NULL: not wanted
/// @param clip         the file's own motion, NULL where it has none; ug_clip_destroy() it. NULL:
///                     not wanted
/// @return UG_E_USAGE for an unknown name, listing what there is; else as the reader says
UG_CHECKED ug_status ug_library_skeleton(ug_skeleton **skeleton, ug_attachments *attachments,
                                         ug_clip **clip, const char *name, ug_catalog_kind kind,
                                         const ug_read_opts *opts, const char *data_dir,
                                         ug_warnings *warnings, ug_error *err);

/// A marker set tied to `skeleton`: a built-in name, a YAML, or a VSK's or store's own table.
UG_CHECKED ug_status ug_library_markers(ug_attachments *attachments, const char *name,
                                        const ug_skeleton *skeleton, const char *data_dir,
                                        ug_warnings *warnings, ug_error *err);

/// Every built-in marker set, for "which one fits?". `*sets` is an array of `*count`;
/// ug_library_sets_destroy() it.
UG_CHECKED ug_status ug_library_sets(ug_marker_set **sets, size_t *count, const char *data_dir,
                                     ug_error *err);
void ug_library_sets_destroy(ug_marker_set *sets, size_t count);

/// The role dictionary. ug_role_dictionary_fini() it.
UG_CHECKED ug_status ug_library_roles(ug_role_dictionary *dictionary, const char *data_dir,
                                      ug_error *err);
