// SPDX-License-Identifier: MIT
// BVH text -> take: hierarchy and rows joined, then brought into our unit and axes.
#include "formats/bvh.h"
#include "formats/bvh_parts.h"
#include "formats/decimal.h"
#include "formats/infer.h"

#include "motion/text.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const ug_vec3 AXES[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

// Text of the line at the cursor behind its key ("Frames", "Frame Time"), colon and blanks cut;
// NULL when the line has another key.
static const char *value_of(size_t *length, const ug_bvh_cursor *cursor, const char *key)
{
    const char *p = cursor->p;
    for (; *key; key++) {
        if (*key == ' ') { // any blanks, or none
            while (p < cursor->end && (*p == ' ' || *p == '\t')) {
                p++;
            }
        } else if (p < cursor->end && tolower((unsigned char)*p) == *key) {
            p++;
        } else {
            return NULL;
        }
    }
    if (p < cursor->end && *p != ':' && !isspace((unsigned char)*p)) {
        return NULL;
    }
    while (p < cursor->end && (*p == ' ' || *p == '\t' || *p == ':')) {
        p++;
    }
    const char *last = p;
    while (last < cursor->end && *last != '\n' && *last != '\r') {
        last++;
    }
    while (last > p && isspace((unsigned char)last[-1])) {
        last--;
    }
    *length = (size_t)(last - p);
    return p;
}

static ug_status read_frames(int64_t *declared, const char *text, size_t length,
                             const ug_bvh_cursor *cursor, ug_error *err)
{
    double value = -1.0;
    const char *const stop = length > 0 ? ug_decimal_read(&value, text, text + length) : text;
    if (stop != text + length || !(value >= 0.0) || value > 1e15 || value != floor(value)) {
        return ug_bvh_fail(err, cursor, text, UG_E_FORMAT, "'Frames: %.*s' is not a count",
                           length < 40 ? (int)length : 40, text);
    }
    *declared = (int64_t)value;
    return UG_OK;
}

static bool is_zero(const char *text, size_t length)
{
    double value = 1.0;
    return length > 0 && ug_decimal_read(&value, text, text + length) == text + length &&
           value == 0.0;
}

static ug_status read_frame_time(ug_rate *rate, const char *text, size_t length,
                                 const ug_bvh_cursor *cursor, ug_error *err)
{
    if (length == 0 || is_zero(text, length)) {
        return ug_bvh_fail(err, cursor, text, UG_E_DATA,
                           "Frame Time is %s: say the rate with --rate", length ? "0" : "empty");
    }
    ug_error inner = { 0 };
    if (ug_rate_from_frame_time_text(rate, text, length < 64 ? length : 64, &inner) != UG_OK) {
        return ug_bvh_fail(err, cursor, text, UG_E_DATA, "%s: say the rate with --rate",
                           inner.message);
    }
    return UG_OK;
}

ug_status ug_bvh_motion_head_read(int64_t *declared, ug_rate *rate, ug_bvh_cursor *cursor,
                                  const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    *declared = -1;
    *rate = opts->rate;
    bool timed = ug_rate_is_valid(opts->rate);
    while (ug_bvh_skip_space(cursor)) {
        size_t length = 0;
        const char *text = value_of(&length, cursor, "frame time");
        ug_status status = UG_OK;
        if (text) {
            if (!ug_rate_is_valid(opts->rate)) {
                status = read_frame_time(rate, text, length, cursor, err);
                timed = true;
            }
        } else if ((text = value_of(&length, cursor, "frames"))) {
            status = read_frames(declared, text, length, cursor, err);
        } else {
            break;
        }
        if (status != UG_OK) {
            return status;
        }
        cursor->p = text + length;
    }
    if (!timed) {
        return ug_bvh_fail(err, cursor, cursor->p, UG_E_DATA,
                           "there is no Frame Time: say the rate with --rate");
    }
    if (*declared < 0) {
        ug_warn(warnings, "bvh_frames_disagree", "there is no 'Frames:': the rows are counted");
    }
    return UG_OK;
}

