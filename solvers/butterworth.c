// SPDX-License-Identifier: MIT
#include "solvers/butterworth.h"

#include "motion/conventions.h"
#include "solvers/markers_check.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

ug_butterworth_opts ug_butterworth_default_opts(void)
{
    return (ug_butterworth_opts){ .cutoff_hz = 12.0, .order = 4 };
}

ug_status ug_butterworth_design(ug_butterworth *filter, double rate_hz,
                                const ug_butterworth_opts *opts, ug_error *err)
{
    const ug_butterworth_opts o = opts ? *opts : ug_butterworth_default_opts();
    if (o.order < 2 || o.order > UG_BUTTERWORTH_ORDER_MAX || o.order % 2 != 0) {
        return ug_fail(err, UG_E_USAGE,
                       "filter order %d: two passes need an even order from 2 to %d", o.order,
                       UG_BUTTERWORTH_ORDER_MAX);
    }
    if (!(o.cutoff_hz > 0.0 && o.cutoff_hz < 0.5 * rate_hz)) {
        return ug_fail(err, UG_E_USAGE,
                       "cut-off of %g Hz: must lie above 0 and below half the rate, %g Hz",
                       o.cutoff_hz, 0.5 * rate_hz);
    }
    const int n = o.order / 2;
    // |H|^2 of one pass is 1/(1 + (W/Wc)^2n) in the warped frequency W = tan(pi f / rate): two
    // passes are at 1/sqrt 2 where (W/Wc)^2n = sqrt 2 - 1.
    const double k = tan(UG_PI * o.cutoff_hz / rate_hz) / pow(sqrt(2.0) - 1.0, 0.5 / n);
    *filter = (ug_butterworth){ .run_min = 3 * (size_t)o.order };
    for (int i = 0; i < n / 2; i++) {
        const double damping = 2.0 * sin(UG_PI * (2 * i + 1) / (2.0 * n));
        const double d = 1.0 + damping * k + k * k;
        const int s = filter->section_count++;
        filter->sections[s].b0 = filter->sections[s].b2 = k * k / d;
        filter->sections[s].b1 = 2.0 * k * k / d;
        filter->sections[s].a1 = 2.0 * (k * k - 1.0) / d;
        filter->sections[s].a2 = (1.0 - damping * k + k * k) / d;
    }
    if (n % 2 != 0) {
        const int s = filter->section_count++;
        filter->sections[s].b0 = filter->sections[s].b1 = k / (1.0 + k);
        filter->sections[s].a1 = (k - 1.0) / (k + 1.0);
    }
    return UG_OK;
}

static size_t pad_length(const ug_butterworth *filter, size_t count)
{
    return filter->run_min < count ? filter->run_min : count - 1;
}

size_t ug_butterworth_workspace(const ug_butterworth *filter, size_t count)
{
    return count + 2 * filter->run_min;
}

// One pass in the direction of `step`, started in the steady state of its first value so that
// the start is not a jump from zero.
static void pass(double *x, size_t count, ptrdiff_t step, const ug_butterworth *filter)
{
    double z1[UG_BUTTERWORTH_SECTIONS_MAX], z2[UG_BUTTERWORTH_SECTIONS_MAX];
    for (int s = 0; s < filter->section_count; s++) {
        z1[s] = x[0] * (1.0 - filter->sections[s].b0);
        z2[s] = x[0] * (filter->sections[s].b2 - filter->sections[s].a2);
    }
    for (size_t i = 0; i < count; i++, x += step) {
        double v = *x;
        for (int s = 0; s < filter->section_count; s++) {
            const double y = filter->sections[s].b0 * v + z1[s];
            z1[s] = filter->sections[s].b1 * v - filter->sections[s].a1 * y + z2[s];
            z2[s] = filter->sections[s].b2 * v - filter->sections[s].a2 * y;
            v = y;
        }
        *x = v;
    }
}

void ug_butterworth_run(double *values, size_t count, const ug_butterworth *filter,
                        double *workspace)
{
    if (count < filter->run_min) {
        return;
    }
    const size_t pad = pad_length(filter, count), total = count + 2 * pad;
    for (size_t i = 0; i < pad; i++) {
        workspace[i] = 2.0 * values[0] - values[pad - i];
        workspace[pad + count + i] = 2.0 * values[count - 1] - values[count - 2 - i];
    }
    for (size_t i = 0; i < count; i++) {
        workspace[pad + i] = values[i];
    }
    pass(workspace, total, 1, filter);
    pass(workspace + total - 1, total, -1, filter);
    for (size_t i = 0; i < count; i++) {
        values[i] = workspace[pad + i];
    }
}

static void filter_run(ug_markers *markers, size_t marker, size_t first, size_t count,
                       const ug_butterworth *filter, double *values, double *workspace)
{
    for (size_t axis = 0; axis < 3; axis++) {
        float *p = markers->positions + 3 * ug_markers_index(markers, first, marker) + axis;
        const size_t stride = 3 * markers->marker_count;
        for (size_t i = 0; i < count; i++) {
            values[i] = (double)p[i * stride];
        }
        ug_butterworth_run(values, count, filter, workspace);
        for (size_t i = 0; i < count; i++) {
            p[i * stride] = (float)values[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        markers->origin[ug_markers_index(markers, first + i, marker)] |= UG_ORIGIN_FILTERED;
    }
}

static void filter_marker(ug_markers *markers, size_t marker, ug_butterworth_report *report,
                          ug_warnings *warnings, const ug_butterworth *filter, double *values,
                          double *workspace)
{
    size_t runs = 0;
    for (size_t f = 0; f < markers->frame_count; f++) {
        const size_t first = f;
        while (f < markers->frame_count && ug_markers_present(markers, f, marker)) {
            f++;
        }
        const size_t count = f - first;
        runs += count > 0;
        if (count >= filter->run_min) {
            filter_run(markers, marker, first, count, filter, values, workspace);
            report->runs_filtered++;
            report->samples_filtered += count;
        } else if (count > 0) {
            report->runs_passed++;
            report->samples_passed += count;
            ug_warn(warnings, "run_too_short_to_filter",
                    "marker '%s', frames %zu-%zu: %zu samples, the filter needs %zu; left as it is",
                    ug_marker_label(markers, marker), first, f - 1, count, filter->run_min);
        }
    }
    if (runs == 0) {
        report->markers_missing++;
        ug_warn(warnings, "marker_never_seen", "marker '%s' has no sample in the whole take",
                ug_marker_label(markers, marker));
    }
}

ug_status ug_butterworth_markers(ug_markers *markers, ug_butterworth_report *report,
                                 ug_warnings *warnings, const ug_butterworth_opts *opts,
                                 ug_error *err)
{
    assert(markers);
    ug_status status = ug_markers_check(markers, err);
    if (status != UG_OK) {
        return status;
    }
    ug_butterworth filter;
    status = ug_butterworth_design(&filter, ug_rate_hz(markers->rate), opts, err);
    if (status != UG_OK) {
        return status;
    }
    const size_t n = markers->frame_count;
    double *memory = malloc((n + ug_butterworth_workspace(&filter, n)) * sizeof *memory);
    if (!memory) {
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
