// SPDX-License-Identifier: MIT
// The edits that change which labels there are: rename, merge, drop, split. For
// solvers/edits_apply.c only.
#pragma once

#include "solvers/edits_apply.h"

/// What an edit is called in a message: "edit at line 7", or what was said on the command line.
typedef struct ug_edit_name {
    char text[160];
} ug_edit_name;

ug_edit_name ug_edit_said(const ug_edit *edit);

/// UG_E_DATA, naming the edit, where there is no such marker.
UG_CHECKED ug_status ug_edit_find_label(size_t *marker, const ug_markers *markers,
                                        const ug_edit *edit, const char *label, ug_error *err);

/// Do `count` edits of kind DROP at once: each copies the take.
/// @return UG_E_DATA, naming the edit: no such marker, or dropped twice; UG_E_NOMEM
UG_CHECKED ug_status ug_edit_drop(ug_markers *markers, ug_edits_report *report,
                                  const ug_edit *edits, size_t count, ug_error *err);

/// Do an edit of kind RENAME, MERGE or SPLIT; labels[0] is the column `marker`, frames are
/// within the take. Columns of `report` follow those of `markers`.
///
/// Warns "merge_overlap" with the frames in which both were there.
///
/// @return UG_E_DATA, naming the edit: a name that is taken, a marker merged with itself;
/// UG_E_NOMEM
UG_CHECKED ug_status ug_edit_labels(ug_markers *markers, ug_edits_report *report,
                                    ug_warnings *warnings, const ug_edit *edit, size_t marker,
                                    ug_error *err);
