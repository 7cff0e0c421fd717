// SPDX-License-Identifier: MIT
// The chart of what smoothing took away: power over frequency, both logarithmic.
#include "pipeline/report/charts.h"
#include "pipeline/report/svg.h"

#include <math.h>

enum { WIDTH = 640, LEFT = 64, RIGHT = 20, TOP = 26, HEIGHT = 220, AXIS = 34, BELOW = 2 };

typedef struct plane {
    FILE *out;
    double hz[2], power[2]; // log10 of the ends of the axes
} plane;

static double x_of(const plane *p, double hz)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (log10(hz) - p->hz[0]) / (p->hz[1] - p->hz[0]);
}

static double y_of(const plane *p, double power)
{
    const double share = (log10(power) - p->power[0]) / (p->power[1] - p->power[0]);
    return TOP + HEIGHT * (1.0 - fmin(fmax(share, 0.0), 1.0));
}

// Decades of both axes, around what was there before: how deep a filter cuts beyond that is of no
// interest.
static plane lay_out(FILE *out, const ug_take_spectrum *s)
{
    plane p = { .out = out, .power = { INFINITY, -INFINITY } };
    for (size_t i = 0; i < s->count; i++) {
        const double power = s->before_mm2_hz[i];
        if (power > 0.0 && isfinite(power)) {
            p.power[0] = fmin(p.power[0], floor(log10(power)) - BELOW);
            p.power[1] = fmax(p.power[1], ceil(log10(power)));
        }
    }
    if (!(p.power[1] > p.power[0])) { // nothing ever moved
        p.power[0] = -BELOW;
        p.power[1] = 0.0;
    }
    p.hz[0] = log10(s->step_hz);
    p.hz[1] = log10(s->step_hz * (double)s->count);
    return p;
}

// "0.01", "10⁻⁶"
static void say_decade(char text[32], int decade)
{
    static const char *const DIGITS[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
    if (decade >= -2 && decade <= 3) {
        (void)snprintf(text, 32, "%g", pow(10.0, decade));
        return;
    }
    const int size = decade < 0 ? -decade : decade;
    (void)snprintf(text, 32, "10%s%s%s%s", decade < 0 ? "⁻" : "",
                   size >= 100 ? DIGITS[size / 100 % 10] : "",
                   size >= 10 ? DIGITS[size / 10 % 10] : "", DIGITS[size % 10]);
}

static void draw_axes(const plane *p)
{
    char text[32];
    for (double decade = floor(p->hz[0]); decade <= p->hz[1]; decade += 1.0) {
        static const double LEADS[] = { 1.0, 2.0, 5.0 };
        for (int i = 0; i < 3; i++) {
            const double hz = LEADS[i] * pow(10.0, decade);
            if (log10(hz) < p->hz[0] - 1e-9 || log10(hz) > p->hz[1] + 1e-9) {
                continue;
            }
            const double x = x_of(p, hz);
            (void)snprintf(text, sizeof text, "%g", hz);
            ug_svg_line(p->out, x, TOP, x, TOP + HEIGHT + 4, "grid");
            ug_svg_text(p->out, x, TOP + HEIGHT + 16, UG_SVG_MIDDLE, "axis", text);
        }
    }
    const double step = p->power[1] - p->power[0] > 7.0 ? 2.0 : 1.0;
    for (double decade = p->power[1]; decade >= p->power[0]; decade -= step) {
        const double y = y_of(p, pow(10.0, decade));
        say_decade(text, (int)decade);
        ug_svg_line(p->out, LEFT, y, WIDTH - RIGHT, y, "grid");
        ug_svg_text(p->out, LEFT - 8, y + 4, UG_SVG_END, "axis", text);
    }
    ug_svg_text(p->out, LEFT - 8, TOP - 12, UG_SVG_END, "axis unit", "mm²/Hz");
    ug_svg_text(p->out, WIDTH - RIGHT, TOP + HEIGHT + 30, UG_SVG_END, "axis unit", "Hz");
}

static void draw_curve(const plane *p, const ug_take_spectrum *s, const double *power,
                       const char *class)
{
    const double least = pow(10.0, p->power[0]);
    bool on = false;
    ug_svg_path_begin(p->out, class);
    for (size_t i = 0; i < s->count; i++) {
        if (!(power[i] >= least)) { // below the axis
            on = false;
            continue;
        }
        (void)fputc(on ? 'L' : 'M', p->out);
        on = true;
        ug_svg_number(p->out, x_of(p, s->step_hz * (double)(i + 1)));
        (void)fputc(' ', p->out);
        ug_svg_number(p->out, y_of(p, power[i]));
    }
    ug_svg_path_end(p->out);
}

void ug_chart_spectrum(FILE *out, const ug_report_facts *facts)
{
    const ug_take_spectrum *s = &facts->spectrum;
    const plane p = lay_out(out, s);
    ug_svg_open(out, WIDTH, TOP + HEIGHT + AXIS, "chart spectrum",
                "Power of the markers' movement over frequency, before and after smoothing", "");
    draw_axes(&p);
    if (log10(facts->cutoff_hz) > p.hz[0] && log10(facts->cutoff_hz) < p.hz[1]) {
        const double x = x_of(&p, facts->cutoff_hz);
        char text[32];
        (void)snprintf(text, sizeof text, "%g Hz", facts->cutoff_hz);
        ug_svg_line(out, x, TOP, x, TOP + HEIGHT, "cutoff");
        ug_svg_text(out, x + 4, TOP + 10, UG_SVG_START, "axis", text);
    }
    draw_curve(&p, s, s->removed_mm2_hz, "curve c-removed");
    draw_curve(&p, s, s->before_mm2_hz, "curve c-before");
    draw_curve(&p, s, s->after_mm2_hz, "curve c-after");
    ug_svg_close(out);
}
