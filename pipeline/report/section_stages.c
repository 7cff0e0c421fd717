// SPDX-License-Identifier: MIT
// What was done to the take, stage by stage, and the comparison of several takes.
#include "pipeline/report/html.h"
#include "pipeline/report/report_sections.h"

#include <math.h>
#include <string.h>

static void write_change(FILE *out, const ug_report_change *c)
{
    (void)fputs("<tr><th scope=\"row\" title=\"", out);
    ug_html_text(out, c->metric.name);
    (void)fputs("\">", out);
    ug_html_text(out, ug_figure_title(c->metric.name));
    (void)fputs("</th><td class=\"num\">", out);
    ug_html_figure(out, c->metric.name, c->metric.value);
    (void)fputs("</td><td class=\"was\">", out);
    const bool both = c->since && isfinite(c->before) && isfinite(c->metric.value);
    if (both && c->before != c->metric.value) {
        (void)fputs(c->metric.value < c->before ? "▾&nbsp;from&nbsp;" : "▴&nbsp;from&nbsp;", out);
        ug_html_figure(out, c->metric.name, c->before);
        (void)fputs(" <span class=\"dim\">(", out);
        ug_html_text(out, c->since);
        (void)fputs(")</span>", out);
    } else if (both) {
        (void)fputs("<span class=\"dim\">as before</span>", out);
    }
    (void)fputs("</td></tr>\n", out);
}

static void write_changes(FILE *out, const ug_report_stage *s)
{
    size_t others = 0;
    (void)fputs("<table class=\"figures\"><tbody>\n", out);
    for (size_t i = 0; i < s->change_count; i++) {
        if (s->changes[i].key) {
            write_change(out, &s->changes[i]);
        }
        others += !s->changes[i].key;
    }
    (void)fputs("</tbody></table>\n", out);
    if (others == 0) {
        return;
    }
    (void)fprintf(out,
                  "<details><summary>%zu more figures</summary><table class=\"figures\"><tbody>\n",
                  others);
    for (size_t i = 0; i < s->change_count; i++) {
        if (!s->changes[i].key) {
            write_change(out, &s->changes[i]);
        }
    }
    (void)fputs("</tbody></table></details>\n", out);
}

static void write_options(FILE *out, const ug_report_stage *s)
{
    if (s->option_count == 0) {
        (void)fputs("<p class=\"none\">all at their defaults</p>", out);
        return;
    }
    (void)fputs("<ul class=\"options\">", out);
    for (size_t i = 0; i < s->option_count; i++) {
        (void)fputs("<li><code>", out);
        ug_html_text(out, s->options[i]);
        (void)fputs("</code></li>", out);
    }
    (void)fputs("</ul>", out);
}

static void write_warnings(FILE *out, const ug_report_stage *s)
{
    if (!s->warnings_known) {
        (void)fputs("<p class=\"none unknown\">not known</p>", out);
        return;
    }
    if (s->warnings->count == 0) {
        (void)fputs("<p class=\"none\">none</p>", out);
        return;
    }
    (void)fputs("<ul class=\"warnings\">", out);
    for (size_t i = 0; i < s->warnings->count; i++) {
        const ug_warning *w = &s->warnings->items[i];
        (void)fputs("<li><code>", out);
        ug_html_text(out, w->code);
        (void)fprintf(out, "</code> <span class=\"dim\">×&nbsp;%zu</span><br>", w->count);
        ug_html_text(out, w->first);
        (void)fputs("</li>", out);
    }
    (void)fputs("</ul>", out);
}

static void write_stage(FILE *out, const ug_report_stage *s, size_t number)
{
    (void)fprintf(out, "<tr><th scope=\"row\"><span class=\"step\">%zu</span> ", number);
    ug_html_text(out, s->stage);
    (void)fputs("<p class=\"dim\">", out);
    ug_html_text(out, s->inputs[0] ? s->inputs : "no input");
    (void)fputs("<br>", out);
    ug_html_text(out, s->started);
    (void)fputs("<br>", out);
    ug_html_figure(out, "seconds", s->seconds);
    (void)fputs(", ugoki ", out);
    ug_html_text(out, s->version);
    (void)fputs(s->of_subject ? "</p><p class=\"aside\">for the subject</p>" : "</p>", out);
    (void)fputs("</th><td>", out);
    write_options(out, s);
    (void)fputs("</td><td>", out);
    write_changes(out, s);
    (void)fputs("</td><td>", out);
    write_warnings(out, s);
    (void)fputs("</td></tr>\n", out);
}

