// SPDX-License-Identifier: MIT
// The data files that ship: each loads, is mirrored left to right, and they fit together.
#include "formats/settings_yaml.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *name;
    size_t count, unpaired;
} SETS[] = {
    { "cmu_41", 41, 5 },             // C7 T10 CLAV STRN RBAC
    { "plugin_gait_39", 40, 6 },     // … RBAK SACR
    { "plugin_gait_oxford", 71, 9 }, // … T2 T6 T12
    { "vicon_53", 53, 5 },           // C7 T10 CLAV STRN ARIEL
};

enum { SET_COUNT = sizeof SETS / sizeof SETS[0] };

static const char *share(const char *folder, const char *name)
{
    static char path[2048];
    const char *end = strstr(__FILE__, "tests/unit/datasets");
    assert_non_null(end);
    (void)snprintf(path, sizeof path, "%.*sdatasets/%s/%s.yaml", (int)(end - __FILE__), __FILE__,
                   folder, name);
    return path;
}

static ug_skeleton *load_template(void)
{
    ug_skeleton *s = NULL;
    ug_error err = { 0 };
    const ug_status status = ug_template_read(&s, share("templates", "humanoid"), &err);
    if (status != UG_OK) {
        print_error("%s: %s\n", err.where, err.message);
    }
    assert_int_equal(status, UG_OK);
    return s;
}

static void test_template_is_whole(void **state)
{
    (void)state;
    ug_skeleton *s = load_template();
    assert_int_equal(s->joint_count, 21);
    assert_string_equal(s->name, "humanoid");
    assert_true(s->stature_m == 1.75);
    for (int role = UG_ROLE_PELVIS; role < UG_ROLE_COUNT; role++) {
        assert_true(ug_skeleton_find_role(s, (ug_role)role) >= 0);
    }
    const ug_joint *knee = &s->joints[ug_skeleton_find(s, "l_shank")];
    assert_int_equal(knee->type, UG_JOINT_HINGE);
    assert_true(knee->axes[0].x == 1.0);
    assert_true(fabs(knee->limits_rad[0][1] - 160 * UG_DEG) < 1e-15);
    const ug_joint *elbow = &s->joints[ug_skeleton_find(s, "r_forearm")];
    assert_int_equal(elbow->type, UG_JOINT_UNIVERSAL);
    assert_true(elbow->axes[0].y == 1.0 && elbow->axes[1].x == 1.0);
    assert_int_equal(s->joints[0].type, UG_JOINT_FREE);
    for (size_t j = 1; j < s->joint_count; j++) {
        assert_true(s->joints[j].flags & UG_JOINT_HAS_LIMITS);
        assert_true(s->joints[j].flags & UG_JOINT_HAS_PRIOR);
    }
    ug_skeleton_destroy(s);
}

static void test_template_stands_at_human_heights(void **state)
{
    (void)state;
    ug_skeleton *s = load_template();
    double height[32];
    for (size_t j = 0; j < s->joint_count; j++) {
        const int parent = s->joints[j].parent;
        height[j] = s->joints[j].offset_m.y + (parent < 0 ? 0.0 : height[parent]);
    }
    // Drillis and Contini: hip .530, ankle .039, acromion .818 of stature; within 2 cm. The
    // acromion lies 5.5 cm above the joint's centre, where the marker sets have SHO
    const double hip = height[ug_skeleton_find(s, "l_thigh")];
    const double ankle = height[ug_skeleton_find(s, "l_foot")];
    const double shoulder = height[ug_skeleton_find(s, "l_upperarm")];
    assert_true(fabs((hip - ankle) - (0.530 - 0.039) * 1.75) < 0.02);
    assert_true(fabs((shoulder + 0.055 - ankle) - (0.818 - 0.039) * 1.75) < 0.02);
    ug_skeleton_destroy(s);
}

static void assert_mirrored(ug_vec3 left, ug_vec3 right)
{
    assert_true(left.x == -right.x && left.y == right.y && left.z == right.z);
}

// A turn about x is its own mirror image; about y and z the sign changes.
static void assert_limits_mirrored(const ug_joint *l, const ug_joint *r)
{
    for (int k = 0; k < ug_joint_rotation_dof(l->type); k++) {
        assert_true(ug_vec3_distance(l->axes[k], r->axes[k]) == 0.0);
        assert_true(l->pose_sigma_rad[k] == r->pose_sigma_rad[k]);
        const bool same = l->axes[k].x == 1.0;
        assert_true(l->limits_rad[k][0] == (same ? r->limits_rad[k][0] : -r->limits_rad[k][1]));
        assert_true(l->limits_rad[k][1] == (same ? r->limits_rad[k][1] : -r->limits_rad[k][0]));
    }
}

