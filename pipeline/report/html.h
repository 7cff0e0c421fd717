// SPDX-License-Identifier: MIT
// Text and numbers into HTML and SVG, so that no label can become markup.
//
// Markup of our own is written with fprintf; everything that came from a file goes through these.
// A failed write is seen once, at the end, by ferror().
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// `& < > " '` as character references; bytes that are no UTF-8 and control characters as U+FFFD.
/// Good between tags and inside quoted attributes. NULL writes nothing.
void ug_html_text(FILE *out, const char *text);

/// The text for the inside of <script> that holds JSON: `<` as \u003c, so that nothing ends it.
void ug_html_json(FILE *out, const char *json);

/// Base64 without line breaks.
void ug_html_base64(FILE *out, const uint8_t *bytes, size_t count);

/// How a figure is written for people: digits by its size, unit by the suffix of its name
/// ("marker_rms_mm"). "not known" for a NaN.
void ug_figure_to_text(char text[64], const char *name, double value);

/// A figure as <data value="exact" data-figure="name">7.16 mm</data>; a NaN has no value and the
/// class "unknown". Its name must be ours or a stage's: it is escaped all the same.
void ug_html_figure(FILE *out, const char *name, double value);

/// What a figure is called in a sentence: "Marker residual, rms" of "marker_rms_mm"; the name
/// itself where there is no other. Static or `name`.
const char *ug_figure_title(const char *name);
