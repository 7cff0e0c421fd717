// SPDX-License-Identifier: MIT
// One pose on paper: hulls of spheres from far to near, then markers; and what is under the feet.
#include "pipeline/report/sheet_paint.h"

#include <cairo.h>
#include <math.h>
#include <stdlib.h>

enum { RIM_MAX = 28 };
static const double FOG = 0.45;     // how far the farthest part fades into the paper
static const double SMALLEST = 0.7; // px: what is thinner would not be seen
static const double FAR_PX = 30000; // cairo counts in 24.8 fixed point: stay well inside

typedef struct spot {
    double x, y, r; // px
} spot;

// A part as it will be drawn.
typedef struct shape {
    size_t part, sphere; // its own index, and that of its first sphere
    double depth;
} shape;

static int far_first(const void *a, const void *b)
{
    const shape *p = a, *q = b;
    if (p->depth != q->depth) {
        return p->depth < q->depth ? -1 : 1;
    }
    return (p->part > q->part) - (p->part < q->part);
}

static double clamp_px(double v)
{
    return fmin(fmax(v, -FAR_PX), FAR_PX);
}

static int by_x(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    const double d = p->x != q->x ? p->x - q->x : p->y - q->y;
    return (d > 0) - (d < 0);
}

static double turn(spot o, spot a, spot b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// Path around circles: the convex hull of points on their rims (Andrew 1979, monotone chain).
static void hull_path(ug_pen *pen, const spot *spots, int count)
{
    spot rim[UG_SHEET_SPHERES_MAX * RIM_MAX], hull[UG_SHEET_SPHERES_MAX * RIM_MAX + 1];
    int n = 0, h = 0;
    for (int i = 0; i < count; i++) {
        const int steps = spots[i].r < 2.0 ? 8 : spots[i].r < 8.0 ? 16 : RIM_MAX;
        for (int k = 0; k < steps; k++) {
            const double a = 2.0 * M_PI * k / steps;
            rim[n++] =
                (spot){ spots[i].x + spots[i].r * cos(a), spots[i].y + spots[i].r * sin(a), 0.0 };
        }
    }
    qsort(rim, (size_t)n, sizeof *rim, by_x);
    for (int i = 0; i < n; i++) {
        while (h >= 2 && turn(hull[h - 2], hull[h - 1], rim[i]) <= 0.0) {
            h--;
        }
        hull[h++] = rim[i];
    }
    for (int i = n - 2, lower = h + 1; i >= 0; i--) {
        while (h >= lower && turn(hull[h - 2], hull[h - 1], rim[i]) <= 0.0) {
            h--;
        }
        hull[h++] = rim[i];
    }
    for (int i = 0; i + 1 < h; i++) {
        cairo_line_to(pen, hull[i].x, hull[i].y);
    }
    cairo_close_path(pen);
}

static void paint_part(ug_pen *pen, const spot *spots, int count, double unit_px, ug_ink fill,
                       const ug_sheet_theme *theme)
{
    hull_path(pen, spots, count);
    cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND);
    ug_pen_set(pen, theme->panel); // a rim of paper parts it from what is behind
    cairo_set_line_width(pen, 2.6 * unit_px);
    cairo_stroke_preserve(pen);
    ug_pen_set(pen, fill);
    cairo_fill_preserve(pen);
    ug_pen_set(pen, ug_ink_mix(fill, theme->ink, 0.35));
    cairo_set_line_width(pen, 0.7 * unit_px);
    cairo_stroke(pen);
}

static void paint_trails(ug_pen *pen, const ug_sheet_actor *actor, const ug_sheet_pose *pose,
                         const ug_sheet_camera *camera, const ug_sheet_place *place,
                         const ug_sheet_theme *theme)
{
    static const ug_sheet_side SIDES[UG_SHEET_TRAILS] = { UG_SHEET_MIDDLE, UG_SHEET_LEFT,
                                                          UG_SHEET_RIGHT, UG_SHEET_LEFT,
                                                          UG_SHEET_RIGHT };
    cairo_set_line_cap(pen, CAIRO_LINE_CAP_ROUND);
    for (int t = 0; t < UG_SHEET_TRAILS && pose->trails; t++) {
        const ug_vec3 *way = pose->trails + t * UG_SHEET_TRAIL_STEPS;
        for (int s = 1; s < UG_SHEET_TRAIL_STEPS && actor->trail_joint[t] >= 0; s++) {
            if (!ug_vec3_is_finite(way[s - 1]) || !ug_vec3_is_finite(way[s])) {
                continue;
            }
            const ug_sheet_point a = ug_sheet_project(camera, way[s - 1]);
            const ug_sheet_point b = ug_sheet_project(camera, way[s]);
            const double age = 1.0 - (double)s / UG_SHEET_TRAIL_STEPS;
            cairo_move_to(pen, clamp_px(ug_sheet_x(place, a.x)), clamp_px(ug_sheet_y(place, a.y)));
            cairo_line_to(pen, clamp_px(ug_sheet_x(place, b.x)), clamp_px(ug_sheet_y(place, b.y)));
            ug_pen_set(pen, ug_ink_mix(theme->side[SIDES[t]], theme->panel, 0.25 + 0.65 * age));
            cairo_set_line_width(pen, 1.6 * place->unit_px);
            cairo_stroke(pen);
        }
    }
}

