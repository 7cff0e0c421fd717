// SPDX-License-Identifier: MIT
// A small take with something of everything a report shows, and every number of it known.
//
// 240 frames at 120 Hz, markers A B C D (and a point that is none). A: frames 20-29 missing; B:
// 100-109 filled, 4.5 mm expected, worst 7 at 105; C: never seen; D: frame 50 edited. Residuals of
// A, B, D: 2, 3 and 4 mm, D 100 mm in frames 200-239, B 75 mm where it was filled. Spikes: A at 60
// (8 mm), D at 70 (12 mm). A and B exchanged in 150-159, B and D from 180 on. Hits of joint 1 in
// 30-34 and 40, of joint 2 in 31.
#pragma once

#include "motion/take.h"
#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT_FRAMES = 240, REPORT_POINTS = 5 };

static inline void report_markers(ug_take *take)
{
    static const char *const LABELS[REPORT_POINTS] = { "A", "B", "C", "D", "angle" };
    ug_markers *m = ug_markers_create(REPORT_FRAMES, REPORT_POINTS, (ug_rate){ 120, 1 });
    assert_non_null(m);
    m->first_frame = 1;
    for (size_t k = 0; k < REPORT_POINTS; k++) {
        m->labels[k] = ug_text_copy(LABELS[k]);
        m->subjects[k] = ug_text_copy("");
    }
    m->kinds[4] = UG_POINT_ANGLE;
    for (size_t f = 0; f < REPORT_FRAMES; f++) {
        for (size_t k = 0; k < REPORT_POINTS; k++) {
            if (k == 2 || (k == 0 && f >= 20 && f < 30)) {
                continue;
            }
            const bool filled = k == 1 && f >= 100 && f < 110;
            const bool edited = k == 3 && f == 50;
            ug_markers_set_m(m, f, k, (ug_vec3){ 0.1 * (double)k, 1.0, 0.001 * (double)f },
                             filled   ? UG_ORIGIN_FILLED
                             : edited ? UG_ORIGIN_MEASURED | UG_ORIGIN_EDITED
                                      : UG_ORIGIN_MEASURED);
            if (filled) {
                m->predicted_error_mm[ug_markers_index(m, f, k)] = f == 105 ? 7.0f : 4.5f;
            }
        }
    }
    take->markers = m;
}

static inline void report_series(ug_take *take)
{
    ug_quality *q = &take->quality;
    float *all = malloc(REPORT_FRAMES * 3 * sizeof *all);
    float *frames = malloc(2 * REPORT_FRAMES * sizeof *frames), *outcome = frames + REPORT_FRAMES;
    assert_true(all && frames);
    for (size_t f = 0; f < REPORT_FRAMES; f++) {
        all[3 * f] = f >= 20 && f < 30 ? (float)NAN : 2.0f;
        all[3 * f + 1] = f >= 100 && f < 110 ? 75.0f : 3.0f;
        all[3 * f + 2] = f >= 200 ? 100.0f : 4.0f;
        frames[f] = f == 77 ? 9.0f : f == 78 ? 8.5f : f == 190 ? 6.0f : 3.0f;
        outcome[f] = f == 5 ? 0.0f : f >= 30 && f < 35 ? 3.0f : 4.0f;
    }
    const float columns[3] = { 0, 1, 3 };
    const float spikes[] = { 0, 60, 8, 3, 70, 12, 99, 5, 1, 0, 100000, 1, NAN, 1, 1 };
    const float swaps[] = { 0, 1, 150, 0, 1, 160, 1, 3, 180 };
    const float hits[] = {
        1, 30, 2, 1, 31, 3, 2, 31, 1.5f, 1, 32, 2, 1, 33, 2, 1, 34, 2, 1, 40, 5
    };
    const float slides[] = { 12.5f, 0.25f, NAN, NAN };
    assert_int_equal(ug_quality_set(q, "marker_residual_mm", "mm", REPORT_FRAMES, 3, all, NULL), 0);
    assert_int_equal(ug_quality_set(q, "frame_rms_mm", "mm", REPORT_FRAMES, 1, frames, NULL), 0);
    assert_int_equal(ug_quality_set(q, "frame_outcome", "", REPORT_FRAMES, 1, outcome, NULL), 0);
    assert_int_equal(ug_quality_set(q, "residual_marker", "", 3, 1, columns, NULL), 0);
    assert_int_equal(ug_quality_set(q, "spikes", "", 5, 3, spikes, NULL), 0);
    assert_int_equal(ug_quality_set(q, "swap_candidates", "", 3, 3, swaps, NULL), 0);
    assert_int_equal(ug_quality_set(q, "limit_hits", "", 7, 3, hits, NULL), 0);
    assert_int_equal(ug_quality_set(q, "contact_slide_mm", "mm", 2, 2, slides, NULL), 0);
    free(frames);
    free(all);
}

