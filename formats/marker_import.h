// SPDX-License-Identifier: MIT
// What the text formats of markers share on the way in: names, gaps written as zeros, unit, axes.
//
// Warnings carry the format's name: "trc_zero_missing", "csv_label_doubled".
#pragma once

#include "formats/format.h"
#include "formats/text_cells.h"

enum { UG_TEXT_MARKERS_MAX = 8192 };

/// A warning's code, "trc_label_doubled".
typedef struct ug_warning_code {
    char text[48];
} ug_warning_code;

/// `format` and `what` joined.
ug_warning_code ug_warning_code_of(const char *format, const char *what);

/// Set label, subject and kind of point `i` from "subject:label". A label that is not UTF-8 is
/// taken as Latin-1. "*12" is an unlabelled point.
///
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_marker_import_name(ug_markers *markers, size_t i, ug_span name,
                                           const char *format, ug_warnings *warnings,
                                           ug_error *err);

/// Give the second marker of a name the label "NAME_2" and so on, counted as "…_label_doubled".
/// All labels are set. O(marker_count²). @return UG_E_NOMEM
UG_CHECKED ug_status ug_marker_import_unique(ug_markers *markers, const char *format,
                                             ug_warnings *warnings, ug_error *err);

/// Samples of exactly 0,0,0 become missing where the file shows that its program writes gaps so:
/// 10 such samples, 5 of one marker, or two markers in one frame ("…_zero_missing"); else they
/// stay, as markers at the origin ("…_zero_kept").
void ug_marker_import_zeros(ug_markers *markers, const char *format, ug_warnings *warnings);

/// Fill take->source and turn take->markers, still in the source's axes, into ours. `unit` is
/// what the file declares, "" when nothing; the vertical is never declared here: it is opts->up or
/// inferred ("up_inferred", "unit_inferred").
///
/// @return UG_E_USAGE (opts); UG_E_AMBIGUOUS
UG_CHECKED ug_status ug_marker_import_frame(ug_take *take, const char *format, const char *unit,
                                            const ug_read_opts *opts, ug_warnings *warnings,
                                            ug_error *err);

/// Rate of `steps` steps from the first time to the last, each printed to within
/// ±precision_s / 2: the simplest that fits. @return false when the times say nothing
bool ug_rate_from_times(ug_rate *rate, double first_s, double last_s, size_t steps,
                        double precision_s);

/// 10^−digits after the point of a decimal ("0.0083" → 1e-4), 1 when there is none.
double ug_decimal_precision(ug_span number);

/// Refuse what is no text: zero bytes, UTF-16. @return UG_E_FORMAT
UG_CHECKED ug_status ug_text_check(ug_span text, ug_error *err);
