// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet_draw.h"

#include "pipeline/report/sheet_heading.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>

static const double TICK_PX = 90; // about, between two ticks of the ground

typedef struct drawing {
    ug_pen *pen;
    const ug_sheet_layout *layout;
    const ug_sheet_theme *theme;
    const ug_sheet_opts *opts;
    double unit_px, step_m; ///< of ticks and grids
} drawing;

static void line(const drawing *d, double x0, double y0, double x1, double y1, double width,
                 ug_ink ink)
{
    cairo_move_to(d->pen, x0, y0);
    cairo_line_to(d->pen, x1, y1);
    ug_pen_set(d->pen, ink);
    cairo_set_line_width(d->pen, width * d->unit_px);
    cairo_stroke(d->pen);
}

static ug_sheet_place place_of(const drawing *d, const ug_sheet_row *row, const ug_sheet_cell *cell,
                               double left_px, double width_px)
{
    const double scale = d->layout->px_per_m;
    return (ug_sheet_place){ .x_px = left_px + 0.5 * width_px - scale * cell->middle_m,
                             .y_px = row->zero_px - scale * cell->lift_m,
                             .px_per_m = scale,
                             .unit_px = d->unit_px };
}

// Ticks stand at round places of the world, so that they move past a figure that walks.
static void draw_ground(const drawing *d, const ug_sheet_row *row, const ug_sheet_cell *cell,
                        double left_px, double width_px)
{
    const double u = d->unit_px, y = row->zero_px, scale = d->layout->px_per_m;
    line(d, left_px, y, left_px + width_px, y, 1.2, d->theme->ground);
    if (cell->empty) {
        return;
    }
    const ug_sheet_place place = place_of(d, row, cell, left_px, width_px);
    const double at = ug_vec3_dot(cell->camera.centre, cell->camera.right);
    const double from = at + (left_px - place.x_px) / scale;
    const double first = ceil(from / d->step_m);
    for (int i = 0; i < 200; i++) {
        const double world = (first + i) * d->step_m;
        const double x = ug_sheet_x(&place, world - at);
        if (!(x <= left_px + width_px) || !(fabs(first) < 1e15)) {
            break;
        }
        line(d, x, y, x, y + 3.5 * u, 1.0, d->theme->ground);
        char text[32];
        const double near_zero = 0.01 * d->step_m; // "-0" is no place
        (void)snprintf(text, sizeof text, "%.6g", fabs(world) < near_zero ? 0.0 : world);
        const double half = 0.5 * ug_pen_text_width(d->pen, 8.5 * u, false, text);
        if (x - half > left_px + 2.0 * u && x + half < left_px + width_px - 2.0 * u) {
            ug_pen_set(d->pen, d->theme->muted);
            (void)ug_pen_text(d->pen, x, y + 26.0 * u, 8.5 * u, UG_ALIGN_CENTRE, false, 0, text);
        }
    }
}

// The floor as a grid at round places, for views that look down on it.
static void draw_grid(const drawing *d, const ug_sheet_row *row, const ug_sheet_cell *cell,
                      double left_px, double width_px, double size_m)
{
    const ug_sheet_place place = place_of(d, row, cell, left_px, width_px);
    const ug_vec3 c = cell->camera.centre;
    const double step = d->step_m;
    const double reach = row->view == UG_SHEET_TOP
                             ? 1.5 * (width_px + row->bottom_px - row->top_px) / place.px_per_m
                             : fmax(0.55 * size_m, 0.5 * (cell->right_m - cell->left_m));
    if (!(fabs(c.x) + fabs(c.z) < 1e12 * step) || !(reach / step < 500.0)) {
        return;
    }
    for (int axis = 0; axis < 2; axis++) {
        const double at = axis == 0 ? c.x : c.z, other = axis == 0 ? c.z : c.x;
        for (double k = ceil((at - reach) / step); k * step <= at + reach; k += 1.0) {
            ug_vec3 a = { k * step, c.y, other - reach }, b = { k * step, c.y, other + reach };
            if (axis == 1) {
                a = (ug_vec3){ other - reach, c.y, k * step };
                b = (ug_vec3){ other + reach, c.y, k * step };
            }
            const ug_sheet_point p = ug_sheet_project(&cell->camera, a);
            const ug_sheet_point q = ug_sheet_project(&cell->camera, b);
            line(d, ug_sheet_x(&place, p.x), ug_sheet_y(&place, p.y), ug_sheet_x(&place, q.x),
                 ug_sheet_y(&place, q.y), 0.8, d->theme->line);
        }
    }
}

static void say_missing(const drawing *d, const ug_sheet_row *row, const ug_sheet_pose *pose,
                        double middle_px, double width_px)
{
    ug_pen_set(d->pen, d->theme->muted);
    (void)ug_pen_text(d->pen, middle_px, 0.5 * (row->top_px + row->bottom_px), 11 * d->unit_px,
                      UG_ALIGN_CENTRE, false, width_px - 4 * d->unit_px,
                      pose->frame < 0 ? "not in this file" : "no data");
}

