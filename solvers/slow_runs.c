// SPDX-License-Identifier: MIT
#include "solvers/slow_runs.h"

#include "motion/median.h"
#include "solvers/lowpass.h"

#include <assert.h>
#include <stdlib.h>

static const double SMOOTH_ABOVE_HZ = 30.0; // slower clips have nothing to smooth

static size_t run_end(const ug_vec3 *path, size_t start, size_t count)
{
    size_t end = start;
    while (end < count && ug_vec3_is_finite(path[end])) {
        end++;
    }
    return end;
}

ug_status ug_path_speed(double *speed_m_s, ug_vec3 *path_m, size_t count, double rate_hz,
                        double cutoff_hz, ug_error *err)
{
    ug_lowpass filter;
    double *work = NULL;
    if (rate_hz > SMOOTH_ABOVE_HZ && ug_lowpass_design(&filter, cutoff_hz, rate_hz)) {
        work = malloc((ug_lowpass_work_count(&filter, count) + 1) * sizeof *work);
        if (!work) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
    }
    for (size_t start = 0; start < count;) {
        const size_t end = run_end(path_m, start, count);
        for (size_t k = 0; k < 3 && work && end > start; k++) {
            ug_lowpass_apply(&path_m[start].x + k, end - start, 3, &filter, work);
        }
        for (size_t f = start; f < end; f++) {
            const size_t a = f > start ? f - 1 : f, b = f + 1 < end ? f + 1 : f;
            const double span_s = (double)(b - a) / rate_hz;
            speed_m_s[f] = b > a ? ug_vec3_distance(path_m[a], path_m[b]) / span_s : 0.0;
        }
        start = end;
        if (start < count) {
            speed_m_s[start++] = NAN;
        }
    }
    free(work);
    return UG_OK;
}

void ug_slow_runs_fini(ug_slow_runs *runs)
{
    if (runs) {
        free(runs->items);
        *runs = (ug_slow_runs){ 0 };
    }
}

static ug_vec3 median_place(const ug_vec3 *path, size_t start, size_t end, double *work)
{
    double place[3];
    for (size_t k = 0; k < 3; k++) {
        for (size_t f = start; f < end; f++) {
            work[f - start] = (&path[f].x)[k];
        }
        place[k] = ug_median(work, end - start);
    }
    return ug_vec3_of(place);
}

ug_status ug_slow_runs_find(ug_slow_runs *out, const double *speed_m_s, const ug_vec3 *path_m,
                            size_t count, double rate_hz, double limit_m_s, double shortest_s,
                            ug_error *err)
{
    *out = (ug_slow_runs){ 0 };
    double *work = malloc((count + 1) * sizeof *work);
    out->items = malloc((count / 2 + 1) * sizeof *out->items);
    if (!work || !out->items) {
        free(work);
        ug_slow_runs_fini(out);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t start = 0; start < count; start++) {
        size_t end = start;
        while (end < count && speed_m_s[end] < limit_m_s) {
            end++;
        }
        if (end > start && (double)(end - start) >= shortest_s * rate_hz - 1e-9) {
            out->items[out->count++] =
                (ug_slow_run){ start, end, median_place(path_m, start, end, work) };
        }
        start = end > start ? end : start;
    }
    free(work);
    return UG_OK;
}
