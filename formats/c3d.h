// SPDX-License-Identifier: MIT
// C3D, the binary file of markers and analog channels that every optical system writes.
//
// Reads and writes all six encodings (Intel, DEC, MIPS × 16-bit integer, float), LABELS2 …, more
// than 65 535 frames by TRIAL, LONG_FRAMES, a float POINT:FRAMES or the size of the data, events,
// analog and the whole parameter tree. Not for force-plate arithmetic: analog is carried through.
//
// Positions stay in the source's unit, their axes permuted to ours by POINT:X_SCREEN (our x) and
// Y_SCREEN (our y); every point of the table is permuted alike, model outputs too, so that going
// back is exact. What the file does not declare is inferred (formats/infer.h).
//
// Which samples are missing, in this order:
//   1. the 4th word, taken as a 16-bit integer, is negative (65535.0 in a float file is −1; that
//      is warned about as "c3d_flag_unsigned");
//   2. a coordinate is NaN or infinite                                 ("c3d_not_finite");
//   3. exactly 0,0,0 with a 4th word of 0 or 32767, and the file shows the pattern of a program
//      that writes gaps so: 10 such samples, 5 of one marker, or two markers in one frame
//      ("c3d_zero_missing"); otherwise it is a marker at the origin     ("c3d_zero_kept").
//      Model outputs are never judged by this rule: a force of zero is a force.
//   4. every sample of the file is negative but the coordinates live: all are valid
//      ("c3d_all_negative").
//
// The residual is the low byte (with any fraction) of the 4th word times |POINT:SCALE|, the
// camera mask its high byte.
//
// Source: the C3D User Guide, https://www.c3d.org/HTML/; the rules above from real files.
#pragma once

#include "formats/format.h"

#include <stddef.h>
#include <stdint.h>

extern const ug_format ug_format_c3d;

/// Read `path` into `take`, which must be empty; it is empty again on failure. Header block and
/// parameter tree go to take->source. Markers are present even when the file has no points (then
/// marker_count is 0 and the frame count holds); analog only when there are channels.
///
/// Cost: one read of the file plus one pass over the samples.
/// @return UG_E_IO; UG_E_FORMAT (no C3D file, parameters not found, no data); UG_E_DATA (no frame
///         rate); UG_E_AMBIGUOUS (unit or vertical neither declared nor inferable); UG_E_USAGE
///         (unit or axis in `opts`); UG_E_NOMEM
UG_CHECKED ug_status ug_c3d_read(ug_take *take, const char *path, const ug_read_opts *opts,
                                 ug_warnings *warnings, ug_error *err);

/// The same from memory: `data` of `size` bytes is only read. `opts` may be NULL.
UG_CHECKED ug_status ug_c3d_parse(ug_take *take, const uint8_t *data, size_t size,
                                  const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);

/// Write markers, analog and events of `take`, atomically. A take from C3D keeps its processor,
/// its integers where every sample fits (else float, warned as "c3d_integer_to_float"), its header
/// block and its parameter tree; only what no longer holds is rewritten. Other takes become Intel
/// float. Missing samples are written as 0,0,0 with a 4th word of −1, filled ones as valid.
/// opts->unit and opts->up write in another unit and frame.
///
/// @return UG_E_NOT_ENOUGH (no markers part; one without points is fine); UG_E_DATA (analog and
///         markers disagree in length, more of something than the format can count, no frame
///         rate); UG_E_USAGE (opts); UG_E_WRITE; UG_E_NOMEM. `path` is untouched then.
UG_CHECKED ug_status ug_c3d_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                                  ug_warnings *warnings, ug_error *err);
