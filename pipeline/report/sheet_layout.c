// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet_layout.h"

#include <stdlib.h>

// in units of 1/1600 of the width
static const double MARGIN = 28, TAG = 52, HEADING = 74, GROUND = 34, GAP = 14, LABELS = 40;
static const double BETWEEN = 18, FOOTER = 64;
static const double FILL = 0.9;         // share of a cell that the widest pose takes
static const double ROW_HIGH = 0.36;    // of the width: no row is taller than this
static const double AFAR = 2.5;         // sizes off the ground beyond which it is not shown
static const double TALLEST_PX = 30000; // cairo ends at 32767

static void extent_of(ug_sheet_cell *cell, const ug_sheet_actor *actor, const ug_sheet_pose *pose)
{
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; pose->spheres && i < actor->sphere_count; i++) {
        const ug_sheet_point p = ug_sheet_project(&cell->camera, pose->spheres[i].at_m);
        const double r = p.scale * pose->spheres[i].radius_m;
        if (isfinite(p.x) && isfinite(p.y)) {
            left = fmin(left, p.x - r);
            right = fmax(right, p.x + r);
            low = fmin(low, p.y - r);
            high = fmax(high, p.y + r);
        }
    }
    for (size_t i = 0; !pose->spheres && i < pose->dot_count; i++) {
        const ug_sheet_point p = ug_sheet_project(&cell->camera, pose->dots[i].at_m);
        if (!pose->dots[i].stray) {
            left = fmin(left, p.x);
            right = fmax(right, p.x);
            low = fmin(low, p.y);
            high = fmax(high, p.y);
        }
    }
    cell->empty = !(left <= right);
    cell->left_m = left;
    cell->right_m = right;
    cell->low_m = low;
    cell->high_m = high;
}

static ug_vec3 centre_of(ug_vec3 low, ug_vec3 high, double ground_m)
{
    return (ug_vec3){ 0.5 * (low.x + high.x), ground_m, 0.5 * (low.z + high.z) };
}

// Box of all poses: what a camera that stands still looks at.
static ug_vec3 common_centre(const ug_sheet_actor *actor, double *size_m)
{
    bool any = false;
    ug_vec3 low = { 0 }, high = { 0 };
    for (size_t k = 0; k < actor->pose_count; k++) {
        const ug_sheet_pose *p = &actor->poses[k];
        if (p->frame < 0 || p->empty) {
            continue;
        }
        low = any ? (ug_vec3){ fmin(low.x, p->low_m.x), fmin(low.y, p->low_m.y),
                               fmin(low.z, p->low_m.z) }
                  : p->low_m;
        high = any ? (ug_vec3){ fmax(high.x, p->high_m.x), fmax(high.y, p->high_m.y),
                                fmax(high.z, p->high_m.z) }
                   : p->high_m;
        any = true;
    }
    *size_m = ug_vec3_distance(low, high);
    return centre_of(low, high, actor->ground_m);
}

static void lift(ug_sheet_cell *cell, const ug_sheet_actor *actor)
{
    const double reach = AFAR * actor->size_m;
    if (cell->low_m > reach || cell->high_m < -reach) {
        cell->lift_m = -cell->low_m;
        cell->high_m += cell->lift_m;
        cell->low_m = 0.0;
    }
}

static void make_row(ug_sheet_row *row, const ug_sheet_actor *actor, const ug_sheet_opts *opts)
{
    const bool fixed = opts->fixed;
    double size_m = actor->size_m, left = INFINITY, right = -INFINITY;
    const ug_vec3 common = common_centre(actor, &size_m);
    const bool upright = ug_sheet_view_is_upright(row->view);
    row->has_ground = upright;
    row->low_m = row->high_m = 0.0;
    bool any = false;
    for (size_t k = 0; k < actor->pose_count; k++) {
        const ug_sheet_pose *pose = &actor->poses[k];
        ug_sheet_cell *cell = &row->cells[k];
        *cell = (ug_sheet_cell){ .empty = true };
        if (pose->frame < 0 || pose->empty) {
            continue;
        }
        const bool turn = opts->each_facing && !fixed && ug_vec3_norm(pose->facing) > 0.0;
        const ug_vec3 centre =
            fixed ? common : centre_of(pose->low_m, pose->high_m, actor->ground_m);
        cell->camera = ug_sheet_camera_of(row->view, turn ? pose->facing : actor->facing, centre,
                                          fixed ? size_m : actor->size_m);
        extent_of(cell, actor, pose);
        if (cell->empty) {
            continue;
        }
        if (!fixed) {
            lift(cell, actor);
        }
        cell->middle_m = 0.5 * (cell->left_m + cell->right_m);
        left = fmin(left, cell->left_m);
        right = fmax(right, cell->right_m);
        row->low_m = any || upright ? fmin(row->low_m, cell->low_m) : cell->low_m;
        row->high_m = any || upright ? fmax(row->high_m, cell->high_m) : cell->high_m;
        any = true;
    }
    for (size_t k = 0; fixed && k < actor->pose_count; k++) {
        row->cells[k].middle_m = 0.5 * (left + right);
    }
}

