// SPDX-License-Identifier: MIT
// TRC (Track Row Column), the text table of markers of Motion Analysis and OpenSim.
//
// Read as written by many programs: single tabs separate cells, an empty cell is missing, short
// rows end in missing markers. Tolerated with a warning: a header whose values are shifted
// ("trc_header_shifted"), names that stand off their columns ("trc_names_shifted"), wrong
// NumMarkers and NumFrames ("trc_marker_count", "trc_frame_count") or such that are no count
// ("trc_header_value"), frame numbers with holes ("trc_frames_skipped": the missing frames are put
// in, all markers missing; "trc_frame_jump": too many to be true, rows stay together) or out of
// order ("trc_frame_numbers"), "nan" and infinite cells ("trc_not_finite": missing), gaps written
// as 0,0,0 ("trc_zero_missing"), two of three coordinates
// ("trc_partial_sample"), times that disagree with the rate ("trc_time_disagrees"; DataRate holds).
// Whole triples beyond the named columns are trajectories that nobody has named: points of kind
// UNLABELLED, called "*1" … ("trc_unnamed_columns"). Any other surplus value is an error.
//
// TRC declares its unit but not its axes: opts->up, or inferred.
#pragma once

#include "formats/file.h"
#include "formats/format.h"

extern const ug_format ug_format_trc;

/// Read `path` into the empty `take`: source and markers. The number of the first row becomes
/// first_frame; its time is kept as parameter TRC:TIME_START.
///
/// @return UG_E_IO; UG_E_FORMAT (line and cell); UG_E_DATA (no frame rate); UG_E_AMBIGUOUS (up);
///         UG_E_USAGE (opts); UG_E_NOMEM. `take` is empty on failure.
UG_CHECKED ug_status ug_trc_read(ug_take *take, const char *path, const ug_read_opts *opts,
                                 ug_warnings *warnings, ug_error *err);

/// The same from memory, padded as ug_bytes is. `name` stands in err->where.
UG_CHECKED ug_status ug_trc_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                                  const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);

/// Write the markers, atomically. Floats read back as the same bits unless opts->decimals asks for
/// less, missing samples are empty cells. Unit: opts, the source's, else mm.
///
/// @return UG_E_NOT_ENOUGH (no markers, no rate); UG_E_USAGE (opts); UG_E_WRITE; UG_E_NOMEM
UG_CHECKED ug_status ug_trc_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                                  ug_warnings *warnings, ug_error *err);
