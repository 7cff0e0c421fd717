// SPDX-License-Identifier: MIT
// The Range header of a request: one piece of bytes, or nothing.
//
// Stricter than HTTP allows a server to be: several ranges, other units and what does not parse
// are refused, not answered with everything, since a whole take may be gigabytes.
// Source: RFC 9110, 14.1.2 and 14.2.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Bytes [first, first + count) of a body.
typedef struct ug_range {
    uint64_t first, count;
} ug_range;

/// "bytes=A-B", "bytes=A-" or "bytes=-N" of a body of `size` bytes; B and N may lie beyond its
/// end.
///
/// @param range  written when true is returned; count >= 1
/// @return false when nothing of it lies in the body, or it is no single range
bool ug_range_parse(ug_range *range, const char *text, uint64_t size);
