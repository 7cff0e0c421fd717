// SPDX-License-Identifier: MIT
// Unit tests for solvers/calibrate_body.c.
#include "solvers/calibrate_body.h"

#include "motion/kinematics.h"
#include "tests/support/body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int joint(const ug_skeleton *skeleton, const char *name)
{
    const int j = ug_skeleton_find(skeleton, name);
    assert_true(j >= 0);
    return j;
}

static void test_body_groups_follow_roles(void **state)
{
    (void)state;
    ug_skeleton *s = support_humanoid();
    int group[32];
    s->joints[joint(s, "l_toes")].role = UG_ROLE_NONE; // goes with the foot
    ug_body_groups(group, s);
    assert_int_equal(group[joint(s, "pelvis")], UG_BODY_PELVIS);
    assert_int_equal(group[joint(s, "chest")], UG_BODY_TRUNK);
    assert_int_equal(group[joint(s, "neck")], UG_BODY_HEAD);
    assert_int_equal(group[joint(s, "r_clavicle")], UG_BODY_SHOULDER);
    assert_int_equal(group[joint(s, "l_hand")], UG_BODY_ARM);
    assert_int_equal(group[joint(s, "r_shank")], UG_BODY_LEG);
    assert_int_equal(group[joint(s, "l_toes")], UG_BODY_FOOT);
    s->joints[0].role = UG_ROLE_NONE;
    ug_body_groups(group, s);
    assert_int_equal(group[0], UG_BODY_PELVIS);
    ug_skeleton_destroy(s);
}

static void test_body_mirrors_by_role_and_by_name(void **state)
{
    (void)state;
    ug_skeleton *s = support_humanoid();
    int mirror[32];
    for (int pass = 0; pass < 2; pass++) {
        ug_body_mirrors(mirror, s);
        assert_int_equal(mirror[joint(s, "l_shank")], joint(s, "r_shank"));
        assert_int_equal(mirror[joint(s, "r_hand")], joint(s, "l_hand"));
        assert_int_equal(mirror[joint(s, "chest")], -1);
        assert_int_equal(mirror[0], -1);
        for (size_t j = 0; j < s->joint_count; j++) {
            s->joints[j].role = UG_ROLE_NONE;
        }
    }
    static const char *const pairs[][2] = { { "LeftUpLeg", "RightUpLeg" },
                                            { "Arm_L", "Arm_R" },
                                            { "thigh.l", "thigh.r" },
                                            { "LFoot", "RFoot" },
                                            { "bip01 left hand", "bip01 RIGHT hand" } };
    for (size_t i = 0; i < 5; i++) {
        for (int side = 0; side < 2; side++) {
            free(s->joints[1 + 2 * i + (size_t)side].name);
            s->joints[1 + 2 * i + (size_t)side].name = ug_text_copy(pairs[i][side]);
        }
    }
    ug_body_mirrors(mirror, s);
    for (int j = 1; j < 11; j += 2) {
        assert_int_equal(mirror[j], j + 1);
        assert_int_equal(mirror[j + 1], j);
    }
    // "Leg" and "Rump" begin with a capital L and R, but are no sides
    free(s->joints[1].name);
    free(s->joints[2].name);
    s->joints[1].name = ug_text_copy("Lump");
    s->joints[2].name = ug_text_copy("Rump");
    ug_body_mirrors(mirror, s);
    assert_int_equal(mirror[1], -1);
    ug_skeleton_destroy(s);
}

