// SPDX-License-Identifier: MIT
#include "solvers/gap_report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const char *ug_gap_reason_name(ug_gap_reason reason)
{
    static const char *const NAMES[UG_GAP_REASON_COUNT] = { "closed", "never_seen", "too_long",
                                                            "no_company" };
    assert(reason < UG_GAP_REASON_COUNT);
    return NAMES[reason];
}

void ug_gap_fill_report_fini(ug_gap_fill_report *report)
{
    if (report) {
        free(report->records);
        *report = (ug_gap_fill_report){ 0 };
    }
}

void ug_gap_fill_sum_checks(ug_gap_fill_report *report)
{
    double found = 0.0, predicted = 0.0;
    size_t within = 0, checks = 0;
    for (size_t i = 0; i < report->gap_count; i++) {
        const ug_gap_record *r = &report->records[i];
        if (r->checks > 0) { // every gap counts alike: its errors in units of the predicted ones
            found += r->found_mm2 / fmax(r->checked_mm2, 1e-300);
            predicted += 1.0;
            within += r->within;
            checks += r->checks;
        }
    }
    report->check_ratio = checks > 0 ? sqrt(found / predicted) : NAN;
    report->check_share = checks > 0 ? (double)within / (double)checks : NAN;
}

void ug_gap_fill_note(ug_gap_fill_report *report, ug_warnings *warnings, const ug_markers *markers,
                      const ug_gap_record *record, double cubic_max_s)
{
    const ug_gap_record *r = record;
    const size_t length = ug_gap_length(&r->gap);
    const ug_marker_name name = ug_markers_name(markers, r->gap.marker);
    if (length > report->longest_gap_frames) {
        report->longest_gap_frames = length;
    }
    if (r->method != UG_FILL_NONE) {
        report->filled_gaps[r->method]++;
        report->filled_samples[r->method] += length;
        report->unchecked_gaps += !isfinite(r->predicted_error_mm);
        if (r->method == UG_FILL_CUBIC &&
            (double)length > cubic_max_s * ug_rate_hz(markers->rate) + 0.5) {
            ug_warn(warnings, "gap_filled_alone",
                    "marker '%s', frames %zu-%zu: no three neighbours seen through the gap, "
                    "filled from its own path only",
                    name.text, r->gap.first, r->gap.last);
        }
        return;
    }
    report->open_gaps[r->reason]++;
    report->open_samples[r->reason] += length;
    if (r->reason == UG_GAP_NEVER_SEEN) {
        ug_warn(warnings, "marker_never_seen", "marker '%s' has no sample in the whole take",
                name.text);
    } else if (r->reason == UG_GAP_TOO_LONG) {
        ug_warn(warnings, "gap_too_long",
                "marker '%s', frames %zu-%zu (%.3g s): over the limit, left missing", name.text,
                r->gap.first, r->gap.last, ug_rate_time_s(markers->rate, (double)length));
    } else {
        ug_warn(warnings, "gap_without_company",
                "marker '%s', frames %zu-%zu: fewer than three neighbours seen through the gap, "
                "left missing",
                name.text, r->gap.first, r->gap.last);
    }
}
