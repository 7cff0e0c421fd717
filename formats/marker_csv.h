// SPDX-License-Identifier: MIT
// The marker CSV, for spreadsheets and scripts: one row a frame, "frame,time,<label>.x,<label>.y,
// <label>.z,…" in the take's own unit and axes, an empty cell where a marker is missing.
//
// Declares neither unit nor axes: opts, or inferred. The rate is that of the times. Not for the
// CSV exports of other programs (Nexus, Motive): they are refused in one line.
// Warnings as in formats/trc.h, with the prefix "csv_".
#pragma once

#include "formats/file.h"
#include "formats/format.h"

extern const ug_format ug_format_csv;

/// Read `path` into the empty `take`: source and markers. "frame" of the first row becomes
/// first_frame. A label may stand in double quotes; rows may end early, never late.
///
/// @return UG_E_IO; UG_E_FORMAT (line, marker); UG_E_DATA (one frame and no opts->rate);
///         UG_E_AMBIGUOUS (unit or up); UG_E_USAGE (opts); UG_E_NOMEM. `take` is empty on failure.
UG_CHECKED ug_status ug_csv_read(ug_take *take, const char *path, const ug_read_opts *opts,
                                 ug_warnings *warnings, ug_error *err);

/// The same from memory, padded as ug_bytes is. `name` stands in err->where.
UG_CHECKED ug_status ug_csv_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                                  const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);

/// Write the markers, atomically; time counts from 0. Floats read back as the same bits unless
/// opts->decimals asks for less.
///
/// @return UG_E_NOT_ENOUGH (no markers, no rate); UG_E_USAGE (opts); UG_E_WRITE; UG_E_NOMEM
UG_CHECKED ug_status ug_csv_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                                  ug_warnings *warnings, ug_error *err);
