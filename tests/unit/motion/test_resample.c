// SPDX-License-Identifier: MIT
#include "motion/resample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_count_is_exact(void **state)
{
    (void)state;
    const ug_rate hz120 = ug_rate_make(120, 1), hz30 = ug_rate_make(30, 1);
    const ug_rate ntsc = ug_rate_make(30000, 1001);
    assert_int_equal(ug_resample_count(0, hz120, hz30), 0);
    assert_int_equal(ug_resample_count(1, hz120, hz30), 1);
    assert_int_equal(ug_resample_count(4, hz120, hz30), 1);
    assert_int_equal(ug_resample_count(5, hz120, hz30), 2);
    assert_int_equal(ug_resample_count(2, hz30, hz120), 5);
    assert_int_equal(ug_resample_count(7, hz120, hz120), 7);
    // 1001/30000 s a frame: 30000 steps at 29.97 are 1001 s, to the frame
    assert_int_equal(ug_resample_count(30001, ntsc, hz30), 30031);
    assert_int_equal(ug_resample_count(30000, ntsc, hz30), 30029);
    // products beyond 64 bits
    assert_int_equal(
        ug_resample_count((size_t)1 << 40, ug_rate_make(107527, 1000), ug_rate_make(107527, 1000)),
        (size_t)1 << 40);
}

static ug_clip *turning(size_t frames, ug_rate rate)
{
    ug_clip *clip = ug_clip_create(frames, 1, (const int[]){ 0 }, 1, rate);
    for (size_t f = 0; f < frames; f++) {
        clip->rotations[f] = ug_quat_from_axis_angle((ug_vec3){ 0, 0, 1 }, 0.1 * (double)f);
        clip->translations[f] = (ug_vec3){ (double)f, 0, -2.0 * (double)f };
    }
    return clip;
}

// constant speed is reproduced at any rate
static void test_clip_follows_a_steady_turn(void **state)
{
    (void)state;
    ug_clip *clip = turning(13, ug_rate_make(120, 1));
    ug_clip *out = ug_clip_resample(clip, ug_rate_make(50, 1));
    assert_int_equal(out->frame_count, 6);
    for (size_t k = 0; k < 6; k++) {
        const double f = (double)k * 120.0 / 50.0;
        const ug_quat want = ug_quat_from_axis_angle((ug_vec3){ 0, 0, 1 }, 0.1 * f);
        assert_true(ug_quat_angle(out->rotations[k], want) < 1e-7);
        assert_true(fabs(out->translations[k].x - f) < 1e-12);
        assert_true(fabs(out->translations[k].z + 2 * f) < 1e-12);
    }
    assert_true(ug_rate_equal(out->rate, ug_rate_make(50, 1)));
    assert_null(out->origin);
    ug_clip_destroy(out);
    ug_clip_destroy(clip);
}

static void test_frames_that_meet_are_copied(void **state)
{
    (void)state;
    ug_clip *clip = turning(9, ug_rate_make(120, 1));
    clip->first_frame = 8;
    clip->origin = calloc(9, sizeof *clip->origin);
    for (int f = 0; f < 9; f++) {
        clip->origin[f] = UG_ORIGIN_PRESENT | (f % 2 ? UG_ORIGIN_FILLED : UG_ORIGIN_MEASURED);
    }
    ug_clip *out = ug_clip_resample(clip, ug_rate_make(60, 1));
    assert_int_equal(out->frame_count, 5);
    assert_int_equal(out->first_frame, 4);
    for (size_t k = 0; k < 5; k++) {
        assert_memory_equal(&out->rotations[k], &clip->rotations[2 * k], sizeof(ug_quat));
        assert_memory_equal(&out->translations[k], &clip->translations[2 * k], sizeof(ug_vec3));
        assert_int_equal(out->origin[k], clip->origin[2 * k]);
    }
    ug_clip_destroy(out);
    out = ug_clip_resample(clip, ug_rate_make(240, 1));
    assert_int_equal(out->frame_count, 17);
    assert_int_equal(out->origin[1], UG_ORIGIN_PRESENT | UG_ORIGIN_COMPUTED);
    assert_int_equal(out->origin[2], UG_ORIGIN_PRESENT | UG_ORIGIN_FILLED);
    ug_clip_destroy(out);
    ug_clip_destroy(clip);
}

