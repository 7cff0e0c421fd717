// SPDX-License-Identifier: MIT
// Unit tests for formats/infer_motion.c: one body in many units, poses and naming habits.
#include "formats/infer.h"

#include "motion/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { JOINTS = 17 };

// A standing body in metres, Y up: pelvis, legs, spine, head, arms.
static const struct {
    const char *name;
    int parent;
    ug_vec3 offset_m;
} BODY[JOINTS] = {
    { "Hips", -1, { 0, 0.95, 0 } },
    { "LeftUpLeg", 0, { 0.09, -0.05, 0 } },
    { "LeftLeg", 1, { 0, -0.43, 0 } },
    { "LeftFoot", 2, { 0, -0.41, 0 } },
    { "LeftToeBase", 3, { 0, -0.05, 0.13 } },
    { "RightUpLeg", 0, { -0.09, -0.05, 0 } },
    { "RightLeg", 5, { 0, -0.43, 0 } },
    { "RightFoot", 6, { 0, -0.41, 0 } },
    { "RightToeBase", 7, { 0, -0.05, 0.13 } },
    { "Spine", 0, { 0, 0.25, 0 } },
    { "Head", 9, { 0, 0.4, 0 } },
    { "LeftArm", 9, { 0.18, 0.2, 0 } },
    { "LeftForeArm", 11, { 0.28, 0, 0 } },
    { "LeftHand", 12, { 0.25, 0, 0 } },
    { "RightArm", 9, { -0.18, 0.2, 0 } },
    { "RightForeArm", 14, { -0.28, 0, 0 } },
    { "RightHand", 15, { -0.25, 0, 0 } },
};

static ug_skeleton *make_body(double scale)
{
    ug_skeleton *s = ug_skeleton_create(JOINTS);
    assert_non_null(s);
    for (int j = 0; j < JOINTS; j++) {
        s->joints[j].name = ug_text_copy(BODY[j].name);
        s->joints[j].parent = BODY[j].parent;
        s->joints[j].offset_m = ug_vec3_scale(BODY[j].offset_m, scale);
    }
    return s;
}

// Everything turned by `q` at the root, for every frame.
static ug_clip *make_clip(size_t frames, ug_quat q)
{
    ug_clip *clip = ug_clip_create(frames, JOINTS, &(int){ 0 }, 1, ug_rate_make(60, 1));
    assert_non_null(clip);
    for (size_t f = 0; f < frames; f++) {
        ug_clip_rotations(clip, f)[0] = q;
    }
    return clip;
}

static void infer(ug_inferred_frame *out, double scale, const char *unit)
{
    ug_skeleton *s = make_body(scale);
    ug_error err = { 0 };
    memset(out, 0xA5, sizeof *out);
    if (ug_infer_from_motion(out, s, NULL, true, true, &err) != UG_OK) {
        fail_msg("%s", err.message);
    }
    assert_string_equal(out->unit, unit);
    assert_string_equal(out->up, "+Y");
    ug_skeleton_destroy(s);
}

static void test_units(void **state)
{
    (void)state;
    ug_inferred_frame f;
    infer(&f, 1.0, "m");
    assert_true(f.unit_margin == 1.0 && f.unit_m == 0.0);
    infer(&f, 100.0, "cm");
    infer(&f, 1000.0, "mm");
    infer(&f, 1.0 / 0.0254, "in");
    infer(&f, 0.45 / 0.0254, "in/0.45"); // the CMU database
    // characters of half and one and a half the size stay in their unit
    infer(&f, 0.5, "m");
    infer(&f, 50.0, "cm");
    infer(&f, 150.0, "cm");
    infer(&f, 1500.0, "mm");
    // no unit: a plausible scale, the same for rigs that hardly differ
    infer(&f, 24.0, "scaled");
    assert_true(fabs(f.unit_m * 24.0 - 1.0) < 0.02);
    assert_true(f.unit_margin < 0.3);
    const double scale = f.unit_m;
    infer(&f, 24.001, "scaled");
    assert_true(f.unit_m == scale);
    infer(&f, 3.281, "scaled"); // feet are not guessed, but come out within 2 %
    assert_true(fabs(f.unit_m / 0.3048 - 1.0) < 0.02);
}

static void test_up_from_the_motion(void **state)
{
    (void)state;
    static const struct {
        ug_vec3 turn_deg;
        const char *up;
    } TURNS[] = { { { 0, 70, 0 }, "+Y" },  { { 90, 0, 0 }, "+Z" }, { { -90, 0, 0 }, "-Z" },
                  { { 180, 0, 0 }, "-Y" }, { { 0, 0, 90 }, "-X" }, { { 0, 0, -90 }, "+X" },
                  { { 60, 0, 0 }, "+Z" } };
    ug_skeleton *s = make_body(100.0);
    for (size_t i = 0; i < sizeof TURNS / sizeof TURNS[0]; i++) {
        ug_clip *clip = make_clip(600, ug_quat_exp(ug_vec3_scale(TURNS[i].turn_deg, UG_DEG)));
        ug_inferred_frame f;
        assert_int_equal(ug_infer_from_motion(&f, s, clip, true, false, NULL), UG_OK);
        assert_string_equal(f.up, TURNS[i].up);
        assert_true(f.up_margin > 0.3);
        assert_string_equal(f.unit, ""); // not asked for
        ug_clip_destroy(clip);
    }
    ug_skeleton_destroy(s);
}

