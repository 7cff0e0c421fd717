// SPDX-License-Identifier: MIT
#include "motion/attachments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ug_attachment item(const char *label, const char *segment)
{
    return (ug_attachment){ .label = (char *)label,
                            .segment = (char *)segment,
                            .joint = -1,
                            .local_m = { 0.1, 0.2, 0.3 },
                            .sigma_m = { 0.01, 0.02, 0.03 },
                            .weight = 0.5,
                            .kind = UG_MARKER_TECHNICAL,
                            .calibrated = true };
}

static void test_add_copies(void **state)
{
    (void)state;
    ug_attachments a = { 0 }, b = { 0 };
    char label[] = "LASI";
    ug_attachment one = item(label, NULL);
    assert_int_equal(ug_attachments_add(&a, &one, NULL), UG_OK);
    label[0] = 'X';
    assert_string_equal(a.items[0].label, "LASI");
    assert_string_equal(a.items[0].segment, "");
    one = item("RASI", "pelvis");
    assert_int_equal(ug_attachments_add(&a, &one, NULL), UG_OK);
    assert_int_equal(ug_attachments_find(&a, "RASI"), 1);
    assert_int_equal(ug_attachments_find(&a, "rasi"), -1);
    assert_int_equal(ug_attachments_copy(&b, &a, NULL), UG_OK);
    ug_attachments_fini(&a);
    assert_int_equal(a.count, 0);
    assert_int_equal(b.count, 2);
    assert_string_equal(b.items[1].segment, "pelvis");
    assert_true(b.items[1].calibrated && b.items[1].weight == 0.5);
    ug_attachments_fini(&b);
    ug_attachments_fini(NULL);
    assert_int_equal(ug_attachments_copy(&b, &a, NULL), UG_OK);
    assert_int_equal(b.count, 0);
}

static ug_skeleton *skeleton(double stature_m)
{
    ug_skeleton *s = ug_skeleton_create(2);
    s->stature_m = stature_m;
    s->joints[0].name = strdup("pelvis");
    s->joints[1].name = strdup("thigh");
    return s;
}

static void test_attach_scales_with_stature(void **state)
{
    (void)state;
    static const double STATURES[] = { 0.875, 0.0 };
    for (int i = 0; i < 2; i++) {
        ug_skeleton *s = skeleton(STATURES[i]);
        ug_marker_set set = { .name = strdup("set"), .stature_m = 1.75 };
        ug_attachments out = { 0 };
        const ug_attachment one = item("LTHI", "thigh");
        assert_int_equal(ug_attachments_add(&set.markers, &one, NULL), UG_OK);
        assert_int_equal(ug_marker_set_attach(&out, &set, s, NULL), UG_OK);
        const double scale = i == 0 ? 0.5 : 1.0; // an unknown stature scales nothing
        assert_int_equal(out.items[0].joint, 1);
        assert_true(out.items[0].local_m.y == 0.2 * scale);
        assert_true(out.items[0].sigma_m.z == 0.03 * scale);
        assert_int_equal(set.markers.items[0].joint, -1);
        ug_attachments_fini(&out);
        ug_marker_set_fini(&set);
        ug_skeleton_destroy(s);
    }
    ug_marker_set_fini(NULL);
}

static void test_attach_needs_the_segment(void **state)
{
    (void)state;
    ug_skeleton *s = skeleton(1.75);
    ug_marker_set set = { .stature_m = 1.75 };
    ug_attachments out = { 0 };
    ug_error err = { 0 };
    ug_attachment one = item("LASI", "pelvis");
    assert_int_equal(ug_attachments_add(&set.markers, &one, NULL), UG_OK);
    one = item("TAIL", "tail");
    assert_int_equal(ug_attachments_add(&set.markers, &one, NULL), UG_OK);
    assert_int_equal(ug_marker_set_attach(&out, &set, s, &err), UG_E_DATA);
    assert_string_equal(err.message,
                        "marker 'TAIL' sits on segment 'tail', which the skeleton does "
                        "not have; use a marker set made for this template");
    assert_int_equal(out.count, 0);
    ug_marker_set_fini(&set);
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_copies),
        cmocka_unit_test(test_attach_scales_with_stature),
        cmocka_unit_test(test_attach_needs_the_segment),
    };
    return cmocka_run_group_tests_name("motion/attachments", tests, NULL, NULL);
}
