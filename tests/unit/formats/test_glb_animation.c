// SPDX-License-Identifier: MIT
// Unit tests for formats/glb_animation.c: keys, times and splines of a file read back.
#include "formats/glb.h"

#include "formats/glb_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/glb_take.h"

static const char PATH[] = "test_glb_animation.glb";

// ---- animation

static void test_keys_are_the_frames(void **state)
{
    (void)state;
    ug_take take = make_take(3, 200, (ug_rate){ 60, 1 });
    for (size_t f = 0; f < 200; f += 3) { // the same rotations, signs at odds
        ug_quat *q = ug_clip_rotations(take.clip, f);
        q[1] = ug_quat_negate(q[1]);
    }
    glb_file g = write_and_open(PATH, &take, NULL, NULL);
    for (size_t j = 0; j < 2; j++) {
        const cJSON *sampler = glb_sampler(&g, j, "rotation");
        assert_non_null(sampler);
        assert_string_equal(glb_string(sampler, "interpolation"), "LINEAR");
        glb_values t = glb_times(&g, sampler);
        glb_values q = glb_read(&g, (size_t)glb_number(sampler, "output"));
        assert_int_equal(q.count, 200);
        for (size_t f = 0; f < 200; f++) {
            const double *k = q.at + 4 * f;
            assert_true(t.at[f] == (double)(float)((double)f / 60.0));
            const ug_quat here = { .x = k[0], .y = k[1], .z = k[2], .w = k[3] };
            assert_true(fabs(ug_quat_dot(here, here) - 1.0) < 1e-6);
            assert_true(ug_quat_angle(here, ug_clip_rotations(take.clip, f)[j]) < 1e-6);
            assert_true(f == 0 || k[-4] * k[0] + k[-3] * k[1] + k[-2] * k[2] + k[-1] * k[3] > 0.0);
        }
        free(t.at);
        free(q.at);
    }
    assert_null(glb_sampler(&g, 2, "rotation")); // an End Site stays as its node is
    assert_null(glb_sampler(&g, 1, "translation"));
    const cJSON *moves = glb_sampler(&g, 0, "translation");
    glb_values v = glb_read(&g, (size_t)glb_number(moves, "output"));
    assert_true(v.width == 3 && fabs(v.at[3 * 199] - 19.9) < 1e-5);
    free(v.at);
    glb_close(&g);
    ug_take_fini(&take);
}

// S19: a take that starts at frame 4001 starts at 0 s; its number is kept beside.
static void test_times_start_at_zero_whatever_the_first_frame(void **state)
{
    (void)state;
    ug_take take = make_take(3, 240, (ug_rate){ 240, 1 });
    take.clip->first_frame = 4001;
    glb_file g = write_and_open(PATH, &take, NULL, NULL);
    glb_values t = glb_times(&g, glb_sampler(&g, 0, "rotation"));
    assert_int_equal(t.count, 240);
    assert_true(t.at[239] == (double)(float)(239.0 / 240.0));
    const cJSON *extras = glb_at(glb_item(&g, "scenes", 0), "extras");
    assert_int_equal((int)glb_number(extras, "first_frame"), 4001);
    assert_int_equal((int)glb_number(extras, "rate_num"), 240);
    const cJSON *beside = glb_at(glb_item(&g, "animations", 0), "extras");
    assert_int_equal((int)glb_number(beside, "first_frame"), 4001);
    free(t.at);
    glb_close(&g);
    ug_take_fini(&take);
}

// S19: long clips at high and at fractional rates.
static void test_times_of_long_clips_increase(void **state)
{
    (void)state;
    static const struct {
        size_t frames;
        ug_rate rate;
    } CASES[] = { { 70000, { 1000, 1 } },
                  { 100000, { 120000, 1001 } },
                  { 100000, { 107527, 1000 } } };
    for (size_t i = 0; i < 3; i++) {
        ug_take take = make_take(1, CASES[i].frames, CASES[i].rate);
        ug_warnings warnings = { 0 };
        glb_file g = write_and_open(PATH, &take, NULL, &warnings);
        glb_values t = glb_times(&g, glb_sampler(&g, 0, "rotation"));
        assert_int_equal(t.count, CASES[i].frames);
        assert_int_equal(ug_warnings_count(&warnings, "glb_frames_merged"), 0);
        free(t.at);
        glb_close(&g);
        ug_take_fini(&take);
    }
}

