// SPDX-License-Identifier: MIT
#include "solvers/gap_frame.h"

#include "solvers/kabsch.h"

#include <math.h>

enum { SHAPE_FRAMES_MAX = 300, SHAPE_ROUNDS = 3, TRIPLES_FROM = 10 };

static const double BREADTH_MIN_MM = 15.0;   // of the first three …
static const double BREADTH_MIN_SHARE = 0.2; // … and as a share of their length
static const double DISTANCE_COST = 0.03;
static const double JOIN_MAX = 3.0; // cost of a further marker, against the mean of the three
static const double SPREAD_FLOOR_MM = 1.0; // measurement noise: no neighbour is better than this

static bool there(const ug_gap_frame *frame, const ug_gap_scene *scene, size_t f)
{
    for (size_t i = 0; i < frame->count; i++) {
        if (ug_scene_state(scene, f, frame->markers[i]) == UG_SCENE_MISSING) {
            return false;
        }
    }
    return true;
}

static void positions(double *out, const ug_gap_frame *frame, const ug_gap_scene *scene, size_t f)
{
    for (size_t i = 0; i < frame->count; i++) {
        const ug_vec3 p = ug_scene_mm(scene, f, frame->markers[i]);
        out[3 * i] = p.x;
        out[3 * i + 1] = p.y;
        out[3 * i + 2] = p.z;
    }
}

// A thin triangle leaves the turn about its long side to noise. Length and breadth are the
// singular values of the three points about their mean; Cauchy-Binet gives their product.
static bool is_broad(const size_t markers[3], const ug_gap_scene *scene, size_t f)
{
    const ug_vec3 p = ug_scene_mm(scene, f, markers[0]);
    const ug_vec3 a = ug_vec3_sub(ug_scene_mm(scene, f, markers[1]), p);
    const ug_vec3 b = ug_vec3_sub(ug_scene_mm(scene, f, markers[2]), p);
    const ug_vec3 c = ug_vec3_sub(b, a);
    const double sum = (ug_vec3_dot(a, a) + ug_vec3_dot(b, b) + ug_vec3_dot(c, c)) / 3.0;
    const double area2 = ug_vec3_norm(ug_vec3_cross(a, b)); // twice the area
    const double product = area2 * area2 / 3.0;
    const double length2 = 0.5 * (sum + sqrt(fmax(0.0, sum * sum - 4.0 * product)));
    const double breadth = length2 > 0.0 ? sqrt(product / length2) : 0.0;
    return breadth > BREADTH_MIN_MM && breadth > BREADTH_MIN_SHARE * sqrt(length2);
}

// Lay the frames on the shape, take their mean, again.
static void measure_shape(ug_gap_frame *frame, const ug_gap_scene *scene, size_t near_f)
{
    const size_t stride = scene->frame_count / SHAPE_FRAMES_MAX + 1;
    positions(frame->shape_mm, frame, scene, near_f);
    for (int round = 0; round < SHAPE_ROUNDS; round++) {
        double sum[3 * UG_GAP_FRAME_MAX] = { 0 }, now[3 * UG_GAP_FRAME_MAX];
        size_t n = 0;
        for (size_t f = 0; f < scene->frame_count; f += stride) {
            if (!there(frame, scene, f)) {
                continue;
            }
            positions(now, frame, scene, f);
            const ug_rigid fit = ug_kabsch(now, frame->shape_mm, frame->weights, frame->count);
            for (size_t i = 0; i < frame->count; i++) {
                const ug_vec3 p =
                    ug_vec3_add(ug_quat_rotate(fit.q, ug_vec3_of(now + 3 * i)), fit.t);
                sum[3 * i] += p.x;
                sum[3 * i + 1] += p.y;
                sum[3 * i + 2] += p.z;
            }
            n++;
        }
        for (size_t k = 0; n > 0 && k < 3 * frame->count; k++) {
            frame->shape_mm[k] = sum[k] / (double)n;
        }
    }
    for (size_t axis = 0; axis < 3; axis++) {
        double middle = 0.0;
        for (size_t i = 0; i < frame->count; i++) {
            middle += frame->shape_mm[3 * i + axis] / (double)frame->count;
        }
        for (size_t i = 0; i < frame->count; i++) {
            frame->shape_mm[3 * i + axis] -= middle;
        }
    }
}

