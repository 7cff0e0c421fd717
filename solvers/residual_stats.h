// SPDX-License-Identifier: MIT
// What residuals say about a solve, counted over samples that were there.
//
// The stable figures: marker_rms_mm and marker_p95_mm over imported measured samples below 60 mm,
// outlier_pct the share of the rest. A sample that is missing, was filled, or is computed by a
// model is in no sum and in no count.
// When NOT: a low rms alone proves nothing. More freedom lowers it, and so does a skeleton bent
// toward a wrong label: read outlier_pct, leave-out and limit hits beside it.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"

#include <stddef.h>
#include <stdint.h>

#define UG_OUTLIER_MM 60.0

typedef struct ug_residual_marker {
    size_t sample_count;  ///< counted samples
    size_t outlier_count; ///< of them at UG_OUTLIER_MM or beyond
    double rms_mm;        ///< of those below; NaN when there are none
    double all_rms_mm;    ///< of all counted; NaN when there are none
    double max_mm;        ///< of all counted; NaN when there are none
} ug_residual_marker;

/// NaN stands for "no sample to speak of" throughout.
typedef struct ug_residual_stats {
    size_t frame_count, marker_count;
    size_t sample_count, outlier_count;
    double rms_mm, p95_mm, median_mm; ///< of samples below UG_OUTLIER_MM
    double outlier_pct;
    double all_rms_mm, max_mm;   ///< of all counted
    ptrdiff_t worst;             ///< marker with the largest all_rms_mm, -1 = none
    ug_residual_marker *markers; ///< (marker_count), owned
    size_t *frame_samples;       ///< (frame_count) counted samples, owned
    double *frame_rms_mm;        ///< (frame_count) of samples below UG_OUTLIER_MM, owned
} ug_residual_stats;

/// NULL is fine.
void ug_residual_stats_fini(ug_residual_stats *stats);

/// Count the residuals whose `counted` is not 0; NaN residuals never count.
///
/// @param out          ug_residual_stats_fini() it
/// @param residual_mm  (frame_count x marker_count)
/// @param counted      (frame_count x marker_count); NULL = every residual
/// @return UG_E_NOMEM
/// O(samples log samples).
UG_CHECKED ug_status ug_residual_stats_compute(ug_residual_stats *out, const float *residual_mm,
                                               const uint8_t *counted, size_t frame_count,
                                               size_t marker_count, ug_error *err);

/// Set `counted` where the source measured the sample: MEASURED, not FILLED or COMPUTED; FILTERED,
/// REPAIRED and EDITED ones count.
///
/// @param counted  (frame_count x column_count) written
/// @param columns  (column_count) column of each marker in `markers`, -1 = absent: not counted
void ug_residual_mark_measured(uint8_t *counted, const ug_markers *markers,
                               const ptrdiff_t *columns, size_t column_count);