// Past 2^23 frames float32 may not tell neighbours apart: one key for those of one time, said so.
static void test_frames_of_one_time_are_one_key(void **state)
{
    (void)state;
    const size_t frames = 8600000;
    float *times = malloc(frames * sizeof *times);
    size_t *kept = malloc(frames * sizeof *kept), count = 0;
    assert_true(times && kept);
    ug_warnings warnings = { 0 };
    ug_glb_key_times(times, kept, &count, (ug_rate){ 1031, 1 }, frames, &warnings);
    assert_true(count < frames && count > frames - 10000);
    assert_int_equal(ug_warnings_count(&warnings, "glb_frames_merged"), frames - count);
    assert_non_null(strstr(warnings.items[0].first, "1031/1 Hz"));
    size_t first = 0; // frame that has no key
    while (kept[first] == first) {
        first++;
    }
    char words[32];
    (void)snprintf(words, sizeof words, "frame %zu ", first);
    assert_non_null(strstr(warnings.items[0].first, words));
    assert_true((float)((double)first / 1031.0) == (float)((double)(first - 1) / 1031.0));
    for (size_t k = 1; k < count; k++) {
        if (!(times[k] > times[k - 1]) || kept[k] <= kept[k - 1] || kept[k] >= frames) {
            fail_msg("key %zu at %.9g s is frame %zu", k, (double)times[k], kept[k]);
        }
    }
    free(times);
    free(kept);
}

static void test_constant_channels_hold_to_the_end(void **state)
{
    (void)state;
    ug_take take = make_take(3, 50, (ug_rate){ 25, 1 });
    const ug_quat turned = ug_quat_from_axis_angle(X, 1.0);
    for (size_t f = 0; f < 50; f++) {
        ug_clip_rotations(take.clip, f)[1] = f % 2 ? turned : ug_quat_negate(turned);
    }
    glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .cubic = true }, NULL);
    const cJSON *sampler = glb_sampler(&g, 1, "rotation");
    glb_values t = glb_times(&g, sampler);
    glb_values q = glb_read(&g, (size_t)glb_number(sampler, "output"));
    assert_int_equal(t.count, 2);
    assert_true(t.at[1] == (double)(float)(49.0 / 25.0));
    assert_string_equal(glb_string(sampler, "interpolation"), "LINEAR");
    for (size_t k = 0; k < 2; k++) {
        const ug_quat here = { q.at[4 * k + 3], q.at[4 * k], q.at[4 * k + 1], q.at[4 * k + 2] };
        assert_true(ug_quat_angle(here, turned) < 1e-6);
    }
    free(t.at);
    free(q.at);
    glb_close(&g);
    ug_take_fini(&take);
}

static void test_a_clip_at_rest_still_lasts(void **state)
{
    (void)state;
    ug_take take = make_take(3, 26, (ug_rate){ 25, 1 });
    for (size_t f = 0; f < 26; f++) {
        for (size_t j = 0; j < 3; j++) {
            ug_clip_rotations(take.clip, f)[j] = take.skeleton->joints[j].rest;
        }
        ug_clip_translations(take.clip, f)[0] = take.skeleton->joints[0].offset_m;
    }
    glb_file g = write_and_open(PATH, &take, NULL, NULL);
    glb_values t = glb_times(&g, glb_sampler(&g, 0, "translation"));
    assert_true(t.count == 2 && t.at[1] == 1.0);
    free(t.at);
    glb_close(&g);
    ug_take_fini(&take);
}

static void test_one_frame_is_one_key(void **state)
{
    (void)state;
    ug_take take = make_take(3, 1, (ug_rate){ 30, 1 });
    ug_clip_rotations(take.clip, 0)[1] = ug_quat_from_axis_angle(X, 0.4);
    glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .cubic = true }, NULL);
    const cJSON *sampler = glb_sampler(&g, 1, "rotation");
    glb_values t = glb_times(&g, sampler);
    assert_int_equal(t.count, 1);
    assert_string_equal(glb_string(sampler, "interpolation"), "LINEAR"); // cubic needs two keys
    free(t.at);
    glb_close(&g);
    ug_take_fini(&take);
}

