// SPDX-License-Identifier: MIT
// The few shapes a chart is made of, as inline SVG: short numbers, many bars in one path.
//
// Colours come from the page's style sheet by class, so that one drawing serves light, dark and
// print. Units are the drawing's own (about a pixel on a wide screen). Texts are escaped here.
#pragma once

#include <stddef.h>
#include <stdio.h>

/// Shortest decimal of at most two digits behind the point: "12", "0.5", "-3.25".
void ug_svg_number(FILE *out, double value);

/// <svg> with a viewBox, a role and a title for those who cannot see it.
/// @param attributes  more of them, ours, with a leading blank; "" for none
void ug_svg_open(FILE *out, double width, double height, const char *class, const char *title,
                 const char *attributes);
void ug_svg_close(FILE *out);

typedef enum ug_svg_anchor { UG_SVG_START = 0, UG_SVG_MIDDLE, UG_SVG_END } ug_svg_anchor;

void ug_svg_text(FILE *out, double x, double y, ug_svg_anchor anchor, const char *class,
                 const char *text);

/// The same in the drawing's ordinary size of 11, cut with "…" where it would be wider than `width`
/// in a wide typeface. The whole must be found elsewhere: in the tooltip of its group.
void ug_svg_label(FILE *out, double x, double y, ug_svg_anchor anchor, const char *class,
                  const char *text, double width);

void ug_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class);

/// Any number of bars in one <path>: begin, bars, end. Bars narrower than 0.75 are widened to that,
/// so that a single frame of a long take stays visible.
void ug_svg_path_begin(FILE *out, const char *class);
void ug_svg_bar(FILE *out, double x, double y, double width, double height);
void ug_svg_path_end(FILE *out);

/// A shape with a tooltip: everything between the two is inside one <g>.
void ug_svg_group_begin(FILE *out, const char *class, const char *title);
void ug_svg_group_end(FILE *out);
