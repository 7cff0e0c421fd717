// SPDX-License-Identifier: MIT
// Unit tests for solvers/roles_by_name.c. The shipped dictionary has tests of its own.
#include "solvers/roles_by_name.h"

#include "motion/text.h"
#include "tests/support/character.h"
#include "tests/support/role_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    static ug_role_dictionary d;
    d = test_role_words();
    *state = &d;
    return 0;
}

static int teardown(void **state)
{
    ug_role_dictionary_fini(*state);
    return 0;
}

static void expect_word(void **state, const char *name, const char *rest, ug_side side)
{
    ug_role_word word;
    memset(&word, 0xa5, sizeof word);
    assert_int_equal(ug_role_word_split(&word, name, *state, NULL), UG_OK);
    assert_string_equal(word.rest, rest);
    assert_int_equal(word.side, side);
}

static void test_names_come_apart(void **state)
{
    expect_word(state, "LeftArm", "arm", UG_SIDE_LEFT);
    expect_word(state, "a:b|Right Fore-Arm", "forearm", UG_SIDE_RIGHT);
    expect_word(state, "Arm_R", "arm", UG_SIDE_RIGHT);
    expect_word(state, "r.Arm.001", "arm001", UG_SIDE_RIGHT);
    expect_word(state, "rig12_L_Foot", "foot", UG_SIDE_LEFT);
    expect_word(state, "rigHips", "hips", UG_SIDE_NONE);
    expect_word(state, "rigid", "rigid", UG_SIDE_NONE); // no separator, no capital: no prefix
    expect_word(state, "ElbowLeft", "elbow", UG_SIDE_LEFT);
    expect_word(state, "larm", "arm", UG_SIDE_LEFT);
    expect_word(state, "lug", "lug", UG_SIDE_NONE); // glued only before a limb word
    expect_word(state, "ThighR", "thigh", UG_SIDE_RIGHT);
    expect_word(state, "hand_jnt", "hand", UG_SIDE_NONE);
    expect_word(state, "Jack_L_Thigh", "thigh", UG_SIDE_LEFT); // somebody's own prefix
    expect_word(state, "左足", "", UG_SIDE_NONE);
    expect_word(state, "", "", UG_SIDE_NONE);
    expect_word(state, "L", "l", UG_SIDE_NONE);
    char longer[400];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    expect_word(state, longer, "", UG_SIDE_NONE);
}

typedef struct row {
    const char *name;
    int parent;
    ug_role role;
} row;

static void expect_rows(void **state, const row *rows, size_t count)
{
    ug_skeleton *s = ug_skeleton_create(count);
    ug_role *got = malloc(count * sizeof *got);
    memset(got, 0xa5, count * sizeof *got);
    for (size_t j = 0; j < count; j++) {
        s->joints[j].name = ug_text_copy(rows[j].name);
        s->joints[j].parent = rows[j].parent;
    }
    assert_int_equal(ug_roles_by_name(got, s, *state, NULL), UG_OK);
    for (size_t j = 0; j < count; j++) {
        if (got[j] != rows[j].role) {
            fail_msg("'%s' is %s", rows[j].name, ug_role_name(got[j]));
        }
    }
    free(got);
    ug_skeleton_destroy(s);
}

static void test_limbs_are_read_as_a_whole(void **state)
{
    // a shoulder before an arm is a clavicle, a leg below an upleg is a shin, a foot below an
    // ankle is a toe
    const row four[] = {
        { "Hips", -1, UG_ROLE_PELVIS },        { "LeftShoulder", 0, UG_ROLE_L_CLAVICLE },
        { "LeftArm", 1, UG_ROLE_L_UPPER_ARM }, { "LeftForeArm", 2, UG_ROLE_L_FOREARM },
        { "LeftHand", 3, UG_ROLE_L_HAND },     { "LeftHandThumb", 4, UG_ROLE_NONE },
        { "LeftUpLeg", 0, UG_ROLE_L_THIGH },   { "LeftLeg", 6, UG_ROLE_L_SHIN },
        { "LeftAnkle", 7, UG_ROLE_L_FOOT },    { "LeftFoot", 8, UG_ROLE_L_TOE },
    };
    expect_rows(state, four, sizeof four / sizeof *four);
    // alone, a shoulder is the upper arm, and the wrist stands before the hand
    const row three[] = {
        { "LeftShoulder", -1, UG_ROLE_L_UPPER_ARM }, { "LeftElbow", 0, UG_ROLE_L_FOREARM },
        { "LeftWrist", 1, UG_ROLE_L_HAND },          { "LeftHand", 2, UG_ROLE_NONE },
        { "RightLeg", -1, UG_ROLE_R_THIGH },         { "RightCalf", 4, UG_ROLE_R_SHIN },
        { "RightFoot", 5, UG_ROLE_R_FOOT },
    };
    expect_rows(state, three, sizeof three / sizeof *three);
}