static inline void report_entry(ug_take *take, const char *stage, const char *options,
                                const char *inputs, const char *metrics, const char *warnings)
{
    const ug_provenance_entry e = { .stage = (char *)stage,
                                    .version = "0.1.0",
                                    .command_line = "ugoki",
                                    .options_json = (char *)options,
                                    .inputs_json = (char *)inputs,
                                    .started = "2026-01-02T03:04:05Z",
                                    .metrics_json = (char *)metrics,
                                    .warnings_json = (char *)warnings,
                                    .seconds = 1.5 };
    assert_int_equal(ug_provenance_add(&take->provenance, &e, NULL), UG_OK);
}

// import, clean, then a subject from another take (import, calibrate), solve, retarget
static inline void report_history(ug_take *take)
{
    report_entry(take, "import", "{\"unit\":null,\"bvh_offset\":\"replace\"}",
                 "[{\"name\":\"a.c3d\",\"xxh3\":\"0\"}]", "{\"missing_pct\":40,\"gap_count\":9}",
                 "[]");
    report_entry(
        take, "clean", "{\"max_gap_s\":0.25,\"cutoff_hz\":12,\"edits\":\"/home/me/edits.yaml\"}",
        "[{\"name\":\"a.h5\",\"xxh3\":\"1\"},{\"name\":\"edits.yaml\",\"option\":\"edits\"}]",
        "{\"missing_before_pct\":40,\"gap_count\":1,\"missing_pct\":26.0416,\"spike_count\":2,"
        "\"swap_candidates\":3,\"predicted_error_worst_mm\":null,"
        "\"filled_gaps\":{\"cubic\":1}}",
        "[{\"code\":\"spike\",\"count\":2,\"first\":\"marker 'A'\"}]");
    report_entry(take, "import", "{}", "[{\"name\":\"range.c3d\"}]",
                 "{\"gap_count\":77,\"event_count\":5}", "[]");
    report_entry(take, "calibrate", "{\"markers\":\"cmu_41\"}", "[{\"name\":\"range.h5\"}]",
                 "{\"marker_rms_mm\":2.5,\"exchanged_labels\":2}",
                 "[{\"code\":\"labels_exchanged\",\"count\":2,\"first\":\"labels 'X' and 'Y'\"}]");
    report_entry(take, "solve", "{\"subject\":\"s.h5\"}", "[{\"name\":\"c.h5\"}]",
                 "{\"marker_rms_mm\":3.125,\"unsolved_frames\":1,\"limit_hits\":6,"
                 "\"limit_hits_of\":{\"l_knee\":6,\"r_knee\":1}}",
                 "not json");
    report_entry(take, "retarget", "{\"to\":[\"troll\"],\"feet\":true}", "[{\"name\":\"m.h5\"}]",
                 "{\"foot_slide_mm\":1.5,\"before\":{\"foot_slide_mm\":30},\"contacts_refused\":1}",
                 "[]");
}

static inline void report_take_init(ug_take *take)
{
    ug_take_init(take);
    strcpy(take->source.format, "c3d");
    strcpy(take->source.unit, "mm");
    report_markers(take);
    report_series(take);
    ug_contact c = { .point = UG_POINT_LEFT_HEEL,
                     .kind = UG_CONTACT_PLANTED,
                     .start_s = 0.5,
                     .end_s = 1.0,
                     .accepted = true };
    assert_int_equal(ug_contacts_add(&take->contacts, &c, NULL), UG_OK);
    c.point = UG_POINT_RIGHT_HAND;
    c.accepted = false;
    strcpy(c.reason, "asks for 90 mm, limit 60 mm");
    assert_int_equal(ug_contacts_add(&take->contacts, &c, NULL), UG_OK);
    report_history(take);
}
