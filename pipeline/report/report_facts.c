// SPDX-License-Identifier: MIT
#include "pipeline/report/report_facts.h"

#include "motion/text.h"
#include "pipeline/report/report_parts.h"
#include "pipeline/stages/take_metrics.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char UG_REPORT_GATES[] =
    "never_seen_count<=0,missing_pct<5,predicted_error_worst_mm<20,swap_candidates<=0,"
    "left_right_worst_pct<5,exchanged_labels<=0,marker_rms_mm<10,outlier_pct<1,unsolved_frames<=0,"
    "contacts_refused<=0,foot_slide_pinned_mm<2,penetration_mm<10,knee_accel_ratio<1.5";

void *ug_report_push(void *items, size_t *count, size_t size)
{
    char *list;
    memcpy(&list, items, sizeof list);  // a pointer to whatever type
    if ((*count & (*count - 1)) == 0) { // grow at 0, 1, 2, 4, 8 …
        list = realloc(list, (*count > 0 ? 2 * *count : 1) * size);
        if (!list) {
            return NULL;
        }
        memcpy(items, &list, sizeof list);
    }
    return memset(list + (*count)++ * size, 0, size);
}

// Bytes of the character at `text`, 0 when it is none.
static size_t character(const char *text)
{
    const size_t left = strnlen(text, 4);
    for (size_t n = 1; n <= left; n++) {
        if (ug_text_is_utf8(text, n)) {
            return n;
        }
    }
    return 0;
}

char *ug_report_text(const char *text)
{
    static const char REPLACED[] = "\xEF\xBF\xBD";
    const char *p = text ? text : "";
    char *copy = malloc(3 * strlen(p) + 1), *to = copy;
    while (copy && *p) {
        const size_t n = character(p);
        const bool control = (unsigned char)*p < 0x20 || *p == 0x7f;
        const size_t length = n > 0 && !control ? n : sizeof REPLACED - 1;
        memcpy(to, n > 0 && !control ? p : REPLACED, length);
        to += length;
        p += n > 0 ? n : 1;
    }
    if (copy) {
        *to = '\0';
    }
    return copy;
}

const ug_report_figure *ug_report_figure_find(const ug_report_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->figure_count; i++) {
        if (strcmp(facts->figures[i].name, name) == 0) {
            return &facts->figures[i];
        }
    }
    return NULL;
}

double ug_report_time_s(const ug_report_facts *facts, size_t frame)
{
    return ug_rate_is_valid(facts->rate) ? ug_rate_time_s(facts->rate, (double)frame) : (double)NAN;
}

double ug_report_share_pct(const ug_report_facts *facts, size_t frames)
{
    return facts->frame_count > 0 ? 100.0 * (double)frames / (double)facts->frame_count : 0.0;
}

const char *ug_report_method_name(char text[32], uint8_t method)
{
    static const char *const NAMES[] = { "unknown", "linear",   "cubic",    "rigid",  "pattern",
                                         "pca",     "low rank", "skeleton", "stacked" };
    if (method < sizeof NAMES / sizeof NAMES[0]) {
        return NAMES[method];
    }
    (void)snprintf(text, 32, "method %u", (unsigned)method);
    return text;
}

size_t ug_report_marker_of(const ug_report_facts *facts, double column)
{
    for (size_t i = 0; i < facts->marker_count; i++) {
        if ((double)facts->markers[i].column == column) {
            return i;
        }
    }
    return SIZE_MAX;
}

// ---- figures and gates -------------------------------------------------------------------------

static bool set_figure(ug_report_facts *facts, const char *name, double value, const char *stage)
{
    ug_report_figure *figure = (ug_report_figure *)ug_report_figure_find(facts, name);
    if (figure && strcmp(figure->stage, "take") == 0) {
        return true; // counted on the very file: nothing a stage said before stands against it
    }
    if (!figure) {
        figure = ug_report_push(&facts->figures, &facts->figure_count, sizeof *figure);
    }
    if (figure) {
        (void)snprintf(figure->name, sizeof figure->name, "%s", name);
        figure->value = value;
        figure->stage = stage;
    }
    return figure != NULL;
}

ug_status ug_report_figures(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    ug_metrics own = { 0 };
    bool ok = true;
    ug_metrics_add_clip(&own, take->clip);
    ug_metrics_add_markers(&own, take->markers);
    if (ug_rate_is_valid(facts->rate)) {
        ug_metrics_set(&own, "rate_hz", ug_rate_hz(facts->rate));
        ug_metrics_set(&own, "duration_s",
                       facts->frame_count > 0 ? ug_report_time_s(facts, facts->frame_count - 1)
                                              : 0.0);
    }
    for (size_t i = 0; i < own.count && ok; i++) {
        ok = set_figure(facts, own.items[i].name, own.items[i].value, "take");
    }
    for (size_t s = 0; s < facts->stage_count && ok; s++) {
        const ug_report_stage *stage = &facts->stages[s];
        for (size_t i = 0; i < stage->change_count && ok && !stage->of_subject; i++) {
            const ug_metric *m = &stage->changes[i].metric;
            ok = set_figure(facts, m->name, m->value, stage->stage);
        }
        // the calibration itself speaks of the subject that is used here
        for (size_t i = 0; i < stage->change_count && ok && stage->of_subject &&
                           strcmp(stage->stage, "calibrate") == 0;
             i++) {
            const ug_metric *m = &stage->changes[i].metric;
            ok = set_figure(facts, m->name, m->value, stage->stage);
        }
    }
    ug_metrics_fini(&own);
    return ok ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
}

