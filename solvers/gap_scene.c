// SPDX-License-Identifier: MIT
#include "solvers/gap_scene.h"

#include <math.h>
#include <stdlib.h>

enum { PAIR_FRAMES_MAX = 2000, SEEN_TOGETHER_MIN = 8 };

static void copy_samples(ug_gap_scene *scene, const ug_markers *markers)
{
    const double to_mm = 1e3 * markers->scale_m;
    for (size_t f = 0; f < scene->frame_count; f++) {
        for (size_t m = 0; m < scene->marker_count; m++) {
            const size_t i = ug_scene_index(scene, f, m);
            const bool there =
                markers->kinds[m] == UG_POINT_MARKER && ug_markers_present(markers, f, m);
            for (size_t k = 0; k < 3; k++) {
                scene->mm[3 * i + k] =
                    there ? (float)(to_mm * (double)markers->positions[3 * i + k]) : NAN;
            }
            scene->state[i] = there ? UG_SCENE_SEEN : UG_SCENE_MISSING;
        }
    }
}

ug_gap_scene *ug_gap_scene_create(const ug_markers *markers)
{
    ug_gap_scene *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->frame_count = markers->frame_count;
    s->marker_count = markers->marker_count;
    s->hz = ug_rate_hz(markers->rate);
    const size_t count = s->frame_count * s->marker_count, more = count + s->marker_count;
    s->mm = calloc(3 * count + 1, sizeof *s->mm);
    s->state = calloc(count + 1, sizeof *s->state);
    s->error_mm = calloc(count + 1, sizeof *s->error_mm);
    s->unseen = calloc(more + 1, sizeof *s->unseen);
    s->absent = calloc(more + 1, sizeof *s->absent);
    s->pair = calloc(s->marker_count * s->marker_count + 1, sizeof *s->pair);
    if (!s->mm || !s->state || !s->error_mm || !s->unseen || !s->absent || !s->pair) {
        ug_gap_scene_destroy(s);
        return NULL;
    }
    copy_samples(s, markers);
    ug_gap_scene_count(s);
    return s;
}

void ug_gap_scene_destroy(ug_gap_scene *scene)
{
    if (scene) {
        free(scene->mm);
        free(scene->state);
        free(scene->error_mm);
        free(scene->unseen);
        free(scene->absent);
        free(scene->pair);
        free(scene);
    }
}

void ug_gap_scene_count(ug_gap_scene *scene)
{
    for (size_t f = 0; f < scene->frame_count; f++) {
        for (size_t m = 0; m < scene->marker_count; m++) {
            const size_t i = ug_scene_index(scene, f, m), next = i + scene->marker_count;
            scene->unseen[next] = scene->unseen[i] + (scene->state[i] != UG_SCENE_SEEN);
            scene->absent[next] = scene->absent[i] + (scene->state[i] == UG_SCENE_MISSING);
        }
    }
}

static ug_scene_pair measure_pair(const ug_gap_scene *scene, size_t a, size_t b)
{
    const size_t stride = scene->frame_count / PAIR_FRAMES_MAX + 1;
    double mean = 0.0, squares = 0.0;
    size_t n = 0;
    for (size_t f = 0; f < scene->frame_count; f += stride) {
        if (ug_scene_state(scene, f, a) == UG_SCENE_SEEN &&
            ug_scene_state(scene, f, b) == UG_SCENE_SEEN) {
            const double d = ug_vec3_distance(ug_scene_mm(scene, f, a), ug_scene_mm(scene, f, b));
            const double delta = d - mean;
            mean += delta / (double)++n; // Welford 1962
            squares += delta * (d - mean);
        }
    }
    if (n < SEEN_TOGETHER_MIN) {
        return (ug_scene_pair){ 0, INFINITY };
    }
    return (ug_scene_pair){ (float)mean, (float)sqrt(squares / (double)n) };
}

void ug_gap_scene_measure_pairs(ug_gap_scene *scene)
{
    const size_t n = scene->marker_count;
    for (size_t a = 0; a < n; a++) {
        scene->pair[a * n + a] = (ug_scene_pair){ 0, INFINITY };
        for (size_t b = 0; b < a; b++) {
            scene->pair[a * n + b] = scene->pair[b * n + a] = measure_pair(scene, a, b);
        }
    }
}

void ug_gap_scene_lay(ug_gap_scene *scene, const ug_gap *gap, const double *mm,
                      const float *error_mm, uint8_t state)
{
    for (size_t k = 0; k < ug_gap_length(gap); k++) {
        const size_t i = ug_scene_index(scene, gap->first + k, gap->marker);
        for (size_t axis = 0; axis < 3; axis++) {
            scene->mm[3 * i + axis] = (float)mm[3 * k + axis];
        }
        scene->state[i] = state;
        scene->error_mm[i] = error_mm[k];
    }
}