// The reflection of every right bone is the left bone, whatever the frames of the joints.
static void test_body_reflection_knows_local_frames(void **state)
{
    (void)state;
    ug_skeleton *s = support_humanoid();
    int mirror[32];
    ug_quat q[32];
    ug_vec3 c[32];
    ug_body_mirrors(mirror, s);
    // turn the whole body, and one joint's frame on each side by different turns, bones in place
    s->joints[0].rest = ug_quat_from_axis_angle((ug_vec3){ 0.0, 1.0, 0.0 }, 0.5 * UG_PI);
    static const char *const thighs[2] = { "l_thigh", "r_thigh" };
    static const char *const shanks[2] = { "l_shank", "r_shank" };
    for (int side = 0; side < 2; side++) {
        const ug_quat turn =
            ug_quat_from_axis_angle((ug_vec3){ 1.0, 0.3, side ? 0.2 : -0.9 }, 0.7 + side);
        ug_joint *thigh = &s->joints[joint(s, thighs[side])];
        ug_joint *shank = &s->joints[joint(s, shanks[side])];
        shank->offset_m.x = side ? -0.01 : 0.01;
        thigh->rest = turn;
        shank->offset_m = ug_quat_unrotate(turn, shank->offset_m);
        shank->rest = ug_quat_conj(turn);
    }
    ug_rest_forward(q, c, s);
    const ug_vec3 lateral = ug_body_lateral(s, mirror);
    // left was +X and the body has turned by 90 degrees about Y: now -Z
    assert_true(ug_vec3_distance(lateral, (ug_vec3){ 0.0, 0.0, -1.0 }) < 1e-12);
    for (size_t j = 0; j < s->joint_count; j++) {
        if (mirror[j] > (int)j) {
            double A[9];
            ug_body_reflection(A, s, q, lateral, (int)j, mirror[j]);
            const ug_vec3 b = s->joints[mirror[j]].offset_m, l = s->joints[j].offset_m;
            const ug_vec3 image = { A[0] * b.x + A[1] * b.y + A[2] * b.z,
                                    A[3] * b.x + A[4] * b.y + A[5] * b.z,
                                    A[6] * b.x + A[7] * b.y + A[8] * b.z };
            assert_true(ug_vec3_distance(image, l) < 1e-12);
        }
    }
    for (size_t j = 0; j < s->joint_count; j++) {
        mirror[j] = -1;
    }
    assert_true(ug_body_lateral(s, mirror).x == 1.0);
    ug_skeleton_destroy(s);
}

static void test_body_reach_adds_bones(void **state)
{
    (void)state;
    ug_skeleton *s = support_humanoid();
    const ug_attachment knee = { .joint = joint(s, "l_thigh"), .local_m = { 0.06, -0.42, 0.0 } };
    const ug_attachment wand = { .joint = joint(s, "l_thigh"), .local_m = { 0.06, -0.12, 0.0 } };
    const ug_attachment ankle = { .joint = joint(s, "l_shank"), .local_m = { 0.0, -0.40, 0.03 } };
    const ug_attachment toe = { .joint = joint(s, "l_toes"), .local_m = { 0.0, 0.03, 0.04 } };
    const ug_attachment other = { .joint = joint(s, "r_thigh"), .local_m = { 0.0, -0.3, 0.0 } };
    assert_true(fabs(ug_body_reach_m(s, &knee, &wand, 0) - 0.30) < 1e-12);
    // to the knee joint, then down the shank
    const double down = hypot(0.06, 0.0025) + hypot(0.40, 0.03);
    assert_true(fabs(ug_body_reach_m(s, &knee, &ankle, 1) - down) < 1e-12);
    assert_true(fabs(ug_body_reach_m(s, &ankle, &knee, 1) - down) < 1e-12);
    assert_true(isinf(ug_body_reach_m(s, &knee, &ankle, 0)));
    const double up = 0.05 + hypot(0.05, 0.135) + hypot(0.03, 0.032);
    assert_true(fabs(ug_body_reach_m(s, &toe, &ankle, 2) - up) < 1e-12);
    assert_true(isinf(ug_body_reach_m(s, &toe, &ankle, 1)));
    // up one leg and down the other
    const double across = hypot(0.06, 0.42) + 0.173 + 0.3;
    assert_true(fabs(ug_body_reach_m(s, &knee, &other, 2) - across) < 1e-12);
    s->joints[joint(s, "r_thigh")].parent = -1; // another root
    assert_true(isinf(ug_body_reach_m(s, &knee, &other, 9)));
    ug_skeleton_destroy(s);
}

static void test_body_scale_takes_everything_along(void **state)
{
    (void)state;
    ug_skeleton *s = support_humanoid();
    ug_attachments a = { 0 };
    assert_true(support_markers(&a, s));
    ug_body_scale(s, &a, 0.5);
    assert_true(s->stature_m == 0.875);
    assert_true(s->joints[joint(s, "l_shank")].offset_m.y == -0.4225 * 0.5);
    assert_true(s->joints[joint(s, "l_shank")].offset_sigma_m.y == 0.015);
    assert_true(a.items[0].local_m.x == 0.0375 && a.items[0].sigma_m.z == 0.0125);
    ug_attachments_fini(&a);
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_body_groups_follow_roles),
        cmocka_unit_test(test_body_mirrors_by_role_and_by_name),
        cmocka_unit_test(test_body_reflection_knows_local_frames),
        cmocka_unit_test(test_body_reach_adds_bones),
        cmocka_unit_test(test_body_scale_takes_everything_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
