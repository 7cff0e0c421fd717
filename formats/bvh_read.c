// SPDX-License-Identifier: MIT
// BVH text -> take: hierarchy and rows joined, then brought into our unit and axes.
#include "formats/bvh.h"
#include "formats/bvh_parts.h"
#include "formats/decimal.h"
#include "formats/infer.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
    source->unit_stated = !need_unit;
    source->axes_stated = !need_up;
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

// ---- the whole

enum { HEAD_ROOM = 64 << 10 }; // behind MOTION: both of its head lines are in there

typedef struct bvh_head {
    ug_bvh_hierarchy hierarchy;
    int64_t declared;
    ug_rate rate;
} bvh_head;

static ug_status read_head(bvh_head *out, ug_bvh_cursor *cursor, const ug_read_opts *opts,
                           ug_warnings *warnings, ug_error *err)
{
    const uint8_t *data = (const uint8_t *)cursor->begin;
    const size_t size = (size_t)(cursor->end - cursor->begin);
    if (size >= 2 &&
        ((data[0] == 0xFF && data[1] == 0xFE) || (data[0] == 0xFE && data[1] == 0xFF))) {
        return ug_bvh_fail(err, cursor, cursor->begin, UG_E_FORMAT,
                           "UTF-16 text: save it as UTF-8");
    }
    cursor->p = cursor->begin + (size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    ug_status status = ug_bvh_hierarchy_read(&out->hierarchy, cursor, warnings, err);
    if (status == UG_OK) {
        status = ug_bvh_motion_head_read(&out->declared, &out->rate, cursor, opts, warnings, err);
    }
    return status;
}

// Read the head from as large a window as it takes.
static ug_status find_head(bvh_head *out, ug_bvh_cursor *cursor, const ug_read_opts *opts,
                           ug_warnings *warnings, ug_error *err)
{
    for (;;) {
        ug_warnings own = { 0 };
        ug_error own_err = { 0 };
        ug_status status = read_head(out, cursor, opts, &own, &own_err);
        const size_t room = (size_t)(cursor->end - cursor->p);
        if (!ug_bvh_has_more(cursor) || (status == UG_OK && room >= HEAD_ROOM)) {
            if (status != UG_OK) {
                ug_error_where(err, "%s", own_err.where);
                return ug_fail(err, status, "%s", own_err.message);
            }
            if (warnings) {
                ug_warnings_merge(warnings, &own);
            }
            return UG_OK;
        }
        ug_bvh_hierarchy_fini(&out->hierarchy);
        const char *keep = cursor->begin;
        status = ug_bvh_more(cursor, &keep, err);
        if (status != UG_OK) {
            return status;
        }
    }
}

static ug_status read_text(ug_take *take, ug_bvh_cursor *cursor, const ug_read_opts *opts,
                           ug_warnings *warnings, ug_error *err)
{
    const ug_read_opts none = { 0 };
    opts = opts ? opts : &none;
    cursor->progress = opts->progress;
    bvh_head h = { 0 };
    ug_status status = find_head(&h, cursor, opts, warnings, err);
    if (status == UG_OK) {
        status = ug_bvh_rows_read(&take->clip, cursor, &h.hierarchy, h.declared, h.rate,
                                  opts->bvh_offset_add, warnings, err);
    }
    if (status == UG_OK) {
        status = ug_bvh_skeleton_make(&take->skeleton, &h.hierarchy, warnings, err);
    }
    if (status == UG_OK) {
        ug_bvh_drop_still(take->clip, take->skeleton);
        (void)snprintf(take->source.format, sizeof take->source.format, "bvh");
        status = find_frame(take, opts, warnings, err);
    }
    if (status == UG_OK) {
        bring_home(take);
    } else {
        ug_take_fini(take);
    }
    ug_bvh_hierarchy_fini(&h.hierarchy);
    return status;
}

ug_status ug_bvh_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                       const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    assert(take && !take->skeleton && !take->clip && bytes && bytes->data);
    const char *const text = (const char *)bytes->data;
    const size_t size = bytes->size;
    ug_bvh_cursor cursor = { text, text, text + size, 1, size, size, name, NULL, NULL };
    const ug_status status = read_text(take, &cursor, opts, warnings, err);
    if (status != UG_OK && name && *name) {
        ug_error_where(err, "%s", name);
    }
    return status;
}

ug_status ug_bvh_read(ug_take *take, const char *path, const ug_read_opts *opts,
                      ug_warnings *warnings, ug_error *err)
{
    assert(take && !take->skeleton && !take->clip && path);
    ug_bvh_window window;
    ug_bvh_cursor cursor;
    ug_status status = ug_bvh_window_open(&window, &cursor, path, err);
    if (status == UG_OK) {
        status = read_text(take, &cursor, opts, warnings, err);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    ug_bvh_window_close(&window);
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
    .is_motion = true,
    .matches = matches,
    .read = ug_bvh_read,
    .write = ug_bvh_write,
};
