// SPDX-License-Identifier: MIT
// What a reader sees first: what the file is, whether it is good enough, what to look at.
#include "pipeline/report/html.h"
#include "pipeline/report/report_sections.h"

#include <math.h>
#include <string.h>

void ug_section_open(FILE *out, const ug_report_facts *facts, size_t index)
{
    char rate[40];
    ug_metric_to_text(rate, ug_rate_hz(facts->rate));
    (void)fprintf(out, "<article class=\"take\" id=\"take-%zu\" data-rate=\"%s\">\n", index, rate);
}

void ug_section_close(FILE *out)
{
    (void)fputs("</article>\n", out);
}

void ug_section_frame(FILE *out, size_t frame)
{
    (void)fprintf(out, "<a class=\"frame\" href=\"#player\" data-frame=\"%zu\">%zu</a>", frame,
                  frame);
}

// Nothing where the source itself declares it.
static const char *said_by(bool inferred, bool stated)
{
    return !inferred ? "" : stated ? " (stated by the user)" : " (inferred)";
}

static void write_source(FILE *out, const ug_report_facts *facts)
{
    if (facts->source_name && facts->source_name[0]) {
        (void)fputs("<span>from <b>", out);
        ug_html_text(out, facts->source_name);
        (void)fputs("</b></span>", out);
    }
    if (facts->source_format[0]) {
        (void)fputs("<span>", out);
        ug_html_text(out, facts->source_format);
        (void)fputs(", unit ", out);
        ug_html_text(out, facts->source_unit[0] ? facts->source_unit : "not known");
        (void)fprintf(out, "%s, axes ", said_by(facts->unit_inferred, facts->unit_stated));
        ug_html_text(out, facts->source_axes);
        (void)fprintf(out, "%s</span>", said_by(facts->axes_inferred, facts->axes_stated));
    }
}

static void write_size(FILE *out, const ug_report_facts *facts)
{
    static const char *const SHOWN[] = { "frame_count", "rate_hz", "duration_s", "marker_count",
                                         "joint_count" };
    static const char *const AFTER[] = { " frames", "", "", " markers", " joints" };
    for (size_t i = 0; i < sizeof SHOWN / sizeof SHOWN[0]; i++) {
        const ug_report_figure *f = ug_report_figure_find(facts, SHOWN[i]);
        if (f) {
            (void)fputs("<span>", out);
            ug_html_figure(out, f->name, f->value);
            (void)fprintf(out, "%s</span>", AFTER[i]);
        }
    }
    if (facts->first_frame != 0) {
        (void)fprintf(out, "<span>frame 0 is the source’s %lld</span>",
                      (long long)facts->first_frame);
    }
    if (facts->skeleton) {
        (void)fputs("<span>body “", out);
        ug_html_text(out, facts->skeleton);
        (void)fputs("”</span>", out);
    }
}

// What is here and, as important, what is not.
static void write_parts(FILE *out, const ug_report_facts *facts)
{
    const struct {
        bool has;
        const char *name, *how;
    } PARTS[] = {
        { facts->has_markers, "markers", "ugoki import of a C3D, TRC or marker CSV" },
        { facts->has_residuals, "residuals of a solve", "ugoki solve" },
        { facts->has_motion, "a motion", "ugoki solve, or ugoki import of a BVH" },
        { facts->has_contacts, "contacts",
          facts->contacts_found ? "ugoki retarget; those below were found for this page"
                                : "ugoki retarget" },
    };
    size_t missing = 0;
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        missing += !PARTS[i].has;
    }
    if (missing == 0) {
        return;
    }
    (void)fputs("<p class=\"absent\">Not in this file: ", out);
    for (size_t i = 0, n = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        if (!PARTS[i].has) {
            (void)fprintf(out, "%s%s <span class=\"dim\">(made by %s)</span>",
                          n == 0             ? ""
                          : n + 1 == missing ? " and "
                                             : ", ",
                          PARTS[i].name, PARTS[i].how);
            n++;
        }
    }
    (void)fputs(".</p>\n", out);
}

// ---- gates -------------------------------------------------------------------------------------

static const char *limit_of(const ug_gate *gate)
{
    return gate->less ? (gate->equal ? "≤" : "&lt;") : (gate->equal ? "≥" : "&gt;");
}

static void write_gate(FILE *out, const ug_report_gate *g)
{
    static const char *const CLASSES[] = { "met", "failed", "failed", "absent" };
    static const char *const WORDS[] = { "met", "not met", "not known", "no such figure" };
    char limit[64];
    ug_figure_to_text(limit, g->gate.name, g->gate.limit);
    (void)fprintf(out, "<tr class=\"%s\"><th scope=\"row\" title=\"", CLASSES[g->state]);
    ug_html_text(out, g->gate.text);
    (void)fputs("\">", out);
    ug_html_text(out, ug_figure_title(g->gate.name));
    (void)fputs("</th><td class=\"num\">", out);
    if (g->state != UG_GATE_ABSENT) {
        ug_html_figure(out, g->gate.name, g->value);
    }
    (void)fprintf(out,
                  "</td><td class=\"num dim\">%s&nbsp;%s</td><td><span "
                  "class=\"verdict\">%s</span></td></tr>\n",
                  limit_of(&g->gate), limit, WORDS[g->state]);
}