// ---- hierarchy -> skeleton, still in the file's unit and axes

static bool make_unique(ug_skeleton *skeleton, size_t index, bool *changed)
{
    ug_joint *joint = &skeleton->joints[index];
    char *const wanted = joint->name;
    *changed = false;
    for (size_t n = 2; ug_skeleton_find(skeleton, joint->name) != (int)index; n++) {
        char *other = ug_text_format("%s_%zu", wanted, n);
        if (joint->name != wanted) {
            free(joint->name);
        }
        joint->name = other;
        *changed = true;
        if (!other) {
            break;
        }
    }
    if (joint->name != wanted) {
        free(wanted);
    }
    return joint->name != NULL;
}

static ug_joint_type type_of(const ug_bvh_joint *from, ug_vec3 axes[3])
{
    int count = 0;
    for (int i = 0; i < from->channel_count; i++) {
        if (ug_bvh_is_rotation(from->channels[i])) {
            if (count < 3) {
                axes[count] = AXES[ug_bvh_axis(from->channels[i])];
            }
            count++;
        }
    }
    if (count > 2) {
        memcpy(axes, AXES, sizeof AXES); // a ball has no preferred axes
    }
    return count == 0   ? UG_JOINT_FIXED
           : count == 1 ? UG_JOINT_HINGE
           : count == 2 ? UG_JOINT_UNIVERSAL
                        : UG_JOINT_BALL;
}

// Names first for joints, then for End Sites, so that no End Site takes a joint's name.
static ug_status take_names(ug_skeleton *skeleton, ug_bvh_hierarchy *h, ug_warnings *warnings,
                            ug_error *err)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = 0; j < h->joint_count; j++) {
            if (h->joints[j].end_site != (pass == 1)) {
                continue;
            }
            ug_joint *joint = &skeleton->joints[j];
            if (pass == 0) {
                joint->name = h->joints[j].name;
                h->joints[j].name = NULL; // handed over
            } else {
                joint->name = ug_text_format("%s_end", skeleton->joints[joint->parent].name);
            }
            bool changed = false;
            if (!joint->name || !make_unique(skeleton, j, &changed)) {
                return ug_fail(err, UG_E_NOMEM, "out of memory");
            }
            if (changed && pass == 0) {
                ug_warn(warnings, "bvh_name_changed",
                        "a joint's name stands there twice: called '%s'", joint->name);
            }
        }
    }
    return UG_OK;
}

static ug_status make_skeleton(ug_skeleton **out, ug_bvh_hierarchy *h, ug_warnings *warnings,
                               ug_error *err)
{
    ug_skeleton *skeleton = ug_skeleton_create(h->joint_count);
    if (!skeleton) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t j = 0; j < h->joint_count; j++) {
        const ug_bvh_joint *from = &h->joints[j];
        ug_joint *joint = &skeleton->joints[j];
        joint->parent = from->parent;
        joint->offset_m = ug_vec3_of(from->offset);
        joint->type = type_of(from, joint->axes);
        memcpy(joint->channels, from->channels, sizeof joint->channels);
        joint->flags = from->end_site ? UG_JOINT_END_SITE : 0;
    }
    const ug_status status = take_names(skeleton, h, warnings, err);
    if (status != UG_OK) {
        ug_skeleton_destroy(skeleton);
        return status;
    }
    *out = skeleton;
    return UG_OK;
}

