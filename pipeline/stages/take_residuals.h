// SPDX-License-Identifier: MIT
// What the residuals that `solve` left in a take say, marker by marker: for its own warnings and
// for the report.
//
// The series are named in docs/figures.md. They outlive the table of markers (a retargeted take has
// none), and may have been edited by another program: nothing in them is trusted.
#pragma once

#include "motion/take.h"

#include <stddef.h>
#include <stdint.h>

/// A stretch in which a marker is 60 mm or more from where the skeleton has it.
typedef struct ug_stray {
    size_t column;     ///< of the residuals
    size_t first, end; ///< frames, end excluded; both ends are samples that count
    size_t count;      ///< samples that count
    double max_mm;
} ug_stray;

/// Every such stretch, by column, then by time; a sample that is missing ends one, one that does
/// not count is passed over.
///
/// @param strays       free() it; NULL when there is none
/// @param residual_mm  (frame_count x column_count)
/// @param counted      (frame_count x column_count) 0: a sample that says nothing of the capture,
///                     as one that was filled (ug_residual_mark_measured()); NULL: all count
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_strays_find(ug_stray **strays, size_t *count, const float *residual_mm,
                                    const uint8_t *counted, size_t frame_count, size_t column_count,
                                    ug_error *err);

/// Residuals of one marker, over its measured samples as in `marker_rms_mm`.
typedef struct ug_residual_column {
    ptrdiff_t marker; ///< column of take->markers, -1: not there
    size_t sample_count, outlier_count;
    double rms_mm; ///< of those below 60 mm; NaN: none
    double max_mm; ///< of all; NaN: none
    size_t max_frame;
} ug_residual_column;

typedef struct ug_take_residuals {
    size_t frame_count, column_count; ///< 0: the take has none
    const float *residual_mm;         ///< (frame_count x column_count) borrowed from the take
    const float *frame_rms_mm;        ///< (frame_count) borrowed; NULL: not there
    ug_residual_column *columns;      ///< (column_count) owned
    uint8_t *counted;                 ///< (frame_count x column_count) owned; 1: measured
} ug_take_residuals;

/// Empty where the take has no residuals, or they do not fit its markers.
///
/// @param out  ug_take_residuals_fini() it; valid while the take is
/// @return UG_E_NOMEM. O(frames · columns · log).
UG_CHECKED ug_status ug_take_residuals_read(ug_take_residuals *out, const ug_take *take,
                                            ug_error *err);

/// NULL is fine.
void ug_take_residuals_fini(ug_take_residuals *residuals);
