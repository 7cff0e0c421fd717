// SPDX-License-Identifier: MIT
// The page of `view`, as it was built into this program.
#pragma once

#include <stddef.h>

/// The whole HTML text; free() it. NULL when no viewer is built in, or out of memory.
char *ug_page_view(const char *title, size_t *bytes);
