// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet_body.c: what a figure is made of.
#include "pipeline/report/sheet_body.h"

#include "motion/kinematics.h"
#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const test_walk WALK = { 200, 100, 0.9, 0.06, 0, 0 };

static void test_a_biped_stands_on_its_soles(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    take.skeleton = test_character_create(&(test_character){ 1.0, 1.0, 5, 0, 4, true, "l", "r" });
    take.clip = test_walk_create(take.skeleton, &WALK);
    ug_footing footing;
    assert_int_equal(ug_footing_find(&footing, &take, NULL), UG_OK);
    assert_true(footing.found);
    const size_t joints = take.skeleton->joint_count;
    ug_quat *q = malloc(joints * sizeof *q);
    ug_vec3 *at = malloc(joints * sizeof *at);
    ug_clip_forward(q, at, take.skeleton, take.clip, 30); // left stance
    ug_sheet_body *body = ug_sheet_body_create(take.skeleton, at, &footing, NULL);
    assert_non_null(body);
    assert_true(body->is_biped);
    assert_true(body->size_m > 1.5 && body->size_m < 2.0); // it is about 1.75 tall
    double lowest = 1e9, highest = -1e9;
    size_t sided[3] = { 0 };
    for (size_t i = 0; i < body->part_count; i++) {
        const ug_sheet_part *part = &body->parts[i];
        assert_in_range(part->count, 1, UG_SHEET_SPHERES_MAX);
        sided[part->side]++;
        for (int k = 0; k < part->count; k++) {
            const int j = part->joint[k];
            const ug_vec3 p = ug_vec3_add(at[j], ug_quat_rotate(q[j], part->local_m[k]));
            assert_true(part->radius_m[k] > 0.0 && part->radius_m[k] < 0.12);
            lowest = fmin(lowest, p.y - part->radius_m[k]);
            highest = fmax(highest, p.y + part->radius_m[k]);
        }
    }
    assert_true(fabs(lowest) < 0.01); // the stance foot, on the floor
    assert_true(highest > 1.6 && highest < 1.9);
    assert_int_equal(sided[UG_SHEET_LEFT], sided[UG_SHEET_RIGHT]);
    assert_true(sided[UG_SHEET_LEFT] >= 6); // arm, forearm, hand, thigh, shin, foot
    ug_sheet_body_destroy(body);
    free(q);
    free(at);
    ug_take_fini(&take);
}

static void test_bones_are_measured_on_the_pose(void **state)
{
    (void)state;
    // offsets are zero: the lengths are in animated translations, as some files have it
    ug_skeleton *s = ug_skeleton_create(3);
    const ug_vec3 at[3] = { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 1, 0 } };
    ug_sheet_body *body = ug_sheet_body_create(s, at, NULL, NULL);
    assert_non_null(body);
    assert_false(body->is_biped);
    assert_int_equal(body->part_count, 1); // the second has no length
    assert_int_equal(body->parts[0].joint[0], 0);
    assert_int_equal(body->parts[0].joint[1], 1);
    assert_true(body->parts[0].radius_m[0] > 0.0 && body->parts[0].radius_m[0] <= 0.07);
    assert_true(body->size_m == 1.0);
    ug_sheet_body_destroy(body);
    ug_skeleton_destroy(s);
}

static void test_points_alone(void **state)
{
    (void)state;
    ug_skeleton *s = ug_skeleton_create(2);
    const ug_vec3 at[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
    ug_sheet_body *body = ug_sheet_body_create(s, at, NULL, NULL);
    assert_non_null(body);
    assert_int_equal(body->part_count, 2); // each is shown
    assert_int_equal(body->parts[1].joint[0], 1);
    assert_true(body->size_m == 0.0);
    ug_sheet_body_destroy(body);
    ug_skeleton_destroy(s);
    ug_sheet_body_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_biped_stands_on_its_soles),
        cmocka_unit_test(test_bones_are_measured_on_the_pose),
        cmocka_unit_test(test_points_alone),
    };
    return cmocka_run_group_tests_name("report/sheet_body", tests, NULL, NULL);
}
