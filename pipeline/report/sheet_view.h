// SPDX-License-Identifier: MIT
// From the world to the picture plane of a contact sheet: front, side, top and a perspective.
//
// Everything is in metres; pixels come with the layout. A view is set up about the way a
// character faces: the front view looks it in the eye (its left is on the right of the picture),
// the side view has it go to the right, the top view keeps that and has its left at the top.
#pragma once

#include "motion/vec3.h"

#include <stdbool.h>

typedef enum ug_sheet_view_kind {
    UG_SHEET_FRONT = 0,
    UG_SHEET_SIDE = 1,
    UG_SHEET_TOP = 2,
    UG_SHEET_PERSP = 3, ///< from ahead, its right and above, with perspective
    UG_SHEET_VIEW_COUNT
} ug_sheet_view_kind;

/// "front" …; static text.
const char *ug_sheet_view_name(ug_sheet_view_kind kind);

/// Inverse. @return false when there is no such view
bool ug_sheet_view_from_name(ug_sheet_view_kind *kind, const char *name);

typedef struct ug_sheet_camera {
    ug_vec3 right, up, toward; ///< unit, world: along the picture, and out of it to the eye
    ug_vec3 centre;            ///< world point that lands on (0, 0)
    double distance_m;         ///< of the eye from the centre; 0: parallel
} ug_sheet_camera;

/// A point on the picture plane.
typedef struct ug_sheet_point {
    double x, y;  ///< metres, y up
    double depth; ///< metres towards the eye
    double scale; ///< picture length of a metre there; 1 in parallel views
} ug_sheet_point;

/// @param facing  horizontal, any length; +Z where it has none
/// @param size_m  how large what is looked at is: the eye of the perspective stands 4 of it away
ug_sheet_camera ug_sheet_camera_of(ug_sheet_view_kind kind, ug_vec3 facing, ug_vec3 centre,
                                   double size_m);

/// What is behind the eye, or nearly, is held a fifth of the distance in front of it.
ug_sheet_point ug_sheet_project(const ug_sheet_camera *camera, ug_vec3 world_m);

/// True where a horizontal floor is a line: front and side.
static inline bool ug_sheet_view_is_upright(ug_sheet_view_kind kind)
{
    return kind == UG_SHEET_FRONT || kind == UG_SHEET_SIDE;
}

/// A round step (1, 2 or 5 times a power of ten) of which about `count` make `length`; 1 for a
/// length that is not positive and finite.
double ug_sheet_step(double length, double count);
