// SPDX-License-Identifier: MIT
// The 512-byte user block in front of a store, and XXH3-128 of files.
//
// One line of ASCII, then zeros:  UGOKI 1 <bytes after the block> <XXH3-128 of them, 32 hex>\n
// The block is a pure function of schema and payload, so one memcmp verifies every bit of it.
// Internal to formats/store*.c (ug_file_hash is in formats/store.h).
#pragma once

#include "motion/status.h"

#include <stddef.h>
#include <stdint.h>

enum { UG_STORE_BLOCK_SIZE = 512, UG_STORE_SCHEMA = 1, UG_STORE_HEAD_SIZE = 520 };

typedef struct ug_store_block {
    uint8_t bytes[UG_STORE_BLOCK_SIZE];
} ug_store_block;

/// The block for a payload in memory.
ug_store_block ug_store_block_make(const void *payload, size_t size);

/// Check the block of an open file against everything after it. Reads the whole file once.
///
/// @return UG_E_FORMAT (damaged, truncated); UG_E_UNSUPPORTED (an intact file of another schema,
///         by number); UG_E_IO; UG_E_NOMEM
UG_CHECKED ug_status ug_store_block_verify(int fd, ug_error *err);
