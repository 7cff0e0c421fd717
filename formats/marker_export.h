// SPDX-License-Identifier: MIT
// What the text formats of markers share on the way out: which points, in which unit and axes.
#pragma once

#include "formats/format.h"

#include <stdio.h>

/// Points of a take in the frame they are written in.
typedef struct ug_marker_export {
    const ug_markers *markers; ///< borrowed
    size_t count;
    size_t *points; ///< owned: indices of the points written (count)
    ug_axes axes;
    double factor; ///< written value = stored value · factor; 1 keeps every bit
    char unit[16];
    int decimals; ///< digits after the point; 0: shortest that reads back
    const ug_progress *progress;
} ug_marker_export;

/// Decide on unit and axes: opts, else the source's, else `custom_unit` and Y up. Model outputs
/// (angles, forces …) are left out and counted as "points_left_out".
///
/// @return UG_E_NOT_ENOUGH (no markers); UG_E_USAGE (opts); UG_E_NOMEM
UG_CHECKED ug_status ug_marker_export_init(ug_marker_export *out, const ug_take *take,
                                           const char *custom_unit, const ug_write_opts *opts,
                                           ug_warnings *warnings, ug_error *err);

void ug_marker_export_fini(ug_marker_export *out);

/// Coordinates of written point `i` in the target's frame. @return false when it is missing
bool ug_marker_export_at(float xyz[3], const ug_marker_export *out, size_t frame, size_t i);

/// One coordinate as text.
void ug_marker_export_number(char text[64], const ug_marker_export *out, float value);

/// Every frame as a row "number, time, x, y, z, x, …", nothing where a sample is missing. Times
/// count from `start_s`. The caller looks for the stream's errors. @return UG_E_INTERRUPTED
///
/// Mostly the conversion to text: about 1 µs a number where the shortest is looked for.
UG_CHECKED ug_status ug_marker_export_rows(FILE *stream, const ug_marker_export *out,
                                           char separator, double start_s, ug_error *err);

/// "subject:label" of written point `i`, cut to the buffer; bytes in `forbidden` become '_'.
void ug_marker_export_name(char *text, size_t size, const ug_marker_export *out, size_t i,
                           const char *forbidden);

/// A rate in hertz that ug_rate_from_hz_text reads back as the same rational wherever a decimal
/// of up to nine digits can say it.
void ug_rate_to_text(char text[32], ug_rate rate);
