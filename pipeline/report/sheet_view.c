// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet_view.h"

#include "motion/conventions.h"

#include <string.h>

static const char *const NAMES[UG_SHEET_VIEW_COUNT] = { "front", "side", "top", "persp" };

const char *ug_sheet_view_name(ug_sheet_view_kind kind)
{
    return NAMES[kind];
}

bool ug_sheet_view_from_name(ug_sheet_view_kind *kind, const char *name)
{
    for (int k = 0; k < UG_SHEET_VIEW_COUNT; k++) {
        if (strcmp(name, NAMES[k]) == 0) {
            *kind = (ug_sheet_view_kind)k;
            return true;
        }
    }
    return false;
}

ug_sheet_camera ug_sheet_camera_of(ug_sheet_view_kind kind, ug_vec3 facing, ug_vec3 centre,
                                   double size_m)
{
    const ug_vec3 up = { 0, 1, 0 };
    const ug_vec3 forward = ug_vec3_unit((ug_vec3){ facing.x, 0, facing.z }, (ug_vec3){ 0, 0, 1 });
    const ug_vec3 left = ug_vec3_cross(up, forward);
    ug_sheet_camera c = { .centre = centre };
    switch (kind) {
    case UG_SHEET_SIDE:
        c.right = forward;
        c.up = up;
        c.toward = ug_vec3_scale(left, -1.0);
        return c;
    case UG_SHEET_TOP:
        c.right = forward;
        c.up = left;
        c.toward = up;
        return c;
    case UG_SHEET_PERSP: {
        const double yaw = 40.0 * UG_DEG, pitch = 14.0 * UG_DEG;
        const ug_vec3 flat =
            ug_vec3_add(ug_vec3_scale(forward, cos(yaw)), ug_vec3_scale(left, -sin(yaw)));
        c.toward = ug_vec3_add(ug_vec3_scale(flat, cos(pitch)), ug_vec3_scale(up, sin(pitch)));
        c.right = ug_vec3_cross(up, flat);
        c.up = ug_vec3_cross(c.toward, c.right);
        c.distance_m = 4.0 * size_m;
        return c;
    }
    case UG_SHEET_FRONT:
    case UG_SHEET_VIEW_COUNT:
        break;
    }
    c.right = left;
    c.up = up;
    c.toward = forward;
    return c;
}

ug_sheet_point ug_sheet_project(const ug_sheet_camera *camera, ug_vec3 world_m)
{
    const ug_vec3 d = ug_vec3_sub(world_m, camera->centre);
    ug_sheet_point p = { .x = ug_vec3_dot(d, camera->right),
                         .y = ug_vec3_dot(d, camera->up),
                         .depth = ug_vec3_dot(d, camera->toward),
                         .scale = 1.0 };
    if (camera->distance_m > 0.0) {
        const double off = camera->distance_m - p.depth;
        p.scale = camera->distance_m / fmax(off, 0.2 * camera->distance_m);
        p.x *= p.scale;
        p.y *= p.scale;
    }
    return p;
}

double ug_sheet_step(double length, double count)
{
    const double raw = length / count;
    if (!(raw > 1e-300) || !isfinite(raw)) {
        return 1.0;
    }
    const double decade = pow(10.0, floor(log10(raw)));
    const double lead = raw / decade;
    // nearest in ratio: the bounds are the geometric means of neighbours
    return decade * (lead < 1.4142 ? 1.0 : lead < 3.1623 ? 2.0 : lead < 7.0711 ? 5.0 : 10.0);
}
