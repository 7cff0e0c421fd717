// SPDX-License-Identifier: MIT
#include "motion/conventions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const NAMES[6] = { "+X", "-X", "+Y", "-Y", "+Z", "-Z" };

static void assert_is_rotation(ug_axes a)
{
    const ug_vec3 x = ug_axes_import(a, (ug_vec3){ 1, 0, 0 });
    const ug_vec3 y = ug_axes_import(a, (ug_vec3){ 0, 1, 0 });
    const ug_vec3 z = ug_axes_import(a, (ug_vec3){ 0, 0, 1 });
    assert_true(ug_vec3_dot(ug_vec3_cross(x, y), z) == 1.0);
}

static ug_vec3 axis_of(const char *name)
{
    const double s = name[0] == '-' ? -1.0 : 1.0;
    return (ug_vec3){ name[1] == 'X' ? s : 0, name[1] == 'Y' ? s : 0, name[1] == 'Z' ? s : 0 };
}

static void test_every_pair_of_axes(void **state)
{
    (void)state;
    int good = 0;
    for (int u = 0; u < 6; u++) {
        for (int r = 0; r < 6; r++) {
            ug_axes a = { { 9, 9, 9 }, { 9, 9, 9 } };
            ug_error err = { 0 };
            const ug_status status = ug_axes_from_names(&a, NAMES[u], NAMES[r], &err);
            assert_int_equal(status, u / 2 == r / 2 ? UG_E_USAGE : UG_OK);
            if (status != UG_OK) {
                assert_non_null(strstr(err.message, "are the same axis"));
                continue;
            }
            good++;
            assert_is_rotation(a);
            assert_true(ug_axes_import(a, axis_of(NAMES[u])).y == 1.0);
            assert_true(ug_axes_import(a, axis_of(NAMES[r])).x == 1.0);
            // text, vectors, floats and quaternion all say the same
            char text[7];
            ug_axes b;
            ug_axes_to_text(text, a);
            assert_true(ug_axes_from_text(&b, text));
            assert_memory_equal(&a, &b, sizeof a);
            const ug_vec3 v = { 1, -2, 3 }, w = ug_axes_import(a, v);
            assert_true(ug_vec3_distance(ug_axes_export(a, w), v) == 0.0);
            float f[3] = { 1, -2, 3 };
            ug_axes_import_f32(a, f, 1);
            assert_true((double)f[0] == w.x && (double)f[1] == w.y && (double)f[2] == w.z);
            ug_axes_export_f32(a, f, 1);
            assert_true(f[0] == 1 && f[1] == -2 && f[2] == 3);
            assert_true(ug_vec3_distance(ug_quat_rotate(ug_axes_to_quat(a), v), w) < 1e-12);
        }
    }
    assert_int_equal(good, 24);
}

static void test_default_right(void **state)
{
    (void)state;
    ug_axes a;
    char text[7];
    assert_int_equal(ug_axes_from_names(&a, "y", NULL, NULL), UG_OK);
    ug_axes_to_text(text, a);
    assert_string_equal(text, "+X+Y+Z");
    assert_int_equal(ug_axes_from_names(&a, "+Z", "", NULL), UG_OK);
    ug_axes_to_text(text, a);
    assert_string_equal(text, "+X+Z-Y");
    assert_int_equal(ug_axes_from_names(&a, "-X", NULL, NULL), UG_OK);
    assert_is_rotation(a);
}

static void test_no_axis(void **state)
{
    (void)state;
    ug_axes a;
    ug_error err = { 0 };
    assert_int_equal(ug_axes_from_names(&a, "W", NULL, &err), UG_E_USAGE);
    assert_string_equal(err.message, "'W' is not an axis; write +X, -X, +Y, -Y, +Z or -Z");
    assert_int_equal(ug_axes_from_names(&a, "", NULL, NULL), UG_E_USAGE);
    assert_int_equal(ug_axes_from_names(&a, "+Y", "+YY", NULL), UG_E_USAGE);
    assert_false(ug_axes_from_text(&a, "+X+Y"));
    assert_false(ug_axes_from_text(&a, "+X+Y+Y"));
    assert_false(ug_axes_from_text(&a, "+X+Z+Y")); // a mirror, not a rotation
    assert_false(ug_axes_from_text(&a, "XX+Y+Z"));
}

static void test_floats_keep_their_bits(void **state)
{
    (void)state;
    ug_axes a;
    assert_int_equal(ug_axes_from_names(&a, "-Z", "+Y", NULL), UG_OK);
    float f[6] = { NAN, -0.0f, 1e-45f, INFINITY, -1.5f, 0.0f }, before[6];
    memcpy(before, f, sizeof f);
    ug_axes_import_f32(a, f, 2);
    assert_memory_not_equal(f, before, sizeof f);
    ug_axes_export_f32(a, f, 2);
    assert_memory_equal(f, before, sizeof f);
    ug_axes_import_f32(a, NULL, 0);
}

static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double metres;
    } CASES[] = {
        { "mm", 0.001 },
        { "MM  ", 0.001 },
        { "Millimeters", 0.001 },
        { "millimetre", 0.001 },
        { "cm", 0.01 },
        { "m", 1.0 },
        { "metres", 1.0 },
        { "in", 0.0254 },
        { "ft", 0.3048 },
        { "foot", 0.3048 },
        { "", 0.0 },
        { "deg", 0.0 },
        { "mm              x", 0.0 },
        { "  ", 0.0 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_true(ug_unit_to_metres(CASES[i].name) == CASES[i].metres);
    }
    assert_true(ug_unit_to_metres(NULL) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair_of_axes),
        cmocka_unit_test(test_default_right),
        cmocka_unit_test(test_no_axis),
        cmocka_unit_test(test_floats_keep_their_bits),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests_name("motion/conventions", tests, NULL, NULL);
}
