// SPDX-License-Identifier: MIT
// Of the JSON report: markers and motion, what was found where.
#include "pipeline/report/report_json_parts.h"

#include <cjson/cJSON.h>
#include <math.h>

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
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "label", m->label);
        ug_json_text(o, "subject", m->subject);
        for (int lane = 0; lane <= UG_LANE_NONE; lane++) {
            ug_json_add(o, LANES[lane], (double)m->lanes[lane]);
        }
        ug_json_add(o, "gap_count", (double)m->gap_count);
        ug_json_add(o, "longest_gap", (double)m->longest_gap);
        ug_json_add(o, "longest_gap_first",
                    m->longest_gap > 0 ? (double)m->longest_gap_first : (double)NAN);
        ug_json_add(o, "missing_before_pct", ug_report_share_pct(f, m->missing_before));
        ug_json_add(o, "missing_pct", ug_report_share_pct(f, m->lanes[UG_LANE_MISSING]));
        ug_json_add(o, "longest_gap_before", (double)m->longest_before);
        ug_json_add(o, "longest_gap_before_first",
                    m->longest_before > 0 ? (double)m->longest_before_first : (double)NAN);
        ug_json_add(o, "predicted_error_mm", m->predicted_error_mm);
        ug_json_add(o, "spike_count", f->spikes_known ? (double)m->spike_count : (double)NAN);
        ug_json_add(o, "residual_count", m->solved ? (double)m->residual_count : (double)NAN);
        ug_json_add(o, "outlier_count", m->solved ? (double)m->outlier_count : (double)NAN);
        ug_json_add(o, "marker_rms_mm", m->rms_mm);
        ug_json_add(o, "max_mm", m->max_mm);
        ug_json_add(o, "max_frame", isfinite(m->max_mm) ? (double)m->max_frame : (double)NAN);
    }
}

static void add_places(cJSON *file, const ug_report_facts *f)
{
    cJSON *list = ug_json_list(file, "spikes", f->spikes_known);
    for (size_t i = 0; i < f->spike_count; i++) {
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "marker", label(f, f->spikes[i].marker));
        ug_json_add(o, "frame", (double)f->spikes[i].frame);
        ug_json_add(o, "spike_mm", f->spikes[i].mm);
    }
    list = ug_json_list(file, "swaps", f->swaps_known);
    for (size_t i = 0; i < f->swap_count; i++) {
        const ug_report_swap *s = &f->swaps[i];
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "marker", label(f, s->marker));
        ug_json_text(o, "other", label(f, s->other));
        ug_json_add(o, "first", (double)s->first);
        ug_json_add(o, "end", s->end > 0 ? (double)s->end : (double)NAN);
        if (s->ring[0] != SIZE_MAX) {
            ug_json_text(o, "third", label(f, s->ring[0]));
        }
        if (s->ring[1] != SIZE_MAX) {
            ug_json_text(o, "fourth", label(f, s->ring[1]));
        }
        cJSON_AddBoolToObject(o, "repaired", s->repaired);
    }
    list = ug_json_list(file, "worst_frames", f->frame_rms_mm != NULL);
    for (size_t i = 0; i < f->worst_count; i++) {
        const ug_report_frame *w = &f->worst[i];
        cJSON *o = ug_json_item(list);
        ug_json_add(o, "frame", (double)w->frame);
        ug_json_add(o, "frame_rms_mm", w->rms_mm);
        ug_json_text(o, "marker", label(f, w->marker));
        ug_json_add(o, "residual_mm", w->marker_mm);
    }
    list = ug_json_list(file, "strays", f->has_residuals);
    for (size_t i = 0; i < f->stray_count; i++) {
        const ug_report_stray *s = &f->strays[i];
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "marker", label(f, s->marker));
        ug_json_add(o, "first", (double)s->first);
        ug_json_add(o, "end", (double)s->end);
        ug_json_add(o, "residual_mm", s->max_mm);
    }
}