// How unsteady a marker's distance to the target and to some others is, and how far it is: a far
// marker is less likely on the same bone.
static double cost_of(const ug_gap_scene *scene, size_t marker, size_t target, const size_t *others,
                      size_t count)
{
    const size_t n = scene->marker_count;
    const ug_scene_pair pair = scene->pair[target * n + marker];
    double among = 0.0, k = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (others[i] != marker) {
            among += (double)scene->pair[marker * n + others[i]].spread_mm;
            k++;
        }
    }
    return (double)pair.spread_mm + DISTANCE_COST * (double)pair.mean_mm + among / fmax(k, 1.0);
}

static double triple_cost(const ug_gap_scene *scene, const size_t markers[3], size_t target)
{
    double cost = 0.0;
    for (size_t k = 0; k < 3; k++) {
        cost += cost_of(scene, markers[k], target, markers, 3);
    }
    return cost;
}

// The best three that are not on one line, at `at` in the list; beyond its first TRIPLES_FROM only
// where those are.
static bool find_triple(size_t at[3], const ug_gap_scene *scene, const size_t *ranked, size_t count,
                        size_t target, size_t near_f)
{
    double best = INFINITY;
    for (size_t c = 2; c < count && (c < TRIPLES_FROM || isinf(best)); c++) {
        for (size_t b = 1; b < c; b++) {
            for (size_t a = 0; a < b; a++) {
                const size_t markers[3] = { ranked[a], ranked[b], ranked[c] };
                const double cost = triple_cost(scene, markers, target);
                if (cost < best && is_broad(markers, scene, near_f)) {
                    best = cost;
                    at[0] = a;
                    at[1] = b;
                    at[2] = c;
                }
            }
        }
    }
    return isfinite(best);
}

static void add(ug_gap_frame *frame, const ug_gap_scene *scene, size_t target, size_t marker)
{
    const double spread = (double)scene->pair[target * scene->marker_count + marker].spread_mm;
    const double s = 1.0 + spread / SPREAD_FLOOR_MM;
    frame->markers[frame->count] = marker;
    frame->weights[frame->count++] = 1.0 / (s * s * s);
}

bool ug_gap_frame_choose(ug_gap_frame *frame, const ug_gap_scene *scene, const size_t *ranked,
                         size_t count, size_t most, size_t target, size_t near_f)
{
    size_t at[3];
    frame->count = 0;
    if (count < 3 || !find_triple(at, scene, ranked, count, target, near_f)) {
        return false;
    }
    for (size_t k = 0; k < 3; k++) {
        add(frame, scene, target, ranked[at[k]]);
    }
    const size_t three[3] = { ranked[at[0]], ranked[at[1]], ranked[at[2]] };
    const double limit = JOIN_MAX * triple_cost(scene, three, target) / 3.0;
    for (size_t k = 0; k < count && frame->count < most; k++) {
        if (k != at[0] && k != at[1] && k != at[2] &&
            cost_of(scene, ranked[k], target, three, 3) <= limit) {
            add(frame, scene, target, ranked[k]);
        }
    }
    measure_shape(frame, scene, near_f);
    return true;
}

ug_gap_place ug_gap_frame_place(const ug_gap_frame *frame, const ug_gap_scene *scene, size_t f)
{
    double now[3 * UG_GAP_FRAME_MAX];
    positions(now, frame, scene, f);
    const ug_rigid fit = ug_kabsch(frame->shape_mm, now, frame->weights, frame->count);
    const ug_vec3 x = ug_quat_rotate(fit.q, (ug_vec3){ 1, 0, 0 });
    const ug_vec3 y = ug_quat_rotate(fit.q, (ug_vec3){ 0, 1, 0 });
    const ug_vec3 z = ug_vec3_cross(x, y);
    return (ug_gap_place){ { x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z }, fit.t };
}
