// SPDX-License-Identifier: MIT
// "Did you mean …?": the known word closest to a mistyped one.
//
// For short words of a fixed vocabulary (keys, options, labels). Not a search.
#pragma once

#include <stddef.h>

/// The entry of `known` (count texts, NULL ones skipped) with the fewest typing errors against
/// `word`, or NULL when even that one differs in more than a third of its letters. Case counts as
/// no error. Words beyond 63 bytes are never near. Borrowed.
///
/// Source: restricted edit distance with neighbouring swaps (Damerau 1964).
const char *ug_text_nearest(const char *word, const char *const *known, size_t count);
