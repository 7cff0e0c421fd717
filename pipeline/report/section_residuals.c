// SPDX-License-Identifier: MIT
// How well the skeleton fits the markers: frame by frame, marker by marker, and where it does not.
#include "pipeline/report/charts.h"
#include "pipeline/report/html.h"
#include "pipeline/report/report_sections.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_MAX = 200 };

static void write_worst(FILE *out, const ug_report_facts *facts)
{
    (void)fputs("<h4>Worst frames, measured samples</h4><table><thead><tr><th scope=\"col\" "
                "class=\"num\">#</th><th "
                "scope=\"col\" class=\"num\">Frame</th>"
                "<th scope=\"col\" class=\"num\">Time</th><th scope=\"col\" "
                "class=\"num\">Residual, rms</th>"
                "<th scope=\"col\">Farthest marker</th></tr></thead><tbody>\n",
                out);
    for (size_t i = 0; i < facts->worst_count; i++) {
        const ug_report_frame *w = &facts->worst[i];
        (void)fprintf(out, "<tr><td class=\"num dim\">%zu</td><td class=\"num\">", i + 1);
        ug_section_frame(out, w->frame);
        (void)fputs("</td><td class=\"num\">", out);
        ug_html_figure(out, "time_s", ug_report_time_s(facts, w->frame));
        (void)fputs("</td><td class=\"num\">", out);
        ug_html_figure(out, "frame_rms_mm", w->rms_mm);
        (void)fputs("</td><td>", out);
        if (w->marker != SIZE_MAX) {
            ug_html_text(out, facts->markers[w->marker].label);
            (void)fputs(", ", out);
            ug_html_figure(out, "residual_mm", w->marker_mm);
        }
        (void)fputs("</td></tr>\n", out);
    }
    (void)fputs("</tbody></table>\n", out);
}

