// SPDX-License-Identifier: MIT
// Take -> BVH text.
#include "formats/bvh.h"
#include "formats/bvh_layout.h"
#include "formats/bvh_parts.h"
#include "formats/decimal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DECIMALS_MAX = 15, NUMBER_LENGTH = 32 };

typedef struct writer {
    FILE *stream;
    ug_bvh_layout layout;
    int length_decimals, angle_decimals;
    double *previous; // (slots x 3) Euler angles of the frame before, radians
    char *row;        // room for one row
    const ug_progress *progress;
    ug_warnings *warnings;
} writer;

// Fixed decimals without "-0", at most NUMBER_LENGTH bytes. Returns the end.
static char *put_number(char *out, double value, int decimals)
{
    static const double POWER[DECIMALS_MAX + 1] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
    const double scaled = fabs(value) * POWER[decimals];
    if (!(scaled < 9e15)) {
        return out + snprintf(out, NUMBER_LENGTH, "%.17g", value);
    }
    uint64_t digits = (uint64_t)llround(scaled);
    char text[NUMBER_LENGTH];
    char *p = text + sizeof text;
    const bool negative = value < 0.0 && digits > 0;
    for (int i = 0; i < decimals || digits > 0 || i == decimals; i++) {
        if (i == decimals && decimals > 0) {
            *--p = '.';
        }
        *--p = (char)('0' + digits % 10);
        digits /= 10;
    }
    if (negative) {
        *--p = '-';
    }
    const size_t length = (size_t)(text + sizeof text - p);
    memcpy(out, p, length);
    return out + length;
}

static void print_vector(const writer *w, const char *word, ug_vec3 v)
{
    char text[4 * NUMBER_LENGTH];
    char *p = put_number(text, v.x, w->length_decimals);
    *p++ = ' ';
    p = put_number(p, v.y, w->length_decimals);
    *p++ = ' ';
    p = put_number(p, v.z, w->length_decimals);
    *p = '\0';
    fprintf(w->stream, "%s %s\n", word, text);
}

static void indent(const writer *w, int depth)
{
    for (int i = 0; i < depth; i++) {
        fputc('\t', w->stream);
    }
}

// Names run to the end of their line: what would end it, or be trimmed, becomes '_'.
static void print_name(const writer *w, const char *name)
{
    const size_t length = strlen(name);
    bool changed = length == 0;
    if (changed) {
        fputc('_', w->stream);
    }
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)name[i];
        const bool bad =
            c < ' ' || c == 0x7F || c == '{' || (c == ' ' && (i == 0 || i + 1 == length));
        changed = changed || bad;
        fputc(bad ? '_' : c, w->stream);
    }
    fputc('\n', w->stream);
    if (changed) {
        ug_warn(w->warnings, "bvh_name_changed",
                "joint '%.64s': a name that BVH cannot hold, written with '_'", name);
    }
}

static ug_vec3 written_offset(const writer *w, const ug_bvh_slot *slot)
{
    ug_vec3 v = ug_bvh_export(&w->layout, w->layout.skeleton->joints[slot->joint].offset_m);
    for (int i = 0; i < slot->channel_count && slot->depth == 0 && !w->layout.offset_add; i++) {
        // replaced by the rows: 0 means the same to programs that add
        v.x = slot->channels[i] == UG_CHANNEL_X_POSITION ? 0.0 : v.x;
        v.y = slot->channels[i] == UG_CHANNEL_Y_POSITION ? 0.0 : v.y;
        v.z = slot->channels[i] == UG_CHANNEL_Z_POSITION ? 0.0 : v.z;
    }
    return v;
}

static void print_hierarchy(const writer *w)
{
    const ug_bvh_layout *layout = &w->layout;
    fprintf(w->stream, "HIERARCHY\n");
    for (size_t s = 0; s < layout->count; s++) {
        const ug_bvh_slot *slot = &layout->slots[s];
        indent(w, slot->depth);
        if (slot->end_site) {
            fprintf(w->stream, "End Site\n");
        } else {
            fprintf(w->stream, slot->depth == 0 ? "ROOT " : "JOINT ");
            print_name(w, layout->skeleton->joints[slot->joint].name);
        }
        indent(w, slot->depth);
        fprintf(w->stream, "{\n");
        indent(w, slot->depth + 1);
        print_vector(w, "OFFSET", written_offset(w, slot));
        if (!slot->end_site) {
            indent(w, slot->depth + 1);
            fprintf(w->stream, "CHANNELS %d", slot->channel_count);
            for (int i = 0; i < slot->channel_count; i++) {
                fprintf(w->stream, " %s", ug_bvh_channel_name(slot->channels[i]));
            }
            fprintf(w->stream, "\n");
        }
        const int next = s + 1 < layout->count ? layout->slots[s + 1].depth : 0;
        for (int depth = slot->depth; depth >= next; depth--) {
            indent(w, depth);
            fprintf(w->stream, "}\n");
        }
    }
}

