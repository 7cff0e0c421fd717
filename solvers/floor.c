// SPDX-License-Identifier: MIT
#include "solvers/floor.h"

#include "motion/conventions.h"
#include "solvers/slow_runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double SLOW_M_S = 0.25;
static const double SLOW_S = 0.08;
static const double SMOOTH_HZ = 12.0;
static const double HUMAN_LEG_M = 0.85;
static const double START_M = 0.05;   // above the lowest: candidates of the first pass
static const double OUTLIER_M = 0.02; // off the plane: another floor, or a held foot
static const double SPAN_M = 0.8;     // along an axis, to tell its slope
static const double PRIOR_M2 = 0.08;  // (5 mm of a run / 1 degree)^2
static const double LOW_SHARE = 0.05; // of the rest: a glitch below does not make the floor

// one stretch of rest: place, and level of the sole that it stands for
typedef struct rest {
    double x, z, level, weight;
    bool used;
} rest;

typedef struct rests {
    size_t count, capacity;
    rest *items;
} rests;

static ug_status gather(rests *all, const ug_vec3 *path_m, double rest_height_m, size_t count,
                        double rate_hz, double scale, ug_error *err)
{
    ug_slow_runs runs = { 0 };
    ug_vec3 *smooth = malloc((count + 1) * sizeof *smooth);
    double *speed = malloc((count + 1) * sizeof *speed);
    rest *grown = NULL;
    ug_status status = UG_OK;
    if (!smooth || !speed) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    memcpy(smooth, path_m, count * sizeof *smooth);
    status = ug_path_speed(speed, smooth, count, rate_hz, SMOOTH_HZ, err);
    if (status == UG_OK) {
        status =
            ug_slow_runs_find(&runs, speed, smooth, count, rate_hz, SLOW_M_S * scale, SLOW_S, err);
    }
    if (status != UG_OK) {
        goto done;
    }
    grown = realloc(all->items, (all->count + runs.count + 1) * sizeof *grown);
    if (!grown) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    all->items = grown;
    for (size_t i = 0; i < runs.count; i++) {
        const ug_slow_run *run = &runs.items[i];
        all->items[all->count++] = (rest){ .x = run->place_m.x,
                                           .z = run->place_m.z,
                                           .level = run->place_m.y - rest_height_m,
                                           .weight = (double)(run->end - run->start) / rate_hz };
    }
done:
    ug_slow_runs_fini(&runs);
    free(smooth);
    free(speed);
    return status;
}

static int by_level(const void *a, const void *b)
{
    const rest *p = a, *q = b;
    return (p->level > q->level) - (p->level < q->level);
}

// the level that all but a small share of the resting time lies above; sorts
static double lowest_level(rests *all)
{
    double whole = 0.0, seen = 0.0;
    for (size_t i = 0; i < all->count; i++) {
        whole += all->items[i].weight;
    }
    qsort(all->items, all->count, sizeof *all->items, by_level);
    for (size_t i = 0; i < all->count; i++) {
        seen += all->items[i].weight;
        if (seen > LOW_SHARE * whole) {
            return all->items[i].level;
        }
    }
    return 0.0;
}

static double off_plane(const ug_floor *f, const rest *r)
{
    return r->level - f->height_m - f->slope_x * r->x - f->slope_z * r->z;
}

// weighted least squares over the used ones, ridge on the slopes
static void fit(ug_floor *floor, const rests *all, double scale)
{
    double w = 0, mx = 0, mz = 0, ml = 0;
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (size_t i = 0; i < all->count; i++) {
        const rest *r = &all->items[i];
        if (r->used) {
            w += r->weight, mx += r->weight * r->x, mz += r->weight * r->z;
            ml += r->weight * r->level;
            low[0] = fmin(low[0], r->x), high[0] = fmax(high[0], r->x);
            low[1] = fmin(low[1], r->z), high[1] = fmax(high[1], r->z);
        }
    }
    if (!(w > 0.0)) {
        return;
    }
    mx /= w, mz /= w, ml /= w;
    double xx = 0, xz = 0, zz = 0, xl = 0, zl = 0;
    for (size_t i = 0; i < all->count; i++) {
        const rest *r = &all->items[i];
        if (r->used) {
            const double x = r->x - mx, z = r->z - mz, l = r->level - ml, v = r->weight / w;
            xx += v * x * x, xz += v * x * z, zz += v * z * z, xl += v * x * l, zl += v * z * l;
        }
    }
    const bool tilt_x = high[0] - low[0] > SPAN_M * scale;
    const bool tilt_z = high[1] - low[1] > SPAN_M * scale;
    const double ridge = PRIOR_M2 * scale * scale / (double)all->count;
    xx += ridge, zz += ridge;
    floor->slope_x = floor->slope_z = 0.0;
    if (tilt_x && tilt_z) {
        const double det = xx * zz - xz * xz;
        floor->slope_x = (xl * zz - zl * xz) / det;
        floor->slope_z = (zl * xx - xl * xz) / det;
    } else if (tilt_x) {
        floor->slope_x = xl / xx;
    } else if (tilt_z) {
        floor->slope_z = zl / zz;
    }
    floor->height_m = ml - floor->slope_x * mx - floor->slope_z * mz;
}

