// SPDX-License-Identifier: MIT
// Unit tests for solvers/body_map.c.
#include "solvers/body_map.h"

#include "tests/support/character.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    const test_character c = { 1.0, 1.0, 3, 0.5, 9, true, "left_", "right_" };
    *state = test_character_create(&c);
    return *state == NULL;
}

static int teardown(void **state)
{
    ug_skeleton_destroy(*state);
    return 0;
}

static void test_gathers_the_body(void **state)
{
    const ug_skeleton *s = *state;
    ug_body_map body;
    memset(&body, 0xa5, sizeof body);
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    assert_int_equal(body.spine_count, 3);
    assert_string_equal(s->joints[body.spine[2]].name, "Spine3");
    assert_int_equal(body.neck_count, 1);
    assert_string_equal(s->joints[body.joint[UG_ROLE_R_HAND]].name, "right_Wrist");
    assert_string_equal(s->joints[body.ball[0]].name, "left_Toes");
    assert_string_equal(s->joints[body.tip[1]].name, "right_Toes end");
    assert_int_equal(body.thumb[0], -1);
    const double leg = 2.0 * sqrt(0.42 * 0.42 + 0.005 * 0.005);
    assert_true(fabs(ug_body_leg_m(&body, s) - leg) < 1e-12);
}

static void expect(void **state, ug_status status, const char *message)
{
    ug_body_map body;
    ug_error err = { 0 };
    assert_int_equal(ug_body_map_init(&body, *state, &err), status);
    if (!strstr(err.message, message)) {
        fail_msg("'%s' does not say '%s'", err.message, message);
    }
}

static void test_missing_parts_are_named(void **state)
{
    ug_skeleton *s = *state;
    s->joints[ug_skeleton_find_role(s, UG_ROLE_L_FOOT)].role = UG_ROLE_NONE;
    expect(state, UG_E_NOT_ENOUGH, "no left foot found among: Hips, Spine1, Spine2, Spine3, Neck,");
    s->joints[0].role = UG_ROLE_NONE;
    expect(state, UG_E_NOT_ENOUGH, "no pelvis found among: Hips,");
    s->joint_count = 0;
    expect(state, UG_E_NOT_ENOUGH, "no pelvis found among: ");
    s->joint_count = 26;
}

static void test_contradictions_are_named(void **state)
{
    ug_skeleton *s = *state;
    const int thigh = ug_skeleton_find_role(s, UG_ROLE_L_THIGH);
    s->joints[thigh].role = UG_ROLE_L_SHIN;
    expect(state, UG_E_DATA, "joints 'left_Thigh' and 'left_Calf' both have the role left_shin");
    s->joints[thigh + 1].role = UG_ROLE_L_THIGH;
    expect(state, UG_E_DATA,
           "joint 'left_Thigh' (left_shin) does not hang below 'left_Calf': check the roles");
    s->joints[ug_skeleton_find_role(s, UG_ROLE_R_TOE)].role = UG_ROLE_SPINE;
    expect(state, UG_E_DATA, "joint 'right_Toes' (spine) does not hang below 'Spine3'");
}

static void test_body_without_arms_or_toes_is_fine(void **state)
{
    ug_skeleton *s = *state;
    for (size_t j = 0; j < s->joint_count; j++) {
        const ug_role r = s->joints[j].role;
        if ((r >= UG_ROLE_L_CLAVICLE && r <= UG_ROLE_L_HAND) || r == UG_ROLE_L_TOE ||
            r == UG_ROLE_HEAD) {
            s->joints[j].role = UG_ROLE_NONE;
        }
    }
    ug_body_map body;
    assert_int_equal(ug_body_map_init(&body, s, NULL), UG_OK);
    assert_int_equal(body.joint[UG_ROLE_L_HAND], -1);
    assert_string_equal(s->joints[body.ball[0]].name, "left_Toes"); // the foot's farthest child
    assert_int_equal(body.tip[0], -1);
}

static void test_many_names_are_cut(void **state)
{
    (void)state;
    ug_skeleton *s = ug_skeleton_create(200);
    for (size_t j = 0; j < 200; j++) {
        s->joints[j].name = ug_text_format("a joint with a long name %zu", j);
    }
    ug_body_map body;
    ug_error err = { 0 };
    assert_int_equal(ug_body_map_init(&body, s, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "more)"));
    for (size_t j = 0; j < 40; j++) {
        s->joints[j].role = UG_ROLE_SPINE;
    }
    err = (ug_error){ 0 };
    assert_int_equal(ug_body_map_init(&body, s, &err), UG_E_DATA);
    assert_non_null(strstr(err.message, "more than 32 spine joints"));
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gathers_the_body, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing_parts_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_contradictions_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_body_without_arms_or_toes_is_fine, setup, teardown),
        cmocka_unit_test(test_many_names_are_cut),
    };
    return cmocka_run_group_tests_name("solvers/body_map", tests, NULL, NULL);
}
