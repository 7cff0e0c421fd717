// SPDX-License-Identifier: MIT
// Unit tests for motion/clip.c and memory.c.
#include "motion/clip.h"

#include "motion/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_fresh_clip(void **state)
{
    (void)state;
    ug_clip *clip = ug_clip_create(3, 4, (int[]){ 0, 2 }, 2, ug_rate_make(120, 1));
    assert_non_null(clip);
    assert_int_equal(clip->frame_count, 3);
    assert_int_equal(clip->joint_count, 4);
    assert_int_equal(clip->first_frame, 0);
    assert_null(clip->origin);
    for (size_t i = 0; i < 12; i++) {
        const ug_quat q = clip->rotations[i];
        assert_true(q.w == 1.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0);
    }
    for (size_t i = 0; i < 6; i++) {
        assert_true(ug_vec3_norm(clip->translations[i]) == 0.0);
    }
    assert_int_equal(ug_clip_translation_column(clip, 0), 0);
    assert_int_equal(ug_clip_translation_column(clip, 1), -1);
    assert_int_equal(ug_clip_translation_column(clip, 2), 1);
    assert_ptr_equal(ug_clip_rotations(clip, 2), clip->rotations + 8);
    assert_ptr_equal(ug_clip_translations(clip, 2), clip->translations + 4);
    ug_clip_destroy(clip);
    ug_clip_destroy(NULL);
}

static void test_nothing_in_it(void **state)
{
    (void)state;
    const size_t sizes[][2] = { { 0, 0 }, { 0, 5 }, { 5, 0 } };
    for (int i = 0; i < 3; i++) {
        ug_clip *clip = ug_clip_create(sizes[i][0], sizes[i][1], NULL, 0, ug_rate_make(1, 1));
        assert_non_null(clip);
        ug_clip *copy = ug_clip_copy(clip);
        assert_non_null(copy);
        assert_int_equal(copy->frame_count, sizes[i][0]);
        ug_clip_make_signs_continuous(copy);
        ug_clip_destroy(copy);
        ug_clip_destroy(clip);
    }
}

static void test_sizes_beyond_memory(void **state)
{
    (void)state;
    const ug_rate rate = ug_rate_make(1, 1);
    assert_null(ug_clip_create(SIZE_MAX / 16, 64, NULL, 0, rate)); // the product wraps
    assert_null(ug_clip_create(SIZE_MAX, 1, NULL, 0, rate));
    assert_null(ug_clip_create_unset(SIZE_MAX / 24, 1, (int[]){ 0 }, 1, rate));
}

static void test_copy_is_deep(void **state)
{
    (void)state;
    ug_clip *clip = ug_clip_create(2, 3, (int[]){ 1 }, 1, ug_rate_make(30000, 1001));
    clip->first_frame = -17;
    clip->origin = calloc(6, sizeof *clip->origin);
    clip->origin[5] = 9;
    clip->rotations[4] = (ug_quat){ 0, 0, 1, 0 };
    clip->translations[1] = (ug_vec3){ 1, 2, 3 };
    ug_clip *copy = ug_clip_copy(clip);
    assert_non_null(copy);
    memset(clip->rotations, 0xA5, 6 * sizeof *clip->rotations);
    memset(clip->translations, 0xA5, 2 * sizeof *clip->translations);
    memset(clip->origin, 0xA5, 6 * sizeof *clip->origin);
    clip->translated_joints[0] = 0;
    assert_int_equal(copy->first_frame, -17);
    assert_int_equal(copy->rate.num, 30000);
    assert_int_equal(copy->origin[5], 9);
    assert_true(copy->rotations[4].y == 1.0);
    assert_true(copy->translations[1].z == 3.0);
    assert_int_equal(copy->translated_joints[0], 1);
    ug_clip_destroy(copy);
    ug_clip_destroy(clip);
}

static void test_signs_become_continuous(void **state)
{
    (void)state;
    enum { FRAMES = 50 };
    ug_clip *clip = ug_clip_create(FRAMES, 2, NULL, 0, ug_rate_make(60, 1));
    for (size_t f = 0; f < FRAMES; f++) {
        const ug_quat q = ug_quat_exp((ug_vec3){ 0.2 * (double)f, 0.1, 0 });
        ug_clip_rotations(clip, f)[0] = f % 3 == 1 ? ug_quat_negate(q) : q;
    }
    ug_clip_make_signs_continuous(clip);
    for (size_t f = 0; f < FRAMES; f++) {
        const ug_quat q = ug_clip_rotations(clip, f)[0];
        assert_true(ug_quat_angle(q, ug_quat_exp((ug_vec3){ 0.2 * (double)f, 0.1, 0 })) < 1e-14);
        if (f > 0) {
            assert_true(ug_quat_dot(q, ug_clip_rotations(clip, f - 1)[0]) > 0.9);
        }
    }
    ug_clip_destroy(clip);
}

static void test_memory_small_and_large(void **state)
{
    (void)state;
    const size_t sizes[] = { 0, 1, 100, (2 << 20) - 1, 2 << 20, (5 << 20) + 3 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *data = ug_memory_create(sizes[i]);
        assert_non_null(data);
        memset(data, 0x5A, sizes[i]);
        data = realloc(data, sizes[i] + 4096);
        assert_non_null(data);
        assert_true(sizes[i] == 0 || data[sizes[i] - 1] == 0x5A);
        free(data);
    }
    assert_null(ug_memory_create(SIZE_MAX - 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fresh_clip),
        cmocka_unit_test(test_nothing_in_it),
        cmocka_unit_test(test_sizes_beyond_memory),
        cmocka_unit_test(test_copy_is_deep),
        cmocka_unit_test(test_signs_become_continuous),
        cmocka_unit_test(test_memory_small_and_large),
    };
    return cmocka_run_group_tests_name("motion/clip", tests, NULL, NULL);
}
