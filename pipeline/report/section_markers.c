// SPDX-License-Identifier: MIT
// The gap chart and the tables of markers, spikes and exchanged labels.
#include "pipeline/report/charts.h"
#include "pipeline/report/html.h"
#include "pipeline/report/report_sections.h"

#include <math.h>

enum { ROWS_MAX = 200 }; // of spikes and exchanges; --json has all

static void legend_item(FILE *out, const char *class, const char *text, size_t samples)
{
    (void)fprintf(out, "<span><i class=\"%s\"></i>%s", class, text);
    if (samples != SIZE_MAX) {
        (void)fprintf(out, " <span class=\"dim\">%zu</span>", samples);
    }
    (void)fputs("</span>", out);
}

static void write_legend(FILE *out, const ug_report_facts *facts)
{
    static const char *const CLASSES[] = { "l0", "l1", "l2", "l3", "l4", "l5" };
    static const char *const NAMES[] = { "missing", "filled",   "repaired",
                                         "edited",  "computed", "measured" };
    size_t total[UG_LANE_NONE + 1] = { 0 };
    for (size_t k = 0; k < facts->marker_count; k++) {
        for (int lane = 0; lane <= UG_LANE_NONE; lane++) {
            total[lane] += facts->markers[k].lanes[lane];
        }
    }
    (void)fputs("<p class=\"legend\">", out);
    for (int i = 0; i <= UG_LANE_NONE; i++) {
        const int lane = (i + UG_LANE_NONE) % (UG_LANE_NONE + 1); // measured first
        if (total[lane] > 0) {
            legend_item(out, CLASSES[lane], NAMES[lane], total[lane]);
        }
    }
    if (facts->spike_count > 0) {
        legend_item(out, "spike", "spike", facts->spike_count);
    }
    if (facts->swap_count > 0) {
        legend_item(out, "swap", "labels exchanged", facts->swap_count);
    }
    (void)fputs("</p>\n", out);
}

static void write_longest(FILE *out, size_t length, size_t first, bool is_never_seen)
{
    if (length > 0) {
        (void)fprintf(out, "%zu at ", length);
        ug_section_frame(out, first);
    } else {
        (void)fputs(is_never_seen ? "never seen" : "–", out);
    }
}

static void write_row(FILE *out, const ug_report_facts *facts, const ug_report_marker *m)
{
    (void)fputs("<tr><th scope=\"row\">", out);
    if (m->subject[0]) {
        (void)fputs("<span class=\"dim\">", out);
        ug_html_text(out, m->subject);
        (void)fputs(":</span>", out);
    }
    ug_html_text(out, m->label);
    (void)fprintf(out, "</th><td class=\"num\">%zu</td><td class=\"num\">%zu</td>",
                  m->lanes[UG_LANE_NONE], m->lanes[UG_LANE_FILLED]);
    (void)fputs("<td class=\"num\">", out);
    ug_html_figure(out, "missing_before_pct", ug_report_share_pct(facts, m->missing_before));
    (void)fputs("</td><td class=\"num\">", out);
    ug_html_figure(out, "missing_pct", ug_report_share_pct(facts, m->lanes[UG_LANE_MISSING]));
    (void)fprintf(out, "</td><td class=\"num\">%zu</td><td class=\"num\">", m->gap_count);
    const bool never = m->lanes[UG_LANE_MISSING] == facts->frame_count;
    write_longest(out, m->longest_before, m->longest_before_first, never);
    (void)fputs("</td><td class=\"num\">", out);
    write_longest(out, m->longest_gap, m->longest_gap_first, never);
    (void)fputs("</td><td class=\"num\">", out);
    if (m->lanes[UG_LANE_FILLED] == 0) {
        (void)fputs("–", out);
    } else {
        ug_html_figure(out, "predicted_error_mm", m->predicted_error_mm);
    }
    if (facts->spikes_known) {
        (void)fprintf(out, "</td><td class=\"num\">%zu</td></tr>\n", m->spike_count);
    } else {
        (void)fputs("</td><td class=\"num unknown\">not known</td></tr>\n", out);
    }
}

static void write_table(FILE *out, const ug_report_facts *facts)
{
    (void)fputs(
        "<details><summary>Markers in numbers</summary><div class=\"scroll\"><table><thead><tr><th "
        "scope=\"col\">Marker</th>"
        "<th scope=\"col\" class=\"num\">Measured</th><th scope=\"col\" class=\"num\">Filled</th>"
        "<th scope=\"col\" class=\"num\">Missing before filling</th><th scope=\"col\" "
        "class=\"num\">now</th><th scope=\"col\" class=\"num\">Gaps</th>"
        "<th scope=\"col\" class=\"num\">Longest before, frames</th>"
        "<th scope=\"col\" class=\"num\">Longest now</th><th scope=\"col\" "
        "class=\"num\">Expected error of fills</th>"
        "<th scope=\"col\" class=\"num\">Spikes</th></tr></thead><tbody>\n",
        out);
    for (size_t k = 0; k < facts->marker_count; k++) {
        write_row(out, facts, &facts->markers[k]);
    }
    (void)fputs("</tbody></table></div></details>\n", out);
}

