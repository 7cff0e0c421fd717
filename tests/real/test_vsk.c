// SPDX-License-Identifier: MIT
// $UGOKI_DATA/data/c3d/nick/Nick01.vsk: does its tree stand as a person does, with the lengths that
// are known, and do its labels fit the take and our marker set?
#include "formats/format.h"
#include "formats/settings_yaml.h"
#include "motion/kinematics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ug_take nick;
static ug_quat turn[64];
static ug_vec3 at[64];

static const char *data_path(const char *name)
{
    static char path[3000];
    (void)snprintf(path, sizeof path, "%s/data/c3d/nick/%s", getenv("UGOKI_DATA"), name);
    return path;
}

static int read_nick(void **state)
{
    (void)state;
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    ug_take_init(&nick);
    if (ug_format_read(&nick, data_path("Nick01.vsk"), NULL, &warnings, &err) != UG_OK) {
        print_error("%s: %s\n", err.where, err.message);
        return -1;
    }
    ug_rest_forward(turn, at, nick.skeleton);
    return warnings.count == 1 && ug_warnings_count(&warnings, "up_inferred") == 1 ? 0 : -1;
}

static int release_nick(void **state)
{
    (void)state;
    ug_take_fini(&nick);
    return 0;
}

static ug_vec3 joint(const char *name)
{
    const int j = ug_skeleton_find(nick.skeleton, name);
    assert_true(j >= 0);
    return at[j];
}

static double between_mm(const char *a, const char *b)
{
    return 1000.0 * ug_vec3_distance(joint(a), joint(b));
}

static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        double mm; ///< from the file's own parameters, as CALIBRATE.md quotes them
    } BONES[] = {
        { "LeftUpLeg", "LeftLeg", 429 },    { "RightUpLeg", "RightLeg", 429 },
        { "LeftLeg", "LeftFoot", 389 },     { "RightLeg", "RightFoot", 389 },
        { "LeftArm", "LeftForeArm", 265 },  { "RightArm", "RightForeArm", 265 },
        { "LeftForeArm", "LeftHand", 248 }, { "LeftUpLeg", "RightUpLeg", 233 },
        { "LeftFoot", "LeftToe", 164 },
    };
    for (size_t i = 0; i < sizeof BONES / sizeof BONES[0]; i++) {
        assert_true(fabs(between_mm(BONES[i].a, BONES[i].b) - BONES[i].mm) < 0.6);
    }
}

static void test_stands_in_t_pose(void **state)
{
    (void)state;
    assert_int_equal(nick.skeleton->joint_count, 30);
    // left is +X, up is +Y, forward is +Z
    assert_true(joint("LeftHand").x > 0.7 && joint("RightHand").x < -0.7);
    assert_true(fabs(joint("LeftHand").y - joint("LeftArm").y) < 1e-5);
    assert_true(joint("Head").y > 0.5 && joint("LeftFoot").y < -0.7);
    assert_true(joint("LeftToe").z > 0.1);
    // the toe's turn undoes the foot's: it lies level in front of it
    assert_true(fabs(joint("L_Toe_End").y - joint("LeftToe").y) < 1e-5);
    // mirror images
    for (size_t j = 0; j < nick.skeleton->joint_count; j++) {
        const char *name = nick.skeleton->joints[j].name;
        if (strncmp(name, "Left", 4) == 0 && !strstr(name, "Thumb")) {
            char other[64];
            (void)snprintf(other, sizeof other, "Right%s", name + 4);
            const ug_vec3 l = at[j], r = joint(other);
            assert_true(fabs(l.x + r.x) < 1e-5 && fabs(l.y - r.y) < 1e-5 && fabs(l.z - r.z) < 1e-5);
        }
    }
}

static void test_joint_types(void **state)
{
    (void)state;
    const ug_skeleton *s = nick.skeleton;
    size_t counts[5] = { 0 }, sites = 0;
    for (size_t j = 0; j < s->joint_count; j++) {
        counts[s->joints[j].type]++;
        sites += (s->joints[j].flags & UG_JOINT_END_SITE) != 0;
    }
    assert_int_equal(counts[UG_JOINT_FREE], 1);
    assert_int_equal(counts[UG_JOINT_HINGE], 6); // knees, toes, elbows
    assert_int_equal(counts[UG_JOINT_FIXED], 5);
    assert_int_equal(sites, 5);
    assert_int_equal(counts[UG_JOINT_BALL], 18);
    assert_int_equal(ug_skeleton_check(s, NULL), UG_OK);
}

static void test_markers_lie_on_the_body(void **state)
{
    (void)state;
    assert_int_equal(nick.attachments.count, 53);
    for (size_t i = 0; i < nick.attachments.count; i++) {
        const ug_attachment *a = &nick.attachments.items[i];
        const ug_vec3 p = ug_vec3_add(at[a->joint], ug_quat_rotate(turn[a->joint], a->local_m));
        // left markers left, right ones right, by at least a centimetre
        assert_true(a->label[0] != 'L' || p.x > 0.01);
        assert_true(a->label[0] != 'R' || p.x < -0.01);
        assert_true(ug_vec3_norm(a->local_m) < 0.45);
    }
    const ptrdiff_t heel = ug_attachments_find(&nick.attachments, "LHEL");
    const ptrdiff_t toe = ug_attachments_find(&nick.attachments, "LTOE");
    assert_true(heel >= 0 && toe >= 0);
    assert_string_equal(nick.attachments.items[heel].segment, "LeftFoot");
}

static void test_labels_fit_take_and_marker_set(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    assert_int_equal(ug_format_read(&take, data_path("nick_freeform_001.c3d"), NULL, NULL, NULL),
                     UG_OK);
    size_t found = 0;
    for (size_t i = 0; i < nick.attachments.count; i++) {
        found += ug_markers_find(take.markers, nick.attachments.items[i].label) >= 0;
    }
    assert_int_equal(found, 53);
    ug_take_fini(&take);

    char path[2048];
    const char *end = strstr(__FILE__, "tests/real");
    (void)snprintf(path, sizeof path, "%.*sdatasets/markersets/vicon_53.yaml",
                   (int)(end - __FILE__), __FILE__);
    ug_marker_set set;
    assert_int_equal(ug_marker_set_read(&set, path, NULL), UG_OK);
    assert_int_equal(set.markers.count, 53);
    for (size_t i = 0; i < set.markers.count; i++) {
        assert_true(ug_attachments_find(&nick.attachments, set.markers.items[i].label) >= 0);
    }
    ug_marker_set_fini(&set);
}

int main(void)
{
    if (!getenv("UGOKI_DATA")) {
        puts("skipped: UGOKI_DATA is not set");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_stands_in_t_pose),
        cmocka_unit_test(test_joint_types),
        cmocka_unit_test(test_markers_lie_on_the_body),
        cmocka_unit_test(test_labels_fit_take_and_marker_set),
    };
    return cmocka_run_group_tests_name("real/vsk", tests, read_nick, release_nick);
}