static void test_pelvis_stands_above_both_thighs(void **state)
{
    const row named[] = {
        // "root" is a pelvis too, but a worse one
        { "Root", -1, UG_ROLE_NONE },        { "Hips", 0, UG_ROLE_PELVIS },
        { "LeftUpLeg", 1, UG_ROLE_L_THIGH }, { "RightUpLeg", 1, UG_ROLE_R_THIGH },
        { "Hip", 3, UG_ROLE_NONE },
    };
    expect_rows(state, named, 5);
    const row unnamed[] = {
        { "thing", -1, UG_ROLE_NONE },
        { "other", 0, UG_ROLE_PELVIS },
        { "LeftUpLeg", 1, UG_ROLE_L_THIGH },
        { "RightUpLeg", 1, UG_ROLE_R_THIGH },
    };
    expect_rows(state, unnamed, 4);
}

static void test_trunk_lies_between_pelvis_and_head(void **state)
{
    const row rows[] = {
        { "Hips", -1, UG_ROLE_PELVIS },  { "Spine", 0, UG_ROLE_SPINE },
        { "Spine1", 1, UG_ROLE_SPINE },  { "Neck", 2, UG_ROLE_NECK },
        { "Head", 3, UG_ROLE_HEAD },     { "Spine2", 0, UG_ROLE_NONE },
        { "LeftHead", 3, UG_ROLE_NONE },
    };
    expect_rows(state, rows, 7);
    const row headless[] = { { "Hips", -1, UG_ROLE_PELVIS },
                             { "Spine", 0, UG_ROLE_SPINE },
                             { "Neck", 1, UG_ROLE_NECK } };
    expect_rows(state, headless, 3);
}

static void test_made_up_characters(void **state)
{
    test_character c = { .leg = 0.5, .foot = 1.0, .spine_count = 5, .roles = true };
    c.left = "Left ", c.right = "R_";
    ug_skeleton *s = test_character_create(&c);
    ug_role got[64];
    assert_int_equal(ug_roles_by_name(got, s, *state, NULL), UG_OK);
    for (size_t j = 0; j < s->joint_count; j++) {
        assert_int_equal(got[j], s->joints[j].role);
    }
    ug_skeleton_destroy(s);
}

static void test_malformed_pattern_is_named(void **state)
{
    (void)state;
    ug_role_dictionary d = test_role_words();
    ug_skeleton *s = ug_skeleton_create(1);
    ug_role role;
    ug_error err = { 0 };
    assert_int_equal(ug_pattern_list_add(&d.parts[UG_BODY_SHIN], "calf(", NULL), UG_OK);
    assert_int_equal(ug_roles_by_name(&role, s, &d, &err), UG_E_DATA);
    assert_non_null(strstr(err.message, "role dictionary, shin: pattern 'calf('"));
    ug_role_dictionary_fini(&d);
    d = test_role_words();
    char longer[400];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(ug_pattern_list_add(&d.ignore, longer, NULL), UG_OK);
    err = (ug_error){ 0 };
    assert_int_equal(ug_roles_by_name(&role, s, &d, &err), UG_E_DATA);
    assert_string_equal(err.message, "role dictionary, ignore: pattern 2 is too long");
    ug_role_dictionary_fini(&d);
    ug_skeleton_destroy(s);
}

static void test_no_joints(void **state)
{
    ug_skeleton *s = ug_skeleton_create(0);
    ug_role none;
    assert_int_equal(ug_roles_by_name(&none, s, *state, NULL), UG_OK);
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_come_apart),
        cmocka_unit_test(test_limbs_are_read_as_a_whole),
        cmocka_unit_test(test_pelvis_stands_above_both_thighs),
        cmocka_unit_test(test_trunk_lies_between_pelvis_and_head),
        cmocka_unit_test(test_made_up_characters),
        cmocka_unit_test(test_malformed_pattern_is_named),
        cmocka_unit_test(test_no_joints),
    };
    return cmocka_run_group_tests_name("solvers/roles_by_name", tests, setup, teardown);
}
