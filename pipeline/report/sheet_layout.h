// SPDX-License-Identifier: MIT
// Where everything on a contact sheet goes: blocks of takes, rows of views, cells of poses.
//
// No ink here. One scale for the whole sheet: the largest at which every pose fits its cell.
#pragma once

#include "pipeline/report/sheet_actor.h"

/// One pose in one view.
typedef struct ug_sheet_cell {
    bool empty;
    ug_sheet_camera camera;
    double middle_m;        ///< plane x that comes to the middle of the cell
    double low_m, high_m;   ///< plane y of the figure, after `lift_m`
    double left_m, right_m; ///< plane x
    double lift_m;          ///< added to plane y: 0, unless the pose is far off the ground
} ug_sheet_cell;

typedef struct ug_sheet_row {
    size_t actor;
    ug_sheet_view_kind view;
    double low_m, high_m;     ///< of all cells, the ground included where it is a line
    double top_px, bottom_px; ///< the figures' part
    double zero_px;           ///< where plane y = 0 is
    bool has_ground;          ///< a ground line, with ticks and contacts under it
    ug_sheet_cell *cells;     ///< (pose_count)
} ug_sheet_row;

typedef struct ug_sheet_block {
    double top_px, labels_px, bottom_px; ///< heading from top, labels under the rows; with a
                                         ///< fixed camera labels are under each row
} ug_sheet_block;

typedef struct ug_sheet_layout {
    double width_px, height_px;
    double unit_px; ///< 1 on a sheet 1600 wide: type, lines and margins go with it
    double left_px, cell_px;
    double px_per_m;
    size_t pose_count, row_count, block_count;
    ug_sheet_row *rows;     ///< owned
    ug_sheet_block *blocks; ///< owned, one a take
    ug_sheet_cell *cells;   ///< owned, those of all rows
} ug_sheet_layout;

/// @param label_lanes  lines of labels under each block, >= 1
/// @return UG_E_USAGE when the sheet gets too tall to be drawn; UG_E_NOMEM.
///         ug_sheet_layout_fini() it
UG_CHECKED ug_status ug_sheet_layout_make(ug_sheet_layout *layout, const ug_sheet_actor *actors,
                                          size_t count, const ug_sheet_opts *opts, ug_error *err);

void ug_sheet_layout_fini(ug_sheet_layout *layout);

/// Left edge and middle of a cell. With a fixed camera there is one cell a row, and the middle is
/// that of the sheet.
double ug_sheet_cell_left_px(const ug_sheet_layout *layout, size_t pose);
