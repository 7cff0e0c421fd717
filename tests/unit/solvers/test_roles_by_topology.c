// SPDX-License-Identifier: MIT
// Unit tests for solvers/roles_by_topology.c.
#include "solvers/roles_by_topology.h"

#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_roles(const ug_skeleton *s, const ug_clip *clip, bool mirrored)
{
    ug_role *got = malloc(s->joint_count * sizeof *got);
    ug_topology_report report;
    memset(got, 0xa5, s->joint_count * sizeof *got);
    assert_int_equal(ug_roles_by_topology(got, &report, s, clip, NULL), UG_OK);
    assert_true(report.legs_found && report.arms_found && report.legs_sided && report.arms_sided);
    for (size_t j = 0; j < s->joint_count; j++) {
        const ug_role wanted = s->joints[j].role;
        const ug_role role = mirrored ? ug_role_mirror(wanted) : wanted;
        if (got[j] != role) {
            fail_msg("'%s' is %s, not %s", s->joints[j].name, ug_role_name(got[j]),
                     ug_role_name(role));
        }
    }
    free(got);
}

static void test_characters_without_names(void **state)
{
    (void)state;
    static const double LEGS[] = { 0.5, 1.0, 1.5 };
    for (int i = 0; i < 3; i++) {
        for (int spine = 1; spine <= 5; spine += 2) {
            const test_character c = {
                LEGS[i], 1.0, spine, 0.7, (uint32_t)(i + spine), true, "", ""
            };
            ug_skeleton *s = test_character_create(&c);
            expect_roles(s, NULL, false);
            ug_skeleton_destroy(s);
        }
    }
}

static void test_sides_follow_the_feet_of_the_motion(void **state)
{
    (void)state;
    const test_character c = { 1.0, 1.0, 2, 0.0, 5, true, "l", "r" };
    const test_walk w = { 60, 30, 0.9, 0.06, 0, 0 };
    ug_skeleton *s = test_character_create(&c);
    ug_clip *clip = test_walk_create(s, &w);
    expect_roles(s, clip, false);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

static void test_stubs_and_fingers_are_no_limbs(void **state)
{
    (void)state;
    // a short stub above each thigh: the thigh stays the first long bone
    const test_character c = { 1.0, 1.0, 2, 0.7, 0, true, "l", "r" };
    ug_skeleton *s = test_character_create(&c);
    const int thigh = ug_skeleton_find_role(s, UG_ROLE_L_THIGH);
    assert_true(thigh > 0);
    s->joints[thigh].role = UG_ROLE_NONE; // becomes the stub
    s->joints[thigh + 1].role = UG_ROLE_L_THIGH;
    s->joints[thigh + 2].role = UG_ROLE_L_SHIN;
    s->joints[thigh + 3].role = UG_ROLE_L_FOOT;
    s->joints[thigh + 4].role = UG_ROLE_L_TOE;
    s->joints[thigh + 4].flags = 0;
    const int other = ug_skeleton_find_role(s, UG_ROLE_R_THIGH);
    for (int k = 0; k < 5; k++) {
        s->joints[other + k].role = ug_role_mirror(s->joints[thigh + k].role);
        s->joints[other + k].flags = 0;
        const double y[] = { 0.92, 0.85, 0.45, 0.08, 0.02 }, z[] = { 0, 0, 0, 0, 0.13 };
        const double up = k == 0 ? s->joints[0].offset_m.y : y[k - 1];
        for (int side = 0; side < 2; side++) {
            s->joints[(side ? other : thigh) + k].offset_m =
                (ug_vec3){ k == 0 ? (side ? -0.09 : 0.09) : 0, y[k] - up, k == 4 ? z[k] : 0 };
        }
    }
    expect_roles(s, NULL, false);
    ug_skeleton_destroy(s);
}

static void test_what_is_no_body(void **state)
{
    (void)state;
    for (size_t count = 0; count < 6; count++) { // a chain
        ug_skeleton *s = ug_skeleton_create(count);
        ug_role got[6];
        ug_topology_report report;
        memset(&report, 0xff, sizeof report);
        for (size_t j = 0; j < count; j++) {
            got[j] = UG_ROLE_HEAD;
            s->joints[j].offset_m = (ug_vec3){ 0, 1, 0 };
        }
        assert_int_equal(ug_roles_by_topology(got, &report, s, NULL, NULL), UG_OK);
        assert_false(report.legs_found || report.arms_found);
        for (size_t j = 0; j < count; j++) {
            assert_int_equal(got[j], UG_ROLE_NONE);
        }
        ug_skeleton_destroy(s);
    }
}

static void test_no_heading_is_said(void **state)
{
    (void)state;
    const test_character c = { 1.0, 1.0, 2, 0.0, 0, true, "l", "r" };
    ug_skeleton *s = test_character_create(&c);
    for (size_t j = 0; j < s->joint_count; j++) { // feet straight below their ankles
        if (s->joints[j].role == UG_ROLE_L_TOE || s->joints[j].role == UG_ROLE_R_TOE) {
            s->joints[j].offset_m.z = 0.0;
        }
    }
    ug_role got[64];
    ug_topology_report report;
    assert_int_equal(ug_roles_by_topology(got, &report, s, NULL, NULL), UG_OK);
    assert_true(report.legs_found);
    assert_false(report.legs_sided);
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters_without_names),
        cmocka_unit_test(test_sides_follow_the_feet_of_the_motion),
        cmocka_unit_test(test_stubs_and_fingers_are_no_limbs),
        cmocka_unit_test(test_what_is_no_body),
        cmocka_unit_test(test_no_heading_is_said),
    };
    return cmocka_run_group_tests_name("solvers/roles_by_topology", tests, NULL, NULL);
}
