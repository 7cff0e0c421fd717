// SPDX-License-Identifier: MIT
// What was odd but survivable, as counted data: nothing is repaired in silence.
//
// A library adds to the list; the file stores it, the command line prints each code once, and
// `--strict` turns any of them into an error. Not for failures: see motion/status.h.
#pragma once

#include "motion/status.h"

#include <stddef.h>

enum { UG_WARNING_CAPACITY = 64 };

/// One kind of oddity. `code` is stable snake_case ("c3d_frames_disagree"), for machines.
typedef struct ug_warning {
    char code[48];
    size_t count;
    char first[256]; ///< the first occurrence in words: one line that names frame, marker, joint
} ug_warning;

/// A caller-owned list; start from `{ 0 }`, no destroy needed.
typedef struct ug_warnings {
    size_t count; ///< distinct codes in `items`
    ug_warning items[UG_WARNING_CAPACITY];
} ug_warnings;

/// Count one more occurrence of `code`; the words of the first one are kept.
/// `warnings` may be NULL. Past the capacity everything is counted under "more_warnings".
void ug_warn(ug_warnings *warnings, const char *code, const char *fmt, ...) UG_PRINTF(3, 4);

/// The same for `times` occurrences at once; 0 adds nothing.
void ug_warn_times(ug_warnings *warnings, size_t times, const char *code, const char *fmt, ...)
    UG_PRINTF(4, 5);

/// Occurrences of `code`, 0 when it was never seen.
size_t ug_warnings_count(const ug_warnings *warnings, const char *code);

/// Add every entry of `from` to `to`.
void ug_warnings_merge(ug_warnings *to, const ug_warnings *from);
