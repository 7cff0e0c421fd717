// SPDX-License-Identifier: MIT
// Unit tests for solvers/retarget_motion.c.
#include "solvers/retarget_motion.h"

#include "motion/conventions.h"
#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const test_character MAN = { 1.0, 1.0, 3, 0.4, 17, true, "l", "r" };
static const test_character TROLL = { 0.5, 0.9, 5, 0.8, 18, true, "L_", "R_" };

static void test_walk_ends_planted_on_another_body(void **state)
{
    (void)state;
    const test_walk w = { 290, 100, 0.8, 0.08, 0.03, -0.2 }; // skates, 20 cm over height 0
    ug_skeleton *s = test_character_create(&MAN), *t = test_character_create(&TROLL);
    ug_clip *clip = test_walk_create(s, &w), *kept = ug_clip_copy(clip), *out = NULL;
    ug_contacts contacts = { 0 };
    ug_retarget_motion_report r;
    ug_warnings warnings = { 0 };
    memset(&r, 0xa5, sizeof r);
    assert_int_equal(ug_retarget_motion(&out, &contacts, &r, s, clip, t, NULL, &warnings, NULL),
                     UG_OK);
    assert_memory_equal(clip->rotations, kept->rotations,
                        290 * clip->joint_count * sizeof(ug_quat)); // the source is only read
    assert_true(r.floor.found && fabs(r.floor.height_m - 0.2) < 2e-3);
    assert_true(fabs(r.transfer.ratio - 0.5) < 0.01);
    assert_true(contacts.count >= 12);
    assert_int_equal(r.after.contact_count, contacts.count);
    assert_true(r.before.foot_slide_pinned_mm > 5.0);
    assert_true(r.after.foot_slide_pinned_mm < 1e-6);
    assert_true(r.after.penetration_mm < 2.0); // the soft floor of such legs: 1 mm
    assert_true(r.after.float_mm < 1e-6);
    assert_true(r.knee_accel_ratio > 0.0 && r.knee_accel_ratio < 2.5);
    assert_true(r.contact_share > 0.55 && r.contact_share < 0.70);
    assert_true(r.pose_change_mm > 0.0);
    assert_int_equal(warnings.count, 0);
    ug_retarget_motion_report_fini(&r);
    ug_retarget_motion_report_fini(NULL);
    ug_contacts_fini(&contacts);
    ug_clip_destroy(out);
    ug_clip_destroy(kept);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

static void test_identity_with_constraints_off(void **state)
{
    (void)state;
    const test_walk w = { 100, 100, 0.8, 0.08, 0.05, 0.03 };
    ug_skeleton *s = test_character_create(&MAN);
    ug_clip *clip = test_walk_create(s, &w), *out = NULL;
    ug_contacts contacts = { 0 };
    const ug_retarget_motion_opts opts = { .keep_floor = true, .keep_feet = true };
    double change_mm = 1.0;
    assert_int_equal(ug_retarget_motion(&out, &contacts, NULL, s, clip, s, &opts, NULL, NULL),
                     UG_OK);
    assert_int_equal(ug_pose_change_mm(&change_mm, s, clip, out, NULL), UG_OK);
    assert_true(change_mm < 1e-6);
    ug_contacts_fini(&contacts);
    ug_clip_destroy(out);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

static void test_given_contacts_are_used(void **state)
{
    (void)state;
    const test_walk w = { 200, 100, 0.8, 0.08, 0.05, 0 };
    ug_skeleton *s = test_character_create(&MAN), *t = test_character_create(&TROLL);
    ug_clip *clip = test_walk_create(s, &w), *out = NULL;
    ug_contacts given = { 0 }, contacts = { 0 };
    const ug_contact one = {
        UG_POINT_LEFT_TOE, UG_CONTACT_PLANTED, 0.1, 0.4, { 0, 0, 0 }, true, ""
    };
    assert_int_equal(ug_contacts_add(&given, &one, NULL), UG_OK);
    const ug_retarget_motion_opts opts = { .keep_floor = true, .contacts = &given };
    ug_retarget_motion_report r;
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_retarget_motion(&out, &contacts, &r, s, clip, t, &opts, &warnings, NULL),
                     UG_OK);
    assert_int_equal(contacts.count, 1);
    assert_true(contacts.items[0].accepted);
    assert_true(fabs(contacts.items[0].target_m.y - 0.018) < 1e-9); // the troll's ball
    assert_true(r.after.foot_slide_pinned_mm < 1e-6);
    assert_true(r.contact_slide_mm[0] > 1.0f); // one contact: before, after
    assert_true(r.contact_slide_mm[1] < 1e-6f);
    assert_int_equal(ug_warnings_count(&warnings, "few_contacts"), 1);
    assert_false(r.floor.found);
    ug_retarget_motion_report_fini(&r);
    ug_contacts_fini(&given);
    ug_contacts_fini(&contacts);
    ug_clip_destroy(out);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

static void test_wandering_contacts_are_refused_on_the_source(void **state)
{
    (void)state;
    // 0.25 m/s is slow enough to be labelled and wanders 15 cm in a stance
    const test_walk w = { 290, 100, 0.8, 0.08, 0.25, 0 };
    ug_skeleton *s = test_character_create(&MAN), *t = test_character_create(&TROLL);
    ug_clip *clip = test_walk_create(s, &w), *out = NULL;
    ug_contacts contacts = { 0 };
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_retarget_motion(&out, &contacts, NULL, s, clip, t, NULL, &warnings, NULL),
                     UG_OK);
    assert_true(contacts.count > 4);
    size_t refused = 0;
    for (size_t i = 0; i < contacts.count; i++) {
        refused += !contacts.items[i].accepted;
        assert_true(contacts.items[i].accepted ||
                    strstr(contacts.items[i].reason, "in the source, limit 59 mm"));
    }
    assert_true(refused > 4);
    assert_int_equal(ug_warnings_count(&warnings, "contact_refused"), refused);
    ug_contacts_fini(&contacts);
    ug_clip_destroy(out);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

static void test_failures_leave_nothing_behind(void **state)
{
    (void)state;
    const test_walk w = { 50, 100, 0.8, 0.08, 0, 0 };
    ug_skeleton *s = test_character_create(&MAN), *t = test_character_create(&TROLL);
    ug_clip *clip = test_walk_create(s, &w), *out = clip;
    ug_contacts contacts = { 0 };
    ug_error err = { 0 };
    t->joints[ug_skeleton_find_role(t, UG_ROLE_R_SHIN)].role = UG_ROLE_NONE;
    assert_int_equal(ug_retarget_motion(&out, &contacts, NULL, s, clip, t, NULL, NULL, &err),
                     UG_E_NOT_ENOUGH);
    assert_null(out);
    assert_int_equal(contacts.count, 0);
    assert_non_null(strstr(err.message, "target skeleton: no right shin found among: Hips,"));
    err = (ug_error){ 0 };
    s->joints[0].role = UG_ROLE_NONE;
    assert_int_equal(ug_retarget_motion(&out, &contacts, NULL, s, clip, t, NULL, NULL, &err),
                     UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "source skeleton: no pelvis found"));
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

static void test_few_frames(void **state)
{
    (void)state;
    ug_skeleton *s = test_character_create(&MAN), *t = test_character_create(&TROLL);
    for (size_t count = 0; count < 3; count++) {
        const test_walk w = { count, 100, 0.8, 0.08, 0, 0 };
        ug_clip *clip = test_walk_create(s, &w), *out = NULL;
        ug_contacts contacts = { 0 };
        ug_warnings warnings = { 0 };
        assert_int_equal(
            ug_retarget_motion(&out, &contacts, NULL, s, clip, t, NULL, &warnings, NULL), UG_OK);
        assert_int_equal(out->frame_count, count);
        assert_int_equal(ug_warnings_count(&warnings, "floor_not_found"), 1);
        ug_contacts_fini(&contacts);
        ug_clip_destroy(out);
        ug_clip_destroy(clip);
    }
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk_ends_planted_on_another_body),
        cmocka_unit_test(test_identity_with_constraints_off),
        cmocka_unit_test(test_given_contacts_are_used),
        cmocka_unit_test(test_wandering_contacts_are_refused_on_the_source),
        cmocka_unit_test(test_failures_leave_nothing_behind),
        cmocka_unit_test(test_few_frames),
    };
    return cmocka_run_group_tests_name("solvers/retarget_motion", tests, NULL, NULL);
}
