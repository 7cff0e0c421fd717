// SPDX-License-Identifier: MIT
// /quality and /provenance of the store: what a stage measured, and every stage so far.
#include "formats/store_parts.h"

#include "motion/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ug_h5_spec series_spec(const char *link, const char *unit)
{
    return (
        ug_h5_spec){ link, UG_H5_F32, "row column", "(row_count x column_count)", unit, "", true };
}

void ug_store_put_quality(const ug_h5_group *root, const ug_take *take)
{
    if (take->quality.count == 0 || !ug_h5_ok(root)) {
        return;
    }
    ug_h5_group group = ug_h5_group_make(root, "quality");
    ug_h5_put_text(&group, NULL, "meaning", "figures of the stage that wrote the file");
    for (size_t i = 0; ug_h5_ok(root) && i < take->quality.count; i++) {
        const ug_series *series = &take->quality.items[i];
        char *link = ug_h5_link_name(&group, series->name);
        if (!link) {
            ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
            break;
        }
        ug_h5_spec spec = series_spec(link, series->unit);
        spec.meaning = "figure of the stage that wrote the file; NaN where not known";
        ug_h5_put(&group, &spec, (size_t[]){ series->rows, series->columns }, series->values);
        ug_h5_put_int(&group, link, "index", (int64_t)i);
        ug_h5_put_text(&group, link, "name", series->name);
        free(link);
    }
    ug_h5_group_close(&group);
}

static void get_series(ug_series *series, const ug_h5_group *group, const char *link)
{
    series->name = ug_h5_get_text(group, link, "name");
    series->unit = ug_h5_get_text(group, link, "unit");
    const ug_h5_spec spec = series_spec(link, "");
    size_t dims[2];
    if (!ug_h5_ok(group) || !ug_h5_shape(dims, group, &spec)) {
        return;
    }
    const size_t count = dims[0] * dims[1];
    series->rows = dims[0];
    series->columns = dims[1];
    series->values = malloc((count > 0 ? count : 1) * sizeof *series->values);
    if (!series->values) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        return;
    }
    ug_h5_get(series->values, group, &spec, dims);
}

void ug_store_get_quality(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group group;
    if (ug_h5_group_open(&group, root, "quality")) {
        size_t count = 0;
        char **links = ug_h5_members(&count, &group);
        take->quality.items = calloc(count > 0 ? count : 1, sizeof *take->quality.items);
        if (!take->quality.items) {
            ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
        }
        for (size_t i = 0; ug_h5_ok(root) && i < count; i++) {
            take->quality.count = i + 1;
            get_series(&take->quality.items[i], &group, links[i]);
        }
        ug_text_list_destroy(links, count);
    }
    ug_h5_group_close(&group);
}

enum { TEXT_COUNT = 8 };

static const char *const TEXT_NAMES[TEXT_COUNT] = {
    "stage", "version", "command_line", "options", "inputs", "started", "metrics", "warnings",
};

static char **entry_text(ug_provenance_entry *e, int i)
{
    char **const texts[TEXT_COUNT] = {
        &e->stage,       &e->version, &e->command_line, &e->options_json,
        &e->inputs_json, &e->started, &e->metrics_json, &e->warnings_json,
    };
    return texts[i];
}

void ug_store_put_provenance(const ug_h5_group *root, const ug_take *take)
{
    if (take->provenance.count == 0 || !ug_h5_ok(root)) {
        return;
    }
    ug_h5_group list = ug_h5_group_make(root, "provenance");
    ug_h5_put_text(&list, NULL, "meaning", "every stage the take went through, oldest first");
    for (size_t i = 0; ug_h5_ok(root) && i < take->provenance.count; i++) {
        ug_provenance_entry *e = &take->provenance.items[i];
        char *name = ug_text_format("%04zu-%s", i + 1, e->stage ? e->stage : "");
        char *link = name ? ug_h5_link_name(&list, name) : NULL;
        free(name);
        if (!link) {
            ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
            break;
        }
        ug_h5_group group = ug_h5_group_make(&list, link);
        free(link);
        ug_h5_put_int(&group, NULL, "index", (int64_t)i);
        for (int t = 0; t < TEXT_COUNT; t++) {
            ug_h5_put_text(&group, NULL, TEXT_NAMES[t], *entry_text(e, t));
        }
        ug_h5_put_uint(&group, NULL, "seed", e->seed);
        ug_h5_put_real(&group, NULL, "seconds", e->seconds);
        ug_h5_group_close(&group);
    }
    ug_h5_group_close(&list);
}

static void get_entry(ug_provenance_entry *e, const ug_h5_group *list, const char *link)
{
    ug_h5_group group;
    if (ug_h5_group_open(&group, list, link)) {
        for (int t = 0; t < TEXT_COUNT; t++) {
            *entry_text(e, t) = ug_h5_get_text(&group, NULL, TEXT_NAMES[t]);
        }
        e->seed = ug_h5_get_uint(&group, NULL, "seed");
        e->seconds = ug_h5_get_real(&group, NULL, "seconds");
    }
    ug_h5_group_close(&group);
}

void ug_store_get_provenance(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group list;
    if (ug_h5_group_open(&list, root, "provenance")) {
        size_t count = 0;
        char **links = ug_h5_members(&count, &list);
        take->provenance.items = calloc(count > 0 ? count : 1, sizeof *take->provenance.items);
        if (!take->provenance.items) {
            ug_h5_fail(root->file, UG_E_NOMEM, "out of memory");
        }
        for (size_t i = 0; ug_h5_ok(root) && i < count; i++) {
            take->provenance.count = i + 1;
            get_entry(&take->provenance.items[i], &list, links[i]);
        }
        ug_text_list_destroy(links, count);
    }
    ug_h5_group_close(&list);
}
