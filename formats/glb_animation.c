// SPDX-License-Identifier: MIT
// The animation of a GLB: one channel for each joint that turns or moves.
#include "formats/glb_parts.h"
#include "motion/memory.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

typedef struct animation {
    ug_glb *glb;
    const ug_skeleton *skeleton;
    const ug_clip *clip;
    bool cubic;
    float *times;   // of the keys
    size_t *frames; // of the keys
    size_t key_count;
    double *values;     // (key_count x 3 or 4) of the channel at hand: xyz or xyzw
    size_t whole, ends; // accessors of all times and of the first and last
    bool has_whole, has_ends;
    cJSON *samplers, *channels;
    size_t sampler_count;
    ug_warnings *warnings;
} animation;

void ug_glb_key_times(float *times, size_t *frames, size_t *key_count, ug_rate rate,
                      size_t frame_count, ug_warnings *warnings)
{
    size_t n = 0;
    for (size_t f = 0; f < frame_count; f++) {
        const float t = (float)ug_rate_time_s(rate, (double)f);
        if (n == 0 || t > times[n - 1]) {
            times[n] = t;
            frames[n++] = f;
        } else {
            ug_warn(warnings, "glb_frames_merged",
                    "frame %zu at %lld/%lld Hz has the time of the frame before it in float32, as "
                    "glTF counts time: left out",
                    f, (long long)rate.num, (long long)rate.den);
        }
    }
    *key_count = n;
}

static size_t add_times(animation *a, const float *times, size_t count)
{
    size_t accessor;
    float *out = ug_glb_reserve(a->glb, count, 1, UG_GLB_FLOAT, UG_GLB_ANY, &accessor);
    for (size_t i = 0; out && i < count; i++) {
        out[i] = times[i];
    }
    if (out) {
        ug_glb_bound(a->glb, out, count, 1);
    }
    return accessor;
}

static size_t whole_times(animation *a)
{
    if (!a->has_whole) {
        a->whole = add_times(a, a->times, a->key_count);
        a->has_whole = true;
    }
    return a->whole;
}

// Two keys hold a constant in every viewer, and say how long the clip is.
static size_t end_times(animation *a)
{
    if (a->key_count <= 2) {
        return whole_times(a);
    }
    if (!a->has_ends) {
        const float ends[2] = { a->times[0], a->times[a->key_count - 1] };
        a->ends = add_times(a, ends, 2);
        a->has_ends = true;
    }
    return a->ends;
}

static void add_channel(animation *a, size_t node, bool turns, size_t input, size_t output,
                        bool cubic)
{
    ug_glb *glb = a->glb;
    cJSON *sampler = ug_glb_object(glb), *channel = ug_glb_object(glb),
          *target = ug_glb_object(glb);
    ug_glb_put(glb, sampler, "input", ug_glb_integer(glb, (int64_t)input));
    ug_glb_put(glb, sampler, "output", ug_glb_integer(glb, (int64_t)output));
    ug_glb_put(glb, sampler, "interpolation", ug_glb_text(glb, cubic ? "CUBICSPLINE" : "LINEAR"));
    ug_glb_append(glb, a->samplers, sampler);
    ug_glb_put(glb, target, "node", ug_glb_integer(glb, (int64_t)node));
    ug_glb_put(glb, target, "path", ug_glb_text(glb, turns ? "rotation" : "translation"));
    ug_glb_put(glb, channel, "sampler", ug_glb_integer(glb, (int64_t)a->sampler_count++));
    ug_glb_put(glb, channel, "target", target);
    ug_glb_append(glb, a->channels, channel);
}

// Slope at key k through its neighbours (Catmull-Rom; one-sided at the ends), a second.
static void tangent(const animation *a, double *out, size_t k, size_t width)
{
    const size_t before = k > 0 ? k - 1 : 0, after = k + 1 < a->key_count ? k + 1 : k;
    const double span = (double)a->times[after] - (double)a->times[before];
    const double *here = a->values + k * width;
    double along = 0.0;
    for (size_t c = 0; c < width; c++) {
        out[c] = (a->values[after * width + c] - a->values[before * width + c]) / span;
        along += out[c] * here[c];
    }
    for (size_t c = 0; c < width && width == 4; c++) {
        out[c] -= along * here[c]; // a unit quaternion only ever moves across itself
    }
}

