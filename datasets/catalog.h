// SPDX-License-Identifier: MIT
// Finds ugoki's data files: templates, marker sets, characters, recipes, the role dictionary.
//
// A text with a slash or a dot is a path and taken as it is. A plain name is looked for, in this
// order, in `data_dir` (--data-dir), $UGOKI_SHARE, <executable>/../share/ugoki and the build tree.
#pragma once

#include "motion/status.h"

#include <stddef.h>

typedef enum ug_catalog_kind {
    UG_CATALOG_TEMPLATE = 0,  ///< templates/NAME.yaml
    UG_CATALOG_MARKERS = 1,   ///< markersets/NAME.yaml
    UG_CATALOG_CHARACTER = 2, ///< characters/NAME.yaml
    UG_CATALOG_RECIPE = 3,    ///< recipes/NAME.yaml
    UG_CATALOG_ROLES = 4,     ///< NAME.yaml: the dictionary is called "roles"
    UG_CATALOG_KIND_COUNT
} ug_catalog_kind;

/// Path of `name`; free() it.
///
/// @param data_dir  NULL: only the usual places
/// @return UG_E_USAGE for a name that is nowhere, listing what there is and where it was sought;
///         UG_E_IO when no data folder was found at all; UG_E_NOMEM
UG_CHECKED ug_status ug_catalog_find(char **path, ug_catalog_kind kind, const char *name,
                                     const char *data_dir, ug_error *err);

/// Names of `kind` in the first folder that has any, sorted. ug_text_list_destroy() them.
/// @return UG_E_IO when there is no data folder; UG_E_NOMEM
UG_CHECKED ug_status ug_catalog_list(char ***names, size_t *count, ug_catalog_kind kind,
                                     const char *data_dir, ug_error *err);
