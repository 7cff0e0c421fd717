// SPDX-License-Identifier: MIT
// Unit tests for solvers/two_bone.c.
#include "solvers/two_bone.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const double DEG = 3.14159265358979323846 / 180.0;
static const ug_vec3 ORIGIN = { 0, 0, 0 };

// joint places after the two turns
static ug_two_bone turned(const ug_two_bone *l, ug_quat root_turn, ug_quat mid_turn)
{
    const ug_vec3 lower = ug_quat_rotate(mid_turn, ug_vec3_sub(l->end_m, l->mid_m));
    const ug_vec3 upper = ug_vec3_sub(l->mid_m, l->root_m);
    ug_two_bone out = { l->root_m, ORIGIN, ORIGIN };
    out.mid_m = ug_vec3_add(l->root_m, ug_quat_rotate(root_turn, upper));
    out.end_m = ug_vec3_add(l->root_m, ug_quat_rotate(root_turn, ug_vec3_add(upper, lower)));
    return out;
}

static void expect_near(ug_vec3 a, ug_vec3 b, double slack)
{
    assert_true(ug_vec3_distance(a, b) < slack);
}

// arms of 3 and 2 in the plane: the textbook's angles of both bends
static void test_planar_arm_has_the_known_angles(void **state)
{
    (void)state;
    const ug_two_bone arm = { ORIGIN, { 3, 0, 0 }, { 5, 0, 0 } };
    const ug_vec3 target = { 3 * cos(30 * DEG) + 2 * cos(75 * DEG),
                             3 * sin(30 * DEG) + 2 * sin(75 * DEG), 0 };
    expect_near(target, (ug_vec3){ 3.116, 3.432, 0 }, 1e-3);
    static const double ANGLES[2][2] = { { 30, 45 }, { 65.53, -45 } };
    for (int k = 0; k < 2; k++) {
        ug_quat root_turn, mid_turn;
        // cross(root - mid, end - mid) of an arm bent to the left points along -z
        const ug_vec3 normal = { 0, 0, k == 0 ? -1.0 : 1.0 };
        assert_true(ug_two_bone_solve(&root_turn, &mid_turn, &arm, target, normal));
        const ug_two_bone out = turned(&arm, root_turn, mid_turn);
        expect_near(out.end_m, target, 1e-12);
        const ug_vec3 lower = ug_vec3_sub(out.end_m, out.mid_m);
        const double first = atan2(out.mid_m.y, out.mid_m.x) / DEG;
        assert_true(fabs(first - ANGLES[k][0]) < 0.005);
        assert_true(fabs(atan2(lower.y, lower.x) / DEG - first - ANGLES[k][1]) < 0.005);
    }
}

static void test_out_of_reach_points_at_the_target(void **state)
{
    (void)state;
    const ug_two_bone arm = { ORIGIN, { 3, 0, 0 }, { 3, 2, 0 } };
    ug_quat root_turn, mid_turn;
    assert_false(ug_two_bone_solve(&root_turn, &mid_turn, &arm, (ug_vec3){ 6, 0, 0 },
                                   (ug_vec3){ 0, 0, -1 }));
    expect_near(turned(&arm, root_turn, mid_turn).end_m, (ug_vec3){ 5, 0, 0 }, 1e-7);
    assert_false(ug_two_bone_solve(&root_turn, &mid_turn, &arm, (ug_vec3){ 0, 0.5, 0 },
                                   (ug_vec3){ 0, 0, -1 }));
    expect_near(turned(&arm, root_turn, mid_turn).end_m, (ug_vec3){ 0, 1, 0 }, 1e-7);
    assert_true(ug_two_bone_solve(&root_turn, &mid_turn, &arm, (ug_vec3){ 5, 0, 0 },
                                  (ug_vec3){ 0, 0, -1 })); // just reached
}

