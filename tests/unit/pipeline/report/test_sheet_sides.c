// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet_sides.c: left and right of names and joints.
#include "motion/text.h"
#include "pipeline/report/sheet_body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_side(const char *name, ug_sheet_side side, const char *mirror)
{
    char out[64];
    memset(out, 'x', sizeof out);
    assert_int_equal(ug_sheet_side_of_name(name, out, sizeof out), side);
    assert_int_equal(ug_sheet_side_of_name(name, NULL, 0), side);
    if (mirror) {
        assert_string_equal(out, mirror);
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_side("LFHD", UG_SHEET_LEFT, "RFHD");
    assert_side("rasi", UG_SHEET_RIGHT, "lasi");
    assert_side("LeftArm", UG_SHEET_LEFT, "RightArm");
    assert_side("mixamorig:RightFoot", UG_SHEET_RIGHT, "mixamorig:LeftFoot");
    assert_side("hand_l", UG_SHEET_LEFT, "hand_r");
    assert_side("Bip01 R Thigh", UG_SHEET_RIGHT, "Bip01 L Thigh");
    assert_side("lower_arm.R", UG_SHEET_RIGHT, "lower_arm.L"); // not the l of lower
    assert_side("Hips", UG_SHEET_MIDDLE, NULL);
    assert_side("C7", UG_SHEET_MIDDLE, NULL);
    assert_side("", UG_SHEET_MIDDLE, NULL);
}

static void test_joints_by_role(void **state)
{
    (void)state;
    enum { HIPS, HIPJOINT, THIGH, TWIST, SPINE, LOCK, COUNT };
    static const int PARENT[COUNT] = { -1, HIPS, HIPJOINT, THIGH, HIPS, SPINE };
    ug_skeleton *s = ug_skeleton_create(COUNT);
    for (int j = 0; j < COUNT; j++) {
        s->joints[j].parent = PARENT[j];
        s->joints[j].name = ug_text_copy("LeftLie"); // roles outweigh names
    }
    s->joints[HIPS].role = UG_ROLE_PELVIS;
    s->joints[THIGH].role = UG_ROLE_R_THIGH;
    s->joints[SPINE].role = UG_ROLE_SPINE;
    ug_sheet_side side[COUNT];
    ug_sheet_sides(side, s);
    assert_int_equal(side[HIPS], UG_SHEET_MIDDLE);
    assert_int_equal(side[HIPJOINT], UG_SHEET_RIGHT); // a leg hangs on it
    assert_int_equal(side[THIGH], UG_SHEET_RIGHT);
    assert_int_equal(side[TWIST], UG_SHEET_RIGHT); // it hangs on a leg
    assert_int_equal(side[SPINE], UG_SHEET_MIDDLE);
    assert_int_equal(side[LOCK], UG_SHEET_MIDDLE);
    ug_skeleton_destroy(s);
}

static void test_joints_by_name(void **state)
{
    (void)state;
    static const char *const NAME[] = { "root", "L_ear", "L_tip", "R_ear", "lamp" };
    static const int PARENT[] = { -1, 0, 1, 0, 0 };
    ug_skeleton *s = ug_skeleton_create(5);
    for (int j = 0; j < 5; j++) {
        s->joints[j].parent = PARENT[j];
        s->joints[j].name = ug_text_copy(NAME[j]);
    }
    ug_sheet_side side[5];
    ug_sheet_sides(side, s);
    assert_int_equal(side[0], UG_SHEET_MIDDLE);
    assert_int_equal(side[1], UG_SHEET_LEFT);
    assert_int_equal(side[2], UG_SHEET_LEFT); // no counterpart of its own, but it hangs on one
    assert_int_equal(side[3], UG_SHEET_RIGHT);
    assert_int_equal(side[4], UG_SHEET_MIDDLE); // there is no "ramp"
    ug_skeleton_destroy(s);
}

static void test_facing(void **state)
{
    (void)state;
    // left at +X, right at -X: ahead is +Z
    const ug_vec3 f = ug_sheet_facing((ug_vec3){ 1, 5, 0 }, (ug_vec3){ -1, 3, 0 });
    assert_true(f.x == 0.0 && f.y == 0.0 && f.z == 2.0);
    assert_true(ug_vec3_norm(ug_sheet_facing((ug_vec3){ 1, 2, 3 }, (ug_vec3){ 1, 2, 3 })) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_joints_by_role),
        cmocka_unit_test(test_joints_by_name),
        cmocka_unit_test(test_facing),
    };
    return cmocka_run_group_tests_name("report/sheet_sides", tests, NULL, NULL);
}
