// SPDX-License-Identifier: MIT
// /markers, /analog and /events of the store.
#include "formats/store_parts.h"

#include "motion/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_SAMPLE "frame marker", "(frame_count x marker_count)"

static const ug_h5_spec LABELS = {
    "labels", UG_H5_TEXT, "marker", "(marker_count)", "1", "label without subject", false
};
static const ug_h5_spec SUBJECTS = {
    "subjects", UG_H5_TEXT, "marker", "(marker_count)", "1", "subject prefix, empty if none", false
};
static const ug_h5_spec KINDS = {
    "kinds",  UG_H5_U8,
    "marker", "(marker_count)",
    "1",      "0 marker, 1 unlabelled, 2 angle, 3 force, 4 moment, 5 power, 6 scalar, 7 virtual",
    false
};
static const ug_h5_spec POSITIONS = { "positions",
                                      UG_H5_F32,
                                      "frame marker xyz",
                                      "(frame_count x marker_count x 3)",
                                      "source unit", // replaced by what scale_m says
                                      "position in the source's unit, in this file's axes; NaN "
                                      "where missing; times scale_m is metres",
                                      true };
static const ug_h5_spec UNFILTERED = { "unfiltered",
                                       UG_H5_F32,
                                       "frame marker xyz",
                                       "(frame_count x marker_count x 3)",
                                       "source unit",
                                       "position before the first filter where bit 32 of origin is "
                                       "set, NaN elsewhere; times scale_m of positions is metres",
                                       true };
static const ug_h5_spec ORIGIN = {
    "origin",
    UG_H5_U16,
    PER_SAMPLE,
    "1",
    "bits: 1 present, 2 measured, 4 computed, 8 filled, 16 repaired, 32 filtered, 64 edited",
    true
};
static const ug_h5_spec METHOD = {
    "method",
    UG_H5_U8,
    PER_SAMPLE,
    "1",
    "how a filled sample was made: 0 none, 1 linear, 2 cubic, 3 rigid, 4 pattern, 5 pca, "
    "6 low rank, 7 skeleton, 8 stacked",
    true
};
static const ug_h5_spec PREDICTED_ERROR = { "predicted_error_mm",
                                            UG_H5_F32,
                                            PER_SAMPLE,
                                            "mm",
                                            "error expected of a filled sample; NaN elsewhere",
                                            true };
static const ug_h5_spec RESIDUALS = { "residuals",
                                      UG_H5_F32,
                                      PER_SAMPLE,
                                      "source unit",
                                      "reconstruction residual of the cameras; -1 where missing",
                                      true };
static const ug_h5_spec CAMERAS = { "cameras", UG_H5_U8, PER_SAMPLE, "1", "camera bit mask", true };

static const char *unit_of_scale(double scale_m)
{
    static const struct {
        double scale;
        const char *unit;
    } UNITS[] = {
        { 1.0, "m" }, { 0.01, "cm" }, { 0.001, "mm" }, { 0.0254, "in" }, { 0.3048, "ft" }
    };
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) {
        if (fabs(scale_m / UNITS[i].scale - 1.0) < 1e-12) {
            return UNITS[i].unit;
        }
    }
    return "scale_m metres";
}

void ug_store_put_markers(const ug_h5_group *root, const ug_take *take)
{
    const ug_markers *m = take->markers;
    if (!m || !ug_h5_ok(root)) {
        return;
    }
    ug_h5_group group = ug_h5_group_make(root, "markers");
    ug_h5_put_text(&group, NULL, "meaning", "markers over time, and what is known of every sample");
    ug_store_put_rate(&group, m->rate, m->first_frame);
    const size_t dims[3] = { m->frame_count, m->marker_count, 3 };
    ug_h5_put_texts(&group, &LABELS, m->marker_count, m->labels);
    ug_h5_put_texts(&group, &SUBJECTS, m->marker_count, m->subjects);
    ug_store_check_codes(&group, "kinds", m->kinds, m->marker_count, UG_POINT_VIRTUAL);
    ug_h5_put(&group, &KINDS, &dims[1], m->kinds);
    ug_h5_spec positions = POSITIONS, residuals = RESIDUALS, unfiltered = UNFILTERED;
    positions.unit = residuals.unit = unfiltered.unit = unit_of_scale(m->scale_m);
    ug_h5_put(&group, &positions, dims, m->positions);
    ug_store_check_scale(&group, "scale_m", m->scale_m);
    ug_h5_put_real(&group, POSITIONS.name, "scale_m", m->scale_m);
    if (m->unfiltered) {
        ug_h5_put(&group, &unfiltered, dims, m->unfiltered);
    }
    ug_h5_put(&group, &ORIGIN, dims, m->origin);
    ug_h5_put(&group, &METHOD, dims, m->method);
    ug_h5_put(&group, &PREDICTED_ERROR, dims, m->predicted_error_mm);
    ug_h5_put(&group, &residuals, dims, m->residuals);
    ug_h5_put(&group, &CAMERAS, dims, m->cameras);
    ug_h5_group_close(&group);
}

