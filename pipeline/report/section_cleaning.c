// SPDX-License-Identifier: MIT
// What cleaning did: fills and what to expect of them, labels put right, smoothing.
#include "pipeline/report/charts.h"
#include "pipeline/report/html.h"
#include "pipeline/report/report_sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 200 }; // --json has all rows

static void write_head(FILE *out, const char *const *names, size_t count)
{
    (void)fputs("<div class=\"scroll\"><table><thead><tr>", out);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, "<th scope=\"col\"%s>%s</th>", i > 0 ? " class=\"num\"" : "", names[i]);
    }
    (void)fputs("</tr></thead><tbody>\n", out);
}

static void write_end(FILE *out, const char *which, size_t count)
{
    (void)fputs("</tbody></table></div>\n", out);
    if (count > ROWS_MAX) {
        (void)fprintf(out, "<p class=\"note\">The %s %d of %zu.</p>", which, ROWS_MAX, count);
    }
}

static void write_range(FILE *out, size_t first, size_t end)
{
    (void)fputs("</th><td class=\"num\">", out);
    ug_section_frame(out, first);
    (void)fputs("</td><td class=\"num\">", out);
    ug_section_frame(out, end - 1);
    (void)fprintf(out, "</td><td class=\"num\">%zu</td>", end - first);
}

// ---- fills -------------------------------------------------------------------------------------

static void write_method(FILE *out, const ug_report_method *m)
{
    char text[32];
    (void)fprintf(
        out,
        "<tr><th scope=\"row\">%s</th><td class=\"num\">%zu</td><td class=\"num\">%zu</td>"
        "<td class=\"num\">",
        ug_report_method_name(text, m->method), m->fill_count, m->sample_count);
    ug_html_figure(out, "median_mm", m->median_mm);
    (void)fputs("</td><td class=\"num\">", out);
    ug_html_figure(out, "worst_mm", m->worst_mm);
    (void)fprintf(out, "</td><td class=\"num\">%zu</td></tr>\n", m->unpredicted);
}

// What `clean` itself says of its predictions, under whatever names it has for that.
static void write_predictions(FILE *out, const ug_report_facts *facts)
{
    static const char PREFIX[] = "predicted_error";
    const ug_report_stage *clean = NULL;
    for (size_t i = 0; i < facts->stage_count; i++) {
        const bool is_clean = strcmp(facts->stages[i].stage, "clean") == 0;
        clean = is_clean && !facts->stages[i].of_subject ? &facts->stages[i] : clean;
    }
    (void)fputs("<p class=\"note\">", out);
    for (size_t i = 0; clean && i < clean->change_count; i++) {
        const ug_metric *m = &clean->changes[i].metric;
        if (strncmp(m->name, PREFIX, sizeof PREFIX - 1) == 0) {
            ug_html_text(out, ug_figure_title(m->name));
            (void)fputs(":&nbsp;", out);
            ug_html_figure(out, m->name, m->value);
            (void)fputs(". ", out);
        }
    }
    (void)fputs("Expected errors come from stretches of the same length that were seen.</p>\n",
                out);
}

