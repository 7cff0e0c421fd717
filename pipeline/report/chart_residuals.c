// SPDX-License-Identifier: MIT
// The chart of markers x time by how far they are from where the skeleton has them.
#include "pipeline/report/charts.h"
#include "pipeline/report/html.h"
#include "pipeline/report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = (UG_CHART_WIDTH - UG_CHART_LEFT - UG_CHART_RIGHT) / 2,
    LIMITS = 4,
    CLASSES = 2 * LIMITS, // those of measured samples, then those of others
    THIN = 4,             // bar of the others
};

static const double LIMIT_MM[LIMITS] = { 0.0, 10.0, 20.0, 60.0 };

static uint8_t class_of(double mm, bool is_counted)
{
    uint8_t class = 0;
    for (uint8_t c = 1; c < LIMITS; c++) {
        class = mm >= LIMIT_MM[c] ? c : class;
    }
    return is_counted ? class : (uint8_t)(class + LIMITS);
}

// Worst class of each column of one marker, that of measured samples where there is one; CLASSES
// where nothing is known.
static void classify(uint8_t *classes, const ug_report_facts *facts, size_t marker, size_t columns)
{
    memset(classes, CLASSES, columns);
    for (size_t f = 0; f < facts->frame_count; f++) {
        const size_t i = f * facts->marker_count + marker;
        const double mm = (double)facts->residual_mm[i];
        if (isnan(mm)) {
            continue;
        }
        uint8_t *class = &classes[f * columns / facts->frame_count];
        const uint8_t here = class_of(mm, facts->residual_counted[i]);
        const bool is_first = *class == CLASSES || (*class >= LIMITS && here < LIMITS);
        const bool is_worse = *class / LIMITS == here / LIMITS && here > *class;
        *class = is_first || is_worse ? here : *class;
    }
}

static void draw_class(const ug_chart *chart, const uint8_t *classes, size_t columns, size_t class)
{
    static const char *const NAMES[LIMITS] = { "r0", "r1", "r2", "r3" };
    const ug_report_facts *facts = chart->facts;
    const double frames = (double)facts->frame_count / (double)columns;
    const double height = class < LIMITS ? UG_CHART_BAR : THIN;
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
                ug_svg_path_begin(chart->out, NAMES[class % LIMITS]);
                begun = true;
            }
            const double x = ug_chart_x(facts, (double)c * frames);
            ug_svg_bar(chart->out, x, ug_chart_row_y(chart, k) + 0.5 * (UG_CHART_BAR - height),
                       ug_chart_x(facts, (double)end * frames) - x, height);
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
        ug_chart_open(out, facts, (double)(UG_CHART_ROW * facts->marker_count), "chart residuals",
                      "Every marker over time by its distance from where the skeleton has it");
    for (size_t k = 0; k < facts->marker_count; k++) {
        classify(classes + k * columns, facts, k, columns);
    }
    for (size_t class = 0; class < CLASSES; class ++) {
        draw_class(&chart, classes, columns, class);
    }
    for (size_t k = 0; k < facts->marker_count; k++) {
        const ug_report_marker *m = &facts->markers[k];
        char aside[64] = "", title[128];
        if (m->solved && isfinite(m->rms_mm)) {
            ug_figure_to_text(aside, "mm", m->rms_mm);
        }
        (void)snprintf(title, sizeof title, "%zu of %zu measured samples 60 mm off or more",
                       m->outlier_count, m->residual_count);
        ug_chart_row_label(&chart, k, aside, title);
    }
    ug_svg_text(out, UG_CHART_WIDTH - UG_CHART_RIGHT + 8, chart.top - 8, UG_SVG_START, "axis unit",
                "rms, mm");
    ug_chart_close(&chart);
    free(classes);
}
