// SPDX-License-Identifier: MIT
// The chart of markers x time by where samples come from, and the rows of every such chart.
#include "motion/text.h"
#include "pipeline/report/charts.h"
#include "pipeline/report/html.h"
#include "pipeline/report/svg.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROW = UG_CHART_ROW,
    BAR = UG_CHART_BAR,
    FINE = 1797, // half a unit each
};

double ug_chart_row_y(const ug_chart *chart, size_t marker)
{
    return chart->top + (double)(ROW * marker) + (ROW - BAR) / 2;
}

static double row_y(const ug_chart *chart, size_t marker)
{
    return ug_chart_row_y(chart, marker);
}

void ug_chart_row_label(const ug_chart *chart, size_t marker, const char *aside, const char *title)
{
    const ug_report_marker *m = &chart->facts->markers[marker];
    const double y = row_y(chart, marker) + BAR - 1.5;
    char *whole = m->subject[0] ? ug_text_format("%s:%s: %s", m->subject, m->label, title)
                                : ug_text_format("%s: %s", m->label, title);
    ug_svg_group_begin(chart->out, "row", whole ? whole : title);
    ug_svg_label(chart->out, UG_CHART_LEFT - 8, y, UG_SVG_END, "label", m->label,
                 UG_CHART_LEFT - 8);
    ug_svg_text(chart->out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, y, UG_SVG_START, "aside", aside);
    ug_svg_group_end(chart->out);
    free(whole);
}

// All bars of one class. In a long take runs of the same half unit melt into one.
static void draw_lane(const ug_chart *chart, ug_lane lane, const char *class)
{
    const ug_report_facts *facts = chart->facts;
    const double wide = (double)(UG_CHART_WIDTH - UG_CHART_LEFT - UG_CHART_RIGHT);
    const double grain = facts->frame_count > FINE ? wide / FINE : 0.0;
    bool begun = false;
    size_t marker = SIZE_MAX;
    double from = 0.0, to = 0.0;
    for (size_t i = 0; i <= facts->run_count; i++) {
        const ug_report_run *r = i < facts->run_count ? &facts->runs[i] : NULL;
        if (r && r->lane != lane) {
            continue;
        }
        const double x = r ? ug_chart_x(facts, (double)r->first) : 0.0;
        if (r && r->marker == marker && x - to < grain) {
            to = ug_chart_x(facts, (double)r->end);
            continue;
        }
        if (marker != SIZE_MAX) {
            if (!begun) {
                ug_svg_path_begin(chart->out, class);
                begun = true;
            }
            ug_svg_bar(chart->out, from, row_y(chart, marker), to - from, BAR);
        }
        if (r) {
            marker = r->marker;
            from = x;
            to = ug_chart_x(facts, (double)r->end);
        }
    }
    if (begun) {
        ug_svg_path_end(chart->out);
    }
}

static void draw_spikes(const ug_chart *chart)
{
    for (size_t i = 0; i < chart->facts->spike_count && i < 500; i++) {
        const ug_report_spike *s = &chart->facts->spikes[i];
        const double x = ug_chart_x(chart->facts, (double)s->frame + 0.5);
        const double y = row_y(chart, s->marker);
        char *title = ug_text_format("spike: %s, frame %zu, %.1f mm off its path",
                                     chart->facts->markers[s->marker].label, s->frame, s->mm);
        (void)fprintf(chart->out, "<a href=\"#player\" data-frame=\"%zu\">", s->frame);
        ug_svg_group_begin(chart->out, "spike", title ? title : "spike");
        free(title);
        (void)fputs("<path d=\"M", chart->out);
        ug_svg_number(chart->out, x);
        (void)fputc(' ', chart->out);
        ug_svg_number(chart->out, y - 1.0);
        (void)fputs("l4 6l-4 6l-4 -6z\"/>", chart->out);
        ug_svg_group_end(chart->out);
        (void)fputs("</a>", chart->out);
    }
}

static void draw_swaps(const ug_chart *chart)
{
    for (size_t i = 0; i < chart->facts->swap_count && i < 500; i++) {
        const ug_report_swap *s = &chart->facts->swaps[i];
        const size_t end = s->end > 0 ? s->end : s->first + 1;
        const double x = ug_chart_x(chart->facts, (double)s->first);
        const double wide = ug_chart_x(chart->facts, (double)end) - x;
        char *title =
            ug_text_format("%s and %s %s from frame %zu", chart->facts->markers[s->marker].label,
                           chart->facts->markers[s->other].label,
                           s->repaired ? "put right" : "exchanged", s->first);
        (void)fprintf(chart->out, "<a href=\"#player\" data-frame=\"%zu\">", s->first);
        ug_svg_group_begin(chart->out, "swap", title ? title : "exchanged");
        free(title);
        ug_svg_line(chart->out, x, row_y(chart, s->marker) + BAR, x, row_y(chart, s->other),
                    "join");
        ug_svg_path_begin(chart->out, "mark");
        ug_svg_bar(chart->out, x, row_y(chart, s->marker), fmax(wide, 2.0), BAR);
        ug_svg_bar(chart->out, x, row_y(chart, s->other), fmax(wide, 2.0), BAR);
        ug_svg_path_end(chart->out);
        ug_svg_group_end(chart->out);
        (void)fputs("</a>", chart->out);
    }
}

void ug_chart_gaps(FILE *out, const ug_report_facts *facts)
{
    static const char *const CLASSES_OF[UG_LANE_NONE] = { "l0", "l1", "l2", "l3", "l4" };
    const ug_chart chart =
        ug_chart_open(out, facts, (double)(ROW * facts->marker_count), "chart gaps",
                      "Every marker over time: measured, missing, filled, repaired, edited");
    const double wide = (double)(UG_CHART_WIDTH - UG_CHART_LEFT - UG_CHART_RIGHT);
    ug_svg_path_begin(out, "l5");
    for (size_t k = 0; k < facts->marker_count; k++) {
        ug_svg_bar(out, UG_CHART_LEFT, row_y(&chart, k), wide, BAR);
    }
    ug_svg_path_end(out);
    for (int lane = UG_LANE_COMPUTED; lane >= UG_LANE_MISSING; lane--) {
        draw_lane(&chart, (ug_lane)lane, CLASSES_OF[lane]); // what needs most to be seen comes last
    }
    for (size_t k = 0; k < facts->marker_count; k++) {
        const ug_report_marker *m = &facts->markers[k];
        char aside[64], title[128];
        const double missing = facts->frame_count > 0 ? 100.0 * (double)m->lanes[UG_LANE_MISSING] /
                                                            (double)facts->frame_count
                                                      : 0.0;
        ug_figure_to_text(aside, "missing_pct", missing);
        (void)snprintf(title, sizeof title, "%zu samples missing, %zu filled, %zu gaps",
                       m->lanes[UG_LANE_MISSING], m->lanes[UG_LANE_FILLED], m->gap_count);
        ug_chart_row_label(&chart, k, m->lanes[UG_LANE_MISSING] > 0 ? aside : "", title);
    }
    draw_swaps(&chart);
    draw_spikes(&chart);
    ug_svg_text(out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, chart.top - 8, UG_SVG_START, "axis unit",
                "missing");
    ug_chart_close(&chart);
}
