// SPDX-License-Identifier: MIT
// Are two takes from C3D the same in every sample, flag, event, analog value and parameter? Says
// in one line what is not.
#pragma once

#include "motion/take.h"

#include <stdio.h>
#include <string.h>

static inline bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

static inline bool same_text_or_null(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static inline const char *markers_difference(const ug_markers *a, const ug_markers *b)
{
    const size_t n = a->frame_count * a->marker_count;
    if (a->frame_count != b->frame_count || a->marker_count != b->marker_count) {
        return "numbers of frames or points";
    }
    if (!ug_rate_equal(a->rate, b->rate) || a->first_frame != b->first_frame) {
        return "rate or first frame";
    }
    if (a->scale_m != b->scale_m) {
        return "unit";
    }
    for (size_t i = 0; i < a->marker_count; i++) {
        if (!same_text_or_null(a->labels[i], b->labels[i]) ||
            !same_text_or_null(a->subjects[i], b->subjects[i])) {
            return "labels";
        }
    }
    if (!same_bytes(a->kinds, b->kinds, a->marker_count)) {
        return "kinds";
    }
    if (!same_bytes(a->origin, b->origin, n * sizeof *a->origin)) {
        return "origin bits";
    }
    for (size_t i = 0; i < n; i++) {
        // a missing sample is NaN whatever its bits
        if ((a->origin[i] & UG_ORIGIN_PRESENT) &&
            !same_bytes(a->positions + 3 * i, b->positions + 3 * i, 3 * sizeof *a->positions)) {
            return "positions";
        }
        if (!(a->origin[i] & UG_ORIGIN_PRESENT) &&
            !(isnan(b->positions[3 * i]) && isnan(b->positions[3 * i + 1]) &&
              isnan(b->positions[3 * i + 2]))) {
            return "missing samples";
        }
    }
    if (!same_bytes(a->residuals, b->residuals, n * sizeof *a->residuals)) {
        return "residuals";
    }
    return same_bytes(a->cameras, b->cameras, n) ? NULL : "cameras";
}

static inline const char *analog_difference(const ug_analog *a, const ug_analog *b)
{
    if (!a || !b) {
        return a == b ? NULL : "presence of analog";
    }
    if (a->frame_count != b->frame_count || a->channel_count != b->channel_count ||
        a->samples_per_frame != b->samples_per_frame) {
        return "analog sizes";
    }
    for (size_t c = 0; c < a->channel_count; c++) {
        if (strcmp(a->labels[c], b->labels[c]) != 0 || strcmp(a->units[c], b->units[c]) != 0) {
            return "analog names or units";
        }
        if (a->scale[c] != b->scale[c] || a->offset[c] != b->offset[c]) {
            return "analog scales";
        }
    }
    const size_t n = a->frame_count * a->samples_per_frame * a->channel_count;
    return a->gen_scale == b->gen_scale && same_bytes(a->raw, b->raw, n * sizeof *a->raw)
               ? NULL
               : "analog values";
}

static inline const char *events_difference(const ug_events *a, const ug_events *b)
{
    if (a->count != b->count) {
        return "number of events";
    }
    for (size_t i = 0; i < a->count; i++) {
        const ug_event *x = &a->items[i], *y = &b->items[i];
        if (x->time_s != y->time_s || strcmp(x->label, y->label) != 0 ||
            strcmp(x->context, y->context) != 0 || strcmp(x->subject, y->subject) != 0) {
            return "events";
        }
    }
    return NULL;
}

// POINT:DATA_START says where in the file, not what, and is left out.
static inline const char *parameters_difference(const ug_parameters *a, const ug_parameters *b)
{
    static char words[160];
    if (a->count != b->count) {
        return "number of groups";
    }
    for (size_t g = 0; g < a->count; g++) {
        const ug_parameter_group *x = &a->groups[g], *y = &b->groups[g];
        if (strcmp(x->name, y->name) != 0 || strcmp(x->description, y->description) != 0 ||
            x->locked != y->locked || x->count != y->count) {
            (void)snprintf(words, sizeof words, "group %s", x->name);
            return words;
        }
        for (size_t i = 0; i < x->count; i++) {
            const ug_parameter *p = &x->items[i], *q = &y->items[i];
            const bool is_place =
                strcmp(x->name, "POINT") == 0 && strcmp(p->name, "DATA_START") == 0;
            if (strcmp(p->name, q->name) != 0 || strcmp(p->description, q->description) != 0 ||
                p->locked != q->locked || p->type != q->type ||
                p->dimension_count != q->dimension_count ||
                !same_bytes(p->dimensions, q->dimensions, (size_t)p->dimension_count) ||
                p->size != q->size || (!is_place && !same_bytes(p->data, q->data, p->size))) {
                (void)snprintf(words, sizeof words, "parameter %s:%s", x->name, p->name);
                return words;
            }
        }
    }
    return NULL;
}

/// NULL when both are the same, else what is not.
static inline const char *take_difference(const ug_take *a, const ug_take *b)
{
    const char *d = markers_difference(a->markers, b->markers);
    d = d ? d : analog_difference(a->analog, b->analog);
    d = d ? d : events_difference(&a->events, &b->events);
    d = d ? d : parameters_difference(&a->source.parameters, &b->source.parameters);
    if (!d && (a->source.processor != b->source.processor ||
               a->source.integer_samples != b->source.integer_samples ||
               a->source.point_scale != b->source.point_scale)) {
        d = "encoding";
    }
    if (!d && (strcmp(a->source.unit, b->source.unit) != 0 ||
               memcmp(&a->source.axes, &b->source.axes, sizeof a->source.axes) != 0)) {
        d = "unit or axes";
    }
    return d;
}
