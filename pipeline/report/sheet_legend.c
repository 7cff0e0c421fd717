// SPDX-License-Identifier: MIT
// The words and the key of a contact sheet.
#include "pipeline/report/sheet_draw.h"
#include "pipeline/report/sheet_heading.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>

void ug_sheet_draw_heading(ug_pen *pen, const ug_sheet_layout *layout, double top_px,
                           const ug_sheet_actor *actor, const ug_sheet_theme *theme)
{
    const double u = layout->unit_px, x = 28 * u, room = layout->width_px - 2 * x;
    char text[400];
    ug_pen_set(pen, theme->ink);
    (void)ug_pen_text(pen, x, top_px + 16 * u, 17 * u, UG_ALIGN_LEFT, true, room, actor->in.name);
    ug_sheet_say_take(text, sizeof text, actor);
    ug_pen_set(pen, theme->muted);
    (void)ug_pen_text(pen, x, top_px + 36 * u, 12 * u, UG_ALIGN_LEFT, false, room, text);
    ug_sheet_say_figures(text, sizeof text, actor->in.take);
    (void)ug_pen_text(pen, x, top_px + 54 * u, 12 * u, UG_ALIGN_LEFT, false, room, text);
    ug_sheet_say_ground(text, sizeof text, actor);
    const double width = ug_pen_text_width(pen, 11 * u, false, text);
    (void)ug_pen_text(pen, layout->width_px - x, top_px + 16 * u, 11 * u, UG_ALIGN_RIGHT, false,
                      fmin(room, width + 1), text);
}

// What of the key is needed: only what the sheet shows.
typedef struct shown {
    bool sides, planted, loaded, rank[UG_SHEET_RANK_COUNT];
} shown;

static shown look(const ug_sheet_actor *actors, size_t count)
{
    shown s = { 0 };
    for (size_t a = 0; a < count; a++) {
        for (size_t i = 0; actors[a].body && i < actors[a].body->part_count; i++) {
            s.sides = s.sides || actors[a].body->parts[i].side != UG_SHEET_MIDDLE;
        }
        for (size_t k = 0; k < actors[a].pose_count; k++) {
            const ug_sheet_pose *pose = &actors[a].poses[k];
            s.planted = s.planted || pose->planted;
            s.loaded = s.loaded || (pose->loaded & ~pose->planted);
            for (size_t i = 0; i < pose->dot_count; i++) {
                s.rank[pose->dots[i].rank] = true;
            }
        }
    }
    return s;
}

static double key(ug_pen *pen, double x, double y, double u, const ug_sheet_theme *theme,
                  const char *text)
{
    ug_pen_set(pen, theme->muted);
    return x + ug_pen_text(pen, x, y, 11 * u, UG_ALIGN_LEFT, false, 0, text) + 18 * u;
}

static void blob(ug_pen *pen, double x, double y, double r, ug_ink ink)
{
    cairo_arc(pen, x, y, r, 0, 2 * M_PI);
    ug_pen_set(pen, ink);
    cairo_fill(pen);
}

static void draw_scale_bar(ug_pen *pen, const ug_sheet_layout *layout, double y,
                           const ug_sheet_theme *theme)
{
    const double u = layout->unit_px, right = layout->width_px - 28 * u;
    const double length_m = ug_sheet_step(120 * u / layout->px_per_m, 1);
    const double left = right - length_m * layout->px_per_m;
    char text[32];
    ug_sheet_say_length(text, sizeof text, length_m);
    ug_pen_set(pen, theme->ink);
    cairo_set_line_width(pen, 1.6 * u);
    cairo_move_to(pen, left, y - 4 * u);
    cairo_line_to(pen, left, y + 4 * u);
    cairo_move_to(pen, left, y);
    cairo_line_to(pen, right, y);
    cairo_move_to(pen, right, y - 4 * u);
    cairo_line_to(pen, right, y + 4 * u);
    cairo_stroke(pen);
    (void)ug_pen_text(pen, 0.5 * (left + right), y - 8 * u, 11 * u, UG_ALIGN_CENTRE, false, 0,
                      text);
}

void ug_sheet_draw_legend(ug_pen *pen, const ug_sheet_layout *layout, const ug_sheet_actor *actors,
                          const ug_sheet_opts *opts, const ug_sheet_theme *theme)
{
    const double u = layout->unit_px, base = layout->height_px - 42 * u, mid = base - 4 * u;
    const shown s = look(actors, layout->block_count);
    double x = 28 * u;
    if (s.sides) {
        blob(pen, x + 5 * u, mid, 5 * u, theme->side[UG_SHEET_LEFT]);
        x = key(pen, x + 15 * u, base, u, theme, "left");
        blob(pen, x + 5 * u, mid, 5 * u, theme->side[UG_SHEET_RIGHT]);
        x = key(pen, x + 15 * u, base, u, theme, "right");
    }
    if (s.planted) {
        ug_sheet_paint_bar(pen, x, x + 22 * u, mid, u, true, UG_SHEET_LEFT, theme);
        x = key(pen, x + 28 * u, base, u, theme, "foot planted");
    }
    if (s.loaded) {
        ug_sheet_paint_bar(pen, x, x + 22 * u, mid, u, false, UG_SHEET_LEFT, theme);
        x = key(pen, x + 28 * u, base, u, theme, "carries load");
    }
    for (int rank = 0; rank < UG_SHEET_RANK_COUNT; rank++) {
        if (s.rank[rank]) {
            blob(pen, x + 3 * u, mid, 3 * u, theme->dot[rank]);
            x = key(pen, x + 11 * u, base, u, theme, ug_sheet_rank_name((ug_sheet_rank)rank));
        }
    }
    char text[200];
    (void)snprintf(text, sizeof text,
                   "%s; seen along %s facing: front in the face, side with it going to the right; "
                   "ticks in metres of the world",
                   opts->fixed ? "the camera stands still" : "the camera goes along",
                   opts->each_facing ? "each pose's" : "the mean");
    ug_pen_set(pen, theme->muted);
    (void)ug_pen_text(pen, 28 * u, base + 18 * u, 10 * u, UG_ALIGN_LEFT, false,
                      layout->width_px - 260 * u, text);
    draw_scale_bar(pen, layout, base + 6 * u, theme);
}
