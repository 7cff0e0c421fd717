// SPDX-License-Identifier: MIT
// The documented HDF5 file between two stages (schema 1). HDF5 stays behind this header.
//
// A 512-byte user block in front carries a checksum that is verified before libhdf5 sees a byte:
// a damaged file is refused in one line. A file without the block (made or edited by another
// program) is first read in a child process with limits on time and memory. Groups, datasets and
// units: docs/store.md. A file is built in memory before it is written: a write needs its size once
// more. One thread at a time: libhdf5 has no locks. Not for files of other programs' formats: see
// formats/format.h.
#pragma once

#include "motion/progress.h"
#include "motion/take.h"
#include "motion/warnings.h"

#include <stdbool.h>

/// Parts of a take, as bits: which groups are read, or rewritten.
enum {
    UG_PART_SOURCE = 1u << 0,
    UG_PART_MARKERS = 1u << 1,
    UG_PART_ANALOG = 1u << 2, ///< analog and events
    UG_PART_SKELETON = 1u << 3,
    UG_PART_ATTACHMENTS = 1u << 4,
    UG_PART_MOTION = 1u << 5,
    UG_PART_CONTACTS = 1u << 6,
    UG_PART_QUALITY = 1u << 7,
    UG_PART_PROVENANCE = 1u << 8,
    UG_PART_ALL = (1u << 9) - 1,
};

typedef enum ug_store_kind {
    UG_STORE_NONE = 0,    ///< not HDF5 at all
    UG_STORE_SEALED = 1,  ///< ours, checksum block present
    UG_STORE_FOREIGN = 2, ///< HDF5 without our block
} ug_store_kind;

typedef struct ug_store_opts {
    const char *base_path;       ///< store whose groups outside `parts` are copied; NULL: none
    bool compress;               ///< shuffle + deflate
    const ug_progress *progress; ///< NULL: nobody listens
} ug_store_opts;

/// By the first bytes; UG_STORE_NONE also when it cannot be opened.
ug_store_kind ug_store_probe(const char *path);

/// Read the given parts into `take` (initialised and empty). Absent groups leave absent parts.
/// A foreign file adds warning "store_foreign".
///
/// @return UG_E_IO; UG_E_FORMAT (not a store, damaged, wrong shape: names the dataset);
///         UG_E_DATA (right shape, impossible value: a parent after its child, a scale of 0);
///         UG_E_UNSUPPORTED (schema version, by name; a foreign file that leads into another one);
///         UG_E_NOMEM. `take` is empty on failure.
UG_CHECKED ug_status ug_store_read(ug_take *take, const char *path, unsigned parts,
                                   ug_warnings *warnings, ug_error *err);

/// Write `parts` of `take`, and everything else of opts->base_path, atomically.
/// UG_PART_PROVENANCE writes the take's whole list.
///
/// @return UG_E_WRITE; UG_E_DATA for what ug_store_read would refuse (a skeleton that fails
///         ug_skeleton_check, motion or attachments of another skeleton, a scale or rate that is
///         not above 0); UG_E_IO/UG_E_FORMAT for the base; UG_E_INTERRUPTED, asked between groups
///         and every few megabytes; UG_E_NOMEM. `path` is untouched then.
UG_CHECKED ug_status ug_store_write(const char *path, const ug_take *take, unsigned parts,
                                    const ug_store_opts *opts, ug_error *err);

/// Write a foreign or edited store anew with a checksum block in front, atomically. A sealed one is
/// left as it is, with warning "store_already_sealed".
///
/// @return UG_E_FORMAT when it cannot be read as a store even in the child process; UG_E_DATA,
///         UG_E_UNSUPPORTED as ug_store_read; UG_E_WRITE. `path` is untouched then
UG_CHECKED ug_status ug_store_seal(const char *path, ug_warnings *warnings, ug_error *err);

/// XXH3-128 of a whole file as 32 hex digits: the hash in provenance and in `run`'s memory.
UG_CHECKED ug_status ug_file_hash(char hex[33], const char *path, ug_error *err);