static void test_degenerate_clips(void **state)
{
    (void)state;
    for (size_t frames = 0; frames < 2; frames++) {
        ug_clip *clip = turning(frames, ug_rate_make(100, 1));
        ug_clip *out = ug_clip_resample(clip, ug_rate_make(30, 1));
        assert_int_equal(out->frame_count, frames);
        ug_clip_destroy(out);
        ug_clip_destroy(clip);
    }
}

static ug_markers *moving(void)
{
    ug_markers *m = ug_markers_create(4, 2, ug_rate_make(100, 1));
    m->scale_m = 0.001;
    m->first_frame = 10;
    m->labels[0] = strdup("A");
    m->subjects[0] = strdup("Bo");
    m->kinds[1] = UG_POINT_VIRTUAL;
    for (size_t f = 0; f < 4; f++) {
        ug_markers_set_m(m, f, 0, (ug_vec3){ (double)f, 1, 0 }, UG_ORIGIN_MEASURED);
        m->residuals[ug_markers_index(m, f, 0)] = 0.5f;
        if (f != 2) {
            ug_markers_set_m(m, f, 1, (ug_vec3){ 0, (double)f, 0 }, UG_ORIGIN_FILLED);
            m->method[ug_markers_index(m, f, 1)] = UG_FILL_RIGID;
            m->predicted_error_mm[ug_markers_index(m, f, 1)] = 3.0f;
        }
    }
    return m;
}

static void test_markers_between_frames(void **state)
{
    (void)state;
    ug_markers *m = moving();
    ug_markers *out = ug_markers_resample(m, ug_rate_make(200, 1));
    assert_int_equal(out->frame_count, 7);
    assert_int_equal(out->first_frame, 20);
    assert_true(out->scale_m == 0.001);
    assert_string_equal(out->labels[0], "A");
    assert_string_equal(out->subjects[0], "Bo");
    assert_string_equal(out->labels[1], "");
    assert_int_equal(out->kinds[1], UG_POINT_VIRTUAL);
    assert_true(fabs(ug_markers_position_m(out, 3, 0).x - 1.5) < 1e-6);
    assert_int_equal(out->origin[ug_markers_index(out, 3, 0)],
                     UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED | UG_ORIGIN_COMPUTED);
    assert_int_equal(out->origin[ug_markers_index(out, 2, 0)],
                     UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED);
    // beside a missing sample everything is missing; on a present one nothing is
    static const bool PRESENT[7] = { true, true, true, false, false, false, true };
    for (size_t k = 0; k < 7; k++) {
        assert_int_equal(ug_markers_present(out, k, 1), PRESENT[k]);
        assert_int_equal(isnan(out->positions[3 * ug_markers_index(out, k, 1)]), !PRESENT[k]);
    }
    ug_markers_destroy(out);
    ug_markers_destroy(m);
}

static void test_method_belongs_to_filled_samples(void **state)
{
    (void)state;
    ug_markers *m = moving();
    m->origin[ug_markers_index(m, 1, 1)] = UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED;
    ug_markers *out = ug_markers_resample(m, ug_rate_make(200, 1));
    assert_int_equal(out->method[ug_markers_index(out, 0, 1)], UG_FILL_RIGID);
    assert_true(out->predicted_error_mm[ug_markers_index(out, 0, 1)] == 3.0f);
    // between a filled and a measured one it is computed, and no longer filled
    assert_int_equal(out->origin[ug_markers_index(out, 1, 1)],
                     UG_ORIGIN_PRESENT | UG_ORIGIN_COMPUTED);
    assert_int_equal(out->method[ug_markers_index(out, 1, 1)], UG_FILL_NONE);
    assert_true(isnan(out->predicted_error_mm[ug_markers_index(out, 1, 1)]));
    ug_markers_destroy(out);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count_is_exact),
        cmocka_unit_test(test_clip_follows_a_steady_turn),
        cmocka_unit_test(test_frames_that_meet_are_copied),
        cmocka_unit_test(test_degenerate_clips),
        cmocka_unit_test(test_markers_between_frames),
        cmocka_unit_test(test_method_belongs_to_filled_samples),
    };
    return cmocka_run_group_tests_name("motion/resample", tests, NULL, NULL);
}