static void write_cubic(animation *a, size_t node, size_t width)
{
    const size_t input = whole_times(a);
    size_t output;
    float *out =
        ug_glb_reserve(a->glb, 3 * a->key_count, (int)width, UG_GLB_FLOAT, UG_GLB_ANY, &output);
    for (size_t k = 0; out && k < a->key_count; k++) {
        double slope[4];
        tangent(a, slope, k, width);
        float *in = out + 3 * k * width; // in-tangent, value, out-tangent
        for (size_t c = 0; c < width; c++) {
            in[c] = in[2 * width + c] = (float)slope[c];
            in[width + c] = (float)a->values[k * width + c];
        }
    }
    add_channel(a, node, width == 4, input, output, true);
}

static void write_linear(animation *a, size_t node, size_t width, bool constant)
{
    const size_t count = constant && a->key_count > 2 ? 2 : a->key_count;
    const size_t input = constant ? end_times(a) : whole_times(a);
    size_t output;
    float *out = ug_glb_reserve(a->glb, count, (int)width, UG_GLB_FLOAT, UG_GLB_ANY, &output);
    for (size_t i = 0; out && i < count * width; i++) {
        out[i] = (float)a->values[constant ? i % width : i];
    }
    add_channel(a, node, width == 4, input, output, false);
}

// Is every key within float32's rounding of the first?
static bool is_constant(const animation *a, size_t width)
{
    for (size_t i = width; i < a->key_count * width; i++) {
        if (fabs(a->values[i] - a->values[i % width]) > 1e-7) {
            return false;
        }
    }
    return true;
}

// One channel out of a->values, unless it stays at the node's own value.
static void write_channel(animation *a, size_t node, size_t width, const double *rest)
{
    const bool constant = is_constant(a, width);
    bool resting = constant;
    for (size_t c = 0; c < width; c++) {
        resting = resting && fabs(a->values[c] - rest[c]) <= 1e-7;
    }
    if (resting) {
        return;
    }
    if (a->cubic && !constant) { // not constant: two keys at least, as cubic needs
        write_cubic(a, node, width);
    } else {
        write_linear(a, node, width, constant);
    }
}

static void warn_held(const animation *a, size_t held, size_t first, size_t joint, bool turns)
{
    ug_warn_times(a->warnings, held, "glb_pose_held",
                  "frame %zu, joint '%.64s': its %s; the last good one stands in its place", first,
                  a->skeleton->joints[joint].name,
                  turns ? "rotation is no finite unit quaternion" : "translation is not finite");
}

static bool read_turn(const animation *a, ug_quat *q, size_t key, size_t joint)
{
    *q = ug_clip_rotations(a->clip, a->frames[key])[joint];
    if (!(fabs(ug_quat_dot(*q, *q) - 1.0) < 1e-3)) {
        return false;
    }
    *q = ug_quat_normalize(*q);
    return true;
}

static bool read_move(const animation *a, ug_vec3 *v, size_t key, size_t column)
{
    *v = ug_clip_translations(a->clip, a->frames[key])[column];
    return ug_vec3_is_finite(*v);
}

// Keys of one joint's rotation, with signs that continue from its rest. What is no rotation repeats
// the one before; at the start, the first there is.
static void gather_turns(animation *a, size_t joint)
{
    const ug_quat rest = a->skeleton->joints[joint].rest;
    ug_quat last = rest, q;
    size_t held = 0, first_held = 0, start = 0;
    while (start < a->key_count && !read_turn(a, &q, start, joint)) {
        start++;
    }
    if (start < a->key_count) {
        last = ug_quat_dot(q, rest) < 0.0 ? ug_quat_negate(q) : q;
    }
    for (size_t k = 0; k < a->key_count; k++) {
        if (read_turn(a, &q, k, joint)) {
            last = ug_quat_dot(q, last) < 0.0 ? ug_quat_negate(q) : q;
        } else {
            first_held = held++ == 0 ? a->frames[k] : first_held;
        }
        double *out = a->values + 4 * k;
        out[0] = last.x;
        out[1] = last.y;
        out[2] = last.z;
        out[3] = last.w;
    }
    warn_held(a, held, first_held, joint, true);
}