// Drop the translations of joints that only repeat their OFFSET, within 1e-7 of all bones together.
static void drop_still_translations(ug_clip *clip, ug_skeleton *skeleton)
{
    double reach = 0.0;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].parent >= 0) {
            reach += ug_vec3_norm(skeleton->joints[j].offset_m);
        }
    }
    const size_t from = clip->translated_count;
    size_t kept = 0;
    for (size_t t = 0; t < from; t++) {
        const int j = clip->translated_joints[t];
        ug_joint *joint = &skeleton->joints[j];
        bool moves = joint->parent < 0;
        for (size_t f = 0; f < clip->frame_count && !moves; f++) {
            moves =
                ug_vec3_distance(clip->translations[f * from + t], joint->offset_m) > 1e-7 * reach;
        }
        if (!moves) {
            continue;
        }
        joint->type = UG_JOINT_FREE;
        clip->translated_joints[kept] = j;
        // the column goes to its place in a fresh layout once all columns are known
        if (kept != t) {
            for (size_t f = 0; f < clip->frame_count; f++) {
                clip->translations[f * from + kept] = clip->translations[f * from + t];
            }
        }
        kept++;
    }
    for (size_t f = 0; kept < from && f < clip->frame_count; f++) {
        memmove(clip->translations + f * kept, clip->translations + f * from,
                kept * sizeof *clip->translations);
    }
    clip->translated_count = kept;
}

// ---- into our unit and axes

double ug_bvh_unit_to_metres(const char *unit)
{
    double metres = ug_unit_to_metres(unit);
    if (metres == 0.0 && strcasecmp(unit, "in/0.45") == 0) {
        metres = 0.0254 / 0.45;
    }
    if (metres == 0.0 && !(ug_decimal_parse(&metres, unit) && metres > 1e-9 && metres < 1e9)) {
        metres = 0.0;
    }
    return metres;
}

static ug_status find_frame(ug_take *take, const ug_read_opts *opts, ug_warnings *warnings,
                            ug_error *err)
{
    ug_source *source = &take->source;
    ug_inferred_frame found = { 0 };
    const bool need_unit = !opts->unit, need_up = !opts->up;
    if (need_unit || need_up) {
        const ug_status status =
            ug_infer_from_motion(&found, take->skeleton, take->clip, need_up, need_unit, err);
        if (status != UG_OK) {
            return status;
        }
    }
    const char *unit = need_unit ? found.unit : opts->unit;
    source->unit_m = need_unit && found.unit_m > 0.0 ? found.unit_m : ug_bvh_unit_to_metres(unit);
    if (source->unit_m == 0.0) {
        return ug_fail(err, UG_E_USAGE, UG_BVH_NO_UNIT, unit);
    }
    (void)snprintf(source->unit, sizeof source->unit, "%s", unit);
    source->unit_inferred = source->axes_inferred = true; // a BVH never declares them
    if (need_unit) {
        if (found.unit_m > 0.0) {
            ug_warn(warnings, "unit_scaled",
                    "no usual unit fits this body: taken as %.5g m, so that its legs are a grown "
                    "person's; --unit says better",
                    source->unit_m);
        } else {
            ug_warn(warnings, "unit_inferred",
                    "BVH declares no unit: inferred %s (%.6g m) from the "
                    "body's size; --unit says better",
                    unit, source->unit_m);
        }
    }
    if (need_up) {
        ug_warn(warnings, "up_inferred",
                "BVH declares no vertical: inferred %s from head and feet; --up says better",
                found.up);
    }
    return ug_axes_from_names(&source->axes, need_up ? found.up : opts->up, NULL, err);
}

static ug_quat turn(ug_axes axes, ug_quat q)
{
    const ug_vec3 v = ug_axes_import(axes, (ug_vec3){ q.x, q.y, q.z });
    return (ug_quat){ q.w, v.x, v.y, v.z };
}

