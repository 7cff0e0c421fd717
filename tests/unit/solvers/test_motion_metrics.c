// SPDX-License-Identifier: MIT
// Unit tests for solvers/motion_metrics.c, on motions whose figures are known beforehand.
#include "solvers/motion_metrics.h"

#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct scene {
    ug_skeleton *skeleton;
    ug_clip *clip;
    ug_body_map body;
    ug_foot_model feet[2];
} scene;

static void open_scene(scene *s, const test_walk *w)
{
    s->skeleton = test_character_create(&(test_character){ 1, 1, 2, 0, 12, true, "l", "r" });
    s->clip = test_walk_create(s->skeleton, w);
    assert_int_equal(ug_body_map_init(&s->body, s->skeleton, NULL), UG_OK);
    assert_int_equal(ug_foot_models_from_rest(s->feet, s->skeleton, &s->body, NULL), UG_OK);
}

static void close_scene(scene *s)
{
    ug_clip_destroy(s->clip);
    ug_skeleton_destroy(s->skeleton);
}

static void test_slide_depth_and_float(void **state)
{
    (void)state;
    const test_walk w = { 290, 100, 0.8, 0.08, 0.1, 0.004 };
    scene s;
    ug_foot_metrics got;
    open_scene(&s, &w);
    ug_contacts given = { 0 };
    // 0.4 s of the left foot's first stance: 40 frames, 39 steps of 1 mm
    ug_contact c = { .point = UG_POINT_LEFT_TOE, .kind = UG_CONTACT_PLANTED };
    c.start_s = 0.1, c.end_s = 0.5, c.accepted = true;
    assert_int_equal(ug_contacts_add(&given, &c, NULL), UG_OK);
    c.accepted = false; // does not count
    c.end_s = 0.9;
    assert_int_equal(ug_contacts_add(&given, &c, NULL), UG_OK);
    memset(&got, 0xa5, sizeof got);
    assert_int_equal(ug_foot_metrics_measure(&got, s.skeleton, s.clip, s.feet, &given, 0.84, NULL),
                     UG_OK);
    assert_int_equal(got.contact_count, 1);
    assert_true(fabs(got.foot_slide_pinned_mm - 39.0) < 1e-6);
    assert_true(fabs(got.penetration_mm - 4.0) < 1e-6);
    assert_true(got.float_mm == 0.0); // below, not above
    // detected: the same slide over the whole stance of 0.6 s, a bit more or less at the ends
    assert_true(got.detected_count >= 8);
    assert_true(got.foot_slide_mm > 50.0 && got.foot_slide_mm < 72.0);
    assert_true(got.foot_slide_worst_mm >= got.foot_slide_mm);
    // of each contact, refused ones too; a hand's is not known, nor is one after the end
    c = (ug_contact){ .point = UG_POINT_RIGHT_HAND, .start_s = 0.1, .end_s = 0.5 };
    assert_int_equal(ug_contacts_add(&given, &c, NULL), UG_OK);
    c = (ug_contact){ .point = UG_POINT_LEFT_HEEL, .start_s = 50.0, .end_s = 51.0 };
    assert_int_equal(ug_contacts_add(&given, &c, NULL), UG_OK);
    float slides[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
    assert_int_equal(ug_contact_slides_measure(slides, 2, s.skeleton, s.clip, s.feet, &given, NULL),
                     UG_OK);
    assert_true(fabsf(slides[0] - 39.0f) < 1e-3f);
    assert_true(slides[2] > slides[0]);
    assert_true(isnan(slides[4]) && isnan(slides[6]));
    assert_true(slides[1] == -1.0f && slides[7] == -1.0f); // the stride is left alone
    ug_contacts_fini(&given);
    close_scene(&s);
}

static void test_float_of_a_raised_walk(void **state)
{
    (void)state;
    const test_walk w = { 100, 100, 0.0, 0.08, 0, -0.003 };
    scene s;
    ug_foot_metrics got;
    open_scene(&s, &w);
    ug_contacts given = { 0 };
    const ug_contact c = {
        UG_POINT_LEFT_HEEL, UG_CONTACT_PLANTED, 0.0, 0.5, { 0, 0, 0 }, true, ""
    };
    assert_int_equal(ug_contacts_add(&given, &c, NULL), UG_OK);
    assert_int_equal(ug_foot_metrics_measure(&got, s.skeleton, s.clip, s.feet, &given, 0.84, NULL),
                     UG_OK);
    assert_true(fabs(got.float_mm - 3.0) < 1e-6);
    assert_true(got.penetration_mm == 0.0);
    assert_true(got.foot_slide_pinned_mm < 1e-6);
    ug_contacts_fini(&given);
    close_scene(&s);
}

static void test_nothing_to_measure_is_nan(void **state)
{
    (void)state;
    const test_walk w = { 0, 100, 0, 0.08, 0, 0 };
    scene s;
    ug_foot_metrics got;
    ug_knee_metrics knee = { 7, 7 };
    double change = 7.0;
    open_scene(&s, &w);
    assert_int_equal(ug_foot_metrics_measure(&got, s.skeleton, s.clip, s.feet, NULL, 0.84, NULL),
                     UG_OK);
    assert_true(isnan(got.foot_slide_mm) && isnan(got.foot_slide_pinned_mm) && isnan(got.float_mm));
    assert_true(got.penetration_mm == 0.0 && got.detected_count == 0 && got.contact_count == 0);
    assert_int_equal(ug_knee_metrics_measure(&knee, s.skeleton, &s.body, s.clip, 0, NULL), UG_OK);
    assert_true(knee.angle_rad_s2 == 0.0 && knee.position_m_s2 == 0.0);
    size_t first = 7;
    assert_int_equal(ug_pose_apart_count(&first, s.skeleton, s.clip, NULL), UG_OK);
    assert_int_equal(first, 0);
    assert_int_equal(ug_pose_change_mm(&change, s.skeleton, s.clip, s.clip, NULL), UG_OK);
    assert_true(change == 0.0);
    close_scene(&s);
}

static void test_knee_accelerations_of_a_known_bend(void **state)
{
    (void)state;
    // the left knee bends as a t^2 / 2 with a = 4 rad/s^2 while everything else stands
    const test_walk w = { 60, 100, 0.0, 0.08, 0, 0 };
    scene s;
    open_scene(&s, &w);
    const int shin = s.body.joint[UG_ROLE_L_SHIN];
    ug_quat q[32];
    ug_vec3 m[32];
    for (size_t f = 0; f < 60; f++) {
        const double t = (double)f / 100.0;
        for (size_t j = 0; j < s.skeleton->joint_count; j++) {
            ug_clip_rotations(s.clip, f)[j] = s.skeleton->joints[j].rest;
        }
        ug_clip_translations(s.clip, f)[0] = (ug_vec3){ 0, 1 + 3.0 * t * t, 0 }; // 6 m/s^2 up
        ug_clip_forward(q, m, s.skeleton, s.clip, f);
        const ug_quat turn = ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, 0.5 + 2.0 * t * t);
        ug_quat *local = &ug_clip_rotations(s.clip, f)[shin];
        const ug_quat world = ug_quat_mul(turn, q[shin]);
        *local = ug_quat_mul(ug_quat_conj(q[s.skeleton->joints[shin].parent]), world);
    }
    ug_knee_metrics got;
    assert_int_equal(ug_knee_metrics_measure(&got, s.skeleton, &s.body, s.clip, 0, NULL), UG_OK);
    assert_true(fabs(got.angle_rad_s2 - 4.0) < 1e-6);
    assert_true(fabs(got.position_m_s2 - 6.0) < 1e-6);
    // a T-pose in front, a metre away: it is told apart, and without it nothing has changed
    size_t first = 7;
    assert_int_equal(ug_pose_apart_count(&first, s.skeleton, s.clip, NULL), UG_OK);
    assert_int_equal(first, 0);
    ug_clip_rotations(s.clip, 0)[shin] = s.skeleton->joints[shin].rest;
    ug_clip_translations(s.clip, 0)[0].z -= 1.0;
    assert_int_equal(ug_knee_metrics_measure(&got, s.skeleton, &s.body, s.clip, 0, NULL), UG_OK);
    assert_true(got.angle_rad_s2 > 1000.0 && got.position_m_s2 > 1000.0);
    assert_int_equal(ug_pose_apart_count(&first, s.skeleton, s.clip, NULL), UG_OK);
    assert_int_equal(first, 1);
    assert_int_equal(ug_knee_metrics_measure(&got, s.skeleton, &s.body, s.clip, first, NULL),
                     UG_OK);
    assert_true(fabs(got.angle_rad_s2 - 4.0) < 1e-6);
    assert_true(fabs(got.position_m_s2 - 6.0) < 1e-6);
    // a jump as far elsewhere: nothing is apart from the rest
    ug_clip_translations(s.clip, 30)[0].z += 0.5;
    assert_int_equal(ug_pose_apart_count(&first, s.skeleton, s.clip, NULL), UG_OK);
    assert_int_equal(first, 0);
    close_scene(&s);
}

static void test_pose_change_is_the_mean_distance(void **state)
{
    (void)state;
    const test_walk w = { 20, 100, 0.5, 0.08, 0, 0 }, lower = { 20, 100, 0.5, 0.08, 0, 0.013 };
    scene a, b;
    double change = -1.0;
    open_scene(&a, &w);
    open_scene(&b, &lower);
    assert_int_equal(ug_pose_change_mm(&change, a.skeleton, a.clip, b.clip, NULL), UG_OK);
    assert_true(fabs(change - 13.0) < 1e-9);
    close_scene(&a);
    close_scene(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slide_depth_and_float),
        cmocka_unit_test(test_float_of_a_raised_walk),
        cmocka_unit_test(test_nothing_to_measure_is_nan),
        cmocka_unit_test(test_knee_accelerations_of_a_known_bend),
        cmocka_unit_test(test_pose_change_is_the_mean_distance),
    };
    return cmocka_run_group_tests_name("solvers/motion_metrics", tests, NULL, NULL);
}