static void gather_moves(animation *a, size_t joint, size_t column)
{
    ug_vec3 last = a->skeleton->joints[joint].offset_m, v;
    size_t held = 0, first_held = 0, start = 0;
    while (start < a->key_count && !read_move(a, &v, start, column)) {
        start++;
    }
    last = start < a->key_count ? v : last;
    for (size_t k = 0; k < a->key_count; k++) {
        if (read_move(a, &v, k, column)) {
            last = v;
        } else {
            first_held = held++ == 0 ? a->frames[k] : first_held;
        }
        double *out = a->values + 3 * k;
        out[0] = last.x;
        out[1] = last.y;
        out[2] = last.z;
    }
    warn_held(a, held, first_held, joint, false);
}

static void add_joint(animation *a, size_t joint)
{
    const ug_joint *j = &a->skeleton->joints[joint];
    gather_turns(a, joint);
    // its first key has the sign nearest to the rest
    const double turn[4] = { j->rest.x, j->rest.y, j->rest.z, j->rest.w };
    write_channel(a, joint, 4, turn);
    const ptrdiff_t column = ug_clip_translation_column(a->clip, (int)joint);
    if (column >= 0) {
        const double place[3] = { j->offset_m.x, j->offset_m.y, j->offset_m.z };
        gather_moves(a, joint, (size_t)column);
        write_channel(a, joint, 3, place);
    }
}

// A clip that rests throughout still lasts: its root is told to stay.
static void add_stillness(animation *a)
{
    const ug_vec3 at = a->skeleton->joints[0].offset_m;
    a->values[0] = at.x;
    a->values[1] = at.y;
    a->values[2] = at.z;
    write_linear(a, 0, 3, true);
}

static void write_animation(animation *a)
{
    ug_glb *glb = a->glb;
    a->samplers = ug_glb_array(glb);
    a->channels = ug_glb_array(glb);
    for (size_t j = 0; j < a->clip->joint_count && !glb->too_large && !glb->out_of_memory; j++) {
        add_joint(a, j);
    }
    if (a->sampler_count == 0) {
        add_stillness(a);
    }
    cJSON *item = ug_glb_object(glb), *extras = ug_glb_object(glb), *list = ug_glb_array(glb);
    ug_glb_put(glb, item, "name", ug_glb_text(glb, "motion"));
    ug_glb_put(glb, item, "samplers", a->samplers);
    ug_glb_put(glb, item, "channels", a->channels);
    ug_glb_put_frames(glb, extras, a->clip);
    ug_glb_put(glb, item, "extras", extras);
    ug_glb_append(glb, list, item);
    ug_glb_put(glb, glb->root, "animations", list);
}

ug_status ug_glb_add_animation(ug_glb *glb, const ug_take *take, bool cubic, ug_warnings *warnings,
                               ug_error *err)
{
    const ug_clip *clip = take->clip;
    if (!ug_rate_is_valid(clip->rate)) {
        return ug_fail(err, UG_E_DATA, "the frame rate is not known: import with --fps");
    }
    animation a = {
        .glb = glb, .skeleton = take->skeleton, .clip = clip, .cubic = cubic, .warnings = warnings
    };
    a.times = ug_memory_create(clip->frame_count * sizeof *a.times);
    a.frames = ug_memory_create(clip->frame_count * sizeof *a.frames);
    a.values = ug_memory_create(clip->frame_count * 4 * sizeof *a.values);
    const bool ok = a.times && a.frames && a.values;
    if (ok) {
        ug_glb_key_times(a.times, a.frames, &a.key_count, clip->rate, clip->frame_count, warnings);
        write_animation(&a);
    }
    free(a.times);
    free(a.frames);
    free(a.values);
    return ok ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
}
