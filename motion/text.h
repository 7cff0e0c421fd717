// SPDX-License-Identifier: MIT
// Owned strings and lists of them: labels, subjects, joint names.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>

/// Heap copy of `text` / of its first `length` bytes; NULL when out of memory. free() it.
char *ug_text_copy(const char *text);
char *ug_text_copy_n(const char *text, size_t length);

/// printf into fresh memory; NULL when out of memory. free() it.
char *ug_text_format(const char *fmt, ...) UG_PRINTF(1, 2);

/// Array of `count` NULL pointers; NULL when out of memory or count is 0.
/// Release with ug_text_list_destroy.
char **ug_text_list_create(size_t count);

/// Frees every string and the array. NULL is fine.
void ug_text_list_destroy(char **list, size_t count);

/// Index of `text`, or -1.
ptrdiff_t ug_text_list_find(char *const *list, size_t count, const char *text);

/// Case-insensitive for ASCII letters; other bytes compare as they are.
bool ug_text_equal_nocase(const char *a, const char *b);

/// True when the bytes are well-formed UTF-8 (no overlong forms, no surrogates).
bool ug_text_is_utf8(const char *text, size_t length);
