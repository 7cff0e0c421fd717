// SPDX-License-Identifier: MIT
// Facts about cleaning: which gaps were filled how, what was moved to its label, what smoothing
// took away.
#include "motion/median.h"
#include "pipeline/report/report_parts.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ug_status read_fills(ug_report_facts *facts, const ug_markers *m, size_t index,
                            ug_error *err)
{
    ug_report_fill *fill = NULL; // the one that is open
    for (size_t f = 0; f < m->frame_count; f++) {
        const size_t i = ug_markers_index(m, f, facts->markers[index].column);
        if (!(m->origin[i] & UG_ORIGIN_FILLED)) {
            fill = NULL;
            continue;
        }
        if (!fill || fill->method != m->method[i]) {
            fill = ug_report_push(&facts->fills, &facts->fill_count, sizeof *fill);
            if (!fill) {
                return ug_fail(err, UG_E_NOMEM, "out of memory");
            }
            *fill = (ug_report_fill){ index, f, f, m->method[i], (double)NAN };
        }
        fill->end = f + 1;
        fill->error_mm = fmax(fill->error_mm, (double)m->predicted_error_mm[i]); // passes NaN by
    }
    return UG_OK;
}

// errors: room for all fills
static void sum_up(ug_report_method *sum, const ug_report_facts *facts, double *errors)
{
    size_t known = 0;
    for (size_t i = 0; i < facts->fill_count; i++) {
        const ug_report_fill *f = &facts->fills[i];
        if (f->method != sum->method) {
            continue;
        }
        sum->fill_count++;
        sum->sample_count += f->end - f->first;
        sum->worst_mm = fmax(sum->worst_mm, f->error_mm); // passes NaN by
        if (!isnan(f->error_mm)) {
            errors[known++] = f->error_mm;
        }
    }
    sum->unpredicted = sum->fill_count - known;
    sum->median_mm = known > 0 ? ug_median(errors, known) : (double)NAN;
}

static ug_status sum_up_methods(ug_report_facts *facts, ug_error *err)
{
    double *errors = malloc((facts->fill_count + 1) * sizeof *errors);
    bool ok = errors != NULL;
    for (int method = 0; ok && method <= UINT8_MAX; method++) {
        ug_report_method sum = { .method = (uint8_t)method, .worst_mm = (double)NAN };
        sum_up(&sum, facts, errors);
        if (sum.fill_count > 0) {
            ug_report_method *kept =
                ug_report_push(&facts->methods, &facts->method_count, sizeof *kept);
            ok = kept != NULL;
            if (kept) {
                *kept = sum;
            }
        }
    }
    free(errors);
    return ok ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
}

// Stretches that were missing before filling: what is missing, and what was filled.
static void read_before(ug_report_marker *marker, const ug_markers *m)
{
    size_t run = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        const uint16_t origin = m->origin[ug_markers_index(m, f, marker->column)];
        const bool was_missing = !(origin & UG_ORIGIN_PRESENT) || (origin & UG_ORIGIN_FILLED);
        run = was_missing ? run + 1 : 0;
        marker->missing_before += was_missing;
        if (run > marker->longest_before) {
            marker->longest_before = run;
            marker->longest_before_first = f + 1 - run;
        }
    }
    if (marker->longest_before == m->frame_count) { // never seen is not a gap
        marker->longest_before = 0;
    }
}

// Whether a run is part of an exchange that clean found: those are listed whole, through their
// gaps.
static bool is_of_swap(const ug_report_facts *facts, const ug_report_run *r)
{
    for (size_t i = 0; i < facts->swap_count; i++) {
        const ug_report_swap *s = &facts->swaps[i];
        const bool member = r->marker == s->marker || r->marker == s->other ||
                            r->marker == s->ring[0] || r->marker == s->ring[1];
        if (s->repaired && member && r->first >= s->first && r->end <= s->end) {
            return true;
        }
    }
    return false;
}

// Runs of samples repaired otherwise, by hand; two markers with one and the same run were
// exchanged.
static ug_status read_repairs(ug_report_facts *facts, ug_error *err)
{
    for (size_t i = 0; i < facts->run_count; i++) {
        const ug_report_run *r = &facts->runs[i];
        if (r->lane != UG_LANE_REPAIRED || is_of_swap(facts, r)) {
            continue;
        }
        ug_report_repair *partner = NULL;
        for (size_t k = 0; k < facts->repair_count; k++) {
            ug_report_repair *p = &facts->repairs[k];
            const bool fits = p->first == r->first && p->end == r->end && p->other == SIZE_MAX;
            partner = fits && p->marker != r->marker ? p : partner;
        }
        if (partner) {
            partner->other = r->marker;
            continue;
        }
        ug_report_repair *repair =
            ug_report_push(&facts->repairs, &facts->repair_count, sizeof *repair);
        if (!repair) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        *repair = (ug_report_repair){ r->marker, SIZE_MAX, r->first, r->end };
    }
    return UG_OK;
}

// Rows of marker, first and last frame.
static ug_status read_frozen(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_series *s = ug_quality_find(&take->quality, "frozen");
    facts->frozen_known = s && s->columns == 3 && take->markers;
    for (size_t i = 0; facts->frozen_known && i < s->rows; i++) {
        const float *row = s->values + 3 * i;
        const size_t marker = ug_report_marker_of(facts, (double)row[0]);
        if (marker == SIZE_MAX || !(row[1] >= 0.0f) || !(row[2] >= row[1]) ||
            !((double)row[2] < (double)facts->frame_count)) {
            continue;
        }
        ug_report_run *run = ug_report_push(&facts->frozen, &facts->frozen_count, sizeof *run);
        if (!run) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        *run = (ug_report_run){ marker, (size_t)row[1], (size_t)row[2] + 1, UG_LANE_NONE };
    }
    return UG_OK;
}

// The cut-off of the last stage that smoothed: as it was told, else as it says it found; NaN where
// it has none.
static double read_cutoff_hz(const ug_provenance *provenance)
{
    double cutoff_hz = (double)NAN;
    for (size_t i = 0; i < provenance->count; i++) {
        const ug_provenance_entry *e = &provenance->items[i];
        cJSON *o = e->options_json ? cJSON_Parse(e->options_json) : NULL;
        const char *smooth = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "smooth"));
        const cJSON *hz = cJSON_GetObjectItemCaseSensitive(o, "cutoff_hz");
        if (smooth && strcmp(smooth, "none") != 0) {
            const bool is_told = strcmp(smooth, "butterworth") == 0 && cJSON_IsNumber(hz);
            ug_metrics found = { 0 };
            cutoff_hz = is_told ? hz->valuedouble : (double)NAN;
            if (!is_told && ug_metrics_from_json(&found, e->metrics_json)) {
                (void)ug_metrics_get(&found, "smooth_cutoff_hz", &cutoff_hz);
            }
            ug_metrics_fini(&found);
        }
        cJSON_Delete(o);
    }
    return cutoff_hz;
}

ug_status ug_report_cleaning(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    ug_status status = UG_OK;
    for (size_t k = 0; k < facts->marker_count && status == UG_OK; k++) {
        status = read_fills(facts, take->markers, k, err);
        read_before(&facts->markers[k], take->markers);
    }
    if (status == UG_OK) {
        status = sum_up_methods(facts, err);
    }
    if (status == UG_OK) {
        status = read_repairs(facts, err);
    }
    if (status == UG_OK) {
        status = read_frozen(facts, take, err);
    }
    facts->cutoff_hz = read_cutoff_hz(&take->provenance);
    return status == UG_OK ? ug_take_spectrum_read(&facts->spectrum, take, err) : status;
}