static void say_lift(const drawing *d, const ug_sheet_row *row, const ug_sheet_cell *cell,
                     double middle_px, double width_px)
{
    char length[32], text[64];
    ug_sheet_say_length(length, sizeof length, fabs(cell->lift_m));
    (void)snprintf(text, sizeof text, "%s %s ground", length,
                   cell->lift_m < 0.0 ? "above" : "below");
    ug_pen_set(d->pen, d->theme->ink);
    (void)ug_pen_text(d->pen, middle_px, row->zero_px + 14 * d->unit_px, 10 * d->unit_px,
                      UG_ALIGN_CENTRE, true, width_px - 4 * d->unit_px, text);
}

static ug_status draw_cell(const drawing *d, const ug_sheet_row *row, const ug_sheet_actor *actor,
                           size_t k, double left_px, double width_px, ug_error *err)
{
    const ug_sheet_cell *cell = &row->cells[k];
    const ug_sheet_pose *pose = &actor->poses[k];
    if (cell->empty) {
        return UG_OK;
    }
    const ug_sheet_place place = place_of(d, row, cell, left_px, width_px);
    const bool lifted = cell->lift_m < 0.0 || cell->lift_m > 0.0;
    if (!row->has_ground) {
        ug_sheet_paint_discs(d->pen, actor, pose, &cell->camera, &place, d->theme);
    }
    const ug_status status =
        ug_sheet_paint_pose(d->pen, actor, pose, &cell->camera, &place, d->theme, err);
    if (row->has_ground && lifted) {
        say_lift(d, row, cell, left_px + 0.5 * width_px, width_px);
    } else if (row->has_ground) { // over the figure: a foot that sinks in must not hide them
        ug_sheet_paint_contacts(d->pen, actor, pose, &cell->camera, &place, row->zero_px, d->theme);
    }
    return status;
}

static void clip_to(const drawing *d, const ug_sheet_row *row, double left_px, double width_px)
{
    cairo_save(d->pen);
    cairo_rectangle(d->pen, left_px, row->top_px, width_px, row->bottom_px - row->top_px);
    cairo_clip(d->pen);
}

static ug_status draw_row(const drawing *d, const ug_sheet_row *row, const ug_sheet_actor *actor,
                          ug_error *err)
{
    const ug_sheet_layout *l = d->layout;
    ug_status status = UG_OK;
    size_t cells = d->opts->fixed ? 1 : l->pose_count;
    const double width = l->cell_px * (double)(d->opts->fixed ? l->pose_count : 1);
    for (size_t k = 0; k < cells && status == UG_OK; k++) {
        const double left = ug_sheet_cell_left_px(l, k);
        size_t shown = k; // with a fixed camera any pose's camera will do for the ground
        while (d->opts->fixed && shown + 1 < l->pose_count && row->cells[shown].empty) {
            shown++;
        }
        const ug_sheet_cell *cell = &row->cells[shown];
        clip_to(d, row, left, width);
        if (row->has_ground && !(cell->lift_m < 0.0 || cell->lift_m > 0.0)) {
            draw_ground(d, row, cell, left, width);
        } else if (!row->has_ground && !cell->empty) {
            draw_grid(d, row, cell, left, width, actor->size_m);
        }
        if (d->opts->fixed) {
            for (size_t p = 0; p < l->pose_count && status == UG_OK; p++) {
                status = draw_cell(d, row, actor, p, left, width, err);
            }
        } else {
            status = draw_cell(d, row, actor, k, left, width, err);
        }
        if (cell->empty) {
            say_missing(d, row, &actor->poses[shown], left + 0.5 * width, width);
        }
        cairo_restore(d->pen);
    }
    ug_pen_set(d->pen, d->theme->muted);
    (void)ug_pen_text(d->pen, l->left_px - 10 * d->unit_px, row->zero_px, 11 * d->unit_px,
                      UG_ALIGN_RIGHT, false, 0, ug_sheet_view_name(row->view));
    if (row->has_ground) {
        (void)ug_pen_text(d->pen, l->left_px - 10 * d->unit_px, row->zero_px + 26 * d->unit_px,
                          8.5 * d->unit_px, UG_ALIGN_RIGHT, false, 0, "m");
    }
    return status;
}

// Frame and time of a pose. @return false when the take does not reach
static bool say_when(char *frame, char *time, size_t capacity, const ug_sheet_actor *actor,
                     size_t k)
{
    const ug_sheet_pose *pose = &actor->poses[k];
    time[0] = '\0';
    (void)snprintf(frame, capacity, "frame %td", pose->frame);
    if (isfinite(pose->time_s)) {
        (void)snprintf(time, capacity, "%.3f s", pose->time_s);
    }
    return pose->frame >= 0;
}

