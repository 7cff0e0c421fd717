// SPDX-License-Identifier: MIT
// Events: the EVENT group, and where that is empty the eighteen of the header block.
//
// EVENT:TIMES holds pairs of whole minutes and seconds; their sum is taken in double, else events
// past the first minute would lose their place (or, with the seconds alone, jump back by 60 s).
#include "formats/c3d_internal.h"

#include "motion/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_or_empty(const c3d_texts *texts, size_t i)
{
    return i < texts->count ? texts->items[i] : "";
}

static size_t group_count(const ug_parameters *tree, ug_warnings *warnings)
{
    const size_t times = c3d_number_count(tree, "EVENT", "TIMES");
    const double used = c3d_number(tree, "EVENT", "USED", 0, true, warnings);
    if (isnan(used)) {
        return times / 2;
    }
    size_t count = used > 0 ? (size_t)used : 0;
    if (count > times) {
        ug_warn(warnings, "c3d_events_disagree",
                "EVENT:USED says %zu events, EVENT:TIMES has %zu values; the rest is left out",
                count, times);
        count = times / 2;
    }
    return count;
}

static ug_status read_group(ug_events *events, size_t count, const ug_parameters *tree,
                            ug_warnings *warnings, ug_error *err)
{
    c3d_texts labels = { 0 }, contexts = { 0 }, subjects = { 0 };
    const size_t times = c3d_number_count(tree, "EVENT", "TIMES");
    const bool in_pairs = times >= 2 * count;
    if (!in_pairs) {
        ug_warn(warnings, "c3d_event_times",
                "EVENT:TIMES has %zu values for %zu events instead of pairs of minutes and "
                "seconds; each is read as seconds",
                times, count);
    }
    ug_status status = c3d_texts_read(&labels, tree, "EVENT", "LABELS", err);
    if (status == UG_OK) {
        status = c3d_texts_read(&contexts, tree, "EVENT", "CONTEXTS", err);
    }
    if (status == UG_OK) {
        status = c3d_texts_read(&subjects, tree, "EVENT", "SUBJECTS", err);
    }
    double *values = malloc(2 * count * sizeof *values);
    if (status == UG_OK && !values) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (status == UG_OK) {
        (void)c3d_numbers_read(values, 2 * count, tree, "EVENT", "TIMES", false);
    }
    for (size_t i = 0; status == UG_OK && i < count; i++) {
        const double time_s = in_pairs ? 60.0 * values[2 * i] + values[2 * i + 1] : values[i];
        if (!isfinite(time_s)) {
            ug_warn(warnings, "c3d_event_times",
                    "EVENT:TIMES of event %zu is no finite number; it is left out", i + 1);
        } else if (ug_events_add(events, text_or_empty(&labels, i), text_or_empty(&contexts, i),
                                 text_or_empty(&subjects, i), time_s) != 0) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
        }
    }
    free(values);
    c3d_texts_fini(&labels);
    c3d_texts_fini(&contexts);
    c3d_texts_fini(&subjects);
    return status;
}

// Labels of the header are four characters without an end, Latin-1 in old files.
static void header_label(char out[16], const uint8_t *p)
{
    size_t n = 0;
    for (size_t i = 0; i < 4 && p[i] != '\0'; i++) {
        if (p[i] < 0x80) {
            out[n++] = (char)p[i];
        } else {
            out[n++] = (char)(0xc0 | p[i] >> 6);
            out[n++] = (char)(0x80 | (p[i] & 0x3f));
        }
    }
    while (n > 0 && out[n - 1] == ' ') {
        n--;
    }
    out[n] = '\0';
}

static ug_status read_header(ug_events *events, const uint8_t *header, char processor,
                             ug_warnings *warnings, ug_error *err)
{
    const bool has_labels = c3d_get_u16(header + C3D_H_EVENT_KEY, processor) == 12345;
    size_t count = c3d_get_u16(header + C3D_H_EVENT_COUNT, processor);
    if (!has_labels || count == 0) {
        return UG_OK;
    }
    if (count > C3D_H_EVENT_MAX) {
        ug_warn(warnings, "c3d_events_disagree",
                "the header claims %zu events where only %d fit; none is read", count,
                C3D_H_EVENT_MAX);
        return UG_OK;
    }
    for (size_t i = 0; i < count; i++) {
        char label[16];
        header_label(label, header + C3D_H_EVENT_LABELS + 4 * i);
        const float time_s = c3d_get_f32(header + C3D_H_EVENT_TIMES + 4 * i, processor);
        if (!isfinite(time_s)) {
            ug_warn(warnings, "c3d_event_times",
                    "the time of event %zu of the header is no finite number; it is left out",
                    i + 1);
        } else if (ug_events_add(events, label, "", "", (double)time_s) != 0) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
    }
    return UG_OK;
}

ug_status c3d_events_read(ug_events *events, const uint8_t *header, char processor,
                          const ug_parameters *tree, ug_warnings *warnings, ug_error *err)
{
    const size_t count = group_count(tree, warnings);
    const ug_status status = count > 0 ? read_group(events, count, tree, warnings, err)
                                       : read_header(events, header, processor, warnings, err);
    if (status != UG_OK) {
        ug_events_fini(events);
        return status;
    }
    ug_events_sort(events);
    return UG_OK;
}