static void write_spikes(FILE *out, const ug_report_facts *facts)
{
    (void)fputs("<h4>Spikes</h4>", out);
    if (!facts->spikes_known || facts->spike_count == 0) {
        (void)fputs(facts->spikes_known ? "<p class=\"none\">None found.</p>"
                                        : "<p class=\"none unknown\">Not known: no stage has "
                                          "looked for them (ugoki clean does).</p>",
                    out);
        return;
    }
    (void)fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Marker</th><th "
                "scope=\"col\" class=\"num\">Frame</th>"
                "<th scope=\"col\" class=\"num\">Off its path</th></tr></thead><tbody>\n",
                out);
    for (size_t i = 0; i < facts->spike_count && i < ROWS_MAX; i++) {
        const ug_report_spike *s = &facts->spikes[i];
        (void)fputs("<tr><th scope=\"row\">", out);
        ug_html_text(out, facts->markers[s->marker].label);
        (void)fputs("</th><td class=\"num\">", out);
        ug_section_frame(out, s->frame);
        (void)fputs("</td><td class=\"num\">", out);
        ug_html_figure(out, "spike_mm", s->mm);
        (void)fputs("</td></tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
    if (facts->spike_count > ROWS_MAX) {
        (void)fprintf(out, "<p class=\"note\">The first %d of %zu.</p>", ROWS_MAX,
                      facts->spike_count);
    }
}

static void write_swaps(FILE *out, const ug_report_facts *facts)
{
    (void)fputs("<h4>Labels exchanged on the way</h4>", out);
    if (!facts->swaps_known || facts->swap_count == 0) {
        (void)fputs(facts->swaps_known ? "<p class=\"none\">None found.</p>"
                                       : "<p class=\"none unknown\">Not known: no stage has looked "
                                         "for them (ugoki clean does).</p>",
                    out);
        return;
    }
    (void)fputs(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Markers</th><th "
        "scope=\"col\" class=\"num\">From frame</th>"
        "<th scope=\"col\" class=\"num\">To frame</th><th scope=\"col\">Now</th></tr></thead>"
        "<tbody>\n",
        out);
    for (size_t i = 0; i < facts->swap_count && i < ROWS_MAX; i++) {
        const ug_report_swap *s = &facts->swaps[i];
        (void)fputs("<tr><th scope=\"row\">", out);
        ug_html_text(out, facts->markers[s->marker].label);
        (void)fputs(" and ", out);
        ug_html_text(out, facts->markers[s->other].label);
        for (size_t k = 0; k < 2 && s->ring[k] != SIZE_MAX; k++) {
            (void)fputs(" and ", out);
            ug_html_text(out, facts->markers[s->ring[k]].label);
        }
        (void)fputs("</th><td class=\"num\">", out);
        ug_section_frame(out, s->first);
        (void)fputs("</td><td class=\"num\">", out);
        if (s->end > 0) {
            ug_section_frame(out, s->end - 1);
        } else {
            (void)fputs("<span class=\"unknown\">not known</span>", out);
        }
        (void)fprintf(out, "</td><td>%s</td></tr>\n", s->repaired ? "put right" : "exchanged");
    }
    (void)fputs("</tbody></table></div>\n", out);
    if (facts->swap_count > ROWS_MAX) {
        (void)fprintf(out, "<p class=\"note\">The first %d of %zu.</p>", ROWS_MAX,
                      facts->swap_count);
    }
}

void ug_section_markers(FILE *out, const ug_report_facts *facts, size_t index)
{
    (void)fprintf(out, "<section class=\"card\" id=\"markers-%zu\"><h3>Markers over time</h3>\n",
                  index);
    if (facts->marker_count == 0 || facts->frame_count == 0) {
        (void)fputs("<p class=\"none\">This file holds no markers.</p></section>\n", out);
        return;
    }
    write_legend(out, facts);
    (void)fputs("<div class=\"wide\">", out);
    ug_chart_gaps(out, facts);
    (void)fputs("</div>\n", out);
    write_table(out, facts);
    (void)fputs("<div class=\"pair\"><div>", out);
    write_spikes(out, facts);
    (void)fputs("</div><div>", out);
    write_swaps(out, facts);
    (void)fputs("</div></div></section>\n", out);
}
