// SPDX-License-Identifier: MIT
#include "motion/analog.h"

#include "motion/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

ug_analog *ug_analog_create(size_t frame_count, size_t samples_per_frame, size_t channel_count)
{
    const size_t row = samples_per_frame * channel_count;
    if ((channel_count > 0 && row / channel_count != samples_per_frame) ||
        (row > 0 && frame_count > SIZE_MAX / row / sizeof(float))) {
        return NULL;
    }
    ug_analog *a = calloc(1, sizeof *a);
    if (!a) {
        return NULL;
    }
    const size_t channels = channel_count > 0 ? channel_count : 1;
    a->frame_count = frame_count;
    a->channel_count = channel_count;
    a->samples_per_frame = samples_per_frame;
    a->gen_scale = 1.0;
    a->labels = calloc(channels, sizeof *a->labels);
    a->units = calloc(channels, sizeof *a->units);
    a->scale = calloc(channels, sizeof *a->scale);
    a->offset = calloc(channels, sizeof *a->offset);
    a->raw = calloc(frame_count * row > 0 ? frame_count * row : 1, sizeof *a->raw);
    if (!a->labels || !a->units || !a->scale || !a->offset || !a->raw) {
        ug_analog_destroy(a);
        return NULL;
    }
    for (size_t c = 0; c < channel_count; c++) {
        a->scale[c] = 1.0;
    }
    return a;
}

void ug_analog_destroy(ug_analog *analog)
{
    if (analog) {
        ug_text_list_destroy(analog->labels, analog->channel_count);
        ug_text_list_destroy(analog->units, analog->channel_count);
        free(analog->scale);
        free(analog->offset);
        free(analog->raw);
        free(analog);
    }
}

static int copy_text(char **to, const char *from)
{
    *to = from ? ug_text_copy(from) : NULL;
    return from && !*to ? -1 : 0;
}

ug_analog *ug_analog_copy(const ug_analog *analog)
{
    assert(analog);
    ug_analog *a =
        ug_analog_create(analog->frame_count, analog->samples_per_frame, analog->channel_count);
    if (!a) {
        return NULL;
    }
    a->gen_scale = analog->gen_scale;
    for (size_t c = 0; c < a->channel_count; c++) {
        a->scale[c] = analog->scale[c];
        a->offset[c] = analog->offset[c];
        if (copy_text(&a->labels[c], analog->labels[c]) != 0 ||
            copy_text(&a->units[c], analog->units[c]) != 0) {
            ug_analog_destroy(a);
            return NULL;
        }
    }
    memcpy(a->raw, analog->raw,
           a->frame_count * a->samples_per_frame * a->channel_count * sizeof *a->raw);
    return a;
}

double ug_analog_value(const ug_analog *analog, size_t frame, size_t subframe, size_t channel)
{
    assert(frame < analog->frame_count && subframe < analog->samples_per_frame &&
           channel < analog->channel_count);
    const size_t i =
        (frame * analog->samples_per_frame + subframe) * analog->channel_count + channel;
    return ((double)analog->raw[i] - analog->offset[channel]) * analog->scale[channel] *
           analog->gen_scale;
}

static void event_fini(ug_event *event)
{
    free(event->label);
    free(event->context);
    free(event->subject);
}

void ug_events_fini(ug_events *events)
{
    if (events) {
        for (size_t i = 0; i < events->count; i++) {
            event_fini(&events->items[i]);
        }
        free(events->items);
        *events = (ug_events){ 0 };
    }
}

int ug_events_add(ug_events *events, const char *label, const char *context, const char *subject,
                  double time_s)
{
    ug_event e = { ug_text_copy(label), ug_text_copy(context), ug_text_copy(subject), time_s };
    ug_event *grown = realloc(events->items, (events->count + 1) * sizeof *grown);
    if (grown) {
        events->items = grown;
    }
    if (!grown || !e.label || !e.context || !e.subject) {
        event_fini(&e);
        return -1;
    }
    events->items[events->count++] = e;
    return 0;
}

void ug_events_sort(ug_events *events)
{
    // insertion: stable, and event lists are short
    for (size_t i = 1; i < events->count; i++) {
        const ug_event e = events->items[i];
        size_t k = i;
        for (; k > 0 && events->items[k - 1].time_s > e.time_s; k--) {
            events->items[k] = events->items[k - 1];
        }
        events->items[k] = e;
    }
}