// Under each cell; where cells are narrow, under as many as there is room for.
static void draw_labels(const drawing *d, size_t block, const ug_sheet_actor *actor)
{
    const ug_sheet_layout *l = d->layout;
    const double u = d->unit_px, y = l->blocks[block].labels_px;
    double taken = -INFINITY; // right end of the last one
    for (size_t k = 0; k < l->pose_count; k++) {
        char frame[48], time[48];
        if (!say_when(frame, time, sizeof frame, actor, k)) {
            continue;
        }
        const double middle = ug_sheet_cell_left_px(l, k) + 0.5 * l->cell_px;
        const double half = 0.5 * fmax(ug_pen_text_width(d->pen, 11.5 * u, true, frame),
                                       ug_pen_text_width(d->pen, 11 * u, false, time));
        if (middle - half < taken + 5 * u) {
            continue; // --json has them all
        }
        taken = middle + half;
        ug_pen_set(d->pen, d->theme->ink);
        (void)ug_pen_text(d->pen, middle, y + 14 * u, 11.5 * u, UG_ALIGN_CENTRE, true, 0, frame);
        ug_pen_set(d->pen, d->theme->muted);
        (void)ug_pen_text(d->pen, middle, y + 29 * u, 11 * u, UG_ALIGN_CENTRE, false, 0, time);
    }
}

// With a fixed camera: under the figures, on the first of three lines that is free there.
static void draw_fixed_labels(const drawing *d, const ug_sheet_row *row,
                              const ug_sheet_actor *actor)
{
    enum { LANES = 3 };
    const ug_sheet_layout *l = d->layout;
    const double u = d->unit_px;
    const double middle = l->left_px + 0.5 * l->cell_px * (double)l->pose_count;
    bool done[UG_SHEET_POSES_MAX] = { false };
    double taken[LANES] = { -INFINITY, -INFINITY, -INFINITY };
    for (;;) {
        size_t next = l->pose_count; // from left to right, whatever the order in time
        double at = INFINITY;
        for (size_t k = 0; k < l->pose_count; k++) {
            const ug_sheet_cell *c = &row->cells[k];
            const double x = middle + l->px_per_m * (0.5 * (c->left_m + c->right_m) - c->middle_m);
            if (!done[k] && !c->empty && x < at) {
                next = k;
                at = x;
            }
        }
        if (next == l->pose_count) {
            return;
        }
        done[next] = true;
        char frame[48], time[48], text[100];
        (void)say_when(frame, time, sizeof frame, actor, next);
        (void)snprintf(text, sizeof text, "%s%s%s", frame, time[0] ? ", " : "", time);
        const double half = 0.5 * ug_pen_text_width(d->pen, 10 * u, false, text);
        int lane = 0;
        while (lane < LANES && at - half < taken[lane] + 8 * u) {
            lane++;
        }
        if (lane < LANES) {
            taken[lane] = at + half;
            ug_pen_set(d->pen, d->theme->ink);
            (void)ug_pen_text(d->pen, at, row->bottom_px + (8 + 13 * lane) * u, 10 * u,
                              UG_ALIGN_CENTRE, false, 0, text);
        }
    }
}

static void draw_panel(const drawing *d, size_t block)
{
    const ug_sheet_layout *l = d->layout;
    const double u = d->unit_px, m = 12 * u;
    const double top = l->blocks[block].top_px - m, bottom = l->blocks[block].bottom_px;
    cairo_rectangle(d->pen, m, top, l->width_px - 2 * m, bottom - top);
    ug_pen_set(d->pen, d->theme->panel);
    cairo_fill_preserve(d->pen);
    ug_pen_set(d->pen, d->theme->line);
    cairo_set_line_width(d->pen, u);
    cairo_stroke(d->pen);
    const ug_sheet_row *rows = &l->rows[block * d->opts->view_count];
    const double from = rows[0].top_px, to = l->blocks[block].labels_px;
    for (size_t k = 1; k < l->pose_count && !d->opts->fixed; k++) {
        const double x = ug_sheet_cell_left_px(l, k);
        line(d, x, from, x, to, 0.8, d->theme->line);
    }
}

ug_status ug_sheet_draw(ug_pen *pen, const ug_sheet_layout *layout, const ug_sheet_actor *actors,
                        const ug_sheet_opts *opts, ug_error *err)
{
    const drawing d = { .pen = pen,
                        .layout = layout,
                        .theme = ug_sheet_theme_of(opts->dark),
                        .opts = opts,
                        .unit_px = layout->unit_px,
                        .step_m = ug_sheet_step(TICK_PX * layout->unit_px / layout->px_per_m, 1) };
    ug_pen_set(pen, d.theme->paper);
    cairo_paint(pen);
    ug_status status = UG_OK;
    for (size_t b = 0; b < layout->block_count && status == UG_OK; b++) {
        draw_panel(&d, b);
        ug_sheet_draw_heading(pen, layout, layout->blocks[b].top_px, &actors[b], d.theme);
        for (size_t v = 0; v < opts->view_count && status == UG_OK; v++) {
            const ug_sheet_row *row = &layout->rows[b * opts->view_count + v];
            status = draw_row(&d, row, &actors[b], err);
            if (opts->fixed) {
                draw_fixed_labels(&d, row, &actors[b]);
            }
        }
        if (!opts->fixed) {
            draw_labels(&d, b, &actors[b]);
        }
    }
    ug_sheet_draw_legend(pen, layout, actors, opts, d.theme);
    return status;
}
