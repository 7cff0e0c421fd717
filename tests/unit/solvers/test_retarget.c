// SPDX-License-Identifier: MIT
// Unit tests for solvers/retarget.c.
#include "solvers/retarget.h"

#include "motion/conventions.h"
#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const test_character MAN = { 1.0, 1.0, 3, 0.4, 17, true, "l", "r" };
static const test_walk WALK = { 90, 60, 0.9, 0.07, 0, 0 };

static double largest_distance(const ug_skeleton *s, const ug_clip *a, const ug_clip *b)
{
    ug_quat q[64];
    ug_vec3 m[64], n[64];
    double worst = 0.0;
    for (size_t f = 0; f < a->frame_count; f++) {
        ug_clip_forward(q, m, s, a, f);
        ug_clip_forward(q, n, s, b, f);
        for (size_t j = 0; j < s->joint_count; j++) {
            worst = fmax(worst, ug_vec3_distance(m[j], n[j]));
        }
    }
    return worst;
}

static void test_same_skeleton_is_the_identity(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN);
    ug_clip *clip = test_walk_create(s, &WALK), *out = NULL;
    clip->first_frame = 12;
    // something moves everywhere, in joints without a role too
    uint32_t random = 3;
    for (size_t i = 0; i < clip->frame_count * clip->joint_count; i++) {
        const ug_vec3 turn = { test_uniform(&random), test_uniform(&random),
                               test_uniform(&random) };
        clip->rotations[i] = ug_quat_mul(clip->rotations[i], ug_quat_exp(ug_vec3_scale(turn, 0.2)));
    }
    ug_retarget_report report;
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_retarget(&out, &report, s, clip, s, NULL, &warnings, NULL), UG_OK);
    assert_true(report.same_rig);
    assert_true(fabs(report.ratio - 1.0) < 1e-12);
    assert_true(largest_distance(s, clip, out) < 1e-9);
    for (size_t i = 0; i < clip->frame_count * clip->joint_count; i++) {
        assert_true(ug_quat_angle(clip->rotations[i], out->rotations[i]) < 1e-6);
    }
    assert_true(ug_rate_equal(out->rate, clip->rate));
    assert_int_equal(out->first_frame, 12);
    assert_int_equal(warnings.count, 0);
    ug_retarget_report_fini(&report);
    ug_clip_destroy(out);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

static ug_vec3 direction(const ug_skeleton *s, const ug_vec3 *m, ug_role from)
{
    const ug_vec3 a = m[ug_skeleton_find_role(s, from)];
    const ug_vec3 b = m[ug_skeleton_find_role(s, (ug_role)(from + 1))];
    return ug_vec3_unit(ug_vec3_sub(b, a), (ug_vec3){ 0, 0, 0 });
}

static void test_limbs_point_alike_on_every_character(void **state)
{
    (void)state;
    static const test_character TARGETS[] = {
        { 0.5, 0.9, 5, 0.8, 41, true, "L ", "R " },
        { 1.0, 1.0, 2, 0.0, 42, true, "Left", "Right" },
        { 1.5, 1.2, 2, 0.8, 43, true, "links_", "rechts_" },
    };
    static const ug_role LIMBS[] = { UG_ROLE_L_THIGH, UG_ROLE_R_SHIN, UG_ROLE_L_UPPER_ARM,
                                     UG_ROLE_R_FOREARM, UG_ROLE_R_UPPER_ARM };
    ug_skeleton *s = test_character_create(&MAN);
    ug_clip *clip = test_walk_create(s, &WALK);
    for (int k = 0; k < 3; k++) {
        ug_skeleton *t = test_character_create(&TARGETS[k]);
        ug_clip *out = NULL;
        ug_retarget_report report;
        assert_int_equal(ug_retarget(&out, &report, s, clip, t, NULL, NULL, NULL), UG_OK);
        assert_false(report.same_rig);
        for (size_t f = 0; f < clip->frame_count; f += 7) {
            ug_quat q[64];
            ug_vec3 m[64], n[64];
            ug_clip_forward(q, m, s, clip, f);
            ug_clip_forward(q, n, t, out, f);
            for (size_t i = 0; i < sizeof LIMBS / sizeof *LIMBS; i++) {
                assert_true(ug_vec3_distance(direction(s, m, LIMBS[i]), direction(t, n, LIMBS[i])) <
                            1e-6);
            }
        }
        // the arm's rest pose differs by the angle that the two characters' arms hang apart
        const int arm = ug_skeleton_find_role(t, UG_ROLE_L_UPPER_ARM);
        const double apart = fabs(TARGETS[k].arm_down_rad - MAN.arm_down_rad) / UG_DEG;
        assert_true(fabs(report.joints[arm].direction_deg - apart) < 1e-6);
        assert_true(report.joints[arm].correction_deg >= report.joints[arm].direction_deg - 1e-6);
        ug_retarget_report_fini(&report);
        ug_clip_destroy(out);
        ug_skeleton_destroy(t);
    }
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

static void test_spine_shares_its_turn_along_its_length(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&(test_character){ 1, 1, 1, 0, 0, true, "l", "r" });
    ug_skeleton *t = test_character_create(&(test_character){ 1, 1, 5, 0, 9, true, "l", "r" });
    const test_walk still = { 5, 60, 0, 0.06, 0, 0 };
    ug_clip *clip = test_walk_create(s, &still), *out = NULL;
    for (size_t f = 0; f < 5; f++) { // bow by 50 degrees in the one spine joint
        ug_clip_rotations(clip, f)[1] = ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, 50 * UG_DEG);
    }
    ug_retarget_report report;
    assert_int_equal(ug_retarget(&out, &report, s, clip, t, NULL, NULL, NULL), UG_OK);
    ug_quat rest_q[64], q[64];
    ug_vec3 m[64];
    ug_rest_forward(rest_q, m, t);
    ug_clip_forward(q, m, t, out, 2);
    double before = 0.0;
    for (int k = 1; k <= 5; k++) {
        assert_int_equal(report.joints[k].how, UG_RETARGET_DISTRIBUTED);
        const double bow =
            ug_quat_angle(ug_quat_mul(q[k], ug_quat_conj(rest_q[k])), UG_QUAT_IDENTITY);
        assert_true(bow > before);
        before = bow;
    }
    assert_true(fabs(before - 50 * UG_DEG) < 1e-6); // last to last
    ug_retarget_report_fini(&report);
    ug_clip_destroy(out);
    // and back: the chest takes it all
    ug_clip *five = test_walk_create(t, &still);
    assert_int_equal(ug_retarget(&out, NULL, t, five, s, NULL, NULL, NULL), UG_OK);
    ug_clip_forward(q, m, s, out, 2);
    assert_true(ug_quat_angle(q[1], UG_QUAT_IDENTITY) < 1e-6);
    ug_clip_destroy(out);
    ug_clip_destroy(five);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

