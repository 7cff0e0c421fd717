// SPDX-License-Identifier: MIT
// The two charts of markers x time: where samples come from, and how far off they are.
#include "pipeline/report/charts.h"
#include "pipeline/report/html.h"
#include "pipeline/report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROW = 14,
    BAR = 10,
    COLUMNS = (UG_CHART_WIDTH - UG_CHART_LEFT - UG_CHART_RIGHT) / 2, // of the residual map
    FINE = 1797, // of the gap chart: half a unit each
    CLASSES = 4, // of residuals
};

static const double CLASS_MM[CLASSES] = { 0.0, 10.0, 20.0, 60.0 };

static double row_y(const ug_chart *chart, size_t marker)
{
    return chart->top + (double)(ROW * marker) + (ROW - BAR) / 2;
}

static void draw_label(const ug_chart *chart, size_t marker, const char *aside, const char *title)
{
    const ug_report_marker *m = &chart->facts->markers[marker];
    const double y = row_y(chart, marker) + BAR - 1.5;
    ug_svg_group_begin(chart->out, "row", title);
    ug_svg_text(chart->out, UG_CHART_LEFT - 8, y, UG_SVG_END, "label", m->label);
    ug_svg_text(chart->out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, y, UG_SVG_START, "aside", aside);
    ug_svg_group_end(chart->out);
}

// ---- origin ------------------------------------------------------------------------------------

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
    char title[160];
    for (size_t i = 0; i < chart->facts->spike_count && i < 500; i++) {
        const ug_report_spike *s = &chart->facts->spikes[i];
        const double x = ug_chart_x(chart->facts, (double)s->frame + 0.5);
        const double y = row_y(chart, s->marker);
        (void)snprintf(title, sizeof title, "spike: %s, frame %zu, %.1f mm off its path",
                       chart->facts->markers[s->marker].label, s->frame, s->mm);
        (void)fprintf(chart->out, "<a href=\"#player\" data-frame=\"%zu\">", s->frame);
        ug_svg_group_begin(chart->out, "spike", title);
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
    char title[256];
    for (size_t i = 0; i < chart->facts->swap_count && i < 500; i++) {
        const ug_report_swap *s = &chart->facts->swaps[i];
        const size_t end = s->end > 0 ? s->end : s->first + 1;
        const double x = ug_chart_x(chart->facts, (double)s->first);
        const double wide = ug_chart_x(chart->facts, (double)end) - x;
        (void)snprintf(title, sizeof title, "%s and %s %s from frame %zu",
                       chart->facts->markers[s->marker].label,
                       chart->facts->markers[s->other].label,
                       s->repaired ? "put right" : "exchanged", s->first);
        (void)fprintf(chart->out, "<a href=\"#player\" data-frame=\"%zu\">", s->first);
        ug_svg_group_begin(chart->out, "swap", title);
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
        char aside[64], title[256];
        const double missing = facts->frame_count > 0 ? 100.0 * (double)m->lanes[UG_LANE_MISSING] /
                                                            (double)facts->frame_count
                                                      : 0.0;
        ug_figure_to_text(aside, "missing_pct", missing);
        (void)snprintf(title, sizeof title, "%s: %zu samples missing, %zu filled, %zu gaps",
                       m->label, m->lanes[UG_LANE_MISSING], m->lanes[UG_LANE_FILLED], m->gap_count);
        draw_label(&chart, k, m->lanes[UG_LANE_MISSING] > 0 ? aside : "", title);
    }
    draw_swaps(&chart);
    draw_spikes(&chart);
    ug_svg_text(out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, chart.top - 8, UG_SVG_START, "axis unit",
                "missing");
    ug_chart_close(&chart);
}

// ---- residuals ---------------------------------------------------------------------------------

static size_t class_of(double mm)
{
    size_t class = 0;
    for (size_t c = 1; c < CLASSES; c++) {
        class = mm >= CLASS_MM[c] ? c : class;
    }
    return class;
}

// Worst class of each column of one marker; CLASSES where nothing is known.
static void classify(uint8_t *classes, const ug_report_facts *facts, size_t marker, size_t columns)
{
    memset(classes, CLASSES, columns);
    for (size_t f = 0; f < facts->frame_count; f++) {
        const double mm = (double)facts->residual_mm[f * facts->marker_count + marker];
        if (isnan(mm)) {
            continue;
        }
        const size_t c = f * columns / facts->frame_count, class = class_of(mm);
        classes[c] = classes[c] == CLASSES || class > classes[c] ? (uint8_t) class : classes[c];
    }
}

static void draw_class(const ug_chart *chart, const uint8_t *classes, size_t columns, size_t class)
{
    static const char *const NAMES[CLASSES] = { "r0", "r1", "r2", "r3" };
    const ug_report_facts *facts = chart->facts;
    const double frames = (double)facts->frame_count / (double)columns;
    bool begun = false;
    for (size_t k = 0; k < facts->marker_count; k++) {
        for (size_t c = 0; c < columns; c++) {
            const uint8_t *row = classes + k * columns;
            size_t end = c;
            while (end < columns && row[end] == class) {
                end++;
            }
            if (end == c) {
                continue;
            }
            if (!begun) {
                ug_svg_path_begin(chart->out, NAMES[class]);
                begun = true;
            }
            const double x = ug_chart_x(facts, (double)c * frames);
            ug_svg_bar(chart->out, x, row_y(chart, k), ug_chart_x(facts, (double)end * frames) - x,
                       BAR);
            c = end - 1;
        }
    }
    if (begun) {
        ug_svg_path_end(chart->out);
    }
}

void ug_chart_residual_map(FILE *out, const ug_report_facts *facts)
{
    const size_t columns = facts->frame_count < COLUMNS ? facts->frame_count : COLUMNS;
    uint8_t *classes = malloc(columns * facts->marker_count + 1);
    if (!classes || columns == 0) {
        free(classes);
        return; // the tables still say it
    }
    const ug_chart chart =
        ug_chart_open(out, facts, (double)(ROW * facts->marker_count), "chart residuals",
                      "Every marker over time by its distance from where the skeleton has it");
    for (size_t k = 0; k < facts->marker_count; k++) {
        classify(classes + k * columns, facts, k, columns);
    }
    for (size_t class = 0; class < CLASSES; class ++) {
        draw_class(&chart, classes, columns, class);
    }
    for (size_t k = 0; k < facts->marker_count; k++) {
        const ug_report_marker *m = &facts->markers[k];
        char aside[64] = "", title[256];
        if (m->solved && isfinite(m->rms_mm)) {
            ug_figure_to_text(aside, "mm", m->rms_mm);
        }
        (void)snprintf(title, sizeof title, "%s: %zu of %zu samples 60 mm off or more", m->label,
                       m->outlier_count, m->residual_count);
        draw_label(&chart, k, aside, title);
    }
    ug_svg_text(out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, chart.top - 8, UG_SVG_START, "axis unit",
                "rms < 60 mm");
    ug_chart_close(&chart);
    free(classes);
}