static void settle(ug_floor *floor, rests *all, double scale)
{
    floor->run_count = all->count;
    if (all->count == 0) {
        return;
    }
    floor->found = true;
    const double lowest = lowest_level(all);
    for (size_t i = 0; i < all->count; i++) {
        const double above = all->items[i].level - lowest;
        all->items[i].used = above < START_M * scale && above > -START_M * scale;
    }
    for (int pass = 0; pass < 3; pass++) {
        fit(floor, all, scale);
        for (size_t i = 0; i < all->count; i++) {
            all->items[i].used = fabs(off_plane(floor, &all->items[i])) < OUTLIER_M * scale;
        }
    }
    double square = 0.0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].used) {
            const double off = off_plane(floor, &all->items[i]);
            square += off * off;
            floor->used_count++;
        }
    }
    floor->residual_mm =
        floor->used_count > 0 ? 1e3 * sqrt(square / (double)floor->used_count) : 0.0;
    floor->tilt_deg = atan(hypot(floor->slope_x, floor->slope_z)) / UG_DEG;
}

ug_status ug_floor_find(ug_floor *floor, const ug_foot_model feet[2], const ug_skeleton *skeleton,
                        const ug_clip *clip, double leg_m, ug_error *err)
{
    assert(floor && leg_m > 0.0);
    const double rate_hz = ug_rate_hz(clip->rate), scale = leg_m / HUMAN_LEG_M;
    ug_foot_paths paths;
    rests all = { 0 };
    *floor = (ug_floor){ 0 };
    ug_status status = ug_foot_paths_init(&paths, feet, skeleton, clip, err);
    for (int side = 0; side < 2 && status == UG_OK; side++) {
        status = gather(&all, paths.heel_m[side], 0.0, clip->frame_count, rate_hz, scale, err);
        if (status == UG_OK) {
            status = gather(&all, paths.ball_m[side], feet[side].ball_height_m, clip->frame_count,
                            rate_hz, scale, err);
        }
    }
    if (status == UG_OK) {
        settle(floor, &all, scale);
    }
    free(all.items);
    ug_foot_paths_fini(&paths);
    return status;
}

// The world is turned about its origin, then sunk.
static ug_quat level_turn(double *sink_m, const ug_floor *floor)
{
    const ug_vec3 up = { 0, 1, 0 };
    const ug_vec3 normal = { -floor->slope_x, 1.0, -floor->slope_z };
    *sink_m = floor->height_m / ug_vec3_norm(normal);
    return ug_quat_between(normal, up);
}

void ug_floor_level(ug_clip *clip, const ug_skeleton *skeleton, const ug_floor *floor)
{
    double height_m;
    const ug_quat turn = level_turn(&height_m, floor);
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].parent >= 0) {
            continue;
        }
        const ptrdiff_t column = ug_clip_translation_column(clip, (int)j);
        assert(column >= 0);
        for (size_t f = 0; f < clip->frame_count; f++) {
            ug_vec3 *at = &ug_clip_translations(clip, f)[column];
            ug_quat *q = &ug_clip_rotations(clip, f)[j];
            *at = ug_quat_rotate(turn, *at);
            at->y -= height_m;
            *q = ug_quat_mul(turn, *q);
        }
    }
}

ug_vec3 ug_floor_raise_m(const ug_floor *floor, ug_vec3 level_m)
{
    double height_m;
    const ug_quat turn = level_turn(&height_m, floor);
    level_m.y += height_m;
    return ug_quat_rotate(ug_quat_conj(turn), level_m);
}