static void write_gates(FILE *out, const ug_report_facts *facts)
{
    size_t count[4] = { 0 }, shown = 0;
    bool required = false;
    for (size_t i = 0; i < facts->gate_count; i++) {
        count[facts->gates[i].state]++;
        required = required || facts->gates[i].required;
        shown += required || facts->gates[i].state != UG_GATE_ABSENT;
    }
    const size_t failed =
        count[UG_GATE_FAILED] + count[UG_GATE_UNKNOWN] + (required ? count[UG_GATE_ABSENT] : 0);
    (void)fputs("<div class=\"card gates\"><h3>Quality gates</h3>", out);
    if (shown == 0) {
        (void)fputs("<p class=\"none\">No stage so far makes a figure that is gated.</p></div>\n",
                    out);
        return;
    }
    (void)fprintf(out, "<p class=\"score %s\"><b>%zu of %zu</b> met</p>",
                  failed > 0 ? "failed" : "met", count[UG_GATE_MET], shown);
    (void)fputs(
        "<table><thead><tr><th scope=\"col\">Figure</th><th scope=\"col\" class=\"num\">Value</th>"
        "<th scope=\"col\" class=\"num\">Limit</th><th "
        "scope=\"col\">Verdict</th></tr></thead><tbody>\n",
        out);
    for (size_t i = 0; i < facts->gate_count; i++) {
        if (required || facts->gates[i].state != UG_GATE_ABSENT) {
            write_gate(out, &facts->gates[i]);
        }
    }
    (void)fputs("</tbody></table>", out);
    (void)fputs(required ? "<p class=\"note\">Gates given with --require.</p></div>\n"
                         : "<p class=\"note\">The default gates. Others: --require "
                           "'figure&lt;limit'.</p></div>\n",
                out);
}

// ---- findings ----------------------------------------------------------------------------------

static void write_finding(FILE *out, const ug_report_finding *f)
{
    static const char *const CLASSES[] = { "bad", "look", "note" };
    static const char *const WORDS[] = { "wrong", "look", "note" };
    (void)fprintf(out, "<li class=\"%s\" data-code=\"", CLASSES[f->severity]);
    ug_html_text(out, f->code);
    (void)fprintf(out, "\"><span class=\"tag\">%s</span><span>", WORDS[f->severity]);
    ug_html_text(out, f->text);
    (void)fputs("</span>", out);
    if (f->has_frames) {
        (void)fprintf(out,
                      "<a class=\"show\" href=\"#player\" data-frame=\"%zu\">show&nbsp;%zu</a>",
                      f->first, f->first);
    }
    (void)fputs("</li>\n", out);
}

static void write_findings(FILE *out, const ug_report_facts *facts)
{
    (void)fputs("<div class=\"card findings\"><h3>To look at</h3>", out);
    if (facts->finding_count == 0) {
        (void)fputs("<p class=\"none\">Nothing stands out.</p></div>\n", out);
        return;
    }
    (void)fputs("<ul class=\"scroll\">\n", out);
    for (size_t i = 0; i < facts->finding_count; i++) {
        write_finding(out, &facts->findings[i]);
    }
    (void)fputs("</ul></div>\n", out);
}

// ---- key figures -------------------------------------------------------------------------------

static void write_tiles(FILE *out, const ug_report_facts *facts)
{
    static const struct {
        const char *name, *before;
    } TILES[] = {
        { "missing_pct", "missing_before_pct" },
        { "filled_count", NULL },
        { "marker_rms_mm", NULL },
        { "outlier_pct", NULL },
        { "unsolved_frames", NULL },
        { "limit_hits", NULL },
        { "foot_slide_mm", "before/foot_slide_mm" },
        { "penetration_mm", "before/penetration_mm" },
    };
    (void)fputs("<dl class=\"tiles\">", out);
    for (size_t i = 0; i < sizeof TILES / sizeof TILES[0]; i++) {
        const ug_report_figure *f = ug_report_figure_find(facts, TILES[i].name);
        const ug_report_figure *b =
            f && TILES[i].before ? ug_report_figure_find(facts, TILES[i].before) : NULL;
        if (!f) {
            continue;
        }
        (void)fputs("<div><dt>", out);
        ug_html_text(out, ug_figure_title(f->name));
        (void)fputs("</dt><dd>", out);
        ug_html_figure(out, f->name, f->value);
        if (b) {
            (void)fputs("<small>before ", out);
            ug_html_figure(out, b->name, b->value);
            (void)fputs("</small>", out);
        }
        (void)fputs("</dd></div>", out);
    }
    (void)fputs("</dl>\n", out);
}

void ug_section_summary(FILE *out, const ug_report_facts *facts, size_t index)
{
    (void)fprintf(out, "<header id=\"summary-%zu\"><h2>", index);
    ug_html_text(out, facts->name);
    (void)fputs("</h2>\n<p class=\"meta\">", out);
    write_size(out, facts);
    write_source(out, facts);
    (void)fputs("</p>\n", out);
    write_parts(out, facts);
    (void)fputs("</header>\n", out);
    write_tiles(out, facts);
    (void)fputs("<div class=\"pair\">\n", out);
    write_gates(out, facts);
    write_findings(out, facts);
    (void)fputs("</div>\n", out);
}
