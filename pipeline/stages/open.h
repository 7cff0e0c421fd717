// SPDX-License-Identifier: MIT
// Open anything for looking at it: what `info` and `validate` stand on.
#pragma once

#include "motion/take.h"
#include "motion/warnings.h"

/// Read a store or any foreign format whole. `take` must be initialised; ug_take_fini() it.
/// `unit` and `up` are what the user knows (NULL: nothing).
UG_CHECKED ug_status ug_open_any(ug_take *take, const char *path, const char *unit, const char *up,
                                 ug_warnings *warnings, ug_error *err);

/// Put a fresh checksum block in front of an edited store.
UG_CHECKED ug_status ug_seal_file(const char *path, ug_warnings *warnings, ug_error *err);

/// Find the roles of take->skeleton (by name, then by topology) and set them on its joints.
/// Nothing without a skeleton.
///
/// @return UG_E_NOT_ENOUGH when it is no humanoid, naming what was not found
UG_CHECKED ug_status ug_open_roles(ug_take *take, const char *data_dir, ug_warnings *warnings,
                                   ug_error *err);
