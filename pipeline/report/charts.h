// SPDX-License-Identifier: MIT
// The charts of a report, each one inline SVG on the take's clock. All are as wide, so that what
// happens at one time stands below each other.
//
// Long takes are drawn in columns of the drawing, each showing the worst it covers: what needs to
// be looked at never disappears, and the size does not grow with the take.
#pragma once

#include "pipeline/report/report_facts.h"

#include <stdio.h>

/// Where time lies in every chart.
enum { UG_CHART_WIDTH = 1080, UG_CHART_LEFT = 118, UG_CHART_RIGHT = 64 };

typedef struct ug_chart {
    FILE *out;
    const ug_report_facts *facts;
    double top, bottom; ///< of the plot
} ug_chart;

/// <svg> of that height with the time axis below the plot; the plot lies `top` below the edge.
ug_chart ug_chart_open(FILE *out, const ug_report_facts *facts, double plot_height,
                       const char *class, const char *title);
void ug_chart_close(const ug_chart *chart);

/// Abscissa of (the start of) a frame, and of a time in seconds on the same clock.
double ug_chart_x(const ug_report_facts *facts, double frame);
double ug_chart_x_of_s(const ug_report_facts *facts, double seconds);

/// Charts of markers x time: a row each, with a bar in it.
enum { UG_CHART_ROW = 14, UG_CHART_BAR = 10 };
double ug_chart_row_y(const ug_chart *chart, size_t marker);

/// The marker's label left of its row, cut where it is too long, and `aside` right of it; `title`
/// follows the whole label in the tooltip.
void ug_chart_row_label(const ug_chart *chart, size_t marker, const char *aside, const char *title);

/// A pleasant step of an axis with about `count` steps up to `span`: 1, 2 or 5 times a power of
/// ten.
double ug_chart_step(double span, double count);

/// markers x time by origin, spikes and exchanged labels on it. Needs markers.
void ug_chart_gaps(FILE *out, const ug_report_facts *facts);

/// markers x time by residual, from 10 mm on; those of filled samples, which no figure counts, as
/// thin bars. Needs a solve.
void ug_chart_residual_map(FILE *out, const ug_report_facts *facts);

/// Residual of each frame, the worst frames numbered, what became of the frames below. Needs a
/// solve.
void ug_chart_frames(FILE *out, const ug_report_facts *facts);

/// Joints x time where they wanted to pass a limit. Needs hits.
void ug_chart_limits(FILE *out, const ug_report_facts *facts);

/// Contact points x time, and the slide of each contact before and after. Needs contacts.
void ug_chart_contacts(FILE *out, const ug_report_facts *facts);

/// Power over frequency before and after smoothing, and of what was taken away. On no clock. Needs
/// a spectrum.
void ug_chart_spectrum(FILE *out, const ug_report_facts *facts);
