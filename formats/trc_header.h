// SPDX-License-Identifier: MIT
// The head of a TRC file. Private to the TRC reader.
#pragma once

#include "formats/marker_import.h"

/// What stands above the data. Spans point into the file.
typedef struct ug_trc_header {
    ug_rate rate;                   ///< { 0, 0 } when DataRate is no rate
    char unit[16];                  ///< "" when there is none
    long frame_count, marker_count; ///< as declared; -1 when not, or when it is no count
    ug_span names;                  ///< the line of names
    ug_span data;                   ///< everything below
    size_t names_line, data_line;   ///< 1-based
} ug_trc_header;

/// Warnings "trc_header_shifted"; "trc_header_value" (NumFrames or NumMarkers that is no whole
/// number from 0 to 2^30: taken as not declared).
///
/// @return UG_E_FORMAT
UG_CHECKED ug_status ug_trc_header_read(ug_trc_header *header, ug_span text, ug_warnings *warnings,
                                        ug_error *err);
