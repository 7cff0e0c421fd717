// SPDX-License-Identifier: MIT
#include "pipeline/report/report_json.h"

#include "pipeline/report/report_json_parts.h"

#include <cjson/cJSON.h>
#include <math.h>

static void add_source(cJSON *file, const ug_report_facts *f)
{
    cJSON *source = cJSON_AddObjectToObject(file, "source");
    ug_json_text(source, "name", f->source_name);
    ug_json_text(source, "format", f->source_format);
    ug_json_text(source, "unit", f->source_unit);
    ug_json_text(source, "axes", f->source_axes);
    cJSON_AddBoolToObject(source, "unit_inferred", f->unit_inferred);
    cJSON_AddBoolToObject(source, "axes_inferred", f->axes_inferred);
    cJSON_AddBoolToObject(source, "unit_stated", f->unit_stated);
    cJSON_AddBoolToObject(source, "axes_stated", f->axes_stated);
    ug_json_add(file, "frame_count", (double)f->frame_count);
    ug_json_add(file, "first_frame", (double)f->first_frame);
    ug_json_add(file, "rate_hz", ug_rate_is_valid(f->rate) ? ug_rate_hz(f->rate) : (double)NAN);
    cJSON *parts = cJSON_AddArrayToObject(file, "parts");
    const struct {
        bool has;
        const char *name;
    } PARTS[] = { { f->has_markers, "markers" },
                  { f->has_residuals, "residuals" },
                  { f->has_motion, "motion" },
                  { f->has_contacts, "contacts" } };
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        if (PARTS[i].has) {
            cJSON_AddItemToArray(parts, cJSON_CreateString(PARTS[i].name));
        }
    }
}

static void add_metrics(cJSON *object, ug_metrics *metrics)
{
    char *text = ug_metrics_to_json(metrics);
    cJSON_AddItemToObject(object, "metrics", text ? cJSON_CreateRaw(text) : cJSON_CreateNull());
    cJSON_free(text);
    ug_metrics_fini(metrics);
}

// The last figure of each name, and whose it is: of one name several stages may speak.
static void add_figures(cJSON *file, const ug_report_facts *f)
{
    ug_metrics metrics = { 0 };
    for (size_t i = 0; i < f->figure_count; i++) {
        ug_metrics_set(&metrics, f->figures[i].name, f->figures[i].value);
    }
    add_metrics(file, &metrics);
    cJSON *list = cJSON_AddArrayToObject(file, "figures");
    for (size_t i = 0; i < f->figure_count; i++) {
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "name", f->figures[i].name);
        ug_json_add(o, "value", f->figures[i].value);
        ug_json_text(o, "of", f->figures[i].stage);
    }
}

static void add_gates(cJSON *file, const ug_report_facts *f)
{
    static const char *const STATES[] = { "met", "not met", "not known", "no such figure" };
    cJSON *list = cJSON_AddArrayToObject(file, "gates");
    for (size_t i = 0; i < f->gate_count; i++) {
        const ug_report_gate *g = &f->gates[i];
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "gate", g->gate.text);
        cJSON_AddBoolToObject(o, "required", g->required);
        ug_json_add(o, "value", g->value);
        ug_json_text(o, "verdict", STATES[g->state]);
    }
}

static void add_findings(cJSON *file, const ug_report_facts *f)
{
    static const char *const WORDS[] = { "wrong", "look", "note" };
    cJSON *list = cJSON_AddArrayToObject(file, "findings");
    for (size_t i = 0; i < f->finding_count; i++) {
        const ug_report_finding *n = &f->findings[i];
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "severity", WORDS[n->severity]);
        ug_json_text(o, "code", n->code);
        ug_json_text(o, "text", n->text);
        ug_json_add(o, "first", n->has_frames ? (double)n->first : (double)NAN);
        ug_json_add(o, "end", n->has_frames ? (double)n->end : (double)NAN);
    }
}

static void add_stage(cJSON *list, const ug_report_stage *s)
{
    cJSON *o = ug_json_item(list);
    ug_json_text(o, "stage", s->stage);
    ug_json_text(o, "version", s->version);
    ug_json_text(o, "started", s->started);
    ug_json_add(o, "seconds", s->seconds);
    ug_json_text(o, "inputs", s->inputs);
    cJSON_AddBoolToObject(o, "of_subject", s->of_subject);
    cJSON *options = cJSON_AddArrayToObject(o, "options");
    for (size_t i = 0; i < s->option_count; i++) {
        cJSON_AddItemToArray(options, cJSON_CreateString(s->options[i]));
    }
    ug_metrics metrics = { 0 };
    for (size_t i = 0; i < s->change_count; i++) {
        ug_metrics_set(&metrics, s->changes[i].metric.name, s->changes[i].metric.value);
    }
    add_metrics(o, &metrics);
    cJSON *figures = cJSON_AddArrayToObject(o, "figures");
    for (size_t i = 0; i < s->change_count; i++) {
        const ug_report_change *c = &s->changes[i];
        cJSON *item = ug_json_item(figures);
        ug_json_text(item, "name", c->metric.name);
        ug_json_add(item, "value", c->metric.value);
        if (c->since) {
            ug_json_add(item, "before", c->before);
            ug_json_text(item, "since", c->since);
        }
    }
    char *text = s->warnings_known ? ug_warnings_to_json(s->warnings) : NULL;
    cJSON_AddItemToObject(o, "warnings", text ? cJSON_CreateRaw(text) : cJSON_CreateNull());
    cJSON_free(text);
}

char *ug_report_json(const ug_report_facts *facts, size_t count)
{
    cJSON *root = cJSON_CreateObject();
    cJSON *files = cJSON_AddArrayToObject(root, "files");
    for (size_t i = 0; i < count; i++) {
        const ug_report_facts *f = &facts[i];
        cJSON *file = ug_json_item(files);
        ug_json_text(file, "file", f->name);
        add_source(file, f);
        add_figures(file, f);
        add_gates(file, f);
        add_findings(file, f);
        ug_report_json_samples(file, f);
        cJSON *stages = cJSON_AddArrayToObject(file, "stages");
        for (size_t s = 0; s < f->stage_count; s++) {
            add_stage(stages, &f->stages[s]);
        }
    }
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    return text;
}
