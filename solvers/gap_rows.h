// SPDX-License-Identifier: MIT
// The table that the regressions of gap filling read: one row per position in a window, features
// and marker in "bridge space".
//
// Everything is in the company's frame (solvers/gap_frame.h), less the straight line between its
// values at the frames before and after the window. What is left is how the marker bulges away from
// that line, which is all that a fill has to guess: slow offsets, which would dominate a fit, are
// gone. With one open end the line is the one known value.
#pragma once

#include "solvers/gap_windows.h"

enum {
    UG_GAP_TANGENTS = 6, ///< columns of the marker's own end slopes, before those of the features
    UG_GAP_NEAR = 12,    ///< features whose places in the frame are kept as well
    UG_GAP_COLUMNS_MAX = UG_GAP_TANGENTS + 3 * UG_GAP_FEATURES_MAX,
    UG_GAP_PATHS = 3, ///< fills from paths in world axes, see `path`
};

typedef struct ug_gap_rows {
    size_t count, columns;
    double *x;     ///< tangents, then features in the company's order   (count x columns)
    double *y;     ///< the marker's bridge; NaN where it is not known   (count x 3)
    double *near;  ///< places of the first features in the frame        (count x near_columns)
    double *path;  ///< bridges of own line, own cubic, donor's path      (count x UG_GAP_PATHS x 3)
    double *line;  ///< the marker's line                                (count x 3)
    double *share; ///< where in the window, 0 … 1                       (count)
    ug_gap_place *place; ///<                                            (count)
    double *ends;        ///< `near` at the frames before and after of every stretch added
                         ///<                                      (stretches x 2 x near_columns)
    size_t near_columns, stretches;
} ug_gap_rows;

/// Room for `count` rows of `stretches` stretches. ug_gap_rows_fini() it, also after false (out of
/// memory).
bool ug_gap_rows_init(ug_gap_rows *rows, size_t count, size_t stretches);
void ug_gap_rows_fini(ug_gap_rows *rows);

/// What rows of one company look like; before the first ug_gap_rows_add().
void ug_gap_rows_start(ug_gap_rows *rows, const ug_gap_company *company);

/// Append the rows of a window, its marker the company's, at `positions` frames from its first.
void ug_gap_rows_add(ug_gap_rows *rows, const ug_gap_scene *scene, const ug_gap_company *company,
                     const ug_gap *window, const size_t *positions, size_t position_count);

/// Append a row for every frame of the gap itself: y is NaN, the marker is not read in it.
void ug_gap_rows_add_all(ug_gap_rows *rows, const ug_gap_scene *scene,
                         const ug_gap_company *company, const ug_gap *gap);
