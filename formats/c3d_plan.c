// SPDX-License-Identifier: MIT
// Decides what a C3D file will look like before a byte of it is written: processor, integer or
// float, scale, axes, header block and parameter tree.
#include "formats/c3d_edit.h"
#include "formats/c3d_update.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_from_c3d(const ug_take *take)
{
    return strcmp(take->source.format, "c3d") == 0 && take->source.processor != '\0';
}

static ug_status check_sizes(const ug_take *take, ug_error *err)
{
    const ug_markers *m = take->markers;
    const ug_analog *a = take->analog;
    if (!m) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "there are no markers to write as C3D");
    }
    if (a && a->frame_count != m->frame_count) {
        return ug_fail(err, UG_E_DATA,
                       "markers have %zu frames and analog %zu; C3D keeps both frame by frame",
                       m->frame_count, a->frame_count);
    }
    if (m->marker_count > C3D_COUNT_MAX || (a && a->channel_count > C3D_COUNT_MAX) ||
        (a && a->samples_per_frame > C3D_COUNT_MAX)) {
        return ug_fail(err, UG_E_DATA, "C3D counts to %d; the take has %zu points, %zu channels",
                       C3D_COUNT_MAX, m->marker_count, a ? a->channel_count : 0);
    }
    if (m->frame_count > 2147483647u) {
        return ug_fail(err, UG_E_DATA, "%zu frames are more than C3D can count", m->frame_count);
    }
    if (!ug_rate_is_valid(m->rate)) {
        return ug_fail(err, UG_E_DATA, "the markers have no frame rate");
    }
    return UG_OK;
}

// --- integer or float ---

static bool is_whole(double value, double low, double high)
{
    return value >= low && value <= high && value == floor(value);
}

static bool integers_hold_points(const ug_take *take, double scale, float factor)
{
    const ug_markers *m = take->markers;
    const size_t n = m->frame_count * m->marker_count;
    const double most = 32767.4 * scale / (double)factor; // what rounds to the last integer
    for (size_t i = 0; i < n; i++) {
        const float *p = m->positions + 3 * i;
        if ((m->origin[i] & UG_ORIGIN_PRESENT) &&
            !(fabs((double)p[0]) <= most && fabs((double)p[1]) <= most &&
              fabs((double)p[2]) <= most)) {
            return false;
        }
    }
    return true;
}

static bool integers_hold_analog(const ug_analog *a, bool is_unsigned)
{
    const size_t n = a ? a->frame_count * a->samples_per_frame * a->channel_count : 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_whole((double)a->raw[i], is_unsigned ? 0 : -32768, is_unsigned ? 65535 : 32767)) {
            return false;
        }
    }
    return true;
}

static bool floats_hold(const ug_take *take, char processor)
{
    const ug_markers *m = take->markers;
    const ug_analog *a = take->analog;
    bool ok = true;
    for (size_t i = 0; ok && i < 3 * m->frame_count * m->marker_count; i++) {
        ok = !(m->origin[i / 3] & UG_ORIGIN_PRESENT) || c3d_float_fits(m->positions[i], processor);
    }
    const size_t n = a ? a->frame_count * a->samples_per_frame * a->channel_count : 0;
    for (size_t i = 0; ok && i < n; i++) {
        ok = c3d_float_fits(a->raw[i], processor);
    }
    return ok;
}

static void choose_encoding(c3d_plan *plan, const ug_take *take, ug_warnings *warnings)
{
    c3d_layout *l = &plan->layout;
    const bool from_c3d = is_from_c3d(take);
    l->processor = from_c3d ? take->source.processor : 'I';
    l->is_integer = from_c3d && take->source.integer_samples;
    l->analog_is_unsigned = c3d_analog_is_unsigned(&plan->tree);
    if (l->is_integer && !(integers_hold_points(take, l->scale, plan->factor) &&
                           integers_hold_analog(take->analog, l->analog_is_unsigned))) {
        ug_warn(warnings, "c3d_integer_to_float",
                "the source was integer with a scale of %g; samples now reach past it, so the "
                "file is written as float",
                l->scale);
        l->is_integer = false;
    }
    if (l->processor == 'D' && !l->is_integer && !floats_hold(take, 'D')) {
        ug_warn(warnings, "c3d_processor_changed",
                "a value is too large or no number for a DEC float; the file is written as Intel");
        l->processor = 'I';
    }
}

// The residual's unit. Vicon's 0.01 mm for a new file, larger when a residual needs it.
static double choose_scale(const ug_take *take, float factor)
{
    if (is_from_c3d(take) && take->source.point_scale > 0) {
        return take->source.point_scale * (double)factor;
    }
    const ug_markers *m = take->markers;
    double scale = 1e-5 / m->scale_m;
    for (size_t i = 0; i < m->frame_count * m->marker_count; i++) {
        const double need = (double)m->residuals[i] / 255.0;
        scale = need > scale && isfinite(need) ? need : scale;
    }
    return (double)(float)(scale * (double)factor);
}

// --- unit and axes ---

// A name for the unit of the positions; NULL when no unit is that long.
static const char *unit_name(const ug_take *take)
{
    static const char *const NAMES[] = { "mm", "cm", "m", "in", "ft" };
    const double unit_m = take->markers->scale_m;
    if (fabs(ug_unit_to_metres(take->source.unit) - unit_m) <= 1e-9 * unit_m) {
        return take->source.unit;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (fabs(ug_unit_to_metres(NAMES[i]) - unit_m) <= 1e-9 * unit_m) {
            return NAMES[i];
        }
    }
    return NULL;
}

