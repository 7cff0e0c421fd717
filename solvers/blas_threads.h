// SPDX-License-Identifier: MIT
// The one place that tells the linear-algebra library to stay on the caller's thread.
//
// Our own pieces already fill the processors, and a library that splits its sums by thread count
// would change the last bits.
#pragma once

/// Make OpenBLAS run single-threaded from now on. Cheap and idempotent; call it before
/// ug_parallel_for, never from inside a piece.
void ug_blas_single_thread(void);
