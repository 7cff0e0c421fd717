// SPDX-License-Identifier: MIT
// The characters that ship: they must differ in what a retarget has to cope with, and be usable.
// That they are what scripts/make_characters.py writes is tests/cli/test_characters.sh.
#include "formats/roles_yaml.h"
#include "formats/settings_yaml.h"
#include "motion/kinematics.h"
#include "solvers/body_map.h"
#include "solvers/roles_find.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *name;
    double leg_ratio;
    size_t spine_count;
    bool t_pose;
} CHARACTERS[] = { { "troll", 0.5, 5, false },
                   { "human", 1.0, 2, true },
                   { "long_legs", 1.5, 5, false } };

enum { CHARACTER_COUNT = sizeof CHARACTERS / sizeof *CHARACTERS };

static const char *share(const char *folder, const char *name)
{
    static char path[2048];
    const char *end = strstr(__FILE__, "tests/unit/datasets");
    assert_non_null(end);
    (void)snprintf(path, sizeof path, "%.*sdatasets/%s%s.yaml", (int)(end - __FILE__), __FILE__,
                   folder, name);
    return path;
}

static ug_skeleton *load(const char *folder, const char *name)
{
    ug_skeleton *s = NULL;
    ug_error err = { 0 };
    const ug_status status = ug_template_read(&s, share(folder, name), &err);
    if (status != UG_OK) {
        print_error("%s: %s\n", err.where, err.message);
    }
    assert_int_equal(status, UG_OK);
    assert_int_equal(ug_skeleton_check(s, NULL), UG_OK);
    return s;
}

static void find_roles(ug_body_map *body, ug_skeleton *s)
{
    ug_role_dictionary dictionary = { 0 };
    ug_roles_report report;
    for (size_t j = 0; j < s->joint_count; j++) {
        assert_int_equal(s->joints[j].role, UG_ROLE_NONE); // left to be found
    }
    assert_int_equal(ug_roles_yaml_read(&dictionary, share("", "roles"), NULL), UG_OK);
    assert_int_equal(ug_roles_find(s, &report, NULL, &dictionary, NULL, NULL), UG_OK);
    assert_false(report.by_topology); // names are enough
    assert_int_equal(ug_body_map_init(body, s, NULL), UG_OK);
    ug_role_dictionary_fini(&dictionary);
}

static void test_bodies_are_what_they_claim(void **state)
{
    (void)state;
    ug_skeleton *humanoid = load("templates/", "humanoid");
    ug_body_map body;
    assert_int_equal(ug_body_map_init(&body, humanoid, NULL), UG_OK);
    const double leg_m = ug_body_leg_m(&body, humanoid);
    for (size_t c = 0; c < CHARACTER_COUNT; c++) {
        ug_skeleton *s = load("characters/", CHARACTERS[c].name);
        find_roles(&body, s);
        for (int role = UG_ROLE_PELVIS; role < UG_ROLE_COUNT; role++) {
            assert_true(ug_skeleton_find_role(s, (ug_role)role) >= 0);
        }
        assert_int_equal(body.spine_count, CHARACTERS[c].spine_count);
        assert_true(fabs(ug_body_leg_m(&body, s) / leg_m - CHARACTERS[c].leg_ratio) < 1e-6);
        ug_skeleton_destroy(s);
    }
    ug_skeleton_destroy(humanoid);
}

static void test_rest_poses_stand_on_turned_axes(void **state)
{
    (void)state;
    for (size_t c = 0; c < CHARACTER_COUNT; c++) {
        ug_skeleton *s = load("characters/", CHARACTERS[c].name);
        ug_body_map body;
        find_roles(&body, s);
        ug_quat q[64];
        ug_vec3 p[64];
        assert_true(s->joint_count <= 64);
        ug_rest_forward(q, p, s);
        size_t tips = 0;
        for (size_t j = 0; j < s->joint_count; j++) {
            const bool tip = (s->joints[j].flags & UG_JOINT_END_SITE) != 0;
            tips += tip;
            // no joint has the world's axes: somebody who assumes so is found out
            assert_true(tip || ug_quat_angle(q[j], UG_QUAT_IDENTITY) > 0.01);
            assert_true(tip || ug_quat_angle(s->joints[j].rest, UG_QUAT_IDENTITY) > 0.01);
        }
        assert_int_equal(tips, 5); // head, hands, toes
        for (int side = 0; side < 2; side++) {
            const ug_vec3 arm =
                ug_vec3_sub(p[body.joint[ug_role_on_side(UG_ROLE_L_HAND, side)]],
                            p[body.joint[ug_role_on_side(UG_ROLE_L_UPPER_ARM, side)]]);
            const double down = atan2(-arm.y, fabs(arm.x)) / UG_DEG;
            assert_true(arm.x * (side == 0 ? 1.0 : -1.0) > 0.0); // left is +X
            assert_true(CHARACTERS[c].t_pose ? fabs(down) < 3.0 : down > 25.0 && down < 60.0);
            const ug_vec3 foot = ug_vec3_sub(p[body.ball[side]],
                                             p[body.joint[ug_role_on_side(UG_ROLE_L_FOOT, side)]]);
            assert_true(foot.z > 0.0 && fabs(foot.x) < 0.02);           // looks along +Z
            for (int k = UG_ROLE_L_CLAVICLE; k <= UG_ROLE_L_TOE; k++) { // mirror images
                const ug_vec3 l = p[body.joint[k]], r = p[body.joint[ug_role_mirror((ug_role)k)]];
                assert_true(fabs(l.x + r.x) < 1e-6 && fabs(l.y - r.y) < 1e-6 &&
                            fabs(l.z - r.z) < 1e-6);
            }
        }
        ug_skeleton_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_are_what_they_claim),
        cmocka_unit_test(test_rest_poses_stand_on_turned_axes),
    };
    return cmocka_run_group_tests_name("datasets/characters", tests, NULL, NULL);
}
