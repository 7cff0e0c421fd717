// SPDX-License-Identifier: MIT
// Open anything that holds a take, ours or another program's: what every stage and `info` stand on.
// When NOT: settings (YAML), see pipeline/stages/library.h.
#pragma once

#include "formats/format.h"
#include "formats/store.h"
#include "motion/take.h"
#include "motion/warnings.h"

/// Read `parts` of a store (formats/store.h), or any foreign format whole.
///
/// @param take  must be initialised; ug_take_fini() it. Empty on failure
/// @param opts  what the user knows of a foreign file; NULL: nothing. Not used for a store
/// @return as ug_store_read or ug_format_read
///
/// As long as reading the file; a foreign one asks opts->progress.
UG_CHECKED ug_status ug_open_any(ug_take *take, const char *path, unsigned parts,
                                 const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);

/// Find the roles of take->skeleton (by name, then by topology) and set them on its joints.
/// Nothing without a skeleton.
///
/// @param take      its skeleton's joints get their `role`; nothing else changes
/// @param data_dir  where the role dictionary is; NULL: the usual places
/// @param warnings  those of ug_roles_find
/// @return UG_E_NOT_ENOUGH when it is no humanoid, naming what was not found; UG_E_USAGE, UG_E_IO,
///         UG_E_FORMAT for the dictionary; UG_E_NOMEM
///
/// Reads the dictionary, then the motion once: O(frame_count · joint_count).
UG_CHECKED ug_status ug_open_roles(ug_take *take, const char *data_dir, ug_warnings *warnings,
                                   ug_error *err);