static ug_status check_gates(ug_report_facts *facts, const char *require, ug_error *err)
{
    ug_gate *gates = NULL;
    size_t count = 0;
    const ug_status status =
        ug_gates_parse(&gates, &count, require ? require : UG_REPORT_GATES, err);
    for (size_t i = 0; i < count; i++) {
        ug_report_gate *gate = ug_report_push(&facts->gates, &facts->gate_count, sizeof *gate);
        if (!gate) {
            free(gates);
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        const ug_report_figure *figure = ug_report_figure_find(facts, gates[i].name);
        *gate = (ug_report_gate){ .gate = gates[i],
                                  .required = require != NULL,
                                  .value = figure ? figure->value : (double)NAN };
        gate->state = !figure                                 ? UG_GATE_ABSENT
                      : isnan(gate->value)                    ? UG_GATE_UNKNOWN
                      : ug_gate_met(&gate->gate, gate->value) ? UG_GATE_MET
                                                              : UG_GATE_FAILED;
    }
    free(gates);
    return status;
}

// ---- the file ----------------------------------------------------------------------------------

static ug_status describe(ug_report_facts *facts, const ug_take *take, const char *name,
                          ug_error *err)
{
    char axes[7];
    ug_axes_to_text(axes, take->source.axes);
    facts->name = ug_report_text(name);
    facts->source_format = ug_report_text(take->source.format);
    facts->source_unit = ug_report_text(take->source.unit);
    facts->source_axes = ug_report_text(axes);
    facts->unit_inferred = take->source.unit_inferred;
    facts->axes_inferred = take->source.axes_inferred;
    facts->unit_stated = take->source.unit_stated;
    facts->axes_stated = take->source.axes_stated;
    facts->has_markers = take->markers != NULL;
    facts->has_skeleton = take->skeleton != NULL;
    facts->has_motion = take->clip != NULL && take->skeleton != NULL;
    facts->has_contacts = take->contacts.count > 0 && !take->contacts.found;
    facts->contacts_found = take->contacts.found;
    facts->skeleton =
        take->skeleton && take->skeleton->name ? ug_report_text(take->skeleton->name) : NULL;
    // charts are of markers where there are any: everything that was measured is on their clock
    if (take->markers) {
        facts->frame_count = take->markers->frame_count;
        facts->first_frame = take->markers->first_frame;
        facts->rate = take->markers->rate;
    } else if (take->clip) {
        facts->frame_count = take->clip->frame_count;
        facts->first_frame = take->clip->first_frame;
        facts->rate = take->clip->rate;
    }
    return facts->name && facts->source_format && facts->source_unit && facts->source_axes
               ? UG_OK
               : ug_fail(err, UG_E_NOMEM, "out of memory");
}

ug_status ug_report_facts_compute(ug_report_facts *out, const ug_take *take, const char *name,
                                  const char *require, ug_error *err)
{
    assert(out && take && name);
    *out = (ug_report_facts){ 0 };
    ug_status status = describe(out, take, name, err);
    if (status == UG_OK) {
        status = ug_report_history(out, take, err);
    }
    if (status == UG_OK) {
        status = ug_report_figures(out, take, err);
    }
    if (status == UG_OK) {
        status = check_gates(out, require, err);
    }
    if (status == UG_OK) {
        status = ug_report_markers(out, take, err);
    }
    if (status == UG_OK) {
        status = ug_report_cleaning(out, take, err);
    }
    if (status == UG_OK) {
        status = ug_report_residuals(out, take, err);
    }
    if (status == UG_OK) {
        status = ug_report_motion(out, take, err);
    }
    if (status == UG_OK) {
        status = ug_report_findings(out, err);
    }
    return status;
}

static void stage_fini(ug_report_stage *stage)
{
    free(stage->stage);
    free(stage->version);
    free(stage->started);
    free(stage->inputs);
    ug_text_list_destroy(stage->options, stage->option_count);
    free(stage->changes);
    free(stage->warnings);
}

void ug_report_facts_fini(ug_report_facts *facts)
{
    if (!facts) {
        return;
    }
    for (size_t i = 0; i < facts->marker_count; i++) {
        free(facts->markers[i].label);
        free(facts->markers[i].subject);
    }
    for (size_t i = 0; i < facts->joint_count; i++) {
        free(facts->joints[i].name);
    }
    for (size_t i = 0; i < facts->stage_count; i++) {
        stage_fini(&facts->stages[i]);
    }
    for (size_t i = 0; i < facts->contact_count; i++) {
        free(facts->contacts[i].reason);
    }
    for (size_t i = 0; i < facts->finding_count; i++) {
        free(facts->findings[i].text);
    }
    ug_take_spectrum_fini(&facts->spectrum);
    void *const owned[] = {
        facts->name,         facts->source_format, facts->source_unit, facts->source_axes,
        facts->source_name,  facts->skeleton,      facts->figures,     facts->gates,
        facts->markers,      facts->runs,          facts->spikes,      facts->swaps,
        facts->frame_rms_mm, facts->outcome,       facts->residual_mm, facts->residual_counted,
        facts->worst,        facts->strays,        facts->joints,      facts->hits,
        facts->contacts,     facts->stages,        facts->findings,    facts->fills,
        facts->methods,      facts->repairs,       facts->frozen
    };
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) {
        free(owned[i]);
    }
    *facts = (ug_report_facts){ 0 };
}