static ug_status choose_frame(c3d_plan *plan, const ug_take *take, const ug_write_opts *opts,
                              ug_error *err)
{
    const bool has_unit = opts && opts->unit, has_up = opts && opts->up;
    const char *own = unit_name(take);
    const char *unit = has_unit ? opts->unit : own ? own : "mm";
    const double unit_m = ug_unit_to_metres(unit);
    if (!(unit_m > 0)) {
        return ug_fail(err, UG_E_USAGE, "'%s' is not a unit; write mm, cm, m, in or ft", unit);
    }
    plan->factor = own && strcmp(unit, own) == 0 ? 1.0f : (float)(take->markers->scale_m / unit_m);
    plan->axes = take->source.axes;
    if (has_up) {
        const ug_status status = ug_axes_from_names(&plan->axes, opts->up, NULL, err);
        if (status != UG_OK) {
            return status;
        }
    }
    const bool is_new = !is_from_c3d(take);
    return c3d_update_frame(&plan->tree, unit, unit_m, plan->axes, is_new || has_unit || !own,
                            is_new || has_up, err);
}

// --- all of it ---

// How the source described itself, for finding out what has changed.
typedef struct origin {
    bool is_new;
    char processor;
    size_t point_count;
    bool rate_changed;
} origin;

static origin origin_of(const ug_take *take, const c3d_layout *l)
{
    const ug_source *s = &take->source;
    origin o = { .is_new = !is_from_c3d(take), .processor = l->processor };
    if (!o.is_new) {
        o.processor = s->processor;
        o.point_count = c3d_get_u16(s->header + C3D_H_POINTS, s->processor);
        double hz = c3d_number(&s->parameters, "POINT", "RATE", 0, false, NULL);
        if (isnan(hz)) {
            hz = (double)c3d_get_f32(s->header + C3D_H_RATE, s->processor);
        }
        o.rate_changed =
            !ug_rate_equal(c3d_rate(hz), l->rate) ||
            c3d_get_u16(s->header + C3D_H_SAMPLES, s->processor) != l->samples_per_frame;
    }
    return o;
}

static ug_status update_tree(c3d_plan *plan, const ug_take *take, const origin *from,
                             ug_warnings *warnings, ug_error *err)
{
    const c3d_layout *l = &plan->layout;
    ug_status status =
        c3d_update_points(&plan->tree, take->markers, from->point_count, warnings, err);
    if (status == UG_OK) {
        status = c3d_update_counts(&plan->tree, l, from->is_new, err);
    }
    if (status == UG_OK) {
        status = c3d_update_analog(&plan->tree, take->analog, l, from->is_new, from->rate_changed,
                                   warnings, err);
    }
    return status == UG_OK ? c3d_events_update(plan, &take->events, from->processor, err) : status;
}

// DATA_START stands inside the section whose length decides it.
static ug_status place_data(c3d_plan *plan, ug_error *err)
{
    for (int round = 0; round < 3; round++) {
        size_t blocks = 0;
        free(plan->section);
        plan->section = NULL;
        ug_status status = c3d_parameters_format(&plan->section, &blocks, &plan->tree,
                                                 plan->layout.processor, err);
        if (status != UG_OK) {
            return status;
        }
        plan->section_size = blocks * C3D_BLOCK;
        plan->layout.data_offset = C3D_BLOCK + plan->section_size;
        status = c3d_update_number(&plan->tree, "POINT", "DATA_START", UG_PARAMETER_INT16,
                                   (double)(blocks + 2), err);
        if (status != UG_OK) {
            return status;
        }
    }
    return UG_OK;
}

ug_status c3d_plan_make(c3d_plan *plan, const ug_take *take, const ug_write_opts *opts,
                        ug_warnings *warnings, ug_error *err)
{
    *plan = (c3d_plan){ .progress = opts ? opts->progress : NULL };
    ug_status status = check_sizes(take, err);
    if (status != UG_OK) {
        return status;
    }
    const ug_markers *m = take->markers;
    c3d_layout *l = &plan->layout;
    const bool has_analog = take->analog && take->analog->channel_count > 0;
    l->point_count = m->marker_count;
    l->frame_count = m->frame_count;
    l->first_frame = m->first_frame;
    l->rate = m->rate;
    l->channel_count = has_analog ? take->analog->channel_count : 0;
    l->samples_per_frame = has_analog ? take->analog->samples_per_frame : 1;
    if (l->first_frame < 0) {
        ug_warn(warnings, "c3d_first_frame",
                "C3D has no frame number %lld; the frames are counted from 0",
                (long long)l->first_frame);
        l->first_frame = 0;
    }
    if (is_from_c3d(take)) {
        memcpy(plan->header, take->source.header, C3D_BLOCK);
        status = ug_parameters_copy(&plan->tree, &take->source.parameters, err);
    }
    if (status == UG_OK) {
        status = choose_frame(plan, take, opts, err);
    }
    if (status == UG_OK) {
        l->scale = choose_scale(take, plan->factor);
        choose_encoding(plan, take, warnings);
        l->frame_bytes = (4 * l->point_count + l->channel_count * l->samples_per_frame) *
                         (l->is_integer ? 2u : 4u);
        const origin from = origin_of(take, l);
        status = update_tree(plan, take, &from, warnings, err);
        if (status == UG_OK) {
            status = place_data(plan, err);
        }
        c3d_header_convert(plan->header, from.processor, l->processor);
        c3d_header_fill(plan, from.is_new, has_analog);
    }
    if (status != UG_OK) {
        c3d_plan_fini(plan);
    }
    return status;
}

void c3d_plan_fini(c3d_plan *plan)
{
    ug_parameters_fini(&plan->tree);
    free(plan->section);
    *plan = (c3d_plan){ 0 };
}
