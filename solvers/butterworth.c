// SPDX-License-Identifier: MIT
#include "solvers/butterworth.h"

#include "solvers/lowpass.h"
#include "solvers/markers_check.h"

#include <assert.h>
#include <stdlib.h>

ug_butterworth_opts ug_butterworth_default_opts(void)
{
    return (ug_butterworth_opts){ .cutoff_hz = 12.0 };
}

static void filter_run(ug_markers *markers, size_t marker, size_t first, size_t count,
                       const ug_lowpass *filter, double *values, double *work)
{
    for (size_t i = 0; i < count; i++) {
        ug_markers_note_filtered(markers, first + i, marker);
    }
    for (size_t axis = 0; axis < 3; axis++) {
        float *p = markers->positions + 3 * ug_markers_index(markers, first, marker) + axis;
        const size_t stride = 3 * markers->marker_count;
        for (size_t i = 0; i < count; i++) {
            values[i] = (double)p[i * stride];
        }
        ug_lowpass_apply(values, count, 1, filter, work);
        for (size_t i = 0; i < count; i++) {
            p[i * stride] = (float)values[i];
        }
    }
}

static void filter_marker(ug_markers *markers, size_t marker, ug_butterworth_report *report,
                          ug_warnings *warnings, const ug_lowpass *filter, double *values,
                          double *work)
{
    size_t runs = 0;
    for (size_t f = 0; f < markers->frame_count; f++) {
        const size_t first = f;
        while (f < markers->frame_count && ug_markers_present(markers, f, marker)) {
            f++;
        }
        const size_t count = f - first;
        runs += count > 0;
        if (count >= UG_BUTTERWORTH_RUN_MIN) {
            filter_run(markers, marker, first, count, filter, values, work);
            report->runs_filtered++;
            report->samples_filtered += count;
        } else if (count > 0) {
            report->runs_passed++;
            report->samples_passed += count;
            ug_warn(warnings, "run_too_short_to_filter",
                    "marker '%s', frames %zu-%zu: %zu samples, the filter needs %d; left as it is",
                    ug_markers_name(markers, marker).text, first, f - 1, count,
                    UG_BUTTERWORTH_RUN_MIN);
        }
    }
    if (runs == 0) {
        report->markers_missing++;
        ug_warn(warnings, "marker_never_seen", "marker '%s' has no sample in the whole take",
                ug_markers_name(markers, marker).text);
    }
}

ug_status ug_butterworth_markers(ug_markers *markers, ug_butterworth_report *report,
                                 ug_warnings *warnings, const ug_butterworth_opts *opts,
                                 ug_error *err)
{
    assert(markers);
    const ug_status status = ug_markers_check(markers, err);
    if (status != UG_OK) {
        return status;
    }
    const ug_butterworth_opts o = opts ? *opts : ug_butterworth_default_opts();
    const double rate_hz = ug_rate_hz(markers->rate);
    ug_lowpass filter;
    if (!ug_lowpass_design(&filter, o.cutoff_hz, rate_hz)) {
        return ug_fail(err, UG_E_USAGE,
                       "cut-off of %g Hz: must lie above 0 and below half the rate, %g Hz",
                       o.cutoff_hz, 0.5 * rate_hz);
    }
    const size_t n = markers->frame_count;
    double *memory = malloc((n + ug_lowpass_work_count(&filter, n) + 1) * sizeof *memory);
    if (!memory || !ug_markers_make_unfiltered(markers)) {
        free(memory);
        return ug_fail(err, UG_E_NOMEM, "out of memory for a filter over %zu frames", n);
    }
    ug_butterworth_report r = { 0 };
    for (size_t m = 0; m < markers->marker_count; m++) {
        if (markers->kinds[m] == UG_POINT_MARKER) {
            filter_marker(markers, m, &r, warnings, &filter, memory, memory + n);
        }
    }
    free(memory);
    if (report) {
        *report = r;
    }
    return UG_OK;
}