// As few decimals, from 8 on, as our reader needs to find the same rational.
static ug_status print_frame_time(const writer *w, ug_error *err)
{
    const ug_rate rate = w->layout.clip->rate;
    if (!ug_rate_is_valid(rate)) {
        return ug_fail(err, UG_E_DATA, "the frame rate is not known");
    }
    char text[64];
    for (int decimals = 8; decimals <= 18; decimals++) {
        ug_rate back;
        const int length =
            snprintf(text, sizeof text, "%.*f", decimals, (double)rate.den / (double)rate.num);
        if (ug_rate_from_frame_time_text(&back, text, (size_t)length, NULL) == UG_OK &&
            ug_rate_equal(back, rate)) {
            fprintf(w->stream, "Frame Time: %s\n", text);
            return UG_OK;
        }
    }
    (void)snprintf(text, sizeof text, "%.17g", (double)rate.den / (double)rate.num);
    fprintf(w->stream, "Frame Time: %s\n", text);
    ug_warn(w->warnings, "bvh_rate_rounded", "%lld/%lld Hz has no decimal frame time: wrote %s s",
            (long long)rate.num, (long long)rate.den, text);
    return UG_OK;
}

static ug_status check_pose(const writer *w, const ug_bvh_slot *slot, size_t frame, ug_quat q,
                            ug_vec3 moved, ug_error *err)
{
    const double norm = ug_quat_dot(q, q);
    if (!(fabs(norm - 1.0) < 1e-6) || !ug_vec3_is_finite(moved)) {
        return ug_fail(err, UG_E_DATA, "frame %zu, joint '%.64s': its %s is not finite or not unit",
                       frame, w->layout.skeleton->joints[slot->joint].name,
                       ug_vec3_is_finite(moved) ? "rotation" : "translation");
    }
    return UG_OK;
}

static char *put_joint(const writer *w, char *p, const ug_bvh_slot *slot, ug_vec3 moved,
                       const double *angles_rad)
{
    int turn = 0;
    for (int i = 0; i < slot->channel_count; i++) {
        const int channel = slot->channels[i], axis = ug_bvh_axis(channel);
        if (ug_bvh_is_rotation(channel)) {
            p = put_number(p, angles_rad[turn++] / UG_DEG, w->angle_decimals);
        } else if (ug_bvh_is_position(channel)) {
            p = put_number(p,
                           axis == 0   ? moved.x
                           : axis == 1 ? moved.y
                                       : moved.z,
                           w->length_decimals);
        } else {
            *p++ = '1';
        }
        *p++ = ' ';
    }
    return p;
}

static ug_status print_rows(writer *w, ug_error *err)
{
    const ug_bvh_layout *layout = &w->layout;
    for (size_t f = 0; f < layout->clip->frame_count; f++) {
        const ug_status going = ug_progress_step(w->progress, f, layout->clip->frame_count, err);
        if (going != UG_OK) {
            return going;
        }
        char *p = w->row;
        for (size_t s = 0; s < layout->count; s++) {
            const ug_bvh_slot *slot = &layout->slots[s];
            if (slot->channel_count == 0) {
                continue;
            }
            const ug_quat q = ug_bvh_slot_rotation(layout, slot, f);
            ug_vec3 moved = ug_bvh_slot_translation(layout, slot, f);
            const ug_status status = check_pose(w, slot, f, q, moved, err);
            if (status != UG_OK) {
                return status;
            }
            if (layout->offset_add) {
                moved = ug_vec3_sub(moved, layout->skeleton->joints[slot->joint].offset_m);
            }
            double angles[3] = { 0 };
            (void)ug_bvh_slot_fit(angles, slot, q, w->previous + 3 * s);
            memcpy(w->previous + 3 * s, angles, sizeof angles);
            p = put_joint(w, p, slot, ug_bvh_export(layout, moved), angles);
        }
        p[p > w->row ? -1 : 0] = '\n';
        fwrite(w->row, 1, (size_t)(p - w->row), w->stream);
    }
    return UG_OK;
}

// ---- options

static ug_status choose_frame(ug_bvh_layout *layout, const ug_take *take, const ug_write_opts *opts,
                              ug_error *err)
{
    const bool was_bvh = strcmp(take->source.format, "bvh") == 0;
    layout->unit_m = was_bvh ? take->source.unit_m : 0.01;
    layout->axes = was_bvh ? take->source.axes : UG_AXES_IDENTITY;
    layout->offset_add = opts->bvh_offset_add;
    if (opts->unit) {
        layout->unit_m = ug_bvh_unit_to_metres(opts->unit);
        if (layout->unit_m == 0.0) {
            return ug_fail(err, UG_E_USAGE, UG_BVH_NO_UNIT, opts->unit);
        }
    }
    if (!(layout->unit_m > 0.0) || !isfinite(layout->unit_m)) {
        return ug_fail(err, UG_E_DATA, "the source's unit is %g m", layout->unit_m);
    }
    return opts->up ? ug_axes_from_names(&layout->axes, opts->up, NULL, err) : UG_OK;
}

