// SPDX-License-Identifier: MIT
#include "motion/skeleton.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// hip -> knee -> foot, and head beside the knee
static ug_skeleton *body(void)
{
    static const char *const NAMES[] = { "hip", "knee", "foot", "head" };
    static const int PARENTS[] = { -1, 0, 1, 0 };
    ug_skeleton *s = ug_skeleton_create(4);
    for (int j = 0; j < 4; j++) {
        s->joints[j].name = strdup(NAMES[j]);
        s->joints[j].parent = PARENTS[j];
    }
    s->joints[0].offset_m = (ug_vec3){ 5, 5, 5 };
    s->joints[1].offset_m = (ug_vec3){ 0, -0.5, 0 };
    s->joints[2].offset_m = (ug_vec3){ 0, -0.5, 0 };
    s->joints[3].offset_m = (ug_vec3){ 0, 0.75, 0 };
    s->joints[3].role = UG_ROLE_HEAD;
    return s;
}

static void test_create(void **state)
{
    (void)state;
    ug_skeleton *s = ug_skeleton_create(3);
    assert_int_equal(s->joint_count, 3);
    assert_int_equal(s->joints[0].parent, -1);
    assert_int_equal(s->joints[2].parent, 1);
    assert_int_equal(s->joints[1].type, UG_JOINT_BALL);
    assert_true(s->joints[1].rest.w == 1.0 && s->joints[1].axes[2].z == 1.0);
    assert_null(s->joints[0].name);
    ug_skeleton_destroy(s);
    s = ug_skeleton_create(0);
    assert_non_null(s);
    assert_int_equal(ug_skeleton_check(s, NULL), UG_OK);
    assert_true(ug_skeleton_size_m(s) == 0.0);
    assert_int_equal(ug_skeleton_find(s, "x"), -1);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(NULL);
}

static void test_copy_is_deep(void **state)
{
    (void)state;
    ug_skeleton *s = body();
    s->name = strdup("nick");
    s->stature_m = 1.8;
    free(s->joints[1].name);
    s->joints[1].name = NULL;
    ug_skeleton *c = ug_skeleton_copy(s);
    assert_string_equal(c->name, "nick");
    assert_ptr_not_equal(c->name, s->name);
    assert_ptr_not_equal(c->joints[0].name, s->joints[0].name);
    assert_string_equal(c->joints[3].name, "head");
    assert_null(c->joints[1].name);
    assert_true(c->stature_m == 1.8 && c->joints[3].offset_m.y == 0.75);
    ug_skeleton_destroy(s);
    ug_skeleton_destroy(c);
}

static void test_find(void **state)
{
    (void)state;
    ug_skeleton *s = body();
    assert_int_equal(ug_skeleton_find(s, "foot"), 2);
    assert_int_equal(ug_skeleton_find(s, "Foot"), -1);
    assert_int_equal(ug_skeleton_find_role(s, UG_ROLE_HEAD), 3);
    assert_int_equal(ug_skeleton_find_role(s, UG_ROLE_L_TOE), -1);
    assert_true(ug_skeleton_is_ancestor(s, 0, 2));
    assert_true(ug_skeleton_is_ancestor(s, 2, 2));
    assert_false(ug_skeleton_is_ancestor(s, 1, 3));
    assert_false(ug_skeleton_is_ancestor(s, 2, 1));
    ug_skeleton_destroy(s);
}

static void test_degrees_of_freedom(void **state)
{
    (void)state;
    static const int DOF[] = { 0, 1, 2, 3, 3 };
    for (int t = 0; t < 5; t++) {
        assert_int_equal(ug_joint_rotation_dof((ug_joint_type)t), DOF[t]);
    }
}

static void test_size_is_the_longest_distance(void **state)
{
    (void)state;
    ug_skeleton *s = body();
    assert_true(fabs(ug_skeleton_size_m(s) - 1.75) < 1e-12); // foot to head, wherever the root is
    // a quarter turn of the knee's rest brings the foot level with the knee
    s->joints[1].rest = ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, UG_PI / 2);
    assert_true(fabs(ug_skeleton_size_m(s) - hypot(1.25, 0.5)) < 1e-12);
    ug_skeleton_destroy(s);
}

static void assert_refused(ug_skeleton *s, const char *message)
{
    ug_error err = { 0 };
    assert_int_equal(ug_skeleton_check(s, &err), UG_E_DATA);
    assert_string_equal(err.message, message);
    ug_skeleton_destroy(s);
}

static void test_check_names_the_joint(void **state)
{
    (void)state;
    ug_skeleton *s = body();
    assert_int_equal(ug_skeleton_check(s, NULL), UG_OK);
    s->joints[1].parent = 1;
    assert_refused(s, "joint 'knee': parent 1 does not stand before it");
    s = body();
    s->joints[1].parent = -2;
    assert_refused(s, "joint 'knee': parent -2 does not stand before it");
    s = body();
    s->joints[2].offset_m.z = NAN;
    assert_refused(s, "joint 'foot': offset is not finite");
    s = body();
    s->joints[2].rest.w = 0.5;
    assert_refused(s, "joint 'foot': rest rotation is not a unit quaternion");
    s = body();
    s->joints[2].rest.x = NAN;
    assert_refused(s, "joint 'foot': rest rotation is not a unit quaternion");
    s = body();
    s->joints[3].axes[1] = (ug_vec3){ 0, 2, 0 };
    assert_refused(s, "joint 'head': axis 1 is not a unit vector");
    s = body();
    s->joints[3].flags = UG_JOINT_HAS_LIMITS;
    s->joints[3].limits_rad[2][0] = 1.0;
    assert_refused(s, "joint 'head': limit 2 is empty or not finite");
    s = body();
    s->joints[3].flags = UG_JOINT_HAS_LIMITS;
    s->joints[3].limits_rad[0][1] = INFINITY;
    assert_refused(s, "joint 'head': limit 0 is empty or not finite");
    s = body();
    s->joints[3].flags = UG_JOINT_HAS_PRIOR;
    s->joints[3].pose_sigma_rad[1] = NAN;
    assert_refused(s, "joint 'head': sigma of angle 1 is not finite");
    s = body();
    s->joints[3].flags = UG_JOINT_HAS_PRIOR;
    s->joints[3].offset_sigma_m.x = INFINITY;
    assert_refused(s, "joint 'head': sigma of the offset is not finite");
    s = body();
    free(s->joints[0].name);
    s->joints[0].name = NULL;
    assert_refused(s, "joint 0 has no name");
}

static void test_what_is_not_there_is_not_checked(void **state)
{
    (void)state;
    ug_skeleton *s = body();
    s->joints[3].type = UG_JOINT_HINGE;
    s->joints[3].axes[1] = (ug_vec3){ 0, 0, 0 }; // a hinge has one axis
    s->joints[3].limits_rad[0][0] = 1.0;         // and these limits are not switched on
    assert_int_equal(ug_skeleton_check(s, NULL), UG_OK);
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),
        cmocka_unit_test(test_copy_is_deep),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_degrees_of_freedom),
        cmocka_unit_test(test_size_is_the_longest_distance),
        cmocka_unit_test(test_check_names_the_joint),
        cmocka_unit_test(test_what_is_not_there_is_not_checked),
    };
    return cmocka_run_group_tests_name("motion/skeleton", tests, NULL, NULL);
}