// Hand a fresh list of texts over to a struct's own, still empty, list.
static void adopt_texts(char **to, char **from, size_t count)
{
    for (size_t i = 0; from && i < count; i++) {
        to[i] = from[i];
    }
    free(from);
}

static void get_markers(ug_take *take, const ug_h5_group *group)
{
    size_t dims[3];
    if (!ug_h5_shape(dims, group, &POSITIONS)) {
        return;
    }
    dims[2] = 3;
    ug_markers *m = ug_markers_create(dims[0], dims[1], (ug_rate){ 0, 0 });
    if (!m) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        return;
    }
    take->markers = m;
    ug_store_get_rate(&m->rate, &m->first_frame, group);
    m->scale_m = ug_h5_get_real(group, POSITIONS.name, "scale_m");
    ug_store_check_scale(group, "scale_m", m->scale_m);
    adopt_texts(m->labels, ug_h5_get_texts(group, &LABELS, dims[1]), dims[1]);
    adopt_texts(m->subjects, ug_h5_get_texts(group, &SUBJECTS, dims[1]), dims[1]);
    ug_h5_get(m->kinds, group, &KINDS, &dims[1]);
    ug_store_check_codes(group, "kinds", m->kinds, dims[1], UG_POINT_VIRTUAL);
    ug_h5_get(m->positions, group, &POSITIONS, dims);
    if (ug_h5_has(group, UNFILTERED.name)) {
        if (ug_markers_make_unfiltered(m)) {
            ug_h5_get(m->unfiltered, group, &UNFILTERED, dims);
        } else {
            ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        }
    }
    ug_h5_get(m->origin, group, &ORIGIN, dims);
    ug_h5_get(m->method, group, &METHOD, dims);
    ug_h5_get(m->predicted_error_mm, group, &PREDICTED_ERROR, dims);
    ug_h5_get(m->residuals, group, &RESIDUALS, dims);
    ug_h5_get(m->cameras, group, &CAMERAS, dims);
}

void ug_store_get_markers(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group group;
    if (ug_h5_group_open(&group, root, "markers")) {
        get_markers(take, &group);
    }
    ug_h5_group_close(&group);
}

static const ug_h5_spec CHANNEL_LABELS = { "labels", UG_H5_TEXT,      "channel", "(channel_count)",
                                           "1",      "channel label", false };
static const ug_h5_spec CHANNEL_UNITS = {
    "units", UG_H5_TEXT, "channel", "(channel_count)", "1", "unit, empty if unknown", false
};
static const ug_h5_spec SCALE = {
    "scale",   UG_H5_F64,
    "channel", "(channel_count)",
    "1",       "value = (raw - offset) * scale * gen_scale, in the channel's unit",
    false
};
static const ug_h5_spec OFFSET = { "offset", UG_H5_F64,           "channel", "(channel_count)",
                                   "1",      "raw value of zero", false };
static const ug_h5_spec RAW = { "raw",
                                UG_H5_F32,
                                "frame sample channel",
                                "(frame_count x samples_per_frame x channel_count)",
                                "1",
                                "samples as the source stores them",
                                true };

static void put_analog(const ug_h5_group *root, const ug_analog *a)
{
    ug_h5_group group = ug_h5_group_make(root, "analog");
    ug_h5_put_text(&group, NULL, "meaning", "analog channels, carried through untouched");
    ug_h5_put_real(&group, NULL, "gen_scale", a->gen_scale);
    ug_h5_put_texts(&group, &CHANNEL_LABELS, a->channel_count, a->labels);
    ug_h5_put_texts(&group, &CHANNEL_UNITS, a->channel_count, a->units);
    ug_h5_put(&group, &SCALE, &a->channel_count, a->scale);
    ug_h5_put(&group, &OFFSET, &a->channel_count, a->offset);
    const size_t dims[3] = { a->frame_count, a->samples_per_frame, a->channel_count };
    ug_h5_put(&group, &RAW, dims, a->raw);
    ug_h5_group_close(&group);
}