// Pixels a metre: what the widest cell and the tallest row allow.
static double scale_of(const ug_sheet_layout *l, const ug_sheet_actor *actors, bool fixed)
{
    const double panel_px = l->cell_px * (double)(fixed ? l->pose_count : 1);
    double scale = INFINITY, size_m = 0.0;
    for (size_t i = 0; i < l->row_count; i++) {
        const ug_sheet_row *row = &l->rows[i];
        double left = INFINITY, right = -INFINITY;
        for (size_t k = 0; k < l->pose_count; k++) {
            const ug_sheet_cell *c = &row->cells[k];
            if (c->empty) {
                continue;
            }
            left = fixed ? fmin(left, c->left_m) : 0.0;
            right = fixed ? fmax(right, c->right_m) : fmax(right, c->right_m - c->left_m);
        }
        if (right > left) {
            scale = fmin(scale, FILL * panel_px / (right - left));
        }
        if (row->high_m > row->low_m) {
            scale = fmin(scale, ROW_HIGH * l->width_px / (row->high_m - row->low_m));
        }
        size_m = fmax(size_m, actors[row->actor].size_m);
    }
    // points of no extent: any scale shows them
    return isfinite(scale) ? scale : FILL * panel_px / (size_m > 0.0 ? size_m : 1.0);
}

static void stack(ug_sheet_layout *l, const ug_sheet_opts *opts)
{
    const double u = l->unit_px;
    double y = MARGIN * u;
    for (size_t b = 0; b < l->block_count; b++) {
        ug_sheet_block *block = &l->blocks[b];
        block->top_px = y;
        y += HEADING * u;
        for (size_t v = 0; v < opts->view_count; v++) {
            ug_sheet_row *row = &l->rows[b * opts->view_count + v];
            row->top_px = y;
            y += GAP * u + fmax(l->px_per_m * (row->high_m - row->low_m), 3.0 * GAP * u);
            row->zero_px = floor(y + l->px_per_m * row->low_m) + 0.5; // a crisp line
            y += row->has_ground ? GROUND * u : GAP * u;
            row->bottom_px = y;
            y += opts->fixed ? LABELS * u : 0.0;
        }
        block->labels_px = y;
        y += (opts->fixed ? GAP : LABELS) * u; // a camera that stands still has them by the row
        block->bottom_px = y;
        y += BETWEEN * u;
    }
    l->height_px = ceil(y + FOOTER * u);
}

ug_status ug_sheet_layout_make(ug_sheet_layout *layout, const ug_sheet_actor *actors, size_t count,
                               const ug_sheet_opts *opts, ug_error *err)
{
    const size_t poses = actors[0].pose_count, rows = count * opts->view_count;
    const double unit = fmin(fmax(opts->width_px / 1600.0, 0.7), 3.0);
    *layout = (ug_sheet_layout){ .width_px = opts->width_px,
                                 .unit_px = unit,
                                 .pose_count = poses,
                                 .row_count = rows,
                                 .block_count = count };
    layout->rows = calloc(rows, sizeof *layout->rows);
    layout->blocks = calloc(count, sizeof *layout->blocks);
    layout->cells = calloc(rows * poses + 1, sizeof *layout->cells);
    if (!layout->rows || !layout->blocks || !layout->cells) {
        ug_sheet_layout_fini(layout);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    layout->left_px = (MARGIN + TAG) * unit;
    layout->cell_px = (layout->width_px - layout->left_px - MARGIN * unit) / (double)poses;
    for (size_t i = 0; i < rows; i++) {
        layout->rows[i].actor = i / opts->view_count;
        layout->rows[i].view = opts->views[i % opts->view_count];
        layout->rows[i].cells = layout->cells + i * poses;
        make_row(&layout->rows[i], &actors[layout->rows[i].actor], opts);
    }
    layout->px_per_m = scale_of(layout, actors, opts->fixed);
    stack(layout, opts);
    if (!(layout->height_px <= TALLEST_PX)) {
        const double height = layout->height_px;
        ug_sheet_layout_fini(layout);
        return ug_fail(err, UG_E_USAGE,
                       "the sheet would be %.0f pixels tall, %.0f is the most: fewer files or "
                       "views, or a smaller --width",
                       height, TALLEST_PX);
    }
    return UG_OK;
}

void ug_sheet_layout_fini(ug_sheet_layout *layout)
{
    free(layout->rows);
    free(layout->blocks);
    free(layout->cells);
    *layout = (ug_sheet_layout){ 0 };
}

double ug_sheet_cell_left_px(const ug_sheet_layout *layout, size_t pose)
{
    return layout->left_px + layout->cell_px * (double)pose;
}
