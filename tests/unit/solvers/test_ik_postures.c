// SPDX-License-Identifier: MIT
// Unit tests for solvers/ik_postures.c: limbs point where the posture's name says.
#include "motion/kinematics.h"
#include "solvers/ik_postures.h"
#include "tests/support/humanoid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    *state = humanoid_skeleton();
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    ug_skeleton_destroy(*state);
    return 0;
}

static ug_vec3 bone(const ug_skeleton *skeleton, const ug_quat *local, const char *from,
                    const char *to)
{
    ug_quat q[HUMANOID_JOINTS];
    ug_vec3 at[HUMANOID_JOINTS];
    ug_pose_forward(q, at, skeleton, local, NULL);
    const ug_vec3 d =
        ug_vec3_sub(at[ug_skeleton_find(skeleton, to)], at[ug_skeleton_find(skeleton, from)]);
    return ug_vec3_unit(d, (ug_vec3){ 0, 0, 0 });
}

static size_t posture(const char *name)
{
    size_t p = 0;
    while (strcmp(ug_posture_name(p), name) != 0) {
        p++;
    }
    return p;
}

static void test_postures_point_where_they_say(void **state)
{
    ug_skeleton *skeleton = *state;
    ug_quat local[HUMANOID_JOINTS], scratch[3 * HUMANOID_JOINTS];
    ug_posture_apply(local, posture("arms_up"), skeleton, scratch);
    assert_true(bone(skeleton, local, "l_upperarm", "l_forearm").y > 0.95);
    assert_true(bone(skeleton, local, "r_upperarm", "r_forearm").y > 0.95);
    ug_posture_apply(local, posture("elbows_bent"), skeleton, scratch);
    assert_true(bone(skeleton, local, "l_upperarm", "l_forearm").y < -0.9);
    assert_true(bone(skeleton, local, "l_forearm", "l_hand").z > 0.9);
    assert_true(bone(skeleton, local, "r_forearm", "r_hand").z > 0.9);
    ug_posture_apply(local, posture("arms_forward"), skeleton, scratch);
    assert_true(bone(skeleton, local, "r_upperarm", "r_forearm").z > 0.9);
    ug_posture_apply(local, posture("sit"), skeleton, scratch);
    assert_true(bone(skeleton, local, "r_thigh", "r_shank").z > 0.95);
    assert_true(bone(skeleton, local, "r_shank", "r_foot").y < -0.95);
    ug_posture_apply(local, posture("stride_left"), skeleton, scratch);
    assert_true(bone(skeleton, local, "l_thigh", "l_shank").z > 0.3);
    assert_true(bone(skeleton, local, "r_thigh", "r_shank").z < -0.2);
    ug_posture_apply(local, posture("bow"), skeleton, scratch);
    assert_true(bone(skeleton, local, "chest", "neck").z > 0.7);
}

// A skeleton whose rest pose hangs its arms and tilts its frames reaches the same postures.
static void test_postures_do_not_depend_on_the_rest_pose(void **state)
{
    ug_skeleton *skeleton = *state;
    ug_quat local[HUMANOID_JOINTS], scratch[3 * HUMANOID_JOINTS];
    const int l = ug_skeleton_find(skeleton, "l_upperarm");
    const int r = ug_skeleton_find(skeleton, "r_upperarm");
    skeleton->joints[l].rest = ug_quat_exp((ug_vec3){ 0, 0, -60 * UG_DEG });
    skeleton->joints[r].rest = ug_quat_exp((ug_vec3){ 0, 0, 60 * UG_DEG });
    // the shin's frame turned by 90° about its bone: offsets below follow
    const int shin = ug_skeleton_find(skeleton, "l_shank");
    const ug_quat tilt = ug_quat_exp((ug_vec3){ 0, 90 * UG_DEG, 0 });
    skeleton->joints[shin].rest = tilt;
    const int foot = ug_skeleton_find(skeleton, "l_foot");
    skeleton->joints[foot].rest = ug_quat_conj(tilt);
    ug_posture_apply(local, posture("arms_up"), skeleton, scratch);
    assert_true(bone(skeleton, local, "l_upperarm", "l_forearm").y > 0.95);
    assert_true(bone(skeleton, local, "r_upperarm", "r_forearm").y > 0.95);
    ug_posture_apply(local, posture("sit"), skeleton, scratch);
    assert_true(bone(skeleton, local, "l_thigh", "l_shank").z > 0.95);
    assert_true(bone(skeleton, local, "l_shank", "l_foot").y < -0.95);
}

// A skeleton without roles keeps its rest pose whatever the posture.
static void test_no_roles_no_turns(void **state)
{
    ug_skeleton *skeleton = *state;
    ug_quat local[HUMANOID_JOINTS], scratch[3 * HUMANOID_JOINTS];
    for (size_t j = 0; j < HUMANOID_JOINTS; j++) {
        skeleton->joints[j].role = UG_ROLE_NONE;
        skeleton->joints[j].rest = ug_quat_exp((ug_vec3){ 0.1 * (double)j, 0.2, -0.3 });
    }
    for (size_t p = 0; p < ug_posture_count(); p++) {
        memset(local, 0xa5, sizeof local);
        ug_posture_apply(local, p, skeleton, scratch);
        for (size_t j = 0; j < HUMANOID_JOINTS; j++) {
            assert_true(ug_quat_angle(local[j], skeleton->joints[j].rest) < 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_postures_point_where_they_say, setup, teardown),
        cmocka_unit_test_setup_teardown(test_postures_do_not_depend_on_the_rest_pose, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_no_roles_no_turns, setup, teardown),
    };
    return cmocka_run_group_tests_name("solvers/ik_postures", tests, NULL, NULL);
}
