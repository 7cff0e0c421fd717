// SPDX-License-Identifier: MIT
// What to look at, in words: the facts that a reader would otherwise have to find in the charts.
#include "pipeline/report/report_parts.h"

#include "motion/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH_MAX = 12 }; // of one kind; the charts and the tables have all

static const double LONG_S = 0.25;    // a stray that lasts: as in the solve's own warning
static const double UNSURE_MM = 20.0; // a fill that may be seen
static const double LONG_GAP_S = 0.5;

typedef struct writer {
    ug_report_facts *facts;
    bool failed;
} writer;

static void find(writer *w, ug_severity severity, const char *code, size_t first, size_t end,
                 const char *fmt, ...) UG_PRINTF(6, 7);

// `end` 0: it has no place in time.
static void find(writer *w, ug_severity severity, const char *code, size_t first, size_t end,
                 const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    ug_report_finding *finding =
        ug_report_push(&w->facts->findings, &w->facts->finding_count, sizeof *finding);
    if (!finding || !(finding->text = ug_report_text(text))) {
        w->failed = true;
        return;
    }
    finding->severity = severity;
    (void)snprintf(finding->code, sizeof finding->code, "%s", code);
    finding->has_frames = end > 0;
    finding->first = first;
    finding->end = end;
}

static size_t frames_of(const ug_report_facts *facts, double seconds)
{
    const double frames = seconds * ug_rate_hz(facts->rate);
    return frames > 1.0 ? (size_t)ceil(frames) : 1;
}

// " (1.2 s)" of that many frames, "" where the rate is not known.
static const char *seconds(char text[32], const ug_report_facts *facts, size_t frames)
{
    text[0] = '\0';
    if (ug_rate_is_valid(facts->rate)) {
        (void)snprintf(text, 32, " (%.2f s)", ug_report_time_s(facts, frames));
    }
    return text;
}

static const char *label(const ug_report_facts *facts, size_t marker)
{
    return facts->markers[marker].label;
}

static void find_markers(writer *w)
{
    const ug_report_facts *facts = w->facts;
    size_t gaps = 0, unsure = 0;
    char time[32];
    for (size_t k = 0; k < facts->marker_count; k++) {
        const ug_report_marker *m = &facts->markers[k];
        if (facts->frame_count > 0 && m->lanes[UG_LANE_MISSING] == facts->frame_count) {
            find(w, UG_SEVERITY_BAD, "never_seen", 0, 0, "%s is never seen in the whole take",
                 m->label);
        }
    }
    for (size_t k = 0; k < facts->marker_count; k++) {
        const ug_report_marker *m = &facts->markers[k];
        if (m->longest_gap >= frames_of(facts, LONG_GAP_S) && gaps++ < EACH_MAX) {
            const size_t first = m->longest_gap_first;
            find(w, UG_SEVERITY_LOOK, "gap", first, first + m->longest_gap,
                 "%s is missing in frames %zu to %zu%s", m->label, first,
                 first + m->longest_gap - 1, seconds(time, facts, m->longest_gap));
        }
        if (m->predicted_error_mm >= UNSURE_MM && unsure++ < EACH_MAX) {
            find(w, UG_SEVERITY_LOOK, "fill_unsure", m->predicted_error_frame,
                 m->predicted_error_frame + 1,
                 "%s was filled at frame %zu with an expected error of %.0f mm", m->label,
                 m->predicted_error_frame, m->predicted_error_mm);
        }
    }
}

static void find_labels(writer *w)
{
    const ug_report_facts *facts = w->facts;
    for (size_t i = 0; i < facts->swap_count && i < EACH_MAX; i++) {
        const ug_report_swap *s = &facts->swaps[i];
        if (s->repaired) {
            continue; // no fault of this file: the table of markers lists it
        }
        if (s->end > 0) {
            find(w, UG_SEVERITY_BAD, "swap", s->first, s->end,
                 "%s and %s carry each other's label in frames %zu to %zu", label(facts, s->marker),
                 label(facts, s->other), s->first, s->end - 1);
        } else {
            find(w, UG_SEVERITY_BAD, "swap", s->first, s->first + 1,
                 "%s and %s exchange their places at frame %zu", label(facts, s->marker),
                 label(facts, s->other), s->first);
        }
    }
    size_t lasting = 0;
    char time[32];
    for (size_t i = 0; i < facts->stray_count; i++) {
        const ug_report_stray *s = &facts->strays[i];
        if (s->end - s->first >= frames_of(facts, LONG_S) && lasting++ < EACH_MAX) {
            find(w, UG_SEVERITY_BAD, "stray", s->first, s->end,
                 "%s is 60 mm or more off its segment in frames %zu to %zu%s, %.0f mm at worst",
                 label(facts, s->marker), s->first, s->end - 1,
                 seconds(time, facts, s->end - s->first), s->max_mm);
        }
    }
}

