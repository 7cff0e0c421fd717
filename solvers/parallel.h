// SPDX-License-Identifier: MIT
// Run independent pieces on a few threads, with the same result for any thread count.
//
// The caller cuts work into pieces of fixed length (never by thread count) and writes each
// piece's result to its own place; reductions then run over the pieces in order.
#pragma once

#include <stddef.h>

/// Process piece `piece`. `worker` < workers says which scratch space to use.
typedef void (*ug_piece_fn)(void *context, size_t piece, size_t worker);

/// Call `fn` once for every piece in [0, piece_count) on up to `workers` threads, the calling
/// one included. 0 workers means one. Falls back to fewer threads when the system refuses some.
void ug_parallel_for(size_t piece_count, size_t workers, ug_piece_fn fn, void *context);

/// Processors this process may use, >= 1.
size_t ug_processor_count(void);
