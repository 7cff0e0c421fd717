// SPDX-License-Identifier: MIT
// Bytes in, bytes out: whole-file reads, and writes that never leave half a file behind.
//
// A writer fills a temporary file in the target's folder; commit flushes, fsyncs and renames it.
// Interrupted at any moment, the old file is intact or the new one complete.
#pragma once

#include "motion/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// A whole file in memory, followed by at least 64 zero bytes (so parsers may read ahead).
typedef struct ug_bytes {
    uint8_t *data;
    size_t size;     ///< of the file
    size_t capacity; ///< of the buffer, for reuse
} ug_bytes;

/// Read all of `path` into `bytes`, reusing its buffer when it is large enough. Start from { 0 };
/// ug_bytes_fini() it. Large buffers ask for huge pages: first touch is the slow part.
///
/// @return UG_E_IO (cannot be opened, is a folder, cannot be read); UG_E_NOMEM
UG_CHECKED ug_status ug_bytes_read(ug_bytes *bytes, const char *path, ug_error *err);

/// Only the first `limit` bytes, for sniffing.
UG_CHECKED ug_status ug_bytes_read_head(ug_bytes *bytes, const char *path, size_t limit,
                                        ug_error *err);

void ug_bytes_fini(ug_bytes *bytes);

/// Refuse a pipe, a socket or a device, which cannot be read a second time; opens nothing, so that
/// a pipe nobody writes to does not hang us. A path that is not there passes: who opens it says so.
///
/// @return UG_E_IO
UG_CHECKED ug_status ug_path_check_rereadable(const char *path, ug_error *err);

/// An output on its way. Write to `stream`; then commit or discard.
typedef struct ug_outfile {
    FILE *stream;
    char *path; ///< owned: where it will appear
    char *temp; ///< owned: "path.tmp.PID" until then
} ug_outfile;

/// Create the temporary file beside `path`; stale temporaries of dead processes for the same
/// path are removed.
///
/// @return UG_E_WRITE; nothing to clean up then
UG_CHECKED ug_status ug_outfile_open(ug_outfile *out, const char *path, ug_error *err);

/// Flush, fsync, rename, fsync the folder. `out` is closed either way; on failure the temporary
/// is removed and the old file untouched.
///
/// @return UG_E_WRITE (disk full, …)
UG_CHECKED ug_status ug_outfile_commit(ug_outfile *out, ug_error *err);

/// Close and remove the temporary. Harmless on a committed or zeroed one.
void ug_outfile_discard(ug_outfile *out);

/// Remove the temporaries of every output on its way, for a process that ends now and at any
/// point: may be called from a signal handler. The outputs themselves are not touched. Nothing may
/// be written after it.
void ug_outfiles_abandon(void);

/// The part of `path` after its last slash. Borrowed.
const char *ug_path_base(const char *path);

/// ".c3d" of "x/take.C3D", lower case, in `out` ("" when there is none).
void ug_path_extension(char out[16], const char *path);
