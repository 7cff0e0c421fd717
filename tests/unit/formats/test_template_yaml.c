// SPDX-License-Identifier: MIT
// Templates, read and written: formats/template_yaml.c and formats/template_write.c.
#include "formats/settings_yaml.h"

#include "tests/support/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const PATH = "test_template.yaml";

static ug_status read_text(ug_skeleton **s, const char *text, ug_error *err)
{
    assert_true(test_write_text(PATH, text));
    *s = (ug_skeleton *)PATH; // garbage
    const ug_status status = ug_template_read(s, PATH, err);
    remove(PATH);
    return status;
}

static void test_every_key(void **state)
{
    (void)state;
    ug_skeleton *s = NULL;
    assert_int_equal(
        read_text(
            &s,
            "name: t\nstature_m: 1.8\nunit: m\naxes: {x: left, y: up, z: forward}\njoints:\n"
            "- {name: 'a:hip', parent: ~, offset_m: [0, 1, 0]}\n"
            "- {name: knee, parent: 'a:hip', offset_m: [0, -0.4, 0], type: hinge, axes: [x],\n"
            "   limits_deg: [[-10, 160]], pose_sigma_deg: [90], offset_sigma_m: [1, 2, 3],\n"
            "   role: left_shin, rest_wxyz: [0, 1, 0, 0], locked: true,\n"
            "   channels: [Zrotation, Xposition], note: n}\n"
            "- {name: arm, parent: 'a:hip', offset_m: [1, 0, 0], type: universal,\n"
            "   axes: [y, [0, 0.6, 0.8]], limits_deg: []}\n"
            "- {name: tip, parent: knee, offset_m: [0, 0, 1], end_site: true}\n",
            NULL),
        UG_OK);
    assert_string_equal(s->name, "t");
    assert_true(s->stature_m == 1.8);
    assert_int_equal(s->joint_count, 4);
    assert_int_equal(s->joints[0].type, UG_JOINT_FREE);
    assert_int_equal(s->joints[0].parent, -1);
    const ug_joint *knee = &s->joints[1];
    assert_int_equal(knee->parent, 0);
    assert_int_equal(knee->type, UG_JOINT_HINGE);
    assert_true(knee->limits_rad[0][0] == -10 * UG_DEG && knee->limits_rad[0][1] == 160 * UG_DEG);
    assert_true(knee->pose_sigma_rad[0] == 90 * UG_DEG && knee->offset_sigma_m.z == 3);
    assert_int_equal(knee->role, UG_ROLE_L_SHIN);
    assert_true(knee->rest.w == 0 && knee->rest.x == 1);
    assert_int_equal(knee->flags, UG_JOINT_HAS_LIMITS | UG_JOINT_HAS_PRIOR | UG_JOINT_LOCKED);
    assert_int_equal(knee->channels[0], UG_CHANNEL_Z_ROTATION);
    assert_int_equal(knee->channels[1], UG_CHANNEL_X_POSITION);
    assert_int_equal(knee->channels[2], UG_CHANNEL_NONE);
    assert_true(s->joints[2].axes[0].y == 1 && s->joints[2].axes[1].z == 0.8);
    assert_int_equal(s->joints[2].flags, 0);
    assert_int_equal(s->joints[3].type, UG_JOINT_FIXED);
    assert_int_equal(s->joints[3].flags, UG_JOINT_END_SITE);
    ug_skeleton_destroy(s);
}

