// SPDX-License-Identifier: MIT
// The body of a text table of markers: one row a frame, "number, time, x, y, z, x, y, z, …".
//
// Shared by TRC (tabs) and the marker CSV (commas); use: fill the first group of fields, then
// scan, then settle names and `named`, then build.
#pragma once

#include "formats/marker_import.h"

typedef struct ug_marker_row {
    ug_span cells;     ///< from the first coordinate on
    size_t cell_count; ///< up to the last cell that is not empty
    size_t line;
    long number;   ///< the frame's number in the file, LONG_MIN when it has none
    size_t frame;  ///< its index in the take
    double time_s; ///< NaN when there is none
} ug_marker_row;

typedef struct ug_marker_rows {
    const char *format; ///< prefix of warnings: "trc"
    char separator;
    ug_span data;      ///< the rows
    size_t first_line; ///< of `data`, 1-based
    size_t file_size;
    size_t names_line;     ///< for messages
    bool unnamed_allowed;  ///< whole triples beyond the named markers are unlabelled points, where
                           ///< several rows have them or the header counts them
    long declared_frames;  ///< by the header; -1: none
    long declared_markers; ///< by the header; -1: none
    ug_rate declared_rate; ///< by the header; { 0, 0 }: none
    const ug_progress *progress;
    ug_warnings *warnings;
    ug_error *err;

    size_t named;   ///< markers that have a column, set by the reader of the header
    ug_span *names; ///< (named) borrowed; an empty one is an unlabelled point

    ug_marker_row *rows; ///< owned
    size_t row_count, capacity;
    double time_precision_s; ///< last decimal place of the times
    size_t frame_count;      ///< rows, and frames that the numbers leave out
    size_t triples;          ///< columns of three in the widest row
    bool not_finite;         ///< while a sample is read: one of its cells says "nan" or "inf"
} ug_marker_rows;

/// Cut the data into rows and see how wide they are. @return UG_E_FORMAT (no rows);
/// UG_E_INTERRUPTED; UG_E_NOMEM
UG_CHECKED ug_status ug_marker_rows_scan(ug_marker_rows *rows);

/// Make take->markers of the rows, source and frame included.
///
/// Warnings "…_frames_skipped" (frame numbers with holes: the missing frames are put in),
/// "…_frame_jump" (a hole too wide to be true: more than 100 000 frames and four times the rows, or
/// more than the file's size allows; nothing is put in), "…_frame_numbers" (numbers of no use),
/// "…_not_finite", "…_partial_sample", "…_frame_count", "…_marker_count", "…_unnamed_columns",
/// "…_rate_from_time", "…_time_disagrees", and those of marker_import.h.
///
/// @param unit  as declared, "" when it is not
/// @return UG_E_FORMAT (line and marker); UG_E_DATA (no rate); UG_E_AMBIGUOUS; UG_E_USAGE;
/// UG_E_INTERRUPTED; UG_E_NOMEM
UG_CHECKED ug_status ug_marker_rows_build(ug_take *take, ug_marker_rows *rows, const char *unit,
                                          const ug_read_opts *opts);

void ug_marker_rows_fini(ug_marker_rows *rows);
