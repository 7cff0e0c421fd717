// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/compare.c.
#include "pipeline/stages/compare.h"

#include "motion/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// two bones of 1 m along +Y; the second joint turned by `turn_rad` about z, all moved by `shift_m`
static void make(ug_take *take, double turn_rad, double shift_m)
{
    ug_take_init(take);
    take->skeleton = ug_skeleton_create(3);
    take->clip = ug_clip_create(4, 3, (int[]){ 0 }, 1, ug_rate_make(100, 1));
    for (size_t j = 0; j < 3; j++) {
        take->skeleton->joints[j].name = ug_text_format("joint %zu", j);
        take->skeleton->joints[j].offset_m = (ug_vec3){ 0, j > 0, 0 };
    }
    for (size_t f = 0; f < 4; f++) {
        ug_clip_rotations(take->clip, f)[1] =
            ug_quat_from_axis_angle((ug_vec3){ 0, 0, 1 }, turn_rad);
        ug_clip_translations(take->clip, f)[0] = (ug_vec3){ shift_m, 0, 0 };
    }
}

static void test_equal_motions_differ_by_nothing(void **state)
{
    (void)state;
    ug_take a, b;
    ug_motion_difference d;
    make(&a, 0.3, 1);
    make(&b, 0.3, 1);
    assert_int_equal(ug_motion_compare(&d, &a, &b, NULL), UG_OK);
    assert_int_equal(d.joint_count, 3);
    assert_true(d.position_rms_mm == 0 && d.position_p95_mm == 0 && d.direction_deg == 0);
    ug_take_fini(&a);
    ug_take_fini(&b);
}

static void test_a_known_turn_and_shift(void **state)
{
    (void)state;
    ug_take a, b;
    ug_motion_difference d;
    make(&a, 0, 0.003);
    make(&b, 0, 0);
    assert_int_equal(ug_motion_compare(&d, &a, &b, NULL), UG_OK);
    assert_true(fabs(d.position_rms_mm - 3) < 1e-9 && fabs(d.position_p95_mm - 3) < 1e-9);
    ug_take_fini(&a);
    make(&a, UG_PI / 6, 0); // only the last of two bones turns, and only its end moves
    assert_int_equal(ug_motion_compare(&d, &a, &b, NULL), UG_OK);
    assert_true(fabs(d.direction_deg - 30 / sqrt(2)) < 1e-9);
    assert_true(fabs(d.position_rms_mm - 2000 * sin(UG_PI / 12) / sqrt(3)) < 1e-9);
    ug_take_fini(&a);
    ug_take_fini(&b);
}

static void test_what_cannot_be_compared(void **state)
{
    (void)state;
    ug_take a, b;
    ug_motion_difference d;
    ug_error err = { 0 };
    make(&a, 0, 0);
    make(&b, 0, 0);
    b.clip->rate = ug_rate_make(50, 1);
    assert_int_equal(ug_motion_compare(&d, &a, &b, &err), UG_E_DATA);
    assert_string_equal(err.message, "4 frames at 100 Hz against 4 at 50");
    b.clip->rate = a.clip->rate;
    for (size_t j = 0; j < 3; j++) {
        b.skeleton->joints[j].name[0] = 'x';
    }
    err = (ug_error){ 0 };
    assert_int_equal(ug_motion_compare(&d, &a, &b, &err), UG_E_NOT_ENOUGH);
    assert_string_equal(err.message, "no joint has the same name on both sides");
    ug_clip_destroy(b.clip);
    b.clip = NULL;
    assert_int_equal(ug_motion_compare(&d, &a, &b, NULL), UG_E_NOT_ENOUGH);
    ug_take_fini(&a);
    ug_take_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_motions_differ_by_nothing),
        cmocka_unit_test(test_a_known_turn_and_shift),
        cmocka_unit_test(test_what_cannot_be_compared),
    };
    return cmocka_run_group_tests_name("pipeline/stages/compare", tests, NULL, NULL);
}
