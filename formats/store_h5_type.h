// SPDX-License-Identifier: MIT
// HDF5 types of the store's datasets. Internal to formats/store_h5*.c; handles as in store_h5.h.
#pragma once

#include "formats/store_h5.h"

/// Little-endian type in the file and this machine's own; for numbers only. Not to be closed.
int64_t ug_h5_file_type(ug_h5_type type);
int64_t ug_h5_memory_type(ug_h5_type type);

/// A text type of `width` bytes, 0 = variable length; `padding` and `set` are H5T_str_t and
/// H5T_cset_t. Close it.
int64_t ug_h5_text_type(size_t width, int padding, int set);