static int worst_first(const void *a, const void *b)
{
    const ug_report_fill *x = *(const ug_report_fill *const *)a;
    const ug_report_fill *y = *(const ug_report_fill *const *)b;
    const double p = isnan(x->error_mm) ? INFINITY : x->error_mm; // not predicted: look at it
    const double q = isnan(y->error_mm) ? INFINITY : y->error_mm;
    if (p != q) {
        return p > q ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

static void write_fill_list(FILE *out, const ug_report_facts *facts)
{
    static const char *const NAMES[] = { "Marker", "From frame",     "To frame",
                                         "Frames", "Expected error", "Method" };
    char text[32];
    const ug_report_fill **order = malloc((facts->fill_count + 1) * sizeof *order);
    for (size_t i = 0; order && i < facts->fill_count; i++) {
        order[i] = &facts->fills[i];
    }
    if (!order) {
        return; // the file is then not whole either: report.c sees it
    }
    qsort(order, facts->fill_count, sizeof *order, worst_first);
    (void)fputs("<h4>Fills, the least sure first</h4>", out);
    write_head(out, NAMES, 6);
    for (size_t i = 0; i < facts->fill_count && i < ROWS_MAX; i++) {
        (void)fputs("<tr><th scope=\"row\">", out);
        ug_html_text(out, facts->markers[order[i]->marker].label);
        write_range(out, order[i]->first, order[i]->end);
        (void)fputs("<td class=\"num\">", out);
        ug_html_figure(out, "predicted_error_mm", order[i]->error_mm);
        (void)fprintf(out, "</td><td class=\"num\">%s</td></tr>\n",
                      ug_report_method_name(text, order[i]->method));
    }
    write_end(out, "least sure", facts->fill_count);
    free(order);
}

static void write_fills(FILE *out, const ug_report_facts *facts)
{
    static const char *const NAMES[] = { "Method",   "Gaps",
                                         "Samples",  "Expected error, median",
                                         "At worst", "Not predicted" };
    if (facts->fill_count == 0) {
        return;
    }
    (void)fputs("<div class=\"pair\"><div><h4>How gaps were filled</h4>", out);
    write_head(out, NAMES, 6);
    for (size_t i = 0; i < facts->method_count; i++) {
        write_method(out, &facts->methods[i]);
    }
    (void)fputs("</tbody></table></div>\n", out);
    write_predictions(out, facts);
    (void)fputs("</div><div>", out);
    write_fill_list(out, facts);
    (void)fputs("</div></div>\n", out);
}

// ---- labels, frozen stretches ------------------------------------------------------------------

static void write_repairs(FILE *out, const ug_report_facts *facts)
{
    static const char *const NAMES[] = { "Markers", "From frame", "To frame", "Frames" };
    (void)fputs("<h4>Labels put right by hand edits</h4>", out);
    write_head(out, NAMES, 4);
    for (size_t i = 0; i < facts->repair_count && i < ROWS_MAX; i++) {
        const ug_report_repair *r = &facts->repairs[i];
        (void)fputs("<tr><th scope=\"row\">", out);
        ug_html_text(out, facts->markers[r->marker].label);
        if (r->other != SIZE_MAX) {
            (void)fputs(" and ", out);
            ug_html_text(out, facts->markers[r->other].label);
        }
        write_range(out, r->first, r->end);
        (void)fputs("</tr>\n", out);
    }
    write_end(out, "first", facts->repair_count);
}

static void write_frozen(FILE *out, const ug_report_facts *facts)
{
    static const char *const NAMES[] = { "Marker", "From frame", "To frame", "Frames" };
    (void)fputs("<h4>Frozen</h4>", out);
    if (facts->frozen_count == 0) {
        (void)fputs("<p class=\"none\">None found.</p>", out);
        return;
    }
    write_head(out, NAMES, 4);
    for (size_t i = 0; i < facts->frozen_count && i < ROWS_MAX; i++) {
        (void)fputs("<tr><th scope=\"row\">", out);
        ug_html_text(out, facts->markers[facts->frozen[i].marker].label);
        write_range(out, facts->frozen[i].first, facts->frozen[i].end);
        (void)fputs("</tr>\n", out);
    }
    write_end(out, "first", facts->frozen_count);
}

// ---- smoothing ---------------------------------------------------------------------------------

static void write_smoothing(FILE *out, const ug_report_facts *facts)
{
    (void)fputs("<h4>Smoothing</h4><p class=\"legend\"><span><i class=\"curve c-before\"></i>before"
                "</span><span><i class=\"curve c-after\"></i>after</span><span><i class=\"curve "
                "c-removed\"></i>taken away, ",
                out);
    ug_html_figure(out, "removed_rms_mm", facts->spectrum.removed_rms_mm);
    (void)fprintf(out, " rms</span><span class=\"dim\">median of %zu markers</span></p>\n",
                  facts->spectrum.marker_count);
    (void)fputs("<div class=\"wide\">", out);
    ug_chart_spectrum(out, facts);
    (void)fputs("</div><p class=\"note\">Where the line before runs flat, it is noise. Where the "
                "dashed one comes "
                "near it at lower frequencies, movement was taken away too.</p>\n",
                out);
}

void ug_section_cleaning(FILE *out, const ug_report_facts *facts, size_t index)
{
    const bool lists = facts->repair_count > 0 || facts->frozen_known;
    if (facts->fill_count == 0 && !lists && facts->spectrum.count == 0) {
        return;
    }
    (void)fprintf(out, "<section class=\"card\" id=\"cleaning-%zu\"><h3>What cleaning did</h3>\n",
                  index);
    write_fills(out, facts);
    if (lists) {
        (void)fputs("<div class=\"pair\"><div>", out);
        if (facts->repair_count > 0) {
            write_repairs(out, facts);
        }
        (void)fputs("</div><div>", out);
        if (facts->frozen_known) {
            write_frozen(out, facts);
        }
        (void)fputs("</div></div>\n", out);
    }
    if (facts->spectrum.count > 0) {
        write_smoothing(out, facts);
    }
    (void)fputs("</section>\n", out);
}
