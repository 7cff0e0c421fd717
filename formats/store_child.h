// SPDX-License-Identifier: MIT
// HDF5 files that nobody vouches for. Internal to formats/store*.c.
#pragma once

#include "motion/status.h"

#include <stddef.h>
#include <stdint.h>

/// A whole sealed store in memory (a mapping).
typedef struct ug_store_image {
    uint8_t *data;
    size_t size;
} ug_store_image;

/// Read a foreign or edited HDF5 file whole in a child process with limits on time and memory, and
/// get a fresh sealed copy of it, written anew by the child. This process never lets libhdf5 near
/// the original, which may crash or hang it (1.10).
///
/// @param size  bytes of the original
/// @return UG_E_FORMAT (damaged: crash, time or memory ran out; or no store), UG_E_UNSUPPORTED,
///         UG_E_DATA as ug_store_read, UG_E_NOMEM; `image` is empty then
UG_CHECKED ug_status ug_store_copy_clean(ug_store_image *image, const char *path, uint64_t size,
                                         ug_error *err);

/// Harmless on a zeroed one.
void ug_store_image_fini(ug_store_image *image);