static void test_template_is_symmetric(void **state)
{
    (void)state;
    ug_skeleton *s = load_template();
    int pairs = 0;
    for (int role = UG_ROLE_L_CLAVICLE; role <= UG_ROLE_L_TOE; role++) {
        const ug_joint *l = &s->joints[ug_skeleton_find_role(s, (ug_role)role)];
        const ug_joint *r = &s->joints[ug_skeleton_find_role(s, ug_role_mirror((ug_role)role))];
        assert_mirrored(l->offset_m, r->offset_m);
        assert_int_equal(l->type, r->type);
        assert_true(ug_vec3_distance(l->offset_sigma_m, r->offset_sigma_m) == 0.0);
        assert_limits_mirrored(l, r);
        assert_int_equal(l->name[0], 'l');
        assert_string_equal(l->name + 1, r->name + 1);
        pairs++;
    }
    assert_int_equal(pairs, 8);
    for (size_t j = 0; j < s->joint_count; j++) {
        if (ug_role_mirror(s->joints[j].role) == s->joints[j].role) {
            assert_true(s->joints[j].offset_m.x == 0.0);
        }
    }
    ug_skeleton_destroy(s);
}

static void test_marker_sets_load_and_attach(void **state)
{
    (void)state;
    ug_skeleton *s = load_template();
    for (int i = 0; i < SET_COUNT; i++) {
        ug_marker_set set;
        ug_attachments attachments = { 0 };
        ug_error err = { 0 };
        const ug_status status = ug_marker_set_read(&set, share("markersets", SETS[i].name), &err);
        if (status != UG_OK) {
            print_error("%s: %s\n", err.where, err.message);
        }
        assert_int_equal(status, UG_OK);
        assert_string_equal(set.name, SETS[i].name);
        assert_int_equal(set.markers.count, SETS[i].count);
        assert_int_equal(ug_marker_set_attach(&attachments, &set, s, &err), UG_OK);
        assert_int_equal(attachments.count, SETS[i].count);
        for (size_t m = 0; m < attachments.count; m++) {
            assert_true(attachments.items[m].weight > 0.0);
            assert_true(ug_vec3_norm(attachments.items[m].local_m) < 0.5);
        }
        ug_attachments_fini(&attachments);
        ug_marker_set_fini(&set);
    }
    ug_skeleton_destroy(s);
}

static void test_marker_sets_are_symmetric(void **state)
{
    (void)state;
    for (int i = 0; i < SET_COUNT; i++) {
        ug_marker_set set;
        size_t paired = 0;
        assert_int_equal(ug_marker_set_read(&set, share("markersets", SETS[i].name), NULL), UG_OK);
        for (size_t m = 0; m < set.markers.count; m++) {
            const ug_attachment *l = &set.markers.items[m];
            char other[64];
            (void)snprintf(other, sizeof other, "R%s", l->label + 1);
            const ptrdiff_t at = ug_attachments_find(&set.markers, other);
            if (l->label[0] != 'L' || at < 0) {
                continue;
            }
            const ug_attachment *r = &set.markers.items[at];
            paired += 2;
            assert_mirrored(l->local_m, r->local_m);
            assert_true(ug_vec3_distance(l->sigma_m, r->sigma_m) == 0.0);
            assert_int_equal(l->kind, r->kind);
            if (strncmp(l->segment, "l_", 2) == 0) {
                assert_int_equal(r->segment[0], 'r');
                assert_string_equal(l->segment + 1, r->segment + 1);
            } else {
                assert_string_equal(l->segment, r->segment);
            }
        }
        assert_int_equal(set.markers.count - paired, SETS[i].unpaired);
        ug_marker_set_fini(&set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template_is_whole),
        cmocka_unit_test(test_template_stands_at_human_heights),
        cmocka_unit_test(test_template_is_symmetric),
        cmocka_unit_test(test_marker_sets_load_and_attach),
        cmocka_unit_test(test_marker_sets_are_symmetric),
    };
    return cmocka_run_group_tests_name("datasets/files", tests, NULL, NULL);
}