static void write_strays(FILE *out, const ug_report_facts *facts)
{
    (void)fputs("<h4>60 mm or more off their segment</h4>", out);
    if (facts->stray_count == 0) {
        (void)fputs("<p class=\"none\">No marker, in no frame.</p>", out);
        return;
    }
    (void)fputs(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Marker</th><th scope=\"col\" "
        "class=\"num\">From frame</th>"
        "<th scope=\"col\" class=\"num\">To frame</th><th scope=\"col\" class=\"num\">Frames</th>"
        "<th scope=\"col\" class=\"num\">At worst</th></tr></thead><tbody>\n",
        out);
    for (size_t i = 0; i < facts->stray_count && i < ROWS_MAX; i++) {
        const ug_report_stray *s = &facts->strays[i];
        (void)fputs("<tr><th scope=\"row\">", out);
        ug_html_text(out, facts->markers[s->marker].label);
        (void)fputs("</th><td class=\"num\">", out);
        ug_section_frame(out, s->first);
        (void)fputs("</td><td class=\"num\">", out);
        ug_section_frame(out, s->end - 1);
        (void)fprintf(out, "</td><td class=\"num\">%zu</td><td class=\"num\">", s->end - s->first);
        ug_html_figure(out, "residual_mm", s->max_mm);
        (void)fputs("</td></tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
    if (facts->stray_count > ROWS_MAX) {
        (void)fprintf(out, "<p class=\"note\">The longest %d of %zu.</p>", ROWS_MAX,
                      facts->stray_count);
    }
}

static int worst_first(const void *a, const void *b)
{
    const ug_report_marker *x = *(const ug_report_marker *const *)a;
    const ug_report_marker *y = *(const ug_report_marker *const *)b;
    if (x->outlier_count != y->outlier_count) { // a low rms beside many of these proves nothing
        return x->outlier_count > y->outlier_count ? -1 : 1;
    }
    const double p = isnan(x->rms_mm) ? -1.0 : x->rms_mm, q = isnan(y->rms_mm) ? -1.0 : y->rms_mm;
    if (p != q) {
        return p > q ? -1 : 1;
    }
    return x->column < y->column ? -1 : x->column > y->column;
}

static void write_marker(FILE *out, const ug_report_marker *m, double widest_mm)
{
    (void)fputs("<tr><th scope=\"row\">", out);
    ug_html_text(out, m->label);
    (void)fputs("</th><td class=\"bar\">", out);
    if (isfinite(m->rms_mm)) {
        (void)fprintf(out, "<i style=\"width:%.1f%%\"></i>", 100.0 * m->rms_mm / widest_mm);
    }
    (void)fputs("</td><td class=\"num\">", out);
    ug_html_figure(out, "marker_rms_mm", m->rms_mm);
    (void)fputs("</td><td class=\"num\">", out);
    ug_html_figure(out, "max_mm", m->max_mm);
    (void)fputs("</td><td class=\"num\">", out);
    if (isfinite(m->max_mm)) {
        ug_section_frame(out, m->max_frame);
    }
    (void)fprintf(out, "</td><td class=\"num%s\">%zu</td><td class=\"num dim\">%zu</td></tr>\n",
                  m->outlier_count > 0 ? " warn" : " dim", m->outlier_count, m->residual_count);
}

static void write_markers(FILE *out, const ug_report_facts *facts)
{
    const ug_report_marker **order = calloc(facts->marker_count + 1, sizeof *order);
    size_t count = 0;
    double widest = 1.0;
    for (size_t k = 0; order && k < facts->marker_count; k++) {
        if (facts->markers[k].solved) {
            order[count++] = &facts->markers[k];
            widest = fmax(widest, facts->markers[k].rms_mm);
        }
    }
    if (count > 0) {
        qsort(order, count, sizeof *order, worst_first);
    }
    (void)fputs("<h4>Per marker, measured samples</h4><div class=\"scroll tall\"><table "
                "class=\"bars\"><thead><tr><th scope=\"col\">Marker</th>"
                "<th scope=\"col\" aria-hidden=\"true\"></th><th scope=\"col\" class=\"num\">rms "
                "&lt; 60 mm</th><th scope=\"col\" class=\"num\">Largest</th>"
                "<th scope=\"col\" class=\"num\">at frame</th><th scope=\"col\" class=\"num\">"
                "≥ 60 mm</th>"
                "<th scope=\"col\" class=\"num\">Samples</th></tr></thead><tbody>\n",
                out);
    for (size_t i = 0; i < count; i++) {
        write_marker(out, order[i], widest);
    }
    (void)fputs("</tbody></table></div>\n", out);
    free(order);
}

void ug_section_residuals(FILE *out, const ug_report_facts *facts, size_t index)
{
    (void)fprintf(
        out, "<section class=\"card\" id=\"residuals-%zu\"><h3>How well the skeleton fits</h3>\n",
        index);
    if (!facts->has_residuals) {
        (void)fputs("<p class=\"none unknown\">Not known: this file has not been solved (ugoki "
                    "solve).</p></section>\n",
                    out);
        return;
    }
    if (facts->frame_rms_mm) {
        (void)fputs("<p class=\"legend\"><span><i class=\"area\"></i>rms of each frame’s measured "
                    "residuals below 60 mm</span>",
                    out);
        if (facts->outcome) {
            (void)fputs(
                "<span><i class=\"o4\"></i>converged</span><span><i "
                "class=\"o3\"></i>limited</span><span><i class=\"o2\"></i>joint undecided</span>"
                "<span><i class=\"o1\"></i>stopped</span><span><i class=\"o0\"></i>not "
                "solved</span>",
                out);
        }
        (void)fputs("</p>\n<div class=\"wide\">", out);
        ug_chart_frames(out, facts);
        (void)fputs("</div>\n", out);
    }
    (void)fputs(
        "<h4>Marker by marker</h4><p class=\"legend\"><span><i class=\"r0\"></i>below 10 "
        "mm</span><span><i class=\"r1\"></i>10 to 20</span>"
        "<span><i class=\"r2\"></i>20 to 60</span><span><i class=\"r3\"></i>60 mm or "
        "more</span><span><i class=\"r1 thin\"></i>thin: filled, in no figure</span></p>\n<div "
        "class=\"wide\">",
        out);
    ug_chart_residual_map(out, facts);
    (void)fputs("</div>\n<div class=\"pair\"><div>", out);
    write_worst(out, facts);
    write_strays(out, facts);
    (void)fputs("</div><div>", out);
    write_markers(out, facts);
    (void)fputs("</div></div></section>\n", out);
}
