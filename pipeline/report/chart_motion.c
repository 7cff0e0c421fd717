// SPDX-License-Identifier: MIT
// The charts of the motion: joint limits, contacts and how far they slide.
#include "pipeline/report/charts.h"
#include "pipeline/report/svg.h"

#include <math.h>

enum { ROW = 18, BAR = 12, SLIDE = 110, BETWEEN = 26 };

void ug_chart_limits(FILE *out, const ug_report_facts *facts)
{
    char text[160];
    const ug_chart chart =
        ug_chart_open(out, facts, (double)(ROW * facts->joint_count), "chart limits",
                      "Joints over time where they wanted to pass a limit");
    for (size_t j = 0; j < facts->joint_count; j++) {
        const double y = chart.top + (double)(ROW * j);
        ug_svg_path_begin(out, "lane");
        ug_svg_bar(out, UG_CHART_LEFT, y + (ROW - BAR) / 2,
                   UG_CHART_WIDTH - UG_CHART_LEFT - UG_CHART_RIGHT, BAR);
        ug_svg_path_end(out);
        ug_svg_group_begin(out, "row", facts->joints[j].name);
        ug_svg_label(out, UG_CHART_LEFT - 8, y + ROW - 5, UG_SVG_END, "label",
                     facts->joints[j].name, UG_CHART_LEFT - 8);
        ug_svg_group_end(out);
        (void)snprintf(text, sizeof text, "%.1f°", facts->joints[j].worst_deg);
        ug_svg_text(out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, y + ROW - 5, UG_SVG_START, "aside",
                    text);
    }
    for (size_t i = 0; i < facts->hit_count && i < 5000; i++) {
        const ug_report_hit *h = &facts->hits[i];
        const double x = ug_chart_x(facts, (double)h->first);
        (void)snprintf(text, sizeof text, "frames %zu to %zu, %.1f° at most", h->first, h->end - 1,
                       h->deg);
        (void)fprintf(out, "<a href=\"#player\" data-frame=\"%zu\">", h->worst);
        ug_svg_group_begin(out, "hit", text);
        ug_svg_path_begin(out, "bar");
        ug_svg_bar(out, x, chart.top + (double)(ROW * h->joint) + (ROW - BAR) / 2,
                   fmax(ug_chart_x(facts, (double)h->end) - x, 2.0), BAR);
        ug_svg_path_end(out);
        ug_svg_group_end(out);
        (void)fputs("</a>", out);
    }
    ug_svg_text(out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, chart.top - 8, UG_SVG_START, "axis unit",
                "at most");
    ug_chart_close(&chart);
}

// ---- contacts ----------------------------------------------------------------------------------

static void describe(char *text, size_t size, const ug_report_contact *c)
{
    const size_t used = (size_t)snprintf(
        text, size, "%s, %.2f s to %.2f s%s%s", ug_contact_point_name(c->contact.point),
        c->contact.start_s, c->contact.end_s,
        c->contact.accepted ? "" : ", refused: ", c->contact.accepted ? "" : c->reason);
    if (used < size && isfinite(c->slide_before_mm) && isfinite(c->slide_after_mm)) {
        (void)snprintf(text + used, size - used, "; slides %.1f mm before planting, %.1f mm after",
                       c->slide_before_mm, c->slide_after_mm);
    } else if (used < size && isfinite(c->slide_after_mm)) {
        (void)snprintf(text + used, size - used, "; slides %.1f mm", c->slide_after_mm);
    }
}

static void link_begin(FILE *out, const ug_report_facts *facts, const ug_report_contact *c)
{
    const double frame = c->contact.start_s * ug_rate_hz(facts->rate);
    (void)fprintf(out, "<a href=\"#player\" data-frame=\"%.0f\">",
                  fmin(fmax(ceil(frame), 0.0), fmax((double)facts->frame_count - 1.0, 0.0)));
}

