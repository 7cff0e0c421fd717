// SPDX-License-Identifier: MIT
// Facts about how well a solve fits: per marker, per frame, and where it does not.
#include "pipeline/report/report_parts.h"
#include "pipeline/stages/take_residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORST_MAX = 10, OUTCOME_UNKNOWN = 255, OUTCOME_COUNT = 5 };

static const double APART_S = 0.5; // of two worst frames: neighbours tell the same story

static ug_status copy_matrix(ug_report_facts *facts, const ug_take_residuals *r, ug_error *err)
{
    const size_t n = facts->frame_count * facts->marker_count;
    facts->residual_mm = malloc((n + 1) * sizeof *facts->residual_mm);
    facts->residual_counted = calloc(n + 1, 1);
    if (!facts->residual_mm || !facts->residual_counted) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu residuals", n);
    }
    for (size_t i = 0; i < n; i++) {
        facts->residual_mm[i] = NAN;
    }
    for (size_t c = 0; c < r->column_count; c++) {
        const ug_residual_column *from = &r->columns[c];
        const size_t marker = ug_report_marker_of(facts, (double)from->marker);
        if (marker == SIZE_MAX) {
            continue;
        }
        ug_report_marker *to = &facts->markers[marker];
        to->solved = true;
        to->residual_count = from->sample_count;
        to->outlier_count = from->outlier_count;
        to->rms_mm = from->rms_mm;
        to->max_mm = from->max_mm;
        to->max_frame = from->max_frame;
        for (size_t f = 0; f < r->frame_count; f++) {
            const size_t i = f * facts->marker_count + marker, k = f * r->column_count + c;
            facts->residual_mm[i] = r->residual_mm[k];
            facts->residual_counted[i] = r->counted[k];
        }
    }
    return UG_OK;
}

static ug_status copy_frames(ug_report_facts *facts, const ug_take *take,
                             const ug_take_residuals *r, ug_error *err)
{
    const ug_series *outcome = ug_quality_find(&take->quality, "frame_outcome");
    const size_t n = facts->frame_count;
    if (r->frame_rms_mm) {
        facts->frame_rms_mm = malloc((n + 1) * sizeof *facts->frame_rms_mm);
        if (!facts->frame_rms_mm) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        memcpy(facts->frame_rms_mm, r->frame_rms_mm, n * sizeof *facts->frame_rms_mm);
    }
    if (outcome && outcome->columns == 1 && outcome->rows == n) {
        facts->outcome = malloc(n + 1);
        if (!facts->outcome) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        for (size_t f = 0; f < n; f++) {
            const float code = outcome->values[f];
            facts->outcome[f] =
                code >= 0.0f && code < (float)OUTCOME_COUNT ? (uint8_t)code : OUTCOME_UNKNOWN;
        }
    }
    return UG_OK;
}

static void name_worst_marker(ug_report_frame *frame, const ug_report_facts *facts)
{
    frame->marker = SIZE_MAX;
    frame->marker_mm = (double)NAN;
    for (size_t k = 0; k < facts->marker_count; k++) {
        const size_t i = frame->frame * facts->marker_count + k;
        const double mm = (double)facts->residual_mm[i];
        if (facts->residual_counted[i] && !isnan(mm) && !(mm <= frame->marker_mm)) {
            frame->marker = k;
            frame->marker_mm = mm;
        }
    }
}

// Again and again the worst frame that is not close to one taken before.
static ug_status find_worst(ug_report_facts *facts, ug_error *err)
{
    const double apart = APART_S * ug_rate_hz(facts->rate);
    while (facts->frame_rms_mm && facts->worst_count < WORST_MAX) {
        size_t best = SIZE_MAX;
        for (size_t f = 0; f < facts->frame_count; f++) {
            bool taken = isnan(facts->frame_rms_mm[f]) ||
                         (best != SIZE_MAX && facts->frame_rms_mm[f] <= facts->frame_rms_mm[best]);
            for (size_t i = 0; i < facts->worst_count && !taken; i++) {
                taken = fabs((double)facts->worst[i].frame - (double)f) < fmax(apart, 1.0);
            }
            best = taken ? best : f;
        }
        if (best == SIZE_MAX) {
            break;
        }
        ug_report_frame *frame = ug_report_push(&facts->worst, &facts->worst_count, sizeof *frame);
        if (!frame) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        frame->frame = best;
        frame->rms_mm = (double)facts->frame_rms_mm[best];
        name_worst_marker(frame, facts);
    }
    return UG_OK;
}

static int longest_first(const void *a, const void *b)
{
    const ug_report_stray *x = a, *y = b;
    const size_t n = x->end - x->first, m = y->end - y->first;
    if (n != m) {
        return n > m ? -1 : 1;
    }
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return x->marker < y->marker ? -1 : x->marker > y->marker;
}

static ug_status copy_strays(ug_report_facts *facts, const ug_take_residuals *r, ug_error *err)
{
    ug_stray *strays = NULL;
    size_t count = 0;
    ug_status status = ug_strays_find(&strays, &count, r->residual_mm, r->counted, r->frame_count,
                                      r->column_count, err);
    for (size_t i = 0; i < count && status == UG_OK; i++) {
        const ug_stray *s = &strays[i];
        const size_t marker = ug_report_marker_of(facts, (double)r->columns[s->column].marker);
        if (marker == SIZE_MAX) {
            continue;
        }
        ug_report_stray *kept = ug_report_push(&facts->strays, &facts->stray_count, sizeof *kept);
        if (!kept) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
        } else {
            *kept = (ug_report_stray){ marker, s->first, s->end, s->max_mm };
        }
    }
    free(strays);
    if (facts->stray_count > 0) {
        qsort(facts->strays, facts->stray_count, sizeof *facts->strays, longest_first);
    }
    return status;
}

ug_status ug_report_residuals(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    ug_take_residuals r;
    ug_status status = ug_take_residuals_read(&r, take, err);
    facts->has_residuals = status == UG_OK && r.column_count > 0;
    if (facts->has_residuals) {
        status = copy_matrix(facts, &r, err);
    }
    if (facts->has_residuals && status == UG_OK) {
        status = copy_frames(facts, take, &r, err);
    }
    if (facts->has_residuals && status == UG_OK) {
        status = copy_strays(facts, &r, err);
    }
    if (facts->has_residuals && status == UG_OK) {
        status = find_worst(facts, err);
    }
    ug_take_residuals_fini(&r);
    return status;
}
