// SPDX-License-Identifier: MIT
// Every foreign format behind one shape: recognise, read into a take, write from a take.
//
// Not for our own store (formats/store.h) and not for settings (formats/*_yaml.h).
#pragma once

#include "motion/mesh.h"
#include "motion/progress.h"
#include "motion/rate.h"
#include "motion/take.h"
#include "motion/warnings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the user knows better than the file. Zero-initialised: believe the file.
typedef struct ug_read_opts {
    const char *unit;            ///< "mm", "m", …; NULL: declared, else inferred
    const char *up;              ///< "+Y", "Z", …; NULL: declared, else inferred
    ug_rate rate;                ///< { 0, 0 }: from the file
    bool bvh_offset_add;         ///< position channels add to OFFSET instead of replacing it
    const ug_progress *progress; ///< NULL: nobody listens; else UG_E_INTERRUPTED is possible
} ug_read_opts;

/// Zero-initialised: write as the source was.
typedef struct ug_write_opts {
    const char *unit;    ///< NULL: the source's unit, else the format's custom
    const char *up;      ///< NULL: the source's axes, else the format's custom
    bool bvh_offset_add; ///< write root positions relative to OFFSET
    int decimals;        ///< text formats: digits after the point; 0: enough for a round trip
    const ug_mesh *mesh; ///< GLB: a skin bound to the skeleton at rest; NULL: none
    bool cubic;          ///< GLB: cubic splines between the frames instead of lines
    const char *program; ///< "ugoki 1.2.3", for formats that name their writer; NULL: "ugoki"
    const ug_progress *progress; ///< as above
} ug_write_opts;

typedef struct ug_format {
    const char *name;       ///< "c3d"
    const char *extensions; ///< ".c3d", space between several
    const char *summary;    ///< for -h: "C3D, binary markers and analog"
    bool is_motion;         ///< holds a skeleton and its motion; false: points
    /// Are these first bytes (at least min(size, 4096)) of such a file? NULL: by extension only.
    bool (*matches)(const uint8_t *head, size_t size);
    /// `take` is empty on entry and, on failure, on exit. NULL: cannot be read.
    ug_status (*read)(ug_take *take, const char *path, const ug_read_opts *opts,
                      ug_warnings *warnings, ug_error *err);
    /// Atomic: `path` is complete or untouched. NULL: cannot be written.
    ug_status (*write)(const char *path, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err);
} ug_format;

/// The format of a file: by content first, then by extension; NULL when none fits.
const ug_format *ug_format_detect(const char *path);

/// By name or extension ("bvh", ".bvh", "out.bvh"); NULL when none fits.
const ug_format *ug_format_find(const char *name);

/// All formats; `*count` is set. Static.
const ug_format *const *ug_format_list(size_t *count);

/// Detect and read. Adds a "where" of the path to errors. Not from a pipe: the beginning is looked
/// at first, and stages hash and copy what they read.
///
/// @return UG_E_UNSUPPORTED when no format fits; UG_E_IO for a pipe; else what the reader says
UG_CHECKED ug_status ug_format_read(ug_take *take, const char *path, const ug_read_opts *opts,
                                    ug_warnings *warnings, ug_error *err);
