// SPDX-License-Identifier: MIT
// What the files that compute facts share; not for anyone else.
#pragma once

#include "pipeline/report/report_facts.h"

/// A fresh zeroed item at the end of a list that starts as { NULL, 0 }; NULL when out of memory.
void *ug_report_push(void *items, size_t *count, size_t size);

/// Copy of a text in which every byte that is no UTF-8, and every control character, is U+FFFD.
/// "" of NULL; NULL when out of memory.
char *ug_report_text(const char *text);

// The parts, in the order in which they need each other. All: UG_E_NOMEM.
UG_CHECKED ug_status ug_report_history(ug_report_facts *facts, const ug_take *take, ug_error *err);
UG_CHECKED ug_status ug_report_figures(ug_report_facts *facts, const ug_take *take, ug_error *err);
UG_CHECKED ug_status ug_report_markers(ug_report_facts *facts, const ug_take *take, ug_error *err);
UG_CHECKED ug_status ug_report_cleaning(ug_report_facts *facts, const ug_take *take, ug_error *err);
UG_CHECKED ug_status ug_report_residuals(ug_report_facts *facts, const ug_take *take,
                                         ug_error *err);
UG_CHECKED ug_status ug_report_motion(ug_report_facts *facts, const ug_take *take, ug_error *err);
UG_CHECKED ug_status ug_report_findings(ug_report_facts *facts, ug_error *err);

/// Index in facts->markers of a column of /markers, or SIZE_MAX.
size_t ug_report_marker_of(const ug_report_facts *facts, double column);