static void get_analog(ug_take *take, const ug_h5_group *group)
{
    size_t dims[3];
    if (!ug_h5_shape(dims, group, &RAW)) {
        return;
    }
    ug_analog *a = ug_analog_create(dims[0], dims[1], dims[2]);
    if (!a) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        return;
    }
    take->analog = a;
    a->gen_scale = ug_h5_get_real(group, NULL, "gen_scale");
    adopt_texts(a->labels, ug_h5_get_texts(group, &CHANNEL_LABELS, dims[2]), dims[2]);
    adopt_texts(a->units, ug_h5_get_texts(group, &CHANNEL_UNITS, dims[2]), dims[2]);
    ug_h5_get(a->scale, group, &SCALE, &dims[2]);
    ug_h5_get(a->offset, group, &OFFSET, &dims[2]);
    ug_h5_get(a->raw, group, &RAW, dims);
}

static const ug_h5_spec EVENT_TIME = {
    "time_s", UG_H5_F64,
    "event",  "(event_count)",
    "s",      "on the source's clock: frame number / rate, first frame included",
    false
};
static const ug_h5_spec EVENT_TEXTS[3] = {
    { "label", UG_H5_TEXT, "event", "(event_count)", "1", "what happened", false },
    { "context", UG_H5_TEXT, "event", "(event_count)", "1", "Left, Right, General or empty",
      false },
    { "subject", UG_H5_TEXT, "event", "(event_count)", "1", "whose event", false },
};

static char **event_text(ug_event *event, int column)
{
    return column == 0 ? &event->label : column == 1 ? &event->context : &event->subject;
}

static void put_events(const ug_h5_group *root, const ug_events *events)
{
    const size_t n = events->count;
    double *time_s = calloc(n, sizeof *time_s);
    char **texts = calloc(n, sizeof *texts);
    ug_h5_group group = ug_h5_group_make(root, "events");
    ug_h5_put_text(&group, NULL, "meaning", "events of the source, carried through untouched");
    if (time_s && texts) {
        for (size_t i = 0; i < n; i++) {
            time_s[i] = events->items[i].time_s;
        }
        ug_h5_put(&group, &EVENT_TIME, &n, time_s);
        for (int column = 0; column < 3; column++) {
            for (size_t i = 0; i < n; i++) {
                texts[i] = *event_text(&events->items[i], column);
            }
            ug_h5_put_texts(&group, &EVENT_TEXTS[column], n, texts);
        }
    } else {
        ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
    }
    ug_h5_group_close(&group);
    free(texts);
    free(time_s);
}

static void get_events(ug_take *take, const ug_h5_group *group)
{
    size_t n = 0;
    if (!ug_h5_shape(&n, group, &EVENT_TIME) || n == 0) {
        return;
    }
    double *time_s = malloc(n * sizeof *time_s);
    take->events.items = calloc(n, sizeof *take->events.items);
    if (time_s && take->events.items) {
        take->events.count = n;
        ug_h5_get(time_s, group, &EVENT_TIME, &n);
        for (int column = 0; column < 3 && ug_h5_ok(group); column++) {
            char **texts = ug_h5_get_texts(group, &EVENT_TEXTS[column], n);
            for (size_t i = 0; texts && i < n; i++) {
                *event_text(&take->events.items[i], column) = texts[i];
            }
            free(texts);
        }
        for (size_t i = 0; ug_h5_ok(group) && i < n; i++) {
            take->events.items[i].time_s = time_s[i];
        }
    } else {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
    }
    free(time_s);
}

void ug_store_put_analog(const ug_h5_group *root, const ug_take *take)
{
    if (take->analog && ug_h5_ok(root)) {
        put_analog(root, take->analog);
    }
    if (take->events.count > 0 && ug_h5_ok(root)) {
        put_events(root, &take->events);
    }
}

void ug_store_get_analog(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group group;
    if (ug_h5_group_open(&group, root, "analog")) {
        get_analog(take, &group);
    }
    ug_h5_group_close(&group);
    if (ug_h5_group_open(&group, root, "events")) {
        get_events(take, &group);
    }
    ug_h5_group_close(&group);
}
