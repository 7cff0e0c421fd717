// SPDX-License-Identifier: MIT
#include "motion/take.h"

#include "motion/text.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void ug_take_init(ug_take *take)
{
    *take = (ug_take){ .source = { .unit = "m", .unit_m = 1.0, .axes = UG_AXES_IDENTITY } };
}

static void series_fini(ug_series *series)
{
    free(series->name);
    free(series->unit);
    free(series->values);
}

void ug_provenance_entry_fini(ug_provenance_entry *entry)
{
    if (!entry) {
        return;
    }
    free(entry->stage);
    free(entry->version);
    free(entry->command_line);
    free(entry->options_json);
    free(entry->inputs_json);
    free(entry->started);
    free(entry->metrics_json);
    free(entry->warnings_json);
    *entry = (ug_provenance_entry){ 0 };
}

void ug_take_fini(ug_take *take)
{
    if (!take) {
        return;
    }
    ug_parameters_fini(&take->source.parameters);
    ug_markers_destroy(take->markers);
    ug_analog_destroy(take->analog);
    ug_events_fini(&take->events);
    ug_skeleton_destroy(take->skeleton);
    ug_attachments_fini(&take->attachments);
    ug_clip_destroy(take->clip);
    ug_contacts_fini(&take->contacts);
    for (size_t i = 0; i < take->quality.count; i++) {
        series_fini(&take->quality.items[i]);
    }
    free(take->quality.items);
    for (size_t i = 0; i < take->provenance.count; i++) {
        ug_provenance_entry_fini(&take->provenance.items[i]);
    }
    free(take->provenance.items);
    ug_take_init(take);
}

const ug_series *ug_quality_find(const ug_quality *quality, const char *name)
{
    for (size_t i = 0; i < quality->count; i++) {
        if (strcmp(quality->items[i].name, name) == 0) {
            return &quality->items[i];
        }
    }
    return NULL;
}

ug_status ug_quality_set(ug_quality *quality, const char *name, const char *unit, size_t rows,
                         size_t columns, const float *values, ug_error *err)
{
    const size_t n = rows * columns;
    ug_series fresh = { ug_text_copy(name), ug_text_copy(unit), rows, columns,
                        malloc((n > 0 ? n : 1) * sizeof *values) };
    ug_series *slot = (ug_series *)ug_quality_find(quality, name);
    if (!slot && fresh.name && fresh.unit && fresh.values) {
        ug_series *grown = realloc(quality->items, (quality->count + 1) * sizeof *grown);
        if (grown) {
            quality->items = grown;
            slot = &grown[quality->count++];
            *slot = (ug_series){ 0 };
        }
    }
    if (!slot || !fresh.name || !fresh.unit || !fresh.values) {
        series_fini(&fresh);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (n > 0) {
        memcpy(fresh.values, values, n * sizeof *values);
    }
    series_fini(slot);
    *slot = fresh;
    return UG_OK;
}

static char *copy_or_empty(const char *text)
{
    return ug_text_copy(text ? text : "");
}

ug_status ug_provenance_add(ug_provenance *provenance, const ug_provenance_entry *entry,
                            ug_error *err)
{
    ug_provenance_entry e = {
        .stage = copy_or_empty(entry->stage),
        .version = copy_or_empty(entry->version),
        .command_line = copy_or_empty(entry->command_line),
        .options_json = copy_or_empty(entry->options_json),
        .inputs_json = copy_or_empty(entry->inputs_json),
        .started = copy_or_empty(entry->started),
        .metrics_json = copy_or_empty(entry->metrics_json),
        .warnings_json = copy_or_empty(entry->warnings_json),
        .seed = entry->seed,
        .seconds = entry->seconds,
    };
    ug_provenance_entry *grown =
        realloc(provenance->items, (provenance->count + 1) * sizeof *grown);
    if (grown) {
        provenance->items = grown;
    }
    if (!grown || !e.stage || !e.version || !e.command_line || !e.options_json || !e.inputs_json ||
        !e.started || !e.metrics_json || !e.warnings_json) {
        ug_provenance_entry_fini(&e);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    provenance->items[provenance->count++] = e;
    return UG_OK;
}

static bool same_entry(const ug_provenance_entry *a, const ug_provenance_entry *b)
{
    return strcmp(a->stage, b->stage) == 0 && strcmp(a->started, b->started) == 0 &&
           strcmp(a->options_json, b->options_json) == 0 &&
           strcmp(a->inputs_json, b->inputs_json) == 0;
}

ug_status ug_provenance_merge(ug_provenance *to, const ug_provenance *from, ug_error *err)
{
    for (size_t i = 0; i < from->count; i++) {
        bool known = false;
        for (size_t k = 0; k < to->count && !known; k++) {
            known = same_entry(&to->items[k], &from->items[i]);
        }
        const ug_status status = known ? UG_OK : ug_provenance_add(to, &from->items[i], err);
        if (status != UG_OK) {
            return status;
        }
    }
    return UG_OK;
}