static void add_cleaning(cJSON *file, const ug_report_facts *f)
{
    char text[32];
    cJSON *list = cJSON_AddArrayToObject(file, "fills");
    for (size_t i = 0; i < f->fill_count; i++) {
        const ug_report_fill *fill = &f->fills[i];
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "marker", label(f, fill->marker));
        ug_json_add(o, "first", (double)fill->first);
        ug_json_add(o, "end", (double)fill->end);
        ug_json_text(o, "method", ug_report_method_name(text, fill->method));
        ug_json_add(o, "predicted_error_mm", fill->error_mm);
    }
    list = cJSON_AddArrayToObject(file, "fill_methods");
    for (size_t i = 0; i < f->method_count; i++) {
        const ug_report_method *m = &f->methods[i];
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "method", ug_report_method_name(text, m->method));
        ug_json_add(o, "fill_count", (double)m->fill_count);
        ug_json_add(o, "sample_count", (double)m->sample_count);
        ug_json_add(o, "unpredicted", (double)m->unpredicted);
        ug_json_add(o, "median_mm", m->median_mm);
        ug_json_add(o, "worst_mm", m->worst_mm);
    }
    list = cJSON_AddArrayToObject(file, "repairs");
    for (size_t i = 0; i < f->repair_count; i++) {
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "marker", label(f, f->repairs[i].marker));
        ug_json_text(o, "other", label(f, f->repairs[i].other));
        ug_json_add(o, "first", (double)f->repairs[i].first);
        ug_json_add(o, "end", (double)f->repairs[i].end);
    }
    list = ug_json_list(file, "frozen", f->frozen_known);
    for (size_t i = 0; i < f->frozen_count; i++) {
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "marker", label(f, f->frozen[i].marker));
        ug_json_add(o, "first", (double)f->frozen[i].first);
        ug_json_add(o, "end", (double)f->frozen[i].end);
    }
}

static void add_series(cJSON *object, const char *name, const double *values, size_t count)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(list, ug_json_number(values[i]));
    }
}

static void add_smoothing(cJSON *file, const ug_report_facts *f)
{
    const ug_take_spectrum *s = &f->spectrum;
    if (s->count == 0) {
        cJSON_AddNullToObject(file, "smoothing");
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(file, "smoothing");
    ug_json_add(o, "marker_count", (double)s->marker_count);
    ug_json_add(o, "cutoff_hz", f->cutoff_hz);
    ug_json_add(o, "removed_rms_mm", s->removed_rms_mm);
    ug_json_add(o, "step_hz", s->step_hz);
    add_series(o, "before_mm2_hz", s->before_mm2_hz, s->count);
    add_series(o, "after_mm2_hz", s->after_mm2_hz, s->count);
    add_series(o, "removed_mm2_hz", s->removed_mm2_hz, s->count);
}

static void add_motion(cJSON *file, const ug_report_facts *f)
{
    cJSON *list = ug_json_list(file, "limit_hits", f->hits_known);
    for (size_t i = 0; i < f->hit_count; i++) {
        const ug_report_hit *h = &f->hits[i];
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "joint", f->joints[h->joint].name);
        ug_json_add(o, "first", (double)h->first);
        ug_json_add(o, "end", (double)h->end);
        ug_json_add(o, "limit_deg", h->deg);
        ug_json_add(o, "worst_frame", (double)h->worst);
    }
    cJSON_AddBoolToObject(file, "contacts_found", f->contacts_found);
    list = cJSON_AddArrayToObject(file, "contacts");
    for (size_t i = 0; i < f->contact_count; i++) {
        const ug_report_contact *c = &f->contacts[i];
        cJSON *o = ug_json_item(list);
        ug_json_text(o, "point", ug_contact_point_name(c->contact.point));
        ug_json_text(o, "kind", c->contact.kind == UG_CONTACT_PLANTED ? "planted" : "load");
        ug_json_add(o, "start_s", c->contact.start_s);
        ug_json_add(o, "end_s", c->contact.end_s);
        cJSON_AddBoolToObject(o, "accepted", c->contact.accepted);
        ug_json_text(o, "reason", c->reason);
        ug_json_add(o, "slide_before_mm", c->slide_before_mm);
        ug_json_add(o, "slide_after_mm", c->slide_after_mm);
    }
}

void ug_report_json_samples(cJSON *file, const ug_report_facts *facts)
{
    add_markers(file, facts);
    add_places(file, facts);
    add_cleaning(file, facts);
    add_smoothing(file, facts);
    add_motion(file, facts);
}