void ug_section_stages(FILE *out, const ug_report_facts *facts, size_t index)
{
    (void)fprintf(
        out, "<section class=\"card\" id=\"stages-%zu\"><h3>What was done, stage by stage</h3>\n",
        index);
    if (facts->stage_count == 0) {
        (void)fputs("<p class=\"none\">This file has no history: no stage of ugoki has written "
                    "it.</p></section>\n",
                    out);
        return;
    }
    (void)fputs("<div class=\"wide\"><table class=\"stages\"><thead><tr><th "
                "scope=\"col\">Stage</th><th scope=\"col\">Options set</th>"
                "<th scope=\"col\">Figures, and how they changed</th><th "
                "scope=\"col\">Warnings</th></tr></thead><tbody>\n",
                out);
    for (size_t i = 0; i < facts->stage_count; i++) {
        write_stage(out, &facts->stages[i], i + 1);
    }
    (void)fputs("</tbody></table></div></section>\n", out);
}

// ---- several takes -----------------------------------------------------------------------------

static const ug_report_gate *gate_of(const ug_report_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->gate_count; i++) {
        if (strcmp(facts->gates[i].gate.name, name) == 0) {
            return &facts->gates[i];
        }
    }
    return NULL;
}

static void write_cell(FILE *out, const ug_report_facts *facts, const char *name)
{
    const ug_report_figure *f = ug_report_figure_find(facts, name);
    const ug_report_gate *g = gate_of(facts, name);
    const bool failed = g && (g->state == UG_GATE_FAILED || g->state == UG_GATE_UNKNOWN);
    const bool met = g && g->state == UG_GATE_MET;
    (void)fprintf(out, "<td class=\"num%s\">", failed ? " failed" : met ? " met" : "");
    if (f) {
        ug_html_figure(out, name, f->value);
        (void)fputs(failed ? " <span class=\"verdict\">not met</span>" : "", out);
    } else {
        (void)fputs("<span class=\"dim\">–</span>", out);
    }
    (void)fputs("</td>", out);
}

void ug_section_comparison(FILE *out, const ug_report_facts *facts, size_t count)
{
    static const char *const SHOWN[] = {
        "frame_count",      "duration_s",       "marker_count",     "joint_count",
        "never_seen_count", "missing_pct",      "filled_count",     "spike_count",
        "swap_count",       "swap_candidates",  "exchanged_labels", "marker_rms_mm",
        "marker_p95_mm",    "outlier_pct",      "unsolved_frames",  "limit_hits",
        "contact_count",    "contacts_refused", "foot_slide_mm",    "foot_slide_pinned_mm",
        "penetration_mm",   "pelvis_drop_mm",   "pose_change_mm",   "knee_accel_ratio",
    };
    (void)fputs(
        "<section class=\"card\" id=\"comparison\"><h2>Side by side</h2><div class=\"wide\"><table "
        "class=\"comparison\"><thead><tr><th scope=\"col\">Figure</th>",
        out);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, "<th scope=\"col\" class=\"num\"><a href=\"#take-%zu\">", i);
        ug_html_text(out, facts[i].name);
        (void)fputs("</a></th>", out);
    }
    (void)fputs("</tr></thead><tbody>\n", out);
    for (size_t k = 0; k < sizeof SHOWN / sizeof SHOWN[0]; k++) {
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            any = any || ug_report_figure_find(&facts[i], SHOWN[k]);
        }
        if (!any) {
            continue;
        }
        (void)fprintf(out, "<tr><th scope=\"row\" title=\"%s\">%s</th>", SHOWN[k],
                      ug_figure_title(SHOWN[k]));
        for (size_t i = 0; i < count; i++) {
            write_cell(out, &facts[i], SHOWN[k]);
        }
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div></section>\n", out);
}
