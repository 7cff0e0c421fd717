// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet_select.c: which frames are shown.
#include "pipeline/report/sheet_select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_even(void **state)
{
    (void)state;
    size_t f[10];
    assert_int_equal(ug_sheet_select_even(f, 5, 0, 100), 5);
    const size_t wanted[] = { 0, 25, 50, 75, 100 };
    assert_memory_equal(f, wanted, sizeof wanted);
    assert_int_equal(ug_sheet_select_even(f, 3, 10, 13), 3);
    const size_t rounded[] = { 10, 12, 13 };
    assert_memory_equal(f, rounded, sizeof rounded);
    assert_int_equal(ug_sheet_select_even(f, 1, 10, 20), 1);
    assert_int_equal(f[0], 15);
    // no more than there are, none twice
    assert_int_equal(ug_sheet_select_even(f, 10, 7, 9), 3);
    const size_t all[] = { 7, 8, 9 };
    assert_memory_equal(f, all, sizeof all);
    assert_int_equal(ug_sheet_select_even(f, 4, 3, 3), 1);
    assert_int_equal(f[0], 3);
}

// A bone of a metre that turns about x by angle[f], on a root that goes anywhere.
static ug_clip *make_clip(ug_skeleton **skeleton, const double *angle, size_t count)
{
    const int root = 0;
    *skeleton = ug_skeleton_create(2);
    (*skeleton)->joints[1].offset_m = (ug_vec3){ 0, 1, 0 };
    ug_clip *clip = ug_clip_create(count, 2, &root, 1, ug_rate_make(10, 1));
    for (size_t i = 0; i < count; i++) {
        ug_clip_rotations(clip, i)[0] = ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, angle[i]);
        ug_clip_translations(clip, i)[0] = (ug_vec3){ 100.0 * (double)i, 0.0 * angle[i], 0 };
    }
    return clip;
}

static void test_keys(void **state)
{
    (void)state;
    // rest for long, one lean back, one lean ahead farther, and a pose that is no number
    const double angle[] = { 0, 0.01, 0, -0.5, 0, 0.02, NAN, 1.2, 0, 0.01 };
    ug_skeleton *skeleton;
    ug_clip *clip = make_clip(&skeleton, angle, 10);
    size_t f[10], found = 99;
    assert_int_equal(ug_sheet_select_keys(f, &found, 3, skeleton, clip, 0, 9, NULL), UG_OK);
    assert_int_equal(found, 3);
    // 7 first, then 3; of the rest the one least like 3, the nearer of both
    const size_t wanted[] = { 3, 5, 7 };
    assert_memory_equal(f, wanted, sizeof wanted);
    // only within the range
    assert_int_equal(ug_sheet_select_keys(f, &found, 2, skeleton, clip, 0, 5, NULL), UG_OK);
    assert_int_equal(found, 2);
    assert_int_equal(f[0], 3);
    assert_int_equal(f[1], 5);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(skeleton);
}

static void test_keys_of_stillness(void **state)
{
    (void)state;
    const double still[] = { 0.3, 0.3, 0.3, 0.3 }, gone[] = { NAN, NAN };
    ug_skeleton *skeleton;
    ug_clip *clip = make_clip(&skeleton, still, 4);
    size_t f[4], found = 99;
    // the root's way alone makes no other pose
    assert_int_equal(ug_sheet_select_keys(f, &found, 4, skeleton, clip, 0, 3, NULL), UG_OK);
    assert_int_equal(found, 1);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(skeleton);
    clip = make_clip(&skeleton, gone, 2);
    assert_int_equal(ug_sheet_select_keys(f, &found, 2, skeleton, clip, 0, 1, NULL), UG_OK);
    assert_int_equal(found, 0);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_keys_of_stillness),
    };
    return cmocka_run_group_tests_name("report/sheet_select", tests, NULL, NULL);
}