static void bring_home(ug_take *take)
{
    const ug_axes axes = take->source.axes;
    const double unit_m = take->source.unit_m;
    const ug_axes identity = UG_AXES_IDENTITY;
    for (size_t j = 0; j < take->skeleton->joint_count; j++) {
        ug_joint *joint = &take->skeleton->joints[j];
        joint->offset_m = ug_axes_import(axes, ug_vec3_scale(joint->offset_m, unit_m));
        for (int k = 0; k < ug_joint_rotation_dof(joint->type) && joint->type != UG_JOINT_BALL &&
                        joint->type != UG_JOINT_FREE;
             k++) {
            joint->axes[k] = ug_axes_import(axes, joint->axes[k]);
        }
    }
    ug_clip *clip = take->clip;
    for (size_t i = 0; i < clip->frame_count * clip->translated_count; i++) {
        clip->translations[i] = ug_axes_import(axes, ug_vec3_scale(clip->translations[i], unit_m));
    }
    // q R q* for a signed permutation only permutes the vector part: exact
    if (memcmp(&axes, &identity, sizeof axes) != 0) {
        for (size_t i = 0; i < clip->frame_count * clip->joint_count; i++) {
            clip->rotations[i] = turn(axes, clip->rotations[i]);
        }
    }
}

static ug_status start(ug_bvh_cursor *cursor, const ug_bytes *bytes, const char *name,
                       ug_error *err)
{
    const char *const text = (const char *)bytes->data;
    *cursor = (ug_bvh_cursor){ text, text, text + bytes->size, name };
    if (bytes->size >= 2 && ((bytes->data[0] == 0xFF && bytes->data[1] == 0xFE) ||
                             (bytes->data[0] == 0xFE && bytes->data[1] == 0xFF))) {
        return ug_bvh_fail(err, cursor, text, UG_E_FORMAT, "UTF-16 text: save it as UTF-8");
    }
    if (bytes->size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        cursor->p += 3;
    }
    return UG_OK;
}

ug_status ug_bvh_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                       const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    assert(take && !take->skeleton && !take->clip && bytes);
    const ug_read_opts none = { 0 };
    opts = opts ? opts : &none;
    ug_bvh_hierarchy hierarchy = { 0 };
    ug_bvh_cursor cursor;
    int64_t declared;
    ug_rate rate;
    ug_status status = start(&cursor, bytes, name, err);
    if (status == UG_OK) {
        status = ug_bvh_hierarchy_read(&hierarchy, &cursor, warnings, err);
    }
    if (status == UG_OK) {
        status = ug_bvh_motion_head_read(&declared, &rate, &cursor, opts, warnings, err);
    }
    if (status == UG_OK) {
        status = ug_bvh_rows_read(&take->clip, &cursor, &hierarchy, declared, rate,
                                  opts->bvh_offset_add, warnings, err);
    }
    if (status == UG_OK) {
        status = make_skeleton(&take->skeleton, &hierarchy, warnings, err);
    }
    if (status == UG_OK) {
        drop_still_translations(take->clip, take->skeleton);
        (void)snprintf(take->source.format, sizeof take->source.format, "bvh");
        status = find_frame(take, opts, warnings, err);
    }
    if (status == UG_OK) {
        bring_home(take);
    } else {
        if (name && *name) {
            ug_error_where(err, "%s", name);
        }
        ug_take_fini(take);
    }
    ug_bvh_hierarchy_fini(&hierarchy);
    return status;
}

ug_status ug_bvh_read(ug_take *take, const char *path, const ug_read_opts *opts,
                      ug_warnings *warnings, ug_error *err)
{
    ug_bytes bytes = { 0 };
    ug_error io = { 0 }; // its where is the path alone; ours may add a line
    ug_status status = ug_bytes_read(&bytes, path, &io);
    if (status == UG_OK) {
        status = ug_bvh_parse(take, &bytes, path, opts, warnings, err);
    } else {
        ug_error_where(err, "%s", path);
        (void)ug_fail(err, status, "%s", io.message);
    }
    ug_bytes_fini(&bytes);
    return status;
}

static bool matches(const uint8_t *head, size_t size)
{
    size_t at = size >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && isspace(head[at])) {
        at++;
    }
    return size - at >= 9 && strncasecmp((const char *)head + at, "HIERARCHY", 9) == 0;
}

const ug_format ug_format_bvh = {
    .name = "bvh",
    .extensions = ".bvh",
    .summary = "BVH, skeleton and motion as text",
    .matches = matches,
    .read = ug_bvh_read,
    .write = ug_bvh_write,
};