// glTF 2.0 appendix C: Hermite basis, tangents times the step.
static double hermite(const double *out, size_t width, size_t key, size_t c, double u, double step)
{
    const double *a = out + 3 * key * width, *b = a + 3 * width;
    const double p0 = a[width + c], m0 = step * a[2 * width + c];
    const double p1 = b[width + c], m1 = step * b[c];
    return (2 * u * u * u - 3 * u * u + 1) * p0 + (u * u * u - 2 * u * u + u) * m0 +
           (3 * u * u - 2 * u * u * u) * p1 + (u * u * u - u * u) * m1;
}

// Of a steady turn the spline is the turn itself, at the keys and between them.
static void test_cubic_splines_follow_a_steady_turn(void **state)
{
    (void)state;
    ug_take take = make_take(2, 40, (ug_rate){ 50, 1 });
    for (size_t f = 0; f < 40; f++) { // 8.6 degrees a frame, past a half turn, signs at odds
        const ug_quat q = ug_quat_from_axis_angle((ug_vec3){ 0, 1, 1 }, 0.15 * (double)f);
        ug_clip_rotations(take.clip, f)[1] = f % 5 == 3 ? ug_quat_negate(q) : q;
    }
    glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .cubic = true }, NULL);
    const cJSON *sampler = glb_sampler(&g, 1, "rotation");
    assert_string_equal(glb_string(sampler, "interpolation"), "CUBICSPLINE");
    glb_values t = glb_times(&g, sampler);
    glb_values q = glb_read(&g, (size_t)glb_number(sampler, "output"));
    assert_int_equal(t.count, 40);
    assert_int_equal(q.count, 120);
    for (size_t f = 1; f + 2 < 40; f++) { // the ends have one-sided tangents
        for (double u = 0.0; u < 1.0; u += 0.125) {
            double v[4];
            for (size_t c = 0; c < 4; c++) {
                v[c] = hermite(q.at, 4, f, c, u, t.at[f + 1] - t.at[f]);
            }
            const ug_quat here = { v[3], v[0], v[1], v[2] };
            const ug_quat there =
                ug_quat_from_axis_angle((ug_vec3){ 0, 1, 1 }, 0.15 * ((double)f + u));
            assert_true(fabs(ug_quat_dot(here, here) - 1.0) < 1e-4);
            assert_true(ug_quat_angle(ug_quat_normalize(here), there) < 2e-4);
        }
    }
    for (size_t f = 0; f < 40; f++) { // in- and out-tangent agree and lie across the quaternion
        const double *k = q.at + 12 * f;
        double along = 0.0;
        for (size_t c = 0; c < 4; c++) {
            assert_true(k[c] == k[8 + c]);
            along += k[c] * k[4 + c];
        }
        assert_true(fabs(along) < 1e-5);
    }
    free(t.at);
    free(q.at);
    glb_close(&g);
    ug_take_fini(&take);
}

// ---- what is missing

static void test_frames_without_a_pose_hold_the_last(void **state)
{
    (void)state;
    ug_take take = make_take(3, 10, (ug_rate){ 30, 1 });
    const ug_quat nothing = { NAN, NAN, NAN, NAN };
    for (size_t f = 4; f < 7; f++) {
        ug_clip_rotations(take.clip, f)[1] = nothing;
    }
    ug_clip_rotations(take.clip, 0)[0] = (ug_quat){ 0 }; // zeros are no rotation either
    ug_clip_translations(take.clip, 9)[0].y = INFINITY;
    ug_warnings warnings = { 0 };
    glb_file g = write_and_open(PATH, &take, NULL, &warnings); // no NaN: glb_read asserts it
    assert_int_equal(ug_warnings_count(&warnings, "glb_pose_held"), 5);
    assert_non_null(strstr(warnings.items[0].first, "frame 0"));
    glb_values q = glb_read(&g, (size_t)glb_number(glb_sampler(&g, 1, "rotation"), "output"));
    for (size_t f = 4; f < 7; f++) {
        assert_memory_equal(q.at + 4 * f, q.at + 12, 4 * sizeof *q.at);
    }
    glb_values r = glb_read(&g, (size_t)glb_number(glb_sampler(&g, 0, "rotation"), "output"));
    assert_memory_equal(r.at, r.at + 4, 4 * sizeof *r.at); // nothing before: the first there is
    free(q.at);
    free(r.at);
    glb_close(&g);
    ug_take_fini(&take);
}

