// SPDX-License-Identifier: MIT
// Memory for arrays as large as a take: on huge pages, since the first touch of small ones costs
// more than filling them.
#pragma once

#include <stddef.h>

/// `size` bytes, not set to anything; NULL when out of memory. free() or realloc() it.
void *ug_memory_create(size_t size);
