// SPDX-License-Identifier: MIT
// Records of a scene, computed when they are asked for.
#include "motion/kinematics.h"
#include "pipeline/report/scene.h"
#include "pipeline/report/scene_parts.h"

#include <assert.h>
#include <float.h>
#include <string.h>

static void put_u16(uint8_t *out, uint16_t v)
{
    out[0] = (uint8_t)v;
    out[1] = (uint8_t)(v >> 8);
}

static void put_f32(uint8_t *out, double value)
{
    uint32_t v = 0x7fc00000u; // one NaN for all: the sign of an invalid result differs by machine
    if (fabs(value) <= (double)FLT_MAX) {
        const float f = (float)value;
        memcpy(&v, &f, sizeof v);
    }
    out[0] = (uint8_t)v;
    out[1] = (uint8_t)(v >> 8);
    out[2] = (uint8_t)(v >> 16);
    out[3] = (uint8_t)(v >> 24);
}

// `value` in steps; what does not fit is missing, never wrapped or clamped to a wrong place.
static void put_i16(uint8_t *out, double value, double step)
{
    const double steps = floor(value / step + 0.5);
    const bool fits = steps >= -32767.0 && steps <= 32767.0;
    put_u16(out, (uint16_t)(fits ? (int16_t)steps : (int16_t)UG_SCENE_MISSING));
}

static uint8_t *put_place(uint8_t *out, const ug_scene *scene, ug_vec3 p)
{
    if (scene->precision == UG_SCENE_INT16) {
        // a point is there or not: one coordinate out of range takes the others with it
        const ug_vec3 d = ug_vec3_sub(p, scene->middle);
        const double limit = 32767.0 * scene->step_m;
        const bool fits = fabs(d.x) <= limit && fabs(d.y) <= limit && fabs(d.z) <= limit;
        put_i16(out, fits ? d.x : (double)NAN, scene->step_m);
        put_i16(out + 2, fits ? d.y : (double)NAN, scene->step_m);
        put_i16(out + 4, fits ? d.z : (double)NAN, scene->step_m);
        return out + 6;
    }
    put_f32(out, p.x);
    put_f32(out + 4, p.y);
    put_f32(out + 8, p.z);
    return out + 12;
}

static uint8_t *put_turn(uint8_t *out, const ug_scene *scene, ug_quat q)
{
    const double values[4] = { q.w, q.x, q.y, q.z };
    for (int i = 0; i < 4; i++) {
        if (scene->precision == UG_SCENE_INT16) {
            put_i16(out, values[i], 1.0 / 32767.0);
            out += 2;
        } else {
            put_f32(out, values[i]);
            out += 4;
        }
    }
    return out;
}

static void put_markers(uint8_t *record, const ug_scene *scene, size_t frame)
{
    const ug_markers *m = scene->markers;
    const size_t row = ug_scene_marker_frame(scene, frame);
    uint8_t *places = record + scene->offset[UG_SCENE_MARKERS];
    uint8_t *origin = record + scene->offset[UG_SCENE_ORIGIN];
    for (size_t i = 0; i < m->marker_count; i++) {
        const bool there =
            row < m->frame_count && ug_scene_is_place(m, i) && ug_markers_present(m, row, i);
        const ug_vec3 p = there ? ug_markers_position_m(m, row, i) : (ug_vec3){ NAN, NAN, NAN };
        places = put_place(places, scene, p);
        origin[i] = there ? (uint8_t)m->origin[ug_markers_index(m, row, i)] : 0;
    }
}

static void put_motion(uint8_t *record, ug_scene *scene, size_t frame)
{
    uint8_t *places = record + scene->offset[UG_SCENE_JOINTS];
    uint8_t *turns = record + scene->offset[UG_SCENE_TURNS];
    ug_clip_forward(scene->world_q, scene->world_m, scene->skeleton, scene->clip, frame);
    for (size_t j = 0; j < scene->skeleton->joint_count; j++) {
        places = put_place(places, scene, scene->world_m[j]);
        turns = put_turn(turns, scene, scene->world_q[j]);
    }
}

void ug_scene_pack(uint8_t *out, ug_scene *scene, size_t first, size_t count)
{
    assert(first <= scene->record_count && count <= scene->record_count - first);
    for (size_t r = first; r < first + count; r++, out += scene->record_bytes) {
        const size_t frame = r * scene->stride;
        memset(out + scene->record_bytes - 4, 0, 4); // what pads it; fields may overwrite
        if (scene->has[UG_SCENE_MARKERS]) {
            put_markers(out, scene, frame);
        }
        if (scene->has[UG_SCENE_JOINTS]) {
            put_motion(out, scene, frame);
        }
        if (scene->has[UG_SCENE_OUTCOME]) {
            const float code = scene->outcome->values[frame];
            out[scene->offset[UG_SCENE_OUTCOME]] =
                code >= 0.0f && code < 255.0f ? (uint8_t)code : UG_SCENE_OUTCOME_UNKNOWN;
        }
    }
}
