// SPDX-License-Identifier: MIT
#include "pipeline/report/charts.h"
#include "pipeline/report/svg.h"

#include <math.h>

enum { TOP = 24, AXIS = 26, TICKS = 10 };

static const double PLOT = UG_CHART_WIDTH - UG_CHART_LEFT - UG_CHART_RIGHT;

double ug_chart_x(const ug_report_facts *facts, double frame)
{
    const double share = facts->frame_count > 0 ? frame / (double)facts->frame_count : 0.0;
    return UG_CHART_LEFT + PLOT * fmin(fmax(share, 0.0), 1.0);
}

double ug_chart_x_of_s(const ug_report_facts *facts, double seconds)
{
    return ug_chart_x(facts, seconds * ug_rate_hz(facts->rate));
}

double ug_chart_step(double span, double count)
{
    if (!(span > 0.0)) {
        return 1.0;
    }
    const double raw = span / count, power = pow(10.0, floor(log10(raw)));
    const double lead = raw / power;
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

// Frames above the plot, seconds below it.
static void draw_axis(const ug_chart *chart)
{
    const ug_report_facts *facts = chart->facts;
    const double frames = (double)facts->frame_count;
    char text[32];
    const double step = fmax(ug_chart_step(frames, TICKS), 1.0);
    for (double f = 0.0; f < frames; f += step) {
        const double x = ug_chart_x(facts, f);
        (void)snprintf(text, sizeof text, "%.0f", f);
        ug_svg_line(chart->out, x, chart->top - 4, x, chart->top, "tick");
        ug_svg_text(chart->out, x, chart->top - 8, UG_SVG_MIDDLE, "axis", text);
    }
    ug_svg_text(chart->out, UG_CHART_LEFT - 8, chart->top - 8, UG_SVG_END, "axis unit", "frame");
    if (!ug_rate_is_valid(facts->rate) || facts->frame_count == 0) {
        return;
    }
    const double rate = ug_rate_hz(facts->rate), span = frames / rate;
    const double step_s = ug_chart_step(span, TICKS);
    const int digits = step_s >= 1.0 ? 0 : step_s >= 0.1 ? 1 : step_s >= 0.01 ? 2 : 3;
    for (double s = 0.0; s < span; s += step_s) {
        const double x = ug_chart_x(facts, s * rate);
        (void)snprintf(text, sizeof text, "%.*f", digits, s);
        ug_svg_line(chart->out, x, chart->top, x, chart->bottom + 4, "grid");
        ug_svg_text(chart->out, x, chart->bottom + 16, UG_SVG_MIDDLE, "axis", text);
    }
    ug_svg_text(chart->out, UG_CHART_LEFT - 8, chart->bottom + 16, UG_SVG_END, "axis unit", "s");
}

ug_chart ug_chart_open(FILE *out, const ug_report_facts *facts, double plot_height,
                       const char *class, const char *title)
{
    const ug_chart chart = { out, facts, TOP, TOP + plot_height };
    char attributes[128]; // for the page's script: a click goes to that frame
    (void)snprintf(attributes, sizeof attributes,
                   " data-frames=\"%zu\" data-left=\"%d\" data-right=\"%d\"", facts->frame_count,
                   UG_CHART_LEFT, UG_CHART_WIDTH - UG_CHART_RIGHT);
    ug_svg_open(out, UG_CHART_WIDTH, TOP + plot_height + AXIS, class, title, attributes);
    draw_axis(&chart);
    return chart;
}

void ug_chart_close(const ug_chart *chart)
{
    ug_svg_close(chart->out);
}
