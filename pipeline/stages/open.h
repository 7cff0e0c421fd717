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
UG_CHECKED ug_status ug_open_any(ug_take *take, const char *path, unsigned parts,
                                 const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);

/// Find the roles of take->skeleton (by name, then by topology) and set them on its joints.
/// Nothing without a skeleton.
///
/// @return UG_E_NOT_ENOUGH when it is no humanoid, naming what was not found
UG_CHECKED ug_status ug_open_roles(ug_take *take, const char *data_dir, ug_warnings *warnings,
                                   ug_error *err);
