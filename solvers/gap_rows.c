// SPDX-License-Identifier: MIT
#include "solvers/gap_rows.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The two ends of a stretch.
typedef struct ends {
    size_t frame[2];       ///< before and after; an open end's is the other's
    ug_gap_place place[2]; ///< of the company's frame there
    bool known[2];
    double span;      ///< frames from one to the other
    ug_vec3 slope[2]; ///< of the marker, in the frame, per video frame, forwards
    ug_vec3 path[2];  ///< the same in world axes
} ends;

bool ug_gap_rows_init(ug_gap_rows *rows, size_t count, size_t stretches)
{
    memset(rows, 0, sizeof *rows);
    rows->x = calloc(count * UG_GAP_COLUMNS_MAX + 1, sizeof *rows->x);
    rows->y = calloc(3 * count + 1, sizeof *rows->y);
    rows->near = calloc(3 * UG_GAP_NEAR * count + 1, sizeof *rows->near);
    rows->path = calloc(3 * UG_GAP_PATHS * count + 1, sizeof *rows->path);
    rows->line = calloc(3 * count + 1, sizeof *rows->line);
    rows->share = calloc(count + 1, sizeof *rows->share);
    rows->place = calloc(count + 1, sizeof *rows->place);
    rows->ends = calloc(6 * UG_GAP_NEAR * stretches + 1, sizeof *rows->ends);
    return rows->x && rows->y && rows->near && rows->path && rows->line && rows->share &&
           rows->place && rows->ends;
}

void ug_gap_rows_fini(ug_gap_rows *rows)
{
    free(rows->x);
    free(rows->y);
    free(rows->near);
    free(rows->path);
    free(rows->line);
    free(rows->share);
    free(rows->place);
    free(rows->ends);
    memset(rows, 0, sizeof *rows);
}

void ug_gap_rows_start(ug_gap_rows *rows, const ug_gap_company *company)
{
    const size_t n = company->feature_count;
    rows->count = rows->stretches = 0;
    rows->columns = UG_GAP_TANGENTS + 3 * n;
    const size_t near = company->sound_count;
    rows->near_columns = 3 * (near < UG_GAP_NEAR ? near : UG_GAP_NEAR);
}

static void put(double *out, ug_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

// Slopes of the marker at one end over what is there of three frames beyond it.
static void measure_slope(ends *e, int side, const ug_gap_scene *scene, const ug_gap_company *c)
{
    const size_t end = e->frame[side], step = side == 0 ? (size_t)-1 : 1;
    size_t far = end;
    for (int k = 0; k < UG_GAP_SLOPE_FRAMES; k++) {
        const size_t f = far + step; // below frame 0 wraps round to a huge number
        bool good = f < scene->frame_count && ug_scene_state(scene, f, c->marker) == UG_SCENE_SEEN;
        for (size_t i = 0; good && i < c->frame.count; i++) {
            good = ug_scene_state(scene, f, c->frame.markers[i]) != UG_SCENE_MISSING;
        }
        if (!good) {
            break;
        }
        far = f;
    }
    e->slope[side] = e->path[side] = (ug_vec3){ 0 };
    if (far == end) {
        return;
    }
    const ug_gap_place place = ug_gap_frame_place(&c->frame, scene, far);
    const ug_vec3 here = ug_scene_mm(scene, end, c->marker);
    const ug_vec3 there = ug_scene_mm(scene, far, c->marker);
    const double per_frame = 1.0 / ((double)far - (double)end);
    e->path[side] = ug_vec3_scale(ug_vec3_sub(there, here), per_frame);
    e->slope[side] = ug_vec3_scale(
        ug_vec3_sub(ug_gap_place_local(&place, there), ug_gap_place_local(&e->place[side], here)),
        per_frame);
}

static ends find_ends(const ug_gap_scene *scene, const ug_gap_company *c, const ug_gap *at)
{
    ends e = { .known = { at->has_start, at->has_end }, .span = (double)ug_gap_length(at) + 1.0 };
    e.frame[0] = at->has_start ? at->first - 1 : at->last + 1;
    e.frame[1] = at->has_end ? at->last + 1 : e.frame[0];
    for (int side = 0; side < 2; side++) {
        e.place[side] = ug_gap_frame_place(&c->frame, scene, e.frame[side]);
    }
    for (int side = 0; side < 2; side++) {
        if (e.known[side]) {
            measure_slope(&e, side, scene, c);
        }
    }
    return e;
}

static ug_vec3 local(const ug_gap_scene *scene, const ug_gap_place *place, size_t f, size_t m)
{
    return ug_gap_place_local(place, ug_scene_mm(scene, f, m));
}

// The straight line of marker m between the ends, in the frame.
static ug_vec3 line_of(const ug_gap_scene *scene, const ends *e, size_t m, double u)
{
    return ug_vec3_lerp(local(scene, &e->place[0], e->frame[0], m),
                        local(scene, &e->place[1], e->frame[1], m), u);
}

// How much of an end's slope is left at share u: 1 at its end with slope 0 at the other.
static double tangent(const ends *e, int side, double u)
{
    return !e->known[side] ? 0.0
           : side == 0     ? u * (1.0 - u) * (1.0 - u) * e->span
                           : u * u * (u - 1.0) * e->span;
}

static void put_tangents(double *x, const ends *e, ug_vec3 line_slope, double u)
{
    for (int side = 0; side < 2; side++) {
        put(x + 3 * side,
            ug_vec3_scale(ug_vec3_sub(e->slope[side], line_slope), tangent(e, side, u)));
    }
}

// The marker's own line and cubic in world axes, and the path of the nearest sound feature shifted
// to meet the ends, as bridges in the frame.
static void put_paths(double *out, const ug_gap_scene *scene, const ug_gap_company *c,
                      const ends *e, const ug_gap_place *place, size_t f, double u, ug_vec3 line)
{
    const ug_vec3 a = ug_scene_mm(scene, e->frame[0], c->marker);
    const ug_vec3 b = ug_scene_mm(scene, e->frame[1], c->marker);
    const ug_vec3 straight = ug_vec3_lerp(a, b, u), chord = ug_vec3_sub(b, a);
    ug_vec3 cubic = straight, donor = straight;
    for (int side = 0; side < 2; side++) {
        const ug_vec3 extra = ug_vec3_madd(e->path[side], -1.0 / e->span, chord);
        cubic = ug_vec3_madd(cubic, tangent(e, side, u), extra);
    }
    if (c->sound_count > 0) {
        const size_t m = c->features[0];
        donor = ug_vec3_add(donor, ug_scene_mm(scene, f, m));
        donor = ug_vec3_sub(donor, ug_vec3_lerp(ug_scene_mm(scene, e->frame[0], m),
                                                ug_scene_mm(scene, e->frame[1], m), u));
    }
    put(out, ug_vec3_sub(ug_gap_place_local(place, straight), line));
    put(out + 3, ug_vec3_sub(ug_gap_place_local(place, cubic), line));
    put(out + 6, ug_vec3_sub(ug_gap_place_local(place, donor), line));
}

static void put_ends(ug_gap_rows *rows, const ug_gap_scene *scene, const ug_gap_company *c,
                     const ends *e)
{
    double *out = rows->ends + 2 * rows->near_columns * rows->stretches++;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; 3 * i < rows->near_columns; i++, out += 3) {
            put(out, local(scene, &e->place[side], e->frame[side], c->features[i]));
        }
    }
}

