// SPDX-License-Identifier: MIT
#include "pipeline/report/report_json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

static cJSON *number(double value)
{
    char text[40];
    ug_metric_to_text(text, value);
    return cJSON_CreateRaw(text);
}

static void add(cJSON *object, const char *name, double value)
{
    cJSON_AddItemToObject(object, name, number(value));
}

static void add_text(cJSON *object, const char *name, const char *text)
{
    cJSON_AddItemToObject(object, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

// A list, or null where nobody has looked.
static cJSON *add_list(cJSON *object, const char *name, bool known)
{
    cJSON *list = known ? cJSON_CreateArray() : NULL;
    cJSON_AddItemToObject(object, name, known ? list : cJSON_CreateNull());
    return list;
}

static cJSON *add_item(cJSON *list)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    return item;
}

static void add_source(cJSON *file, const ug_report_facts *f)
{
    cJSON *source = cJSON_AddObjectToObject(file, "source");
    add_text(source, "name", f->source_name);
    add_text(source, "format", f->source_format);
    add_text(source, "unit", f->source_unit);
    add_text(source, "axes", f->source_axes);
    cJSON_AddBoolToObject(source, "unit_inferred", f->unit_inferred);
    cJSON_AddBoolToObject(source, "axes_inferred", f->axes_inferred);
    cJSON_AddBoolToObject(source, "unit_stated", f->unit_stated);
    cJSON_AddBoolToObject(source, "axes_stated", f->axes_stated);
    add(file, "frame_count", (double)f->frame_count);
    add(file, "first_frame", (double)f->first_frame);
    add(file, "rate_hz", ug_rate_is_valid(f->rate) ? ug_rate_hz(f->rate) : (double)NAN);
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

static void add_figures(cJSON *file, const ug_report_facts *f)
{
    ug_metrics metrics = { 0 };
    for (size_t i = 0; i < f->figure_count; i++) {
        ug_metrics_set(&metrics, f->figures[i].name, f->figures[i].value);
    }
    char *text = ug_metrics_to_json(&metrics);
    cJSON_AddItemToObject(file, "metrics", text ? cJSON_CreateRaw(text) : NULL);
    cJSON_free(text);
    ug_metrics_fini(&metrics);
}

static void add_gates(cJSON *file, const ug_report_facts *f)
{
    static const char *const STATES[] = { "met", "not met", "not known", "no such figure" };
    cJSON *list = cJSON_AddArrayToObject(file, "gates");
    for (size_t i = 0; i < f->gate_count; i++) {
        const ug_report_gate *g = &f->gates[i];
        cJSON *o = add_item(list);
        add_text(o, "gate", g->gate.text);
        cJSON_AddBoolToObject(o, "required", g->required);
        add(o, "value", g->value);
        add_text(o, "verdict", STATES[g->state]);
    }
}

static void add_findings(cJSON *file, const ug_report_facts *f)
{
    static const char *const WORDS[] = { "wrong", "look", "note" };
    cJSON *list = cJSON_AddArrayToObject(file, "findings");
    for (size_t i = 0; i < f->finding_count; i++) {
        const ug_report_finding *n = &f->findings[i];
        cJSON *o = add_item(list);
        add_text(o, "severity", WORDS[n->severity]);
        add_text(o, "code", n->code);
        add_text(o, "text", n->text);
        add(o, "first", n->has_frames ? (double)n->first : (double)NAN);
        add(o, "end", n->has_frames ? (double)n->end : (double)NAN);
    }
}

static const char *label(const ug_report_facts *f, size_t marker)
{
    return marker < f->marker_count ? f->markers[marker].label : NULL;
}

static void add_markers(cJSON *file, const ug_report_facts *f)
{
    static const char *const LANES[] = { "missing", "filled",   "repaired",
                                         "edited",  "computed", "measured" };
    cJSON *list = cJSON_AddArrayToObject(file, "markers");
    for (size_t k = 0; k < f->marker_count; k++) {
        const ug_report_marker *m = &f->markers[k];
        cJSON *o = add_item(list);
        add_text(o, "label", m->label);
        add_text(o, "subject", m->subject);
        for (int lane = 0; lane <= UG_LANE_NONE; lane++) {
            add(o, LANES[lane], (double)m->lanes[lane]);
        }
        add(o, "gap_count", (double)m->gap_count);
        add(o, "longest_gap", (double)m->longest_gap);
        add(o, "longest_gap_first",
            m->longest_gap > 0 ? (double)m->longest_gap_first : (double)NAN);
        add(o, "predicted_error_mm", m->predicted_error_mm);
        add(o, "spike_count", f->spikes_known ? (double)m->spike_count : (double)NAN);
        add(o, "residual_count", m->solved ? (double)m->residual_count : (double)NAN);
        add(o, "outlier_count", m->solved ? (double)m->outlier_count : (double)NAN);
        add(o, "marker_rms_mm", m->rms_mm);
        add(o, "max_mm", m->max_mm);
        add(o, "max_frame", isfinite(m->max_mm) ? (double)m->max_frame : (double)NAN);
    }
}

static void add_places(cJSON *file, const ug_report_facts *f)
{
    cJSON *list = add_list(file, "spikes", f->spikes_known);
    for (size_t i = 0; i < f->spike_count; i++) {
        cJSON *o = add_item(list);
        add_text(o, "marker", label(f, f->spikes[i].marker));
        add(o, "frame", (double)f->spikes[i].frame);
        add(o, "spike_mm", f->spikes[i].mm);
    }
    list = add_list(file, "swaps", f->swaps_known);
    for (size_t i = 0; i < f->swap_count; i++) {
        const ug_report_swap *s = &f->swaps[i];
        cJSON *o = add_item(list);
        add_text(o, "marker", label(f, s->marker));
        add_text(o, "other", label(f, s->other));
        add(o, "first", (double)s->first);
        add(o, "end", s->end > 0 ? (double)s->end : (double)NAN);
        if (s->ring[0] != SIZE_MAX) {
            add_text(o, "third", label(f, s->ring[0]));
        }
        if (s->ring[1] != SIZE_MAX) {
            add_text(o, "fourth", label(f, s->ring[1]));
        }
        cJSON_AddBoolToObject(o, "repaired", s->repaired);
    }
    list = add_list(file, "worst_frames", f->frame_rms_mm != NULL);
    for (size_t i = 0; i < f->worst_count; i++) {
        const ug_report_frame *w = &f->worst[i];
        cJSON *o = add_item(list);
        add(o, "frame", (double)w->frame);
        add(o, "frame_rms_mm", w->rms_mm);
        add_text(o, "marker", label(f, w->marker));
        add(o, "residual_mm", w->marker_mm);
    }
    list = add_list(file, "strays", f->has_residuals);
    for (size_t i = 0; i < f->stray_count; i++) {
        const ug_report_stray *s = &f->strays[i];
        cJSON *o = add_item(list);
        add_text(o, "marker", label(f, s->marker));
        add(o, "first", (double)s->first);
        add(o, "end", (double)s->end);
        add(o, "residual_mm", s->max_mm);
    }
}

static void add_motion(cJSON *file, const ug_report_facts *f)
{
    cJSON *list = add_list(file, "limit_hits", f->hits_known);
    for (size_t i = 0; i < f->hit_count; i++) {
        const ug_report_hit *h = &f->hits[i];
        cJSON *o = add_item(list);
        add_text(o, "joint", f->joints[h->joint].name);
        add(o, "first", (double)h->first);
        add(o, "end", (double)h->end);
        add(o, "limit_deg", h->deg);
        add(o, "worst_frame", (double)h->worst);
    }
    list = cJSON_AddArrayToObject(file, "contacts");
    for (size_t i = 0; i < f->contact_count; i++) {
        const ug_report_contact *c = &f->contacts[i];
        cJSON *o = add_item(list);
        add_text(o, "point", ug_contact_point_name(c->contact.point));
        add_text(o, "kind", c->contact.kind == UG_CONTACT_PLANTED ? "planted" : "load");
        add(o, "start_s", c->contact.start_s);
        add(o, "end_s", c->contact.end_s);
        cJSON_AddBoolToObject(o, "accepted", c->contact.accepted);
        add_text(o, "reason", c->reason);
        add(o, "slide_before_mm", c->slide_before_mm);
        add(o, "slide_after_mm", c->slide_after_mm);
    }
}

static void add_stage(cJSON *list, const ug_report_stage *s)
{
    cJSON *o = add_item(list);
    add_text(o, "stage", s->stage);
    add_text(o, "version", s->version);
    add_text(o, "started", s->started);
    add(o, "seconds", s->seconds);
    add_text(o, "inputs", s->inputs);
    cJSON_AddBoolToObject(o, "of_subject", s->of_subject);
    cJSON *options = cJSON_AddArrayToObject(o, "options");
    for (size_t i = 0; i < s->option_count; i++) {
        cJSON_AddItemToArray(options, cJSON_CreateString(s->options[i]));
    }
    cJSON *figures = cJSON_AddArrayToObject(o, "figures");
    for (size_t i = 0; i < s->change_count; i++) {
        const ug_report_change *c = &s->changes[i];
        cJSON *item = add_item(figures);
        add_text(item, "name", c->metric.name);
        add(item, "value", c->metric.value);
        if (c->since) {
            add(item, "before", c->before);
            add_text(item, "since", c->since);
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
        cJSON *file = add_item(files);
        add_text(file, "file", f->name);
        add_source(file, f);
        add_figures(file, f);
        add_gates(file, f);
        add_findings(file, f);
        add_markers(file, f);
        add_places(file, f);
        add_motion(file, f);
        cJSON *stages = cJSON_AddArrayToObject(file, "stages");
        for (size_t s = 0; s < f->stage_count; s++) {
            add_stage(stages, &f->stages[s]);
        }
    }
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    return text;
}
