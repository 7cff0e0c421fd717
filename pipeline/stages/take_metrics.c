// SPDX-License-Identifier: MIT
#include "pipeline/stages/take_metrics.h"

typedef struct marker_tally {
    size_t markers, unlabelled, gaps, never_seen, missing, filled, longest_frames;
} marker_tally;

static void tally_marker(marker_tally *t, const ug_markers *markers, size_t m)
{
    size_t longest = 0, missing = 0, filled = 0;
    const size_t gaps = ug_markers_gap_count(markers, m, &longest);
    for (size_t f = 0; f < markers->frame_count; f++) {
        const uint16_t origin = markers->origin[ug_markers_index(markers, f, m)];
        missing += (origin & UG_ORIGIN_PRESENT) == 0;
        filled += (origin & UG_ORIGIN_FILLED) != 0;
    }
    t->markers++;
    t->missing += missing;
    t->filled += filled;
    if (missing == markers->frame_count) {
        t->never_seen++; // no gap to fill: there is nothing on either side
    } else {
        t->gaps += gaps;
        t->longest_frames = longest > t->longest_frames ? longest : t->longest_frames;
    }
}

void ug_metrics_add_markers(ug_metrics *metrics, const ug_markers *markers)
{
    if (!markers) {
        return;
    }
    marker_tally t = { 0 };
    for (size_t m = 0; m < markers->marker_count; m++) {
        if (markers->kinds[m] == UG_POINT_MARKER) {
            tally_marker(&t, markers, m);
        } else {
            t.unlabelled += markers->kinds[m] == UG_POINT_UNLABELLED;
        }
    }
    const double samples = (double)t.markers * (double)markers->frame_count;
    const double rate = ug_rate_hz(markers->rate);
    ug_metrics_set(metrics, "frame_count", (double)markers->frame_count);
    ug_metrics_set(metrics, "marker_count", (double)t.markers);
    ug_metrics_set(metrics, "unlabelled_count", (double)t.unlabelled);
    ug_metrics_set(metrics, "never_seen_count", (double)t.never_seen);
    ug_metrics_set(metrics, "gap_count", (double)t.gaps);
    ug_metrics_set(metrics, "missing_pct", samples > 0 ? 100.0 * (double)t.missing / samples : 0);
    ug_metrics_set(metrics, "longest_gap_s", rate > 0 ? (double)t.longest_frames / rate : 0);
    ug_metrics_set(metrics, "filled_count", (double)t.filled);
}

void ug_metrics_add_clip(ug_metrics *metrics, const ug_clip *clip)
{
    if (!clip) {
        return;
    }
    ug_metrics_set(metrics, "frame_count", (double)clip->frame_count);
    ug_metrics_set(metrics, "joint_count", (double)clip->joint_count);
    if (clip->frame_count > 0 && ug_rate_is_valid(clip->rate)) {
        ug_metrics_set(metrics, "duration_s",
                       ug_rate_time_s(clip->rate, (double)(clip->frame_count - 1)));
    }
}
