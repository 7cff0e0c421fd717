// SPDX-License-Identifier: MIT
// The parts of the page, each a printer of facts. `index` is the take's place in the report, for
// anchors. Nothing is computed here that the facts do not hold.
#pragma once

#include "pipeline/report/report_facts.h"

#include <stdio.h>

/// Around the parts of one take.
void ug_section_open(FILE *out, const ug_report_facts *facts, size_t index);
void ug_section_close(FILE *out);

/// Gates and findings side by side, and the key figures.
void ug_section_summary(FILE *out, const ug_report_facts *facts, size_t index);

/// Gap chart, cleaning, residuals, limits, contacts, each with its tables; one line where there is
/// none, of cleaning nothing.
void ug_section_markers(FILE *out, const ug_report_facts *facts, size_t index);
void ug_section_cleaning(FILE *out, const ug_report_facts *facts, size_t index);
void ug_section_residuals(FILE *out, const ug_report_facts *facts, size_t index);
void ug_section_motion(FILE *out, const ug_report_facts *facts, size_t index);

/// Stage, options that differ from the defaults, figures and how they changed, warnings.
void ug_section_stages(FILE *out, const ug_report_facts *facts, size_t index);

/// Figures of several takes side by side.
void ug_section_comparison(FILE *out, const ug_report_facts *facts, size_t count);

/// Link to a frame of the player: <a …>1457</a>.
void ug_section_frame(FILE *out, size_t frame);

/// Style sheet and script of the page: report.css and report.js, put in by report_assets.S. They
/// hold nothing that ends a <style> or <script>.
extern const char ug_report_css[], ug_report_js[];
