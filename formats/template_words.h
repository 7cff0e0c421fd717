// SPDX-License-Identifier: MIT
// Words that the reader and the writer of template files share. Not for other files.
#pragma once

#include "formats/yaml_fields.h"
#include "motion/skeleton.h"

enum { UG_TEMPLATE_JOINTS_MAX = 4096 };

/// By ug_joint_type; NULL-terminated.
extern const char *const UG_TEMPLATE_TYPES[];

/// By ug_channel, from "none"; NULL-terminated.
extern const char *const UG_TEMPLATE_CHANNELS[];

/// `unit`, when it is there, is m and `axes`, when it is there, left, up, forward.
UG_CHECKED ug_status ug_yaml_check_frame(const ug_yaml *map, const char *what, ug_error *err);

/// Fill joint `index` of `s`, whose joints before it are read. @return UG_E_FORMAT; UG_E_NOMEM
UG_CHECKED ug_status ug_template_joint_read(ug_skeleton *s, size_t index, const ug_yaml *map,
                                            ug_error *err);