static void test_nothing_known_is_the_rest_pose(void **state)
{
    (void)state;
    ug_take take = make_take(2, 6, (ug_rate){ 30, 1 });
    for (size_t f = 0; f < 6; f++) {
        ug_clip_rotations(take.clip, f)[1].w = NAN;
    }
    ug_warnings warnings = { 0 };
    glb_file g = write_and_open(PATH, &take, NULL, &warnings);
    assert_null(glb_sampler(&g, 1, "rotation"));
    assert_int_equal(ug_warnings_count(&warnings, "glb_pose_held"), 6);
    glb_close(&g);
    ug_take_fini(&take);
}

// float32 has 24 bits: neighbours are 2^(e - 23) apart from 2^e on.
static void test_large_coordinates_are_warned_of(void **state)
{
    (void)state;
    static const struct {
        double m;
        const char *step; // NULL: fine enough
    } CASES[] = {
        { 1023.0, NULL },        // 2^-14 m, 0.061 mm
        { -1025.0, "0.122 mm" }, // 2^-13
        { 1e10, "1.02e+06 mm" }, // 2^10
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_take take = make_take(3, 6, (ug_rate){ 30, 1 });
        ug_clip_translations(take.clip, 4)[0].z = CASES[i].m;
        ug_warnings warnings = { 0 };
        glb_file g = write_and_open(PATH, &take, NULL, &warnings);
        assert_int_equal(ug_warnings_count(&warnings, "glb_coarse"), CASES[i].step != NULL);
        if (CASES[i].step) {
            assert_non_null(strstr(warnings.items[0].first, CASES[i].step));
            assert_non_null(strstr(warnings.items[0].first, "frame 4, joint 'H"));
        }
        glb_close(&g);
        ug_take_fini(&take);
    }
    ug_take still = make_take(3, 0, (ug_rate){ 0, 0 });
    still.skeleton->joints[1].offset_m.x = 1e6;
    ug_warnings warnings = { 0 };
    glb_file g = write_and_open(PATH, &still, NULL, &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "glb_coarse"), 1);
    glb_close(&g);
    ug_take_fini(&still);
}

static void test_without_motion_there_is_no_animation(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        ug_take take = make_take(3, 0, (ug_rate){ 0, 0 });
        if (i == 1) {
            take.clip = ug_clip_create(0, 3, NULL, 0, (ug_rate){ 30, 1 });
        }
        ug_warnings warnings = { 0 };
        glb_file g = write_and_open(PATH, &take, NULL, &warnings);
        assert_int_equal(ug_warnings_count(&warnings, "glb_rest_pose"), 1);
        assert_null(cJSON_GetObjectItem(g.json, "animations"));
        assert_null(cJSON_GetObjectItem(g.json, "buffers")); // and nothing to put into one
        assert_null(g.bin);
        glb_close(&g);
        ug_take_fini(&take);
    }
}

static int remove_file(void **state)
{
    (void)state;
    unlink(PATH);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_the_frames),
        cmocka_unit_test(test_times_start_at_zero_whatever_the_first_frame),
        cmocka_unit_test(test_times_of_long_clips_increase),
        cmocka_unit_test(test_frames_of_one_time_are_one_key),
        cmocka_unit_test(test_constant_channels_hold_to_the_end),
        cmocka_unit_test(test_a_clip_at_rest_still_lasts),
        cmocka_unit_test(test_one_frame_is_one_key),
        cmocka_unit_test(test_cubic_splines_follow_a_steady_turn),
        cmocka_unit_test(test_frames_without_a_pose_hold_the_last),
        cmocka_unit_test(test_nothing_known_is_the_rest_pose),
        cmocka_unit_test(test_large_coordinates_are_warned_of),
        cmocka_unit_test(test_without_motion_there_is_no_animation),
    };
    return cmocka_run_group_tests_name("formats/glb_animation", tests, NULL, remove_file);
}
