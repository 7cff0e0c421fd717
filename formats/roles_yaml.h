// SPDX-License-Identifier: MIT
// The role dictionary as a YAML file (datasets/roles.yaml): name patterns for body parts.
#pragma once

#include "motion/role_dictionary.h"
#include "motion/status.h"

/// Read a dictionary: a mapping of `prefixes`, `suffixes`, `ignore` and the parts (pelvis, spine …
/// toe) to lists of patterns. Every part must be there, an empty list is fine. Patterns are not
/// compiled here.
///
/// @param out  overwritten; ug_role_dictionary_fini() it. Empty on failure
/// @return UG_E_IO; UG_E_FORMAT with file and line (not YAML, unknown or missing key, no list);
///         UG_E_NOMEM
UG_CHECKED ug_status ug_roles_yaml_read(ug_role_dictionary *out, const char *path, ug_error *err);

/// The same from memory; `path` only names it in messages.
UG_CHECKED ug_status ug_roles_yaml_parse(ug_role_dictionary *out, const char *text, size_t size,
                                         const char *path, ug_error *err);