// Rounding adds up along a chain: all of it stays below 3e-7 of the skeleton's size.
static void choose_decimals(writer *w, const ug_write_opts *opts)
{
    const double links = w->layout.depth + 1;
    const double size = fmax(ug_skeleton_size_m(w->layout.skeleton), 1e-3) / w->layout.unit_m;
    const double length = ceil(7.0 - log10(size / links));
    w->length_decimals = (int)fmin(fmax(length, 6.0), DECIMALS_MAX);
    w->angle_decimals = (int)fmin(ceil(5.0 + log10(links)), DECIMALS_MAX);
    w->angle_decimals = w->angle_decimals < 6 ? 6 : w->angle_decimals;
    if (opts->decimals > 0) {
        w->length_decimals = w->angle_decimals =
            opts->decimals < DECIMALS_MAX ? opts->decimals : DECIMALS_MAX;
    }
}

// One frame of rest pose, for a take that has no motion.
static ug_clip *rest_clip(const ug_skeleton *skeleton)
{
    int *roots = malloc((skeleton->joint_count + 1) * sizeof *roots);
    size_t count = 0;
    for (size_t j = 0; roots && j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].parent < 0) {
            roots[count++] = (int)j;
        }
    }
    ug_clip *clip =
        roots ? ug_clip_create(1, skeleton->joint_count, roots, count, ug_rate_make(30, 1)) : NULL;
    for (size_t j = 0; clip && j < skeleton->joint_count; j++) {
        clip->rotations[j] = skeleton->joints[j].rest;
    }
    for (size_t r = 0; clip && r < count; r++) {
        clip->translations[r] = skeleton->joints[roots[r]].offset_m;
    }
    free(roots);
    return clip;
}

static ug_status check_take(const ug_take *take, ug_error *err)
{
    if (!take->skeleton || take->skeleton->joint_count == 0) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "there is no skeleton to write as BVH: solve first");
    }
    if (take->clip && take->clip->joint_count != take->skeleton->joint_count) {
        return ug_fail(err, UG_E_DATA, "motion of %zu joints, skeleton of %zu",
                       take->clip->joint_count, take->skeleton->joint_count);
    }
    return ug_skeleton_check(take->skeleton, err);
}

static ug_status print_all(writer *w, ug_error *err)
{
    w->previous = calloc(3 * w->layout.count, sizeof *w->previous);
    w->row = malloc(NUMBER_LENGTH * w->layout.channel_count + 2);
    if (!w->previous || !w->row) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    print_hierarchy(w);
    fprintf(w->stream, "MOTION\nFrames: %zu\n", w->layout.clip->frame_count);
    const ug_status status = print_frame_time(w, err);
    return status == UG_OK ? print_rows(w, err) : status;
}

ug_status ug_bvh_print(FILE *stream, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    const ug_write_opts none = { 0 };
    opts = opts ? opts : &none;
    ug_status status = check_take(take, err);
    if (status != UG_OK) {
        return status;
    }
    writer w = { .stream = stream, .progress = opts->progress, .warnings = warnings };
    ug_clip *made = NULL;
    if (!take->clip) {
        made = rest_clip(take->skeleton);
        ug_warn(warnings, "bvh_rest_pose", "there is no motion: wrote the rest pose as one frame");
    }
    w.layout.skeleton = take->skeleton;
    w.layout.clip = made ? made : take->clip;
    status = w.layout.clip ? choose_frame(&w.layout, take, opts, err)
                           : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status == UG_OK) {
        const bool was_bvh = strcmp(take->source.format, "bvh") == 0;
        status = ug_bvh_layout_make(&w.layout, was_bvh, warnings, err);
    }
    if (status == UG_OK) {
        choose_decimals(&w, opts);
        status = print_all(&w, err);
    }
    free(w.previous);
    free(w.row);
    ug_bvh_layout_fini(&w.layout);
    ug_clip_destroy(made);
    return status;
}

ug_status ug_bvh_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    assert(path && take);
    ug_outfile out;
    ug_status status = ug_outfile_open(&out, path, err);
    if (status != UG_OK) {
        return status;
    }
    status = ug_bvh_print(out.stream, take, opts, warnings, err);
    if (status == UG_OK) {
        status = ug_outfile_commit(&out, err);
    } else {
        ug_error_where(err, "%s", path);
        ug_outfile_discard(&out);
    }
    return status;
}
