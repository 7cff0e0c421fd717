// SPDX-License-Identifier: MIT
// Residual of each frame, and what became of the frames.
#include "pipeline/report/charts.h"
#include "pipeline/report/svg.h"

#include <math.h>

enum {
    HEIGHT = 150,
    BAND = 10,
    GAP = 10,
    COLUMNS = UG_CHART_WIDTH - UG_CHART_LEFT - UG_CHART_RIGHT
};

typedef struct column {
    double low, high; // NaN: no frame of it has a residual
} column;

static column column_of(const ug_report_facts *facts, size_t index, size_t columns)
{
    column c = { (double)NAN, (double)NAN };
    const size_t first = index * facts->frame_count / columns;
    const size_t end = (index + 1) * facts->frame_count / columns;
    for (size_t f = first; f < end; f++) {
        c.low = fmin(c.low, (double)facts->frame_rms_mm[f]); // both pass NaN by
        c.high = fmax(c.high, (double)facts->frame_rms_mm[f]);
    }
    return c;
}

static double y_of(const ug_chart *chart, double mm, double top_mm)
{
    return chart->top + HEIGHT * (1.0 - fmin(mm / top_mm, 1.0));
}

static void point(FILE *out, char command, double x, double y)
{
    (void)fputc(command, out);
    ug_svg_number(out, x);
    (void)fputc(' ', out);
    ug_svg_number(out, y);
}

// The area between the lowest and the highest of each column, in one piece a stretch.
static void draw_area(const ug_chart *chart, double top_mm)
{
    const ug_report_facts *facts = chart->facts;
    const size_t columns = facts->frame_count < COLUMNS ? facts->frame_count : COLUMNS;
    const double frames = (double)facts->frame_count / (double)columns;
    ug_svg_path_begin(chart->out, "area");
    for (size_t first = 0; first < columns;) {
        size_t end = first;
        while (end < columns && !isnan(column_of(facts, end, columns).high)) {
            const double x = ug_chart_x(facts, ((double)end + 0.5) * frames);
            point(chart->out, end == first ? 'M' : 'L', x,
                  y_of(chart, column_of(facts, end, columns).high, top_mm) - 0.4);
            end++;
        }
        for (size_t c = end; c > first; c--) {
            const double x = ug_chart_x(facts, ((double)c - 0.5) * frames);
            point(chart->out, 'L', x,
                  y_of(chart, column_of(facts, c - 1, columns).low, top_mm) + 0.4);
        }
        (void)fputs(end > first ? "z" : "", chart->out);
        first = end + 1;
    }
    ug_svg_path_end(chart->out);
}

static void draw_outcomes(const ug_chart *chart)
{
    static const char *const CLASSES[] = { "o0", "o1", "o2", "o3" };
    static const char *const NAMES[] = { "not solved", "stopped at the iteration cap",
                                         "hidden markers leave a joint undecided",
                                         "a joint wanted to pass its limit" };
    const ug_report_facts *facts = chart->facts;
    const double y = chart->top + HEIGHT + GAP;
    ug_svg_path_begin(chart->out, "o4");
    ug_svg_bar(chart->out, UG_CHART_LEFT, y, COLUMNS, BAND);
    ug_svg_path_end(chart->out);
    for (uint8_t code = 4; code-- > 0;) { // the worst comes last, on top
        ug_svg_group_begin(chart->out, CLASSES[code], NAMES[code]);
        ug_svg_path_begin(chart->out, CLASSES[code]);
        for (size_t f = 0; f < facts->frame_count; f++) {
            const size_t first = f;
            while (f < facts->frame_count && facts->outcome[f] == code) {
                f++;
            }
            if (f > first) {
                const double x = ug_chart_x(facts, (double)first);
                ug_svg_bar(chart->out, x, y, ug_chart_x(facts, (double)f) - x, BAND);
            }
        }
        ug_svg_path_end(chart->out);
        ug_svg_group_end(chart->out);
    }
    ug_svg_text(chart->out, UG_CHART_LEFT - 8, y + BAND - 1, UG_SVG_END, "label", "outcome");
}

static void draw_worst(const ug_chart *chart, double top_mm)
{
    char text[64];
    for (size_t i = chart->facts->worst_count; i-- > 0;) {
        const ug_report_frame *w = &chart->facts->worst[i];
        const double x = ug_chart_x(chart->facts, (double)w->frame + 0.5);
        const double y = y_of(chart, w->rms_mm, top_mm);
        (void)snprintf(text, sizeof text, "frame %zu: %.1f mm", w->frame, w->rms_mm);
        (void)fprintf(chart->out, "<a href=\"#player\" data-frame=\"%zu\">", w->frame);
        ug_svg_group_begin(chart->out, "worst", text);
        (void)fputs("<circle r=\"7\" cx=\"", chart->out);
        ug_svg_number(chart->out, x);
        (void)fputs("\" cy=\"", chart->out);
        ug_svg_number(chart->out, y - 9);
        (void)fputs("\"/>", chart->out);
        (void)snprintf(text, sizeof text, "%zu", i + 1);
        ug_svg_text(chart->out, x, y - 6, UG_SVG_MIDDLE, "number", text);
        ug_svg_group_end(chart->out);
        (void)fputs("</a>", chart->out);
    }
}

void ug_chart_frames(FILE *out, const ug_report_facts *facts)
{
    double most = 0.0;
    char text[32];
    for (size_t f = 0; f < facts->frame_count; f++) {
        most = fmax(most, (double)facts->frame_rms_mm[f]);
    }
    const double step = ug_chart_step(fmax(most, 1.0), 4.0);
    const double top_mm = step * ceil(fmax(most, 1.0) * 1.12 / step); // room for the numbers
    const ug_chart chart =
        ug_chart_open(out, facts, HEIGHT + (facts->outcome ? GAP + BAND : 0), "chart frames",
                      "Residual of every frame, millimetres rms");
    for (double mm = 0.0; mm <= top_mm; mm += step) {
        const double y = y_of(&chart, mm, top_mm);
        (void)snprintf(text, sizeof text, "%g", mm);
        ug_svg_line(out, UG_CHART_LEFT, y, UG_CHART_WIDTH - UG_CHART_RIGHT, y, "grid");
        ug_svg_text(out, UG_CHART_LEFT - 8, fmax(y + 4, chart.top + 8), UG_SVG_END, "axis", text);
    }
    ug_svg_text(out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, chart.top + 4, UG_SVG_START, "axis unit",
                "mm rms");
    draw_area(&chart, top_mm);
    if (facts->outcome) {
        draw_outcomes(&chart);
    }
    draw_worst(&chart, top_mm);
    ug_chart_close(&chart);
}
