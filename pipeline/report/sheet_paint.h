// SPDX-License-Identifier: MIT
// Ink on paper: the few things a contact sheet draws, over cairo, which stays out of this header.
#pragma once

#include "pipeline/report/sheet_actor.h"

/// cairo_t by its other name.
typedef struct _cairo ug_pen;

typedef struct ug_ink {
    double r, g, b;
} ug_ink;

typedef struct ug_sheet_theme {
    ug_ink paper, panel, line, ink, muted, ground;
    ug_ink side[3]; ///< by ug_sheet_side
    ug_ink dot[UG_SHEET_RANK_COUNT];
} ug_sheet_theme;

const ug_sheet_theme *ug_sheet_theme_of(bool dark);

ug_ink ug_ink_mix(ug_ink a, ug_ink b, double share_of_b);
void ug_pen_set(ug_pen *pen, ug_ink ink);

/// Where metres of the picture plane land: x right, y up from the origin.
typedef struct ug_sheet_place {
    double x_px, y_px; ///< of plane point (0, 0)
    double px_per_m;
    double unit_px; ///< 1 on a sheet 1600 wide: widths of lines and type
} ug_sheet_place;

static inline double ug_sheet_x(const ug_sheet_place *place, double x_m)
{
    return place->x_px + place->px_per_m * x_m;
}

static inline double ug_sheet_y(const ug_sheet_place *place, double y_m)
{
    return place->y_px - place->px_per_m * y_m;
}

typedef enum ug_align { UG_ALIGN_LEFT = 0, UG_ALIGN_CENTRE, UG_ALIGN_RIGHT } ug_align;

/// One line of text on baseline `y`; letters are cut, with an ellipsis, to fit `room` (0: any).
/// Bytes that are no UTF-8 show as '?'. Works without any font installed. @return its width
double ug_pen_text(ug_pen *pen, double x, double y, double size, ug_align align, bool bold,
                   double room, const char *text);
double ug_pen_text_width(ug_pen *pen, double size, bool bold, const char *text);

/// The figure, far parts first, then markers. Trails, where the pose has them, lie under it.
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_sheet_paint_pose(ug_pen *pen, const ug_sheet_actor *actor,
                                         const ug_sheet_pose *pose, const ug_sheet_camera *camera,
                                         const ug_sheet_place *place, const ug_sheet_theme *theme,
                                         ug_error *err);

/// Bars under resting feet, in two lanes under the ground line (left above right): solid where
/// planted, hollow where only loaded. For views in which the floor is a line.
void ug_sheet_paint_contacts(ug_pen *pen, const ug_sheet_actor *actor, const ug_sheet_pose *pose,
                             const ug_sheet_camera *camera, const ug_sheet_place *place,
                             double ground_y_px, const ug_sheet_theme *theme);

/// The same as discs on the floor, under the figure: for the other views.
void ug_sheet_paint_discs(ug_pen *pen, const ug_sheet_actor *actor, const ug_sheet_pose *pose,
                          const ug_sheet_camera *camera, const ug_sheet_place *place,
                          const ug_sheet_theme *theme);

/// A bar of a contact, as in the legend.
void ug_sheet_paint_bar(ug_pen *pen, double x0, double x1, double y, double unit_px, bool planted,
                        ug_sheet_side side, const ug_sheet_theme *theme);