static void test_refused(void **state)
{
    (void)state;
#define ROOT "joints:\n- {name: a, parent: ~, offset_m: [0, 0, 0]}\n"
    static const struct {
        const char *text, *where, *message;
    } CASES[] = {
        { "joint: []\n", ":1", "template: unknown key 'joint'; did you mean 'joints'?" },
        { "name: x\n", ":1", "template: key 'joints' is missing" },
        { "joints: []\n", ":1", "a template has 1 to 4096 joints, here are 0" },
        { "unit: mm\n" ROOT, ":1", "template: unit must be m (metres)" },
        { "axes: {x: right, y: up, z: forward}\n" ROOT, ":1",
          "template: axes must be {x: left, y: up, z: forward}" },
        { "stature_m: -1\n" ROOT, ":1", "stature_m is negative" },
        { "joints:\n- {name: a, parent: ~}\n", ":2", "joint 0: key 'offset_m' is missing" },
        { ROOT "- {name: b, parent: a, ofset_m: [0, 0, 0]}\n", ":3",
          "joint 1: unknown key 'ofset_m'; did you mean 'offset_m'?" },
        { ROOT "- {name: a, parent: a, offset_m: [0, 0, 0]}\n", ":3", "joint 'a' stands twice" },
        { ROOT "- {name: spine, parent: spine, offset_m: [0, 0, 0]}\n", ":3",
          "joint 'spine': parent 'spine' does not stand before it" },
        { ROOT "- {name: chest, parent: ~, offset_m: [0, 0, 0]}\n"
               "- {name: b, parent: cehst, offset_m: [0, 0, 0]}\n",
          ":4", "joint 'b': parent 'cehst' does not stand before it; did you mean 'chest'?" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1]}\n", ":3",
          "offset_m must have 3 numbers, here are 2" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2m]}\n", ":3",
          "offset_m: '2m' is not a number; write digits only, with a point (1.5)" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], type: hinge}\n", ":3",
          "joint 'b': a hinge joint needs 'axes' (1 of them)" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], type: hinge, axes: [x, y]}\n", ":3",
          "joint 'b': a hinge joint has 1 axes, here are 2" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], type: hinge, axes: [w]}\n", ":3",
          "axes: 'w' is not known; allowed: x, y, z" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], type: hinge, axes: [[0, 0, 2]]}\n",
          ":3", "joint 'b': an axis must have length 1, this has 2" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], limits_deg: [[0, 1]]}\n", ":3",
          "joint 'b': a ball joint has 3 pairs of limits, here are 1" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], type: hinge, axes: [x], "
               "limits_deg: [[5, 1]]}\n",
          ":3", "joint 'b': limit 0 is empty: 5 is above 1" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], type: hinge, axes: [x], "
               "limits_deg: [[0, 1]], limits_rad: [[0, 1]]}\n",
          ":3", "write either limits_deg or limits_rad, not both" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], type: hinge, axes: [x], "
               "pose_sigma_deg: [-1], offset_sigma_m: [0, 0, 0]}\n",
          ":3", "joint 'b': a standard deviation is negative" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], role: left_shinn}\n", ":3", NULL },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], role: head}\n"
               "- {name: c, parent: a, offset_m: [0, 1, 2], role: head}\n",
          ":4", "joint 'c': joint 'b' has the role head already" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], rest_wxyz: [1, 1, 0, 0]}\n", ":3",
          "joint 'b': rest_wxyz is not a unit quaternion (w, x, y, z); its squared length is 2" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], type: ball, end_site: true}\n", ":3",
          "joint 'b': an end site has type fixed" },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], channels: [none]}\n", ":3", NULL },
        { ROOT "- {name: b, parent: a, offset_m: [0, 1, 2], channels: [Xscale, Xscale, Xscale, "
               "Xscale, Xscale, Xscale, Xscale, Xscale, Xscale, Xscale]}\n",
          ":3", "joint 'b': at most 9 channels, here are 10" },
    };
#undef ROOT
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_skeleton *s = NULL;
        ug_error err = { 0 };
        char where[64];
        (void)snprintf(where, sizeof where, "%s%s", PATH, CASES[i].where);
        assert_int_equal(read_text(&s, CASES[i].text, &err), UG_E_FORMAT);
        assert_null(s);
        assert_string_equal(err.where, where);
        if (CASES[i].message) {
            assert_string_equal(err.message, CASES[i].message);
        } else {
            assert_non_null(strstr(err.message, "is not known"));
        }
    }
}

static void assert_same_bits(const ug_skeleton *a, const ug_skeleton *b)
{
    assert_int_equal(a->joint_count, b->joint_count);
    assert_true(a->stature_m == b->stature_m);
    assert_string_equal(a->name, b->name);
    for (size_t j = 0; j < a->joint_count; j++) {
        const ug_joint *p = &a->joints[j], *q = &b->joints[j];
        const size_t dof = (size_t)ug_joint_rotation_dof(p->type);
        assert_string_equal(p->name, q->name);
        assert_int_equal(p->parent, q->parent);
        assert_int_equal(p->type, q->type);
        assert_int_equal(p->role, q->role);
        assert_int_equal(p->flags, q->flags);
        assert_memory_equal(&p->offset_m, &q->offset_m, sizeof p->offset_m);
        assert_memory_equal(&p->rest, &q->rest, sizeof p->rest);
        assert_memory_equal(p->axes, q->axes, dof * sizeof p->axes[0]);
        assert_memory_equal(p->channels, q->channels, sizeof p->channels);
        if (p->flags & UG_JOINT_HAS_LIMITS) {
            assert_memory_equal(p->limits_rad, q->limits_rad, dof * sizeof p->limits_rad[0]);
        }
        if (p->flags & UG_JOINT_HAS_PRIOR) {
            assert_memory_equal(p->pose_sigma_rad, q->pose_sigma_rad, dof * sizeof(double));
            assert_memory_equal(&p->offset_sigma_m, &q->offset_sigma_m, sizeof(ug_vec3));
        }
    }
}

