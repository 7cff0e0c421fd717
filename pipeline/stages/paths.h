// SPDX-License-Identifier: MIT
// Where results go when the user names a folder.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>

/// True when `path` ends in '/' or is a folder already.
bool ug_path_is_folder(const char *path);

/// Make the folder and its parents. Fine when it is there. @return UG_E_WRITE
UG_CHECKED ug_status ug_path_make_folder(const char *path, ug_error *err);

/// "DIR" + "x/take.c3d" + "h5" -> "DIR/take.h5"; `suffix` ("-troll", may be "") goes before the
/// dot. free() it; NULL when out of memory.
char *ug_path_in_folder(const char *folder, const char *input, const char *suffix,
                        const char *ending);

/// "x/take.c3d" -> "take". free() it; NULL when out of memory.
char *ug_path_stem(const char *path);

/// The first path whose file name, without folder and ending, an earlier one has too: both would
/// write the same result. Borrowed; NULL when all differ.
const char *ug_path_same_stem(char *const *paths, size_t count);
