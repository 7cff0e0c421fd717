// SPDX-License-Identifier: MIT
// Analog channels and events of a take: carried through untouched, never interpreted here.
#pragma once

#include "motion/rate.h"

#include <stddef.h>
#include <stdint.h>

/// Samples as stored by the source; value = (raw − offset) · scale · gen_scale.
typedef struct ug_analog {
    size_t frame_count, channel_count;
    size_t samples_per_frame; ///< analog samples per marker frame
    char **labels;            ///< (channel_count)
    char **units;             ///< (channel_count), "" when unknown
    double *scale;            ///< (channel_count)
    double *offset;           ///< (channel_count)
    double gen_scale;
    float *raw; ///< int16 and float sources alike are exact in float
                ///<      (frame_count x samples_per_frame x channel_count)
} ug_analog;

/// Zero samples, scale 1, offset 0, labels NULL. NULL when out of memory or the size overflows.
ug_analog *ug_analog_create(size_t frame_count, size_t samples_per_frame, size_t channel_count);

/// NULL is fine.
void ug_analog_destroy(ug_analog *analog);

/// Deep copy; NULL when out of memory.
ug_analog *ug_analog_copy(const ug_analog *analog);

/// Physical value of `channel` at sample `subframe` of `frame`.
double ug_analog_value(const ug_analog *analog, size_t frame, size_t subframe, size_t channel);

/// One event, at `time_s` of the source's clock (frame number / rate, first frame included).
typedef struct ug_event {
    char *label;   ///< owned: "Foot Strike"
    char *context; ///< owned: "Left", "Right", "General", or ""
    char *subject; ///< owned
    double time_s;
} ug_event;

typedef struct ug_events {
    size_t count;
    ug_event *items; ///< owned, ascending time
} ug_events;

/// Releases what is below. NULL is fine.
void ug_events_fini(ug_events *events);

/// Append a copy. @return 0, or -1 when out of memory (events unchanged)
int ug_events_add(ug_events *events, const char *label, const char *context, const char *subject,
                  double time_s);

/// Stable sort by time.
void ug_events_sort(ug_events *events);