static void find_outcomes(writer *w)
{
    static const char *const SAY[] = { "could not be solved", "stopped at the iteration cap" };
    const ug_report_facts *facts = w->facts;
    for (uint8_t code = 0; facts->outcome && code < 2; code++) {
        size_t count = 0, first = 0;
        for (size_t f = 0; f < facts->frame_count; f++) {
            first = facts->outcome[f] == code && count == 0 ? f : first;
            count += facts->outcome[f] == code;
        }
        if (count > 0) {
            find(w, code == 0 ? UG_SEVERITY_BAD : UG_SEVERITY_LOOK,
                 code == 0 ? "unsolved" : "stopped", first, first + 1,
                 "%zu frame%s %s, the first is %zu", count, count == 1 ? "" : "s", SAY[code],
                 first);
        }
    }
    for (size_t i = 0; i < facts->joint_count && i < EACH_MAX; i++) {
        const ug_report_joint *j = &facts->joints[i];
        find(w, UG_SEVERITY_NOTE, "limit", j->worst_frame, j->worst_frame + 1,
             "%s wanted to pass its limits in %zu frames, by %.1f° at frame %zu", j->name,
             j->frames, j->worst_deg, j->worst_frame);
    }
}

static void find_contacts(writer *w)
{
    const ug_report_facts *facts = w->facts;
    const double rate = ug_rate_hz(facts->rate);
    size_t refused = 0;
    // nobody has tried to plant those that were found for the report
    for (size_t i = 0; i < facts->contact_count && !facts->contacts_found; i++) {
        const ug_report_contact *c = &facts->contacts[i];
        const double frame = c->contact.start_s * rate;
        if (c->contact.accepted || refused++ >= EACH_MAX) {
            continue;
        }
        const bool has_place = frame >= 0.0 && frame < (double)facts->frame_count;
        const size_t first = has_place ? (size_t)frame : 0;
        find(w, UG_SEVERITY_LOOK, "contact_refused", first, has_place ? first + 1 : 0,
             "%s from %.2f s to %.2f s is not planted: %s", ug_contact_point_name(c->contact.point),
             c->contact.start_s, c->contact.end_s, c->reason[0] ? c->reason : "no reason is given");
    }
}

// What stages said that no chart shows.
static void find_warnings(writer *w)
{
    static const struct {
        const char *code;
        ug_severity severity;
    } SHOWN[] = {
        { "labels_exchanged", UG_SEVERITY_BAD },     { "marker_stray", UG_SEVERITY_LOOK },
        { "marker_moved", UG_SEVERITY_LOOK },        { "bones_asymmetric", UG_SEVERITY_LOOK },
        { "subject_does_not_fit", UG_SEVERITY_BAD }, { "foot_plant_refused", UG_SEVERITY_BAD },
        { "few_contacts", UG_SEVERITY_LOOK },        { "floor_not_found", UG_SEVERITY_LOOK },
        { "foot_out_of_reach", UG_SEVERITY_LOOK },   { "static_only", UG_SEVERITY_LOOK },
    };
    const ug_report_facts *facts = w->facts;
    for (size_t s = 0; s < facts->stage_count; s++) {
        const ug_warnings *warnings = facts->stages[s].warnings;
        for (size_t i = 0; i < warnings->count; i++) {
            for (size_t k = 0; k < sizeof SHOWN / sizeof SHOWN[0]; k++) {
                if (strcmp(warnings->items[i].code, SHOWN[k].code) == 0) {
                    find(w, SHOWN[k].severity, SHOWN[k].code, 0, 0, "%s: %s",
                         facts->stages[s].stage, warnings->items[i].first);
                }
            }
        }
    }
}

static void find_spikes(writer *w)
{
    const ug_report_facts *facts = w->facts;
    size_t worst = 0;
    for (size_t i = 1; i < facts->spike_count; i++) {
        worst = facts->spikes[i].mm > facts->spikes[worst].mm ? i : worst;
    }
    if (facts->spike_count > 0) {
        const ug_report_spike *s = &facts->spikes[worst];
        find(w, UG_SEVERITY_NOTE, "spikes", s->frame, s->frame + 1,
             facts->spike_count == 1
                 ? "%zu spike: %s, %.1f mm off its path at frame %zu"
                 : "%zu spikes, the highest: %s, %.1f mm off its path at frame %zu",
             facts->spike_count, label(facts, s->marker), s->mm, s->frame);
    }
}

ug_status ug_report_findings(ug_report_facts *facts, ug_error *err)
{
    writer w = { facts, false };
    find_markers(&w);
    find_labels(&w);
    find_outcomes(&w);
    find_contacts(&w);
    find_warnings(&w);
    find_spikes(&w);
    // by severity, and within one in the order above: a stable sort of three kinds
    ug_report_finding *sorted = calloc(facts->finding_count + 1, sizeof *sorted);
    if (w.failed || !sorted) {
        free(sorted);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    size_t n = 0;
    for (ug_severity s = UG_SEVERITY_BAD; s <= UG_SEVERITY_NOTE; s++) {
        for (size_t i = 0; i < facts->finding_count; i++) {
            if (facts->findings[i].severity == s) {
                sorted[n++] = facts->findings[i];
            }
        }
    }
    free(facts->findings);
    facts->findings = sorted;
    return UG_OK;
}