static void draw_rows(const ug_chart *chart, const int row_of[UG_CONTACT_POINT_COUNT])
{
    const ug_report_facts *facts = chart->facts;
    char text[320];
    for (int p = 0; p < UG_CONTACT_POINT_COUNT; p++) {
        const double y = chart->top + ROW * row_of[p];
        if (row_of[p] < 0) {
            continue;
        }
        ug_svg_path_begin(chart->out, "lane");
        ug_svg_bar(chart->out, UG_CHART_LEFT, y + (ROW - BAR) / 2,
                   UG_CHART_WIDTH - UG_CHART_LEFT - UG_CHART_RIGHT, BAR);
        ug_svg_path_end(chart->out);
        (void)snprintf(text, sizeof text, "%s", ug_contact_point_name((ug_contact_point)p));
        for (char *c = text; *c; c++) {
            *c = *c == '_' ? ' ' : *c;
        }
        ug_svg_text(chart->out, UG_CHART_LEFT - 8, y + ROW - 5, UG_SVG_END, "label", text);
    }
    for (size_t i = 0; i < facts->contact_count; i++) {
        const ug_report_contact *c = &facts->contacts[i];
        const double x = ug_chart_x_of_s(facts, c->contact.start_s);
        const double y = chart->top + ROW * row_of[c->contact.point] + (ROW - BAR) / 2;
        describe(text, sizeof text, c);
        link_begin(chart->out, facts, c);
        ug_svg_group_begin(chart->out,
                           !c->contact.accepted                    ? "refused"
                           : c->contact.kind == UG_CONTACT_PLANTED ? "planted"
                                                                   : "load",
                           text);
        ug_svg_path_begin(chart->out, "bar");
        ug_svg_bar(chart->out, x, y, fmax(ug_chart_x_of_s(facts, c->contact.end_s) - x - 0.6, 1.5),
                   BAR);
        ug_svg_path_end(chart->out);
        ug_svg_group_end(chart->out);
        (void)fputs("</a>", chart->out);
    }
}

static void dot(FILE *out, double x, double y, const char *class)
{
    (void)fprintf(out, "<circle class=\"%s\" r=\"3\" cx=\"", class);
    ug_svg_number(out, x);
    (void)fputs("\" cy=\"", out);
    ug_svg_number(out, y);
    (void)fputs("\"/>", out);
}

// One line a contact, at its middle: from the slide before, where there was one, to that after.
static void draw_slides(const ug_chart *chart, double top, double top_mm)
{
    const ug_report_facts *facts = chart->facts;
    char text[320];
    const double step = ug_chart_step(top_mm, 4.0);
    for (double mm = 0.0; mm <= top_mm * 1.0001; mm += step) {
        const double y = top + SLIDE * (1.0 - mm / top_mm);
        (void)snprintf(text, sizeof text, "%g", mm);
        ug_svg_line(chart->out, UG_CHART_LEFT, y, UG_CHART_WIDTH - UG_CHART_RIGHT, y, "grid");
        ug_svg_text(chart->out, UG_CHART_LEFT - 8, y + 4, UG_SVG_END, "axis", text);
    }
    ug_svg_text(chart->out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, top + 4, UG_SVG_START, "axis unit",
                "slide, mm");
    for (size_t i = 0; i < facts->contact_count; i++) {
        const ug_report_contact *c = &facts->contacts[i];
        if (!isfinite(c->slide_after_mm)) {
            continue;
        }
        const bool both = isfinite(c->slide_before_mm);
        const double x = ug_chart_x_of_s(facts, 0.5 * (c->contact.start_s + c->contact.end_s));
        const double before = both ? top + SLIDE * (1.0 - c->slide_before_mm / top_mm) : 0.0;
        const double after = top + SLIDE * (1.0 - c->slide_after_mm / top_mm);
        describe(text, sizeof text, c);
        link_begin(chart->out, facts, c);
        ug_svg_group_begin(chart->out, c->contact.accepted ? "slide" : "slide refused", text);
        if (both) {
            ug_svg_line(chart->out, x, before, x, after, "drop");
            dot(chart->out, x, before, "before");
        }
        dot(chart->out, x, after, "after");
        ug_svg_group_end(chart->out);
        (void)fputs("</a>", chart->out);
    }
}

void ug_chart_contacts(FILE *out, const ug_report_facts *facts)
{
    int row_of[UG_CONTACT_POINT_COUNT], rows = 0;
    bool seen[UG_CONTACT_POINT_COUNT] = { false };
    double most = 0.0;
    for (size_t i = 0; i < facts->contact_count; i++) {
        const ug_report_contact *c = &facts->contacts[i];
        seen[c->contact.point] = true;
        most = fmax(most, fmax(c->slide_before_mm, c->slide_after_mm)); // passes NaN by
    }
    for (int p = 0; p < UG_CONTACT_POINT_COUNT; p++) {
        row_of[p] = seen[p] ? rows++ : -1;
    }
    const double step = ug_chart_step(fmax(most, 1.0), 4.0);
    const double top_mm = step * ceil(fmax(most, 1.0) / step);
    const double height = ROW * rows + (facts->slides_known ? BETWEEN + SLIDE : 0);
    const ug_chart chart = ug_chart_open(out, facts, height, "chart contacts",
                                         "Contacts of the feet over time, and how far each slides");
    draw_rows(&chart, row_of);
    if (facts->slides_known) {
        draw_slides(&chart, chart.top + ROW * rows + BETWEEN, top_mm);
    }
    ug_chart_close(&chart);
}