static void test_missing_roles_are_kept_dropped_and_said(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN), *t = test_character_create(&MAN);
    t->joints[2].name[0] = 'X'; // not the same rig
    s->joints[ug_skeleton_find_role(s, UG_ROLE_L_TOE)].role = UG_ROLE_NONE;
    t->joints[ug_skeleton_find_role(t, UG_ROLE_R_CLAVICLE)].role = UG_ROLE_NONE;
    ug_clip *clip = test_walk_create(s, &WALK), *out = NULL;
    ug_retarget_report report;
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_retarget(&out, &report, s, clip, t, NULL, &warnings, NULL), UG_OK);
    const int toe = ug_skeleton_find_role(t, UG_ROLE_L_TOE);
    assert_int_equal(report.joints[toe].how, UG_RETARGET_KEPT);
    assert_true(ug_quat_angle(ug_clip_rotations(out, 9)[toe], t->joints[toe].rest) < 1e-12);
    assert_true(report.dropped[UG_ROLE_R_CLAVICLE] >= 0);
    assert_int_equal(report.dropped[UG_ROLE_L_CLAVICLE], -1);
    assert_int_equal(ug_warnings_count(&warnings, "retarget_role_kept"), 1);
    assert_int_equal(ug_warnings_count(&warnings, "retarget_role_dropped"), 1);
    assert_int_equal(report.joints[0].how, UG_RETARGET_MAPPED);
    // End Sites have no role; the twin in the other rig is found by name
    const int end = ug_skeleton_find(t, "rWrist end");
    assert_int_equal(report.joints[end].how, UG_RETARGET_COPIED);
    ug_retarget_report_fini(&report);
    ug_clip_destroy(out);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

static void test_what_cannot_be_retargeted(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN), *t = test_character_create(&MAN);
    ug_clip *clip = test_walk_create(s, &WALK), *out = clip;
    ug_error err = { 0 };
    t->joints[ug_skeleton_find_role(t, UG_ROLE_L_FOOT)].role = UG_ROLE_NONE;
    ug_retarget_report report = { .ratio = 7.0 };
    assert_int_equal(ug_retarget(&out, &report, s, clip, t, NULL, NULL, &err), UG_E_NOT_ENOUGH);
    assert_null(out);
    assert_non_null(strstr(err.message, "target skeleton: no left foot found among: Hips,"));
    err = (ug_error){ 0 };
    s->joints[0].role = UG_ROLE_NONE;
    assert_int_equal(ug_retarget(&out, NULL, s, clip, t, NULL, NULL, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "source skeleton: no pelvis found among: Hips,"));
    s->joints[0].role = UG_ROLE_PELVIS;
    for (size_t j = 0; j < s->joint_count; j++) {
        s->joints[j].offset_m = (ug_vec3){ 0, 0, 0 };
    }
    err = (ug_error){ 0 };
    assert_int_equal(ug_retarget(&out, NULL, s, clip, t, NULL, NULL, &err), UG_E_DATA);
    assert_string_equal(err.message,
                        "source skeleton: thigh 'lThigh' and shin 'lCalf' have no length");
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

static void test_few_frames(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN);
    ug_skeleton *t = test_character_create(&(test_character){ 0.5, 1, 5, 0, 8, true, "a", "b" });
    for (size_t count = 0; count < 2; count++) {
        const test_walk w = { count, 60, 1, 0.07, 0, 0 };
        ug_clip *clip = test_walk_create(s, &w), *out = NULL;
        assert_int_equal(ug_retarget(&out, NULL, s, clip, t, NULL, NULL, NULL), UG_OK);
        assert_int_equal(out->frame_count, count);
        assert_int_equal(out->joint_count, t->joint_count);
        ug_clip_destroy(out);
        ug_clip_destroy(clip);
    }
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_skeleton_is_the_identity),
        cmocka_unit_test(test_limbs_point_alike_on_every_character),
        cmocka_unit_test(test_spine_shares_its_turn_along_its_length),
        cmocka_unit_test(test_missing_roles_are_kept_dropped_and_said),
        cmocka_unit_test(test_what_cannot_be_retargeted),
        cmocka_unit_test(test_few_frames),
    };
    return cmocka_run_group_tests_name("solvers/retarget", tests, NULL, NULL);
}
