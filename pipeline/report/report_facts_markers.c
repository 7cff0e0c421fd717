// SPDX-License-Identifier: MIT
// Facts about markers: how each sample came to be, gaps, spikes, exchanged labels.
#include "pipeline/report/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ug_status add_marker(ug_report_facts *facts, const ug_markers *m, size_t column,
                            ug_error *err)
{
    ug_report_marker *marker =
        ug_report_push(&facts->markers, &facts->marker_count, sizeof *marker);
    if (marker) {
        marker->column = column;
        marker->label = ug_report_text(m->labels[column]);
        marker->subject = ug_report_text(m->subjects[column]);
        marker->predicted_error_mm = marker->rms_mm = marker->max_mm = (double)NAN;
    }
    return marker && marker->label && marker->subject ? UG_OK
                                                      : ug_fail(err, UG_E_NOMEM, "out of memory");
}

static void note_gap(ug_report_marker *marker, const ug_report_run *run, size_t frame_count)
{
    const size_t length = run->end - run->first;
    if (run->lane != UG_LANE_MISSING || length == frame_count) {
        return; // never seen is not a gap
    }
    marker->gap_count++;
    if (length > marker->longest_gap) {
        marker->longest_gap = length;
        marker->longest_gap_first = run->first;
    }
}

static ug_status read_samples(ug_report_facts *facts, const ug_markers *m, size_t index,
                              ug_error *err)
{
    ug_report_marker *marker = &facts->markers[index];
    ug_report_run run = { .marker = index, .lane = UG_LANE_NONE };
    for (size_t f = 0; f <= m->frame_count; f++) {
        const size_t i = f * m->marker_count + marker->column;
        const ug_lane lane = f < m->frame_count ? ug_lane_of(m->origin[i]) : UG_LANE_NONE;
        if (lane != run.lane || f == m->frame_count) {
            run.end = f;
            if (run.lane != UG_LANE_NONE && run.end > run.first) {
                ug_report_run *kept = ug_report_push(&facts->runs, &facts->run_count, sizeof run);
                if (!kept) {
                    return ug_fail(err, UG_E_NOMEM, "out of memory");
                }
                *kept = run;
                note_gap(marker, &run, m->frame_count);
            }
            run.first = f;
            run.lane = lane;
        }
        if (f < m->frame_count) {
            const double error = (double)m->predicted_error_mm[i];
            marker->lanes[lane]++;
            if ((m->origin[i] & UG_ORIGIN_FILLED) && !isnan(error) &&
                !(error <= marker->predicted_error_mm)) {
                marker->predicted_error_mm = error;
                marker->predicted_error_frame = f;
            }
        }
    }
    return UG_OK;
}

// A frame number of a series that anybody may have written.
static bool is_frame(const ug_report_facts *facts, float value)
{
    return value >= 0.0f && (double)value < (double)facts->frame_count;
}

static ug_status read_spikes(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_series *s = ug_quality_find(&take->quality, "spikes");
    facts->spikes_known = s && s->columns == 3 && take->markers;
    for (size_t i = 0; facts->spikes_known && i < s->rows; i++) {
        const float *row = s->values + 3 * i;
        const size_t marker = ug_report_marker_of(facts, (double)row[0]);
        if (marker == SIZE_MAX || !is_frame(facts, row[1])) {
            continue;
        }
        ug_report_spike *spike = ug_report_push(&facts->spikes, &facts->spike_count, sizeof *spike);
        if (!spike) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        *spike = (ug_report_spike){ marker, (size_t)row[1], (double)row[2] };
        facts->markers[marker].spike_count++;
    }
    return UG_OK;
}

enum { SWAP_COLUMNS = 7 }; // four markers, first and last frame, outcome

static ug_status read_swaps(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_series *s = ug_quality_find(&take->quality, "swaps");
    facts->swaps_known = s && s->columns == SWAP_COLUMNS && take->markers;
    for (size_t i = 0; facts->swaps_known && i < s->rows; i++) {
        const float *row = s->values + SWAP_COLUMNS * i;
        size_t markers[4];
        for (size_t k = 0; k < 4; k++) {
            markers[k] = ug_report_marker_of(facts, (double)row[k]); // none for NaN
        }
        if (markers[0] == SIZE_MAX || markers[1] == SIZE_MAX || !is_frame(facts, row[4]) ||
            !is_frame(facts, row[5]) || row[5] < row[4]) {
            continue;
        }
        ug_report_swap *swap = ug_report_push(&facts->swaps, &facts->swap_count, sizeof *swap);
        if (!swap) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        *swap = (ug_report_swap){ .marker = markers[0],
                                  .other = markers[1],
                                  .first = (size_t)row[4],
                                  .end = (size_t)row[5] + 1,
                                  .ring = { markers[2], markers[3] },
                                  .repaired = row[6] > 1.5f };
    }
    return UG_OK;
}

// As files of 0.1.0 have them: one a side, the first of a pair opens a stretch, the next closes it.
static ug_status read_swap_sides(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_series *s = ug_quality_find(&take->quality, "swap_candidates");
    facts->swaps_known = s && s->columns == 3 && take->markers;
    for (size_t i = 0; facts->swaps_known && i < s->rows; i++) {
        const float *row = s->values + 3 * i;
        const size_t a = ug_report_marker_of(facts, (double)row[0]);
        const size_t b = ug_report_marker_of(facts, (double)row[1]);
        if (a == SIZE_MAX || b == SIZE_MAX || !is_frame(facts, row[2])) {
            continue;
        }
        ug_report_swap *open = NULL;
        for (size_t k = 0; k < facts->swap_count; k++) {
            ug_report_swap *swap = &facts->swaps[k];
            open = swap->marker == a && swap->other == b && swap->end == 0 ? swap : open;
        }
        if (open && (size_t)row[2] > open->first) {
            open->end = (size_t)row[2];
            continue;
        }
        ug_report_swap *swap = ug_report_push(&facts->swaps, &facts->swap_count, sizeof *swap);
        if (!swap) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        *swap = (ug_report_swap){
            .marker = a, .other = b, .first = (size_t)row[2], .ring = { SIZE_MAX, SIZE_MAX }
        };
    }
    return UG_OK;
}

ug_status ug_report_markers(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_markers *m = take->markers;
    ug_status status = UG_OK;
    for (size_t k = 0; m && k < m->marker_count && status == UG_OK; k++) {
        if (m->kinds[k] == UG_POINT_MARKER) {
            status = add_marker(facts, m, k, err);
        }
    }
    for (size_t i = 0; i < facts->marker_count && status == UG_OK; i++) {
        status = read_samples(facts, m, i, err);
    }
    if (status == UG_OK) {
        status = read_spikes(facts, take, err);
    }
    if (status == UG_OK) {
        status = ug_quality_find(&take->quality, "swaps") ? read_swaps(facts, take, err)
                                                          : read_swap_sides(facts, take, err);
    }
    return status;
}
