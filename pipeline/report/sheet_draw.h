// SPDX-License-Identifier: MIT
// A laid-out contact sheet onto a page.
#pragma once

#include "pipeline/report/sheet_layout.h"
#include "pipeline/report/sheet_paint.h"

/// @param actors  (layout->block_count)
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_sheet_draw(ug_pen *pen, const ug_sheet_layout *layout,
                                   const ug_sheet_actor *actors, const ug_sheet_opts *opts,
                                   ug_error *err);

/// Heading of one take.
void ug_sheet_draw_heading(ug_pen *pen, const ug_sheet_layout *layout, double top_px,
                           const ug_sheet_actor *actor, const ug_sheet_theme *theme);

/// Legend and scale bar, at the foot of the sheet.
void ug_sheet_draw_legend(ug_pen *pen, const ug_sheet_layout *layout, const ug_sheet_actor *actors,
                          const ug_sheet_opts *opts, const ug_sheet_theme *theme);