static void paint_dots(ug_pen *pen, const ug_sheet_actor *actor, const ug_sheet_pose *pose,
                       const ug_sheet_camera *camera, const ug_sheet_place *place,
                       const ug_sheet_theme *theme)
{
    const double r = (actor->has_motion ? 1.9 : 3.0) * place->unit_px;
    for (size_t i = 0; i < pose->dot_count; i++) {
        const ug_sheet_point p = ug_sheet_project(camera, pose->dots[i].at_m);
        cairo_arc(pen, clamp_px(ug_sheet_x(place, p.x)), clamp_px(ug_sheet_y(place, p.y)), r, 0,
                  2.0 * M_PI);
        ug_pen_set(pen, theme->panel);
        cairo_set_line_width(pen, 1.4 * place->unit_px);
        cairo_stroke_preserve(pen);
        ug_pen_set(pen, theme->dot[pose->dots[i].rank]);
        cairo_fill(pen);
    }
}

// Project every part that is wholly known. @return how many
static size_t arrange(shape *shapes, double *nearest, double *farthest, const ug_sheet_actor *actor,
                      const ug_sheet_pose *pose, const ug_sheet_camera *camera)
{
    size_t n = 0, sphere = 0;
    *nearest = -INFINITY;
    *farthest = INFINITY;
    for (size_t i = 0; i < actor->body->part_count; i++) {
        const int count = actor->body->parts[i].count;
        double depth = 0.0;
        for (int k = 0; k < count; k++) {
            depth += ug_sheet_project(camera, pose->spheres[sphere + (size_t)k].at_m).depth / count;
        }
        if (isfinite(depth)) {
            shapes[n++] = (shape){ i, sphere, depth };
            *nearest = fmax(*nearest, depth);
            *farthest = fmin(*farthest, depth);
        }
        sphere += (size_t)count;
    }
    qsort(shapes, n, sizeof *shapes, far_first);
    return n;
}

ug_status ug_sheet_paint_pose(ug_pen *pen, const ug_sheet_actor *actor, const ug_sheet_pose *pose,
                              const ug_sheet_camera *camera, const ug_sheet_place *place,
                              const ug_sheet_theme *theme, ug_error *err)
{
    paint_trails(pen, actor, pose, camera, place, theme);
    if (pose->spheres) {
        double nearest, farthest;
        shape *shapes = malloc((actor->body->part_count + 1) * sizeof *shapes);
        if (!shapes) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        const size_t n = arrange(shapes, &nearest, &farthest, actor, pose, camera);
        // a figure of no depth to speak of stays in full colour
        const double range = fmax(nearest - farthest, 0.25 * actor->size_m);
        for (size_t i = 0; i < n; i++) {
            const ug_sheet_part *part = &actor->body->parts[shapes[i].part];
            spot spots[UG_SHEET_SPHERES_MAX];
            for (int k = 0; k < part->count; k++) {
                const ug_sheet_sphere *s = &pose->spheres[shapes[i].sphere + (size_t)k];
                const ug_sheet_point p = ug_sheet_project(camera, s->at_m);
                spots[k] = (spot){
                    clamp_px(ug_sheet_x(place, p.x)), clamp_px(ug_sheet_y(place, p.y)),
                    fmin(fmax(place->px_per_m * p.scale * s->radius_m, SMALLEST * place->unit_px),
                         FAR_PX)
                };
            }
            const double fog = range > 0.0 ? FOG * (nearest - shapes[i].depth) / range : 0.0;
            paint_part(pen, spots, part->count, place->unit_px,
                       ug_ink_mix(theme->side[part->side], theme->panel, fog), theme);
        }
        free(shapes);
    }
    paint_dots(pen, actor, pose, camera, place, theme);
    return UG_OK;
}

// ---- contacts ----------------------------------------------------------------------------------