static void test_random_limbs_reach_and_keep_lengths(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int i = 0; i < 500; i++) {
        double r[12];
        for (int k = 0; k < 12; k++) {
            seed = seed * 1664525u + 1013904223u;
            r[k] = (double)(seed >> 8) / 8388608.0 - 1.0;
        }
        const ug_two_bone l = { { r[0], r[1], r[2] }, { r[3], r[4], r[5] }, { r[6], r[7], r[8] } };
        const double a = ug_vec3_distance(l.root_m, l.mid_m);
        const double b = ug_vec3_distance(l.mid_m, l.end_m);
        const double reach = fabs(a - b) + (0.05 + 0.45 * (1.0 + r[9])) * (a + b - fabs(a - b));
        const ug_vec3 way = ug_vec3_unit((ug_vec3){ r[10], r[11], r[9] }, (ug_vec3){ 1, 0, 0 });
        const ug_vec3 target = ug_vec3_madd(l.root_m, reach, way);
        const ug_vec3 normal = ug_two_bone_normal(&l, (ug_vec3){ 0.3, 0.2, -0.5 });
        ug_quat root_turn, mid_turn;
        if (!ug_two_bone_solve(&root_turn, &mid_turn, &l, target, normal)) {
            continue; // a hinge askew of the bones reaches less
        }
        const ug_two_bone out = turned(&l, root_turn, mid_turn);
        expect_near(out.end_m, target, 1e-9);
        assert_true(fabs(ug_vec3_distance(out.root_m, out.mid_m) - a) < 1e-12);
        assert_true(fabs(ug_vec3_distance(out.mid_m, out.end_m) - b) < 1e-9);
    }
}

static void test_own_target_changes_nothing(void **state)
{
    (void)state;
    const ug_two_bone l = { { 0, 1, 0 }, { 0.02, 0.55, 0.1 }, { 0.03, 0.1, -0.05 } };
    ug_quat root_turn, mid_turn;
    const ug_vec3 n = ug_two_bone_normal(&l, (ug_vec3){ -1, 0, 0 });
    assert_true(ug_two_bone_solve(&root_turn, &mid_turn, &l, l.end_m, n));
    assert_true(ug_quat_angle(root_turn, UG_QUAT_IDENTITY) < 1e-7);
    assert_true(ug_quat_angle(mid_turn, UG_QUAT_IDENTITY) < 1e-7);
}

static void test_normal_leans_on_the_hinge_where_straight(void **state)
{
    (void)state;
    const ug_vec3 hinge = { -1, 0, 0 };
    // bent forwards by 60 degrees: its own plane, though the hinge is 20 degrees off
    const ug_vec3 askew = { -cos(20 * DEG), 0, sin(20 * DEG) };
    const ug_two_bone bent = { { 0, 1, 0 }, { 0, 0, 0 }, { 0, -cos(60 * DEG), -sin(60 * DEG) } };
    expect_near(ug_two_bone_normal(&bent, askew), hinge, 1e-12);
    // bent by 3 degrees in another plane, and backwards: the hinge
    const ug_two_bone noise = { { 0, 1, 0 }, { 0, 0, 0 }, { sin(3 * DEG), -cos(3 * DEG), 0 } };
    expect_near(ug_two_bone_normal(&noise, hinge), hinge, 1e-12);
    const ug_two_bone back = { { 0, 1, 0 }, { 0, 0, 0 }, { 0, -cos(15 * DEG), sin(15 * DEG) } };
    expect_near(ug_two_bone_normal(&back, hinge), hinge, 1e-12);
    // exactly straight, and no bones at all
    const ug_two_bone straight = { { 0, 1, 0 }, { 0, 0, 0 }, { 0, -1, 0 } };
    expect_near(ug_two_bone_normal(&straight, hinge), hinge, 1e-12);
    const ug_two_bone none = { ORIGIN, ORIGIN, ORIGIN };
    assert_true(fabs(ug_vec3_norm(ug_two_bone_normal(&none, ORIGIN)) - 1.0) < 1e-12);
}

static void test_no_length_is_refused(void **state)
{
    (void)state;
    const ug_two_bone flat[2] = { { ORIGIN, ORIGIN, { 0, -1, 0 } },
                                  { ORIGIN, { 0, 1, 0 }, { 0, 1, 0 } } };
    for (int i = 0; i < 2; i++) {
        ug_quat root_turn = { 9, 9, 9, 9 }, mid_turn = { 9, 9, 9, 9 };
        assert_false(ug_two_bone_solve(&root_turn, &mid_turn, &flat[i], (ug_vec3){ 1, 0, 0 },
                                       (ug_vec3){ 1, 0, 0 }));
        assert_true(root_turn.w == 1.0 && mid_turn.w == 1.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar_arm_has_the_known_angles),
        cmocka_unit_test(test_out_of_reach_points_at_the_target),
        cmocka_unit_test(test_random_limbs_reach_and_keep_lengths),
        cmocka_unit_test(test_own_target_changes_nothing),
        cmocka_unit_test(test_normal_leans_on_the_hinge_where_straight),
        cmocka_unit_test(test_no_length_is_refused),
    };
    return cmocka_run_group_tests_name("solvers/two_bone", tests, NULL, NULL);
}
