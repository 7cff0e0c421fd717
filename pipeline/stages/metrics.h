// SPDX-License-Identifier: MIT
// The figures of a stage: named numbers with stable names (DESIGN "How figures are counted"),
// for --json, the provenance, and quality gates.
//
// "rest_correction_deg/left_thigh" is one number of a family; in JSON it is nested.
#pragma once

#include "motion/status.h"
#include "motion/warnings.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ug_metric {
    char name[96];
    double value; ///< NaN: not known; null in JSON
} ug_metric;

typedef struct ug_metrics {
    size_t count;
    ug_metric *items; ///< owned, in the order they were set
} ug_metrics;

/// Releases what is below. NULL is fine.
void ug_metrics_fini(ug_metrics *metrics);

/// Set or replace. A full memory loses the figure, never the stage.
void ug_metrics_set(ug_metrics *metrics, const char *name, double value);

/// printf form of the name, for families.
void ug_metrics_set_of(ug_metrics *metrics, double value, const char *fmt, ...) UG_PRINTF(3, 4);

/// False when there is no such figure.
bool ug_metrics_get(const ug_metrics *metrics, const char *name, double *value);

/// One JSON object; numbers round-trip exactly. free() it. NULL when out of memory.
char *ug_metrics_to_json(const ug_metrics *metrics);

/// Read back what ug_metrics_to_json wrote, into an empty list; nulls become NaN.
/// @return false when it is no such object
bool ug_metrics_from_json(ug_metrics *metrics, const char *json);

/// A number as JSON has it: the shortest decimal that reads back as the same double, "null" where
/// it is not known.
void ug_metric_to_text(char text[40], double value);

/// [{"code", "count", "first"}]; free() it. NULL when out of memory.
char *ug_warnings_to_json(const ug_warnings *warnings);

/// Read back what ug_warnings_to_json wrote, into an empty list.
/// @return false when it is no such list
bool ug_warnings_from_json(ug_warnings *warnings, const char *json);

/// One comparison of a quality gate: "marker_rms_mm<10".
typedef struct ug_gate {
    char text[128]; ///< as it was written
    char name[96];
    bool less, equal; ///< < or >; the limit itself meets it
    double limit;
} ug_gate;

/// Read "marker_rms_mm<10,foot_slide_mm<2" (<, <=, >, >=).
///
/// @param gates  free() it; NULL on failure
/// @return UG_E_USAGE when the text is no list of comparisons; UG_E_NOMEM
UG_CHECKED ug_status ug_gates_parse(ug_gate **gates, size_t *count, const char *text,
                                    ug_error *err);

/// A NaN meets none: what is not known is not met.
bool ug_gate_met(const ug_gate *gate, double value);

/// Can `gates` be read? Names are not known before a stage has run, words and numbers are.
///
/// @return UG_E_USAGE; UG_E_NOMEM
UG_CHECKED ug_status ug_metrics_check_gates(const char *gates, ug_error *err);

/// Check gates, as ug_gates_parse reads them, against the figures.
///
/// @return UG_E_GATE with the figures that failed; UG_E_USAGE when the text is no list of
///         comparisons or names a figure this stage does not have
UG_CHECKED ug_status ug_metrics_require(const ug_metrics *metrics, const char *gates,
                                        ug_error *err);