void ug_sheet_paint_bar(ug_pen *pen, double x0, double x1, double y, double unit_px, bool planted,
                        ug_sheet_side side, const ug_sheet_theme *theme)
{
    const double r = 2.4 * unit_px;
    cairo_new_sub_path(pen);
    cairo_arc(pen, clamp_px(x0) + r, y, r, 0.5 * M_PI, 1.5 * M_PI);
    cairo_arc(pen, fmax(clamp_px(x1), clamp_px(x0) + 2.0 * r) - r, y, r, -0.5 * M_PI, 0.5 * M_PI);
    cairo_close_path(pen);
    ug_pen_set(pen, theme->panel);
    cairo_set_line_width(pen, 3.0 * unit_px);
    cairo_stroke_preserve(pen);
    ug_pen_set(pen, planted ? theme->side[side] : theme->panel);
    cairo_fill_preserve(pen);
    ug_pen_set(pen, theme->side[side]);
    cairo_set_line_width(pen, unit_px);
    cairo_stroke(pen);
}

static ug_sheet_side side_of(int point)
{
    return point == UG_POINT_LEFT_HEEL || point == UG_POINT_LEFT_TOE || point == UG_POINT_LEFT_HAND
               ? UG_SHEET_LEFT
               : UG_SHEET_RIGHT;
}

void ug_sheet_paint_contacts(ug_pen *pen, const ug_sheet_actor *actor, const ug_sheet_pose *pose,
                             const ug_sheet_camera *camera, const ug_sheet_place *place,
                             double ground_y_px, const ug_sheet_theme *theme)
{
    const double half = 0.022 * actor->size_m, u = place->unit_px;
    for (int kind = 0; kind < 2; kind++) { // loaded first: planted says more and lies over it
        const unsigned set = kind == 0 ? pose->loaded : pose->planted;
        for (int foot = 0; foot < 2; foot++) {
            double x0 = INFINITY, x1 = -INFINITY; // heel and toe of a foot share a bar
            for (int which = 0; which < 2; which++) {
                const int point = 2 * foot + which;
                if (set & 1u << point) {
                    const double x = ug_sheet_project(camera, pose->touch_m[point]).x;
                    x0 = fmin(x0, x - half);
                    x1 = fmax(x1, x + half);
                }
            }
            if (x0 <= x1) {
                ug_sheet_paint_bar(pen, ug_sheet_x(place, x0), ug_sheet_x(place, x1),
                                   ground_y_px + (foot == 0 ? 5.0 : 11.5) * u, u, kind == 1,
                                   side_of(2 * foot), theme);
            }
        }
    }
    for (int point = UG_POINT_LEFT_HAND; point < UG_CONTACT_POINT_COUNT; point++) {
        if ((pose->planted | pose->loaded) & 1u << point) { // a hand rests anywhere: a ring there
            const ug_sheet_point p = ug_sheet_project(camera, pose->touch_m[point]);
            cairo_arc(pen, clamp_px(ug_sheet_x(place, p.x)), clamp_px(ug_sheet_y(place, p.y)),
                      6.0 * u, 0, 2.0 * M_PI);
            ug_pen_set(pen, theme->side[side_of(point)]);
            cairo_set_line_width(pen, (pose->planted & 1u << point ? 2.0 : 1.0) * u);
            cairo_stroke(pen);
        }
    }
}

void ug_sheet_paint_discs(ug_pen *pen, const ug_sheet_actor *actor, const ug_sheet_pose *pose,
                          const ug_sheet_camera *camera, const ug_sheet_place *place,
                          const ug_sheet_theme *theme)
{
    for (int point = 0; point < UG_CONTACT_POINT_COUNT; point++) {
        if (!((pose->planted | pose->loaded) & 1u << point)) {
            continue;
        }
        const ug_sheet_point p = ug_sheet_project(camera, pose->touch_m[point]);
        const double r = fmax(0.04 * actor->size_m * place->px_per_m * p.scale, 2.0);
        cairo_save(pen);
        cairo_translate(pen, clamp_px(ug_sheet_x(place, p.x)), clamp_px(ug_sheet_y(place, p.y)));
        // the floor as it is seen: flat discs from the side, round ones from above
        cairo_scale(pen, 1.0, fmax(fabs(camera->toward.y), 0.1));
        cairo_arc(pen, 0, 0, fmin(r, FAR_PX), 0, 2.0 * M_PI);
        cairo_restore(pen);
        ug_pen_set(pen, ug_ink_mix(theme->side[side_of(point)], theme->panel, 0.35));
        if (pose->planted & 1u << point) {
            cairo_fill_preserve(pen);
        }
        cairo_set_line_width(pen, place->unit_px);
        cairo_stroke(pen);
    }
}
