// SPDX-License-Identifier: MIT
// Events on their way out: the EVENT group is rewritten only when it no longer says the same.
#include "formats/c3d_edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_events(const ug_events *a, const ug_events *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        const ug_event *x = &a->items[i], *y = &b->items[i];
        if (x->time_s != y->time_s || strcmp(x->label, y->label) != 0 ||
            strcmp(x->context, y->context) != 0 || strcmp(x->subject, y->subject) != 0) {
            return false;
        }
    }
    return true;
}

static ug_status write_times(ug_parameters *tree, const ug_events *events, ug_error *err)
{
    double *times = malloc((2 * events->count + 1) * sizeof *times);
    if (!times) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < events->count; i++) {
        times[2 * i] = floor(events->items[i].time_s / 60.0);
        times[2 * i + 1] = events->items[i].time_s - 60.0 * times[2 * i];
    }
    const ug_status status =
        c3d_set_numbers(tree, "EVENT", "TIMES", UG_PARAMETER_FLOAT, times, 2, events->count, err);
    free(times);
    return status;
}

static ug_status write_texts(ug_parameters *tree, const ug_events *events, ug_error *err)
{
    const size_t n = events->count;
    char **texts = calloc(3 * n + 1, sizeof *texts);
    if (!texts) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        texts[i] = events->items[i].label;
        texts[n + i] = events->items[i].context;
        texts[2 * n + i] = events->items[i].subject;
    }
    ug_status status = c3d_set_texts(tree, "EVENT", "LABELS", texts, n, NULL, err);
    if (status == UG_OK) {
        status = c3d_set_texts(tree, "EVENT", "CONTEXTS", texts + n, n, NULL, err);
    }
    if (status == UG_OK) {
        status = c3d_set_texts(tree, "EVENT", "SUBJECTS", texts + 2 * n, n, NULL, err);
    }
    free(texts);
    return status;
}

ug_status c3d_events_update(c3d_plan *plan, const ug_events *events, char from_processor,
                            ug_error *err)
{
    ug_events now = { 0 };
    ug_status status = c3d_events_read(&now, plan->header, from_processor, &plan->tree, NULL, err);
    const bool same = status == UG_OK && same_events(&now, events);
    ug_events_fini(&now);
    if (status != UG_OK || same) {
        return status;
    }
    // what the old group said event by event no longer fits; the header's are in the group now
    static const char *const STALE[] = { "DESCRIPTIONS", "ICON_IDS", "ICONS_IDS", "GENERIC_FLAGS" };
    for (size_t i = 0; i < sizeof STALE / sizeof STALE[0]; i++) {
        c3d_remove(&plan->tree, "EVENT", STALE[i], 1);
    }
    c3d_put_u16(plan->header + C3D_H_EVENT_COUNT, from_processor, 0);
    status = c3d_set_number(&plan->tree, "EVENT", "USED", UG_PARAMETER_INT16, (double)events->count,
                            err);
    if (status == UG_OK) {
        status = write_times(&plan->tree, events, err);
    }
    return status == UG_OK ? write_texts(&plan->tree, events, err) : status;
}