// Half of the clip standing, half lying: the motion does not say, the drawn rig does.
static void test_up_from_the_rest_pose(void **state)
{
    (void)state;
    ug_skeleton *s = make_body(1.0);
    ug_clip *clip = make_clip(100, UG_QUAT_IDENTITY);
    for (size_t f = 0; f < 100; f += 2) {
        ug_clip_rotations(clip, f)[0] = ug_quat_exp((ug_vec3){ 0.5 * UG_PI, 0, 0 });
    }
    ug_inferred_frame f;
    assert_int_equal(ug_infer_from_motion(&f, s, clip, true, true, NULL), UG_OK);
    assert_string_equal(f.up, "+Y");
    assert_true(f.up_margin == 0.3);

    // nor does a rig drawn aslant
    s->joints[1].offset_m = s->joints[5].offset_m = (ug_vec3){ 0.4, -0.05, 0.4 };
    s->joints[2].offset_m = s->joints[6].offset_m = (ug_vec3){ 0.3, -0.43, 0.3 };
    s->joints[3].offset_m = s->joints[7].offset_m = (ug_vec3){ 0.3, 0.4, 0.3 };
    ug_error err = { 0 };
    assert_int_equal(ug_infer_from_motion(&f, s, clip, true, true, &err), UG_E_AMBIGUOUS);
    assert_string_equal(err.message, "the vertical is not declared, and head and feet do not show "
                                     "it: say it with --up, e.g. --up +Y");
    ug_clip_destroy(clip);
    ug_skeleton_destroy(s);
}

static void rename_joints(ug_skeleton *s, const char *format)
{
    for (size_t j = 0; j < s->joint_count; j++) {
        char *name = ug_text_format(format, j);
        free(s->joints[j].name);
        s->joints[j].name = name;
    }
}

static void test_names_roles_and_shape(void **state)
{
    (void)state;
    static const char *const FEET[][3] = { { "ns:L_Ankle", "ns:R_Ankle", "ns:Head" },
                                           { "foot_l", "foot_r", "head" },
                                           { "a|Bip01 L Foot", "a|Bip01 R Foot", "a|Bip01 Head" },
                                           { "talus_r", "talus_l", "HeadNub" } };
    ug_inferred_frame f;
    ug_skeleton *s = make_body(100.0);
    for (int i = 0; i < 4; i++) {
        rename_joints(s, "j%zu");
        const int at[3] = { 3, 7, 10 };
        for (int k = 0; k < 3; k++) {
            free(s->joints[at[k]].name);
            s->joints[at[k]].name = ug_text_copy(FEET[i][k]);
        }
        assert_int_equal(ug_infer_from_motion(&f, s, NULL, true, true, NULL), UG_OK);
        assert_string_equal(f.unit, "cm");
        assert_string_equal(f.up, "+Y");
    }
    rename_joints(s, "j%zu"); // no names at all: two legs, two arms
    assert_int_equal(ug_infer_from_motion(&f, s, NULL, true, true, NULL), UG_OK);
    assert_string_equal(f.unit, "cm");
    assert_string_equal(f.up, "+Y");
    s->joints[7].role = UG_ROLE_L_FOOT;
    s->joints[3].role = UG_ROLE_R_FOOT;
    s->joints[10].role = UG_ROLE_HEAD;
    assert_int_equal(ug_infer_from_motion(&f, s, NULL, true, true, NULL), UG_OK);
    assert_string_equal(f.unit, "cm");
    ug_skeleton_destroy(s);
}

static void test_no_body(void **state)
{
    (void)state;
    ug_inferred_frame f;
    ug_error err = { 0 };
    ug_skeleton *s = ug_skeleton_create(5);
    rename_joints(s, "link%zu");
    assert_int_equal(ug_infer_from_motion(&f, s, NULL, false, true, &err), UG_E_AMBIGUOUS);
    assert_string_equal(err.message, "the unit is not declared, and no body with head and feet "
                                     "shows it: say it with --unit, e.g. --unit cm");
    ug_skeleton_destroy(s);
    // four feet
    s = make_body(1.0);
    free(s->joints[13].name);
    s->joints[13].name = ug_text_copy("left fore foot");
    err = (ug_error){ 0 };
    s->joints[11].offset_m.x *= 2; // and arms that are no pair
    s->joints[12].offset_m.x *= 2;
    assert_int_equal(ug_infer_from_motion(&f, s, NULL, true, true, &err), UG_E_AMBIGUOUS);
    ug_skeleton_destroy(s);
    s = ug_skeleton_create(0);
    assert_int_equal(ug_infer_from_motion(&f, s, NULL, true, true, NULL), UG_E_AMBIGUOUS);
    ug_skeleton_destroy(s);
    // a body without length
    s = make_body(0.0);
    err = (ug_error){ 0 };
    assert_int_equal(ug_infer_from_motion(&f, s, NULL, false, true, &err), UG_E_AMBIGUOUS);
    assert_string_equal(err.message, "the unit is not declared, and legs of length 0 do not show "
                                     "it: say it with --unit, e.g. --unit cm");
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_up_from_the_motion),
        cmocka_unit_test(test_up_from_the_rest_pose),
        cmocka_unit_test(test_names_roles_and_shape),
        cmocka_unit_test(test_no_body),
    };
    return cmocka_run_group_tests_name("formats/infer_motion", tests, NULL, NULL);
}
