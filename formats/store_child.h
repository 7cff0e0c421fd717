// SPDX-License-Identifier: MIT
// HDF5 files that nobody vouches for. Internal to formats/store*.c.
#pragma once

#include "motion/status.h"

#include <stdint.h>

/// Read a foreign or edited HDF5 file whole in a child process with limits on time and memory, and
/// get a fresh sealed copy of it, written anew by the child, in an anonymous memory file. This
/// process never lets libhdf5 near the original, which may crash or hang it (1.10).
///
/// @param fd    the copy, at offset 0; the caller closes it. Open it as /proc/self/fd/N
/// @param size  bytes of the original
/// @return UG_E_FORMAT (damaged: crash, time or memory ran out; or no store), UG_E_UNSUPPORTED,
///         UG_E_DATA as ug_store_read, UG_E_NOMEM
UG_CHECKED ug_status ug_store_copy_clean(int *fd, const char *path, uint64_t size, ug_error *err);