static void add_row(ug_gap_rows *rows, const ug_gap_scene *scene, const ug_gap_company *c,
                    const ends *e, size_t f, double u, bool is_known)
{
    const size_t r = rows->count++;
    const ug_gap_place place = ug_gap_frame_place(&c->frame, scene, f);
    const ug_vec3 line = line_of(scene, e, c->marker, u);
    const ug_vec3 rise =
        ug_vec3_sub(line_of(scene, e, c->marker, 1.0), line_of(scene, e, c->marker, 0.0));
    double *x = rows->x + r * rows->columns, *near = rows->near + r * rows->near_columns;
    rows->place[r] = place;
    rows->share[r] = u;
    put(rows->line + 3 * r, line);
    put_tangents(x, e, ug_vec3_scale(rise, 1.0 / e->span), u);
    for (size_t i = 0; i < c->feature_count; i++) {
        const ug_vec3 p = local(scene, &place, f, c->features[i]);
        put(x + UG_GAP_TANGENTS + 3 * i, ug_vec3_sub(p, line_of(scene, e, c->features[i], u)));
        if (3 * i < rows->near_columns) {
            put(near + 3 * i, p);
        }
    }
    put_paths(rows->path + 3 * UG_GAP_PATHS * r, scene, c, e, &place, f, u, line);
    const ug_vec3 unknown = { NAN, NAN, NAN };
    put(rows->y + 3 * r,
        is_known ? ug_vec3_sub(local(scene, &place, f, c->marker), line) : unknown);
}

void ug_gap_rows_add(ug_gap_rows *rows, const ug_gap_scene *scene, const ug_gap_company *company,
                     const ug_gap *window, const size_t *positions, size_t position_count)
{
    assert(window->has_start || window->has_end);
    const ends e = find_ends(scene, company, window);
    put_ends(rows, scene, company, &e);
    for (size_t k = 0; k < position_count; k++) {
        add_row(rows, scene, company, &e, window->first + positions[k],
                (double)(positions[k] + 1) / e.span, true);
    }
}

void ug_gap_rows_add_all(ug_gap_rows *rows, const ug_gap_scene *scene,
                         const ug_gap_company *company, const ug_gap *gap)
{
    assert(gap->has_start || gap->has_end);
    const ends e = find_ends(scene, company, gap);
    put_ends(rows, scene, company, &e);
    for (size_t k = 0; k < ug_gap_length(gap); k++) {
        add_row(rows, scene, company, &e, gap->first + k, (double)(k + 1) / e.span, false);
    }
}
