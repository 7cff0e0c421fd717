// SPDX-License-Identifier: MIT
#include "solvers/gap_regress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void build_rows(ug_gap_workspace *w, const ug_gap_scene *scene, const ug_gap *gap)
{
    ug_gap_rows_start(&w->rows, &w->company);
    ug_gap_rows_start(&w->ask, &w->company);
    for (size_t k = 0; k < w->windows.count; k++) {
        const ug_gap at = { gap->marker, w->windows.first[k],
                            w->windows.first[k] + w->windows.length - 1, gap->has_start,
                            gap->has_end };
        ug_gap_rows_add(&w->rows, scene, &w->company, &at, w->windows.position,
                        w->windows.position_count);
    }
    ug_gap_rows_add_all(&w->ask, scene, &w->company, gap);
}

// Mean pose of a stretch and how fast its frame travels.
static double pose_and_speed(double *pose, const ug_gap_rows *rows, size_t from, size_t to)
{
    double way = 0.0;
    for (size_t c = 0; c < rows->near_columns; c++) {
        pose[c] = 0.0;
    }
    for (size_t r = from; r < to; r++) {
        for (size_t c = 0; c < rows->near_columns; c++) {
            pose[c] += rows->near[r * rows->near_columns + c] / (double)(to - from);
        }
        if (r > from) {
            way += ug_vec3_distance(rows->place[r].origin, rows->place[r - 1].origin) /
                   fmax(rows->share[r] - rows->share[r - 1], 1e-9);
        }
    }
    return to - from > 1 ? way / (double)(to - from - 1) : 0.0;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Windows in a like pose and of a like speed count for more.
static void weigh_windows(ug_gap_workspace *w)
{
    double here[3 * UG_GAP_NEAR], pose[3 * UG_GAP_NEAR];
    double d2[UG_GAP_WINDOWS_MAX], sorted[UG_GAP_WINDOWS_MAX], speed[UG_GAP_WINDOWS_MAX];
    const size_t each = w->windows.position_count, n = w->windows.count;
    const double mine = pose_and_speed(here, &w->ask, 0, w->ask.count);
    for (size_t k = 0; k < n; k++) {
        speed[k] = pose_and_speed(pose, &w->rows, k * each, (k + 1) * each);
        d2[k] = 0.0;
        for (size_t c = 0; c < w->rows.near_columns; c++) {
            d2[k] += (pose[c] - here[c]) * (pose[c] - here[c]);
        }
        sorted[k] = d2[k];
    }
    qsort(sorted, n, sizeof *sorted, compare);
    const double middle = n > 0 ? fmax(sorted[n / 2], 1e-9) : 1.0;
    for (size_t k = 0; k < n; k++) {
        const double ratio = log((speed[k] + 1e-3) / (mine + 1e-3)) / 0.7;
        double weight = exp(-0.5 * ratio * ratio) + 0.03;
        weight *= exp(-0.5 * d2[k] / middle) + 0.05;
        for (size_t r = k * each; r < (k + 1) * each; r++) {
            w->root[r] = sqrt(weight);
            for (size_t c = 0; c < 3; c++) {
                w->y[3 * r + c] = w->root[r] * w->rows.y[3 * r + c];
            }
        }
    }
}

static double gap_error(const ug_gap_scene *scene, size_t marker, const ug_gap *gap)
{
    double sum = 0.0;
    for (size_t f = gap->first; f <= gap->last; f++) {
        const double e = (double)scene->error_mm[ug_scene_index(scene, f, marker)];
        sum += e * e;
    }
    return sqrt(sum / (double)ug_gap_length(gap));
}

// Variance per coordinate of the features that are fills of their own, mean over the gap. Fills of
// one body part are off together, which a sum over the row of their covariances bounds
// (Gershgorin).
static void measure_noise(double *noise, const ug_gap_workspace *w, const ug_gap_scene *scene,
                          const ug_gap *gap)
{
    static const double TOGETHER_MM = 20.0; // spread of a distance at which errors are half shared
    double error[UG_GAP_FEATURES_MAX];
    const size_t n = w->company.feature_count, *features = w->company.features;
    memset(noise, 0, UG_GAP_TANGENTS * sizeof *noise);
    for (size_t i = 0; i < n; i++) {
        error[i] = gap_error(scene, features[i], gap);
    }
    for (size_t i = 0; i < n; i++) {
        double sum = error[i];
        for (size_t k = 0; k < n; k++) {
            const double s =
                (double)scene->pair[features[i] * scene->marker_count + features[k]].spread_mm /
                TOGETHER_MM;
            sum += k == i || error[k] == 0.0 ? 0.0 : error[k] / (1.0 + s * s);
        }
        for (size_t axis = 0; axis < 3; axis++) {
            noise[UG_GAP_TANGENTS + 3 * i + axis] = error[i] * sum / 3.0;
        }
    }
}

/// What blends get wrong on folds that their weights have not seen, by fold and position.
typedef struct held_out {
    double square[UG_GAP_FOLDS][UG_GAP_POSITIONS_MAX]; ///< sum, weighted, mm²
    double weight[UG_GAP_FOLDS];                       ///< of the windows of a fold
} held_out;

static double blend_square(const ug_gap_workspace *w, const double *weights, size_t r)
{
    double square = 0.0;
    for (size_t axis = 0; axis < 3; axis++) {
        double e = -w->y[3 * r + axis];
        for (size_t p = 0; p < w->pool_count; p++) {
            e += weights[p] * w->left_out[p][3 * r + axis];
        }
        square += e * e;
    }
    return square;
}

static void measure_held_out(held_out *out, const ug_gap_workspace *w)
{
    const size_t each = w->windows.position_count;
    memset(out, 0, sizeof *out);
    for (size_t f = 0; f < UG_GAP_FOLDS; f++) {
        ug_gap_stack stack;
        ug_gap_stack_fit(&stack, &w->stack_sums, f);
        for (size_t k = 0; k < each; k++) {
            double weights[UG_GAP_STACK_MAX], noise = 0.0;
            ug_gap_stack_weights(weights, &stack, w->rows.share[k]);
            for (size_t p = 0; p < w->pool_count; p++) {
                noise += weights[p] * w->noise_mm2[p];
            }
            for (size_t i = w->windows.fold_start[f]; i < w->windows.fold_start[f + 1]; i++) {
                const double root = w->root[i * each];
                out->square[f][k] += blend_square(w, weights, i * each + k) + root * root * noise;
                out->weight[f] += k == 0 ? root * root : 0.0;
            }
        }
    }
}

// Root mean square per position over all folds but one; UG_GAP_FOLDS: over all.
static void errors_without(double *error_mm, const held_out *out, size_t positions, size_t without)
{
    double weight = 0.0;
    for (size_t f = 0; f < UG_GAP_FOLDS; f++) {
        weight += f != without ? out->weight[f] : 0.0;
    }
    for (size_t k = 0; k < positions; k++) {
        double square = 0.0;
        for (size_t f = 0; f < UG_GAP_FOLDS; f++) {
            square += f != without ? out->square[f][k] : 0.0;
        }
        error_mm[k] = sqrt(square / fmax(weight, 1e-300));
    }
}

// How the errors that four folds predict fit what is found on the fifth.
static void check_errors(ug_gap_workspace *w, const held_out *out)
{
    ug_gap_check *c = &w->check;
    *c = (ug_gap_check){ 0 };
    for (size_t f = 0; f < UG_GAP_FOLDS; f++) {
        double error_mm[UG_GAP_POSITIONS_MAX];
        if (!(out->weight[f] > 0.0)) {
            continue;
        }
        errors_without(error_mm, out, w->windows.position_count, f);
        for (size_t k = 0; k < w->windows.position_count; k++) {
            const double found = out->square[f][k] / out->weight[f];
            c->found_mm2 += found;
            c->predicted_mm2 += error_mm[k] * error_mm[k];
            c->within += found <= 4.0 * error_mm[k] * error_mm[k];
            c->count++;
        }
    }
}

static float error_at(const double *error_mm, const ug_gap_windows *w, double share)
{
    const double at = share * ((double)w->length + 1.0) - 1.0; // in frames of a window
    size_t k = 0;
    while (k + 1 < w->position_count && (double)w->position[k + 1] < at) {
        k++;
    }
    if (w->position_count < 2) {
        return (float)error_mm[0];
    }
    k = k + 1 < w->position_count ? k : w->position_count - 2;
    const double a = (double)w->position[k], b = (double)w->position[k + 1];
    const double v = fmin(fmax((at - a) / (b - a), 0.0), 1.0);
    return (float)(error_mm[k] + v * (error_mm[k + 1] - error_mm[k]));
}

static void put_world(ug_gap_workspace *w, size_t r, const double *weights)
{
    ug_vec3 p = ug_vec3_of(w->ask.line + 3 * r);
    for (size_t k = 0; k < w->pool_count; k++) {
        p = ug_vec3_madd(p, weights[k], ug_vec3_of(w->answer[k] + 3 * r));
    }
    p = ug_gap_place_world(&w->ask.place[r], p);
    w->mm[3 * r] = p.x;
    w->mm[3 * r + 1] = p.y;
    w->mm[3 * r + 2] = p.z;
}

static void blend(ug_gap_workspace *w, const ug_gap *gap)
{
    ug_gap_stack stack;
    held_out out;
    double error_mm[UG_GAP_POSITIONS_MAX];
    size_t fold_row[UG_GAP_FOLDS + 1];
    for (size_t f = 0; f <= UG_GAP_FOLDS; f++) {
        fold_row[f] = w->windows.fold_start[f] * w->windows.position_count;
    }
    ug_gap_stack_sum(&w->stack_sums, (const double *const *)w->left_out, w->pool_count, w->y,
                     w->rows.share, fold_row);
    ug_gap_stack_fit(&stack, &w->stack_sums, UG_GAP_FOLDS);
    measure_held_out(&out, w);
    errors_without(error_mm, &out, w->windows.position_count, UG_GAP_FOLDS);
    check_errors(w, &out);
    const double longer = (double)ug_gap_length(gap) / (double)w->windows.length;
    for (size_t r = 0; r < w->ask.count; r++) {
        double weights[UG_GAP_STACK_MAX];
        ug_gap_stack_weights(weights, &stack, w->ask.share[r]);
        put_world(w, r, weights);
        w->error_mm[r] = (float)longer * error_at(error_mm, &w->windows, w->ask.share[r]);
    }
}

bool ug_gap_regress(ug_gap_workspace *workspace, const ug_gap_scene *scene, const ug_gap *gap,
                    ug_fill_method method, bool fills)
{
    static const double ALL[UG_GAP_STACK_MAX] = { 1.0 };
    ug_gap_workspace *w = workspace;
    if (!ug_gap_windows_choose(&w->windows, &w->company, scene, gap, fills)) {
        return false;
    }
    const bool is_taught = w->windows.count > 0;
    if (!is_taught && method == UG_FILL_STACKED) {
        method = UG_FILL_RIGID;
    }
    double noise[UG_GAP_COLUMNS_MAX];
    build_rows(w, scene, gap);
    weigh_windows(w);
    measure_noise(noise, w, scene, gap);
    ug_gap_pool_fill(w, noise, method);
    if (w->pool_count == 0) {
        return false;
    }
    w->used = method;
    w->check = (ug_gap_check){ 0 };
    if (is_taught) {
        blend(w, gap);
        return true;
    }
    for (size_t r = 0; r < w->ask.count; r++) {
        put_world(w, r, ALL);
        w->error_mm[r] = NAN;
    }
    return true;
}
