// SPDX-License-Identifier: MIT
// A line of decimal numbers between blanks and tabs, millions of them: BVH rows.
//
// The text is looked at in blocks of 64 bytes: bit masks of blanks and points say where every
// number starts, has its point and ends, so that a number does not wait for the end of the one
// before it. Digits are then gathered eight at a time as in formats/decimal_fast.h, and what is
// not plain ("1e-5", "nan", more than 15 digits) goes to ug_decimal_read_slow().
// Not for single numbers: see formats/decimal.h.
// Source of the bit masks: Langdale & Lemire 2019, "Parsing gigabytes of JSON per second".
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Read up to `wanted` numbers of the line at `p` into `row`, bit for bit what strtod gives.
///
/// @param row    (wanted)
/// @param count  how many were read
/// @param tame   set to false when one is not finite or not below 1e9; never set to true
/// @param p      8 bytes in front of it are readable
/// @param end    end of the text; at least 64 zero bytes follow it
/// @return where it stopped: behind the last number wanted, else at the line's end or the end of
///         the text, or at the start of something that is no number
const char *ug_decimal_row_read(double *row, size_t *count, bool *tame, size_t wanted,
                                const char *p, const char *end);