static double pseudo_random(void)
{
    static uint64_t seed = 42;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0 - 0.5;
}

static void test_write_and_read_keep_every_bit(void **state)
{
    (void)state;
    ug_skeleton *s = ug_skeleton_create(64), *back = NULL;
    s->stature_m = 1.0 / 3.0;
    s->name = strdup("quoted \"name\" \\ # : ü\x01");
    for (size_t j = 0; j < s->joint_count; j++) {
        ug_joint *joint = &s->joints[j];
        char name[48];
        (void)snprintf(name, sizeof name, "rig:%zu - joint, [x] 'y' ~", j);
        joint->name = strdup(name);
        joint->type = (ug_joint_type)(j % 5);
        joint->offset_m = (ug_vec3){ pseudo_random(), 1e-300 * pseudo_random(), -0.0 };
        joint->rest = ug_quat_exp((ug_vec3){ pseudo_random(), pseudo_random(), pseudo_random() });
        joint->role = (ug_role)(j % UG_ROLE_COUNT);
        if (j >= UG_ROLE_COUNT) {
            joint->role = UG_ROLE_SPINE;
        }
        const int dof = ug_joint_rotation_dof(joint->type);
        for (int k = 0; k < 3; k++) {
            if (k < dof && j % 2) {
                joint->axes[k] =
                    ug_vec3_unit((ug_vec3){ pseudo_random(), pseudo_random(), pseudo_random() },
                                 (ug_vec3){ 1, 0, 0 });
            }
            joint->limits_rad[k][0] = -3 + pseudo_random();
            joint->limits_rad[k][1] = k == 0 ? 35 * UG_DEG : 3 * pseudo_random();
            joint->pose_sigma_rad[k] = 1 + pseudo_random();
        }
        joint->offset_sigma_m = (ug_vec3){ 0.1, 1.0 / 7.0, 0.0 };
        joint->flags = (dof > 0 && j % 3 ? UG_JOINT_HAS_LIMITS : 0) |
                       (j % 4 ? UG_JOINT_HAS_PRIOR : 0) | (j % 7 == 6 ? UG_JOINT_LOCKED : 0) |
                       (dof == 0 ? UG_JOINT_END_SITE : 0);
        for (size_t k = 0; k < j % (UG_CHANNELS_MAX + 1); k++) {
            joint->channels[k] = (uint8_t)(1 + (j + k) % 9);
        }
    }
    assert_int_equal(ug_template_write(PATH, s, NULL), UG_OK);
    ug_error err = { 0 };
    assert_int_equal(ug_template_read(&back, PATH, &err), UG_OK);
    assert_same_bits(s, back);
    // degrees where they are exact, radians only where not
    char *text = test_read_text(PATH);
    assert_non_null(strstr(text, "limits_deg"));
    free(text);
    ug_skeleton_destroy(back);
    ug_skeleton_destroy(s);
    remove(PATH);
}

static void test_write_refuses_nonsense_and_folders(void **state)
{
    (void)state;
    ug_skeleton *s = ug_skeleton_create(1);
    ug_error err = { 0 };
    assert_int_equal(ug_template_write(PATH, s, &err), UG_E_DATA);
    assert_string_equal(err.message, "joint 0 has no name");
    assert_null(test_read_text(PATH));
    s->joints[0].name = strdup("a");
    err = (ug_error){ 0 };
    assert_int_equal(ug_template_write("no/such/folder.yaml", s, &err), UG_E_WRITE);
    assert_string_equal(err.where, "no/such/folder.yaml");
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_key),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_write_and_read_keep_every_bit),
        cmocka_unit_test(test_write_refuses_nonsense_and_folders),
    };
    return cmocka_run_group_tests_name("formats/template_yaml", tests, NULL, NULL);
}
