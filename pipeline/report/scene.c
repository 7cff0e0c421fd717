// SPDX-License-Identifier: MIT
// Lay a take out as records: which fields, where they lie, which frames.
#include "pipeline/report/scene.h"

#include "motion/kinematics.h"
#include "motion/text.h"
#include "pipeline/report/scene_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Farther out than any stage: not a place but a fault of the data, and no reason to see nothing.
#define PLACE_MAX_M 1000.0

// Steps across the longest side of the box: all of int16 but some at the ends and "missing".
#define POSITION_STEPS 65000.0

size_t ug_scene_marker_frame(const ug_scene *scene, size_t frame)
{
    const ug_markers *m = scene->markers;
    if (!m) {
        return SIZE_MAX;
    }
    if (ug_rate_equal(m->rate, scene->rate) || !ug_rate_is_valid(m->rate) ||
        !ug_rate_is_valid(scene->rate)) {
        return frame;
    }
    const double near =
        floor(ug_rate_time_s(scene->rate, (double)frame) * ug_rate_hz(m->rate) + 0.5);
    return near < (double)m->frame_count ? (size_t)near : m->frame_count;
}

bool ug_scene_is_place(const ug_markers *markers, size_t marker)
{
    const uint8_t kind = markers->kinds[marker];
    return kind == UG_POINT_MARKER || kind == UG_POINT_UNLABELLED || kind == UG_POINT_VIRTUAL;
}

const ug_series *ug_scene_series(const ug_scene *scene, const char *name)
{
    const ug_series *series = ug_quality_find(&scene->take->quality, name);
    return series && series->columns == 1 && series->rows == scene->frame_count ? series : NULL;
}

static void choose_parts(ug_scene *scene, const ug_take *take)
{
    scene->take = take;
    if (take->markers && take->markers->frame_count > 0 && take->markers->marker_count > 0) {
        scene->markers = take->markers;
        scene->frame_count = take->markers->frame_count;
        scene->rate = take->markers->rate;
        scene->first_frame = take->markers->first_frame;
    }
    const ug_clip *clip = take->clip;
    if (clip && take->skeleton && clip->frame_count > 0 && clip->joint_count > 0 &&
        clip->joint_count == take->skeleton->joint_count) {
        scene->clip = clip;
        scene->skeleton = take->skeleton;
        scene->frame_count = clip->frame_count;
        scene->rate = clip->rate;
        scene->first_frame = clip->first_frame;
    }
}

// Offsets of the fields; a record ends on a multiple of four bytes.
static void lay_out(ug_scene *scene)
{
    const size_t number = scene->precision == UG_SCENE_INT16 ? 2 : 4;
    const size_t markers = scene->markers ? scene->markers->marker_count : 0;
    const size_t joints = scene->skeleton ? scene->skeleton->joint_count : 0;
    scene->outcome = ug_scene_series(scene, "frame_outcome");
    const size_t bytes[UG_SCENE_FIELD_COUNT] = { markers * 3 * number, joints * 3 * number,
                                                 joints * 4 * number, markers,
                                                 scene->outcome ? 1 : 0 };
    size_t at = 0;
    for (int i = 0; i < UG_SCENE_FIELD_COUNT; i++) {
        scene->has[i] = bytes[i] > 0;
        scene->offset[i] = at;
        at += bytes[i];
    }
    scene->record_bytes = (at + 3) / 4 * 4;
    scene->record_count = (scene->frame_count - 1) / scene->stride + 1;
}

static void widen(ug_scene *scene, ug_vec3 p, bool *seen)
{
    if (!(fabs(p.x) <= PLACE_MAX_M && fabs(p.y) <= PLACE_MAX_M && fabs(p.z) <= PLACE_MAX_M)) {
        return; // missing, or nonsense
    }
    if (!*seen) {
        scene->low = scene->high = p;
        *seen = true;
    }
    scene->low =
        (ug_vec3){ fmin(scene->low.x, p.x), fmin(scene->low.y, p.y), fmin(scene->low.z, p.z) };
    scene->high =
        (ug_vec3){ fmax(scene->high.x, p.x), fmax(scene->high.y, p.y), fmax(scene->high.z, p.z) };
}

// The box around every place of every record, and the steps of int16 in it.
static void measure(ug_scene *scene)
{
    const ug_markers *m = scene->markers;
    bool seen = false;
    for (size_t r = 0; r < scene->record_count; r++) {
        const size_t frame = r * scene->stride;
        const size_t marker_frame = ug_scene_marker_frame(scene, frame);
        for (size_t i = 0; m && marker_frame < m->frame_count && i < m->marker_count; i++) {
            if (ug_scene_is_place(m, i)) {
                widen(scene, ug_markers_position_m(m, marker_frame, i), &seen);
            }
        }
        if (scene->skeleton) {
            ug_clip_forward(scene->world_q, scene->world_m, scene->skeleton, scene->clip, frame);
            for (size_t j = 0; j < scene->skeleton->joint_count; j++) {
                widen(scene, scene->world_m[j], &seen);
            }
        }
    }
    const ug_vec3 size = ug_vec3_sub(scene->high, scene->low);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    scene->middle = ug_vec3_scale(ug_vec3_add(scene->low, scene->high), 0.5);
    scene->step_m = longest > 0.0 ? longest / POSITION_STEPS : 1.0 / POSITION_STEPS;
}

ug_scene *ug_scene_create(const ug_take *take, const char *name, ug_scene_precision precision,
                          size_t stride, ug_error *err)
{
    assert(stride > 0);
    ug_scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        (void)ug_fail(err, UG_E_NOMEM, "out of memory");
        return NULL;
    }
    scene->precision = precision;
    scene->stride = stride;
    choose_parts(scene, take);
    if (scene->frame_count == 0) {
        (void)ug_fail(err, UG_E_NOT_ENOUGH,
                      "holds no frames of markers or motion: there is nothing to show");
        ug_scene_destroy(scene);
        return NULL;
    }
    lay_out(scene);
    const size_t joints = scene->skeleton ? scene->skeleton->joint_count : 0;
    scene->name = ug_text_copy(name);
    scene->world_q = calloc(joints + 1, sizeof *scene->world_q);
    scene->world_m = calloc(joints + 1, sizeof *scene->world_m);
    if (!scene->name || !scene->world_q || !scene->world_m) {
        (void)ug_fail(err, UG_E_NOMEM, "out of memory");
        ug_scene_destroy(scene);
        return NULL;
    }
    measure(scene);
    return scene;
}

void ug_scene_destroy(ug_scene *scene)
{
    if (scene) {
        free(scene->name);
        free(scene->world_q);
        free(scene->world_m);
        free(scene);
    }
}

size_t ug_scene_record_bytes(const ug_scene *scene)
{
    return scene->record_bytes;
}

size_t ug_scene_record_count(const ug_scene *scene)
{
    return scene->record_count;
}

size_t ug_scene_stride_for(const ug_take *take, ug_scene_precision precision, size_t bytes)
{
    ug_scene scene = { .precision = precision, .stride = 1 };
    choose_parts(&scene, take);
    if (scene.frame_count == 0) {
        return 1;
    }
    lay_out(&scene);
    const size_t fit = bytes / scene.record_bytes;
    if (fit <= 1) {
        return scene.frame_count; // a single record, whatever it takes
    }
    // the least s with (frame_count - 1) / s + 1 <= fit
    return (scene.frame_count - 1) / fit + 1;
}
