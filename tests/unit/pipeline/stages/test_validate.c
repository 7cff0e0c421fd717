// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/validate.c.
#include "pipeline/stages/validate.h"

#include "motion/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    static ug_take take;
    ug_take_init(&take);
    take.markers = ug_markers_create(3, 2, ug_rate_make(100, 1));
    take.skeleton = ug_skeleton_create(2);
    take.clip = ug_clip_create(3, 2, (int[]){ 0 }, 1, ug_rate_make(100, 1));
    for (size_t i = 0; i < 2; i++) {
        take.markers->labels[i] = ug_text_copy(i ? "B" : "A");
        take.markers->subjects[i] = ug_text_copy("");
        take.skeleton->joints[i].name = ug_text_copy(i ? "leg" : "hips");
        for (size_t f = 0; f < 3; f++) {
            ug_markers_set_m(take.markers, f, i, (ug_vec3){ 1, 2, 3 }, UG_ORIGIN_MEASURED);
        }
    }
    *state = &take;
    return 0;
}

static int teardown(void **state)
{
    ug_take_fini(*state);
    return 0;
}

static void test_a_sound_take_has_no_warnings(void **state)
{
    ug_warnings w = { 0 };
    assert_int_equal(ug_take_validate(*state, &w, NULL), UG_OK);
    assert_int_equal(w.count, 0);
}

static void test_oddities_are_counted_by_name(void **state)
{
    ug_take *take = *state;
    ug_warnings w = { 0 };
    strcpy(take->markers->labels[1], "A");
    take->markers->positions[0] = NAN;     // present, not finite
    ug_markers_clear(take->markers, 0, 1); // A second: never seen
    ug_markers_clear(take->markers, 1, 1);
    ug_markers_clear(take->markers, 2, 1);
    ug_clip_rotations(take->clip, 1)[1].w = 2.0; // not unit
    ug_clip_translations(take->clip, 2)[0].y = INFINITY;
    assert_int_equal(ug_take_validate(take, &w, NULL), UG_OK);
    assert_int_equal(ug_warnings_count(&w, "label_doubled"), 1);
    assert_int_equal(ug_warnings_count(&w, "sample_not_finite"), 1);
    assert_int_equal(ug_warnings_count(&w, "marker_never_seen"), 1);
    assert_int_equal(ug_warnings_count(&w, "rotation_not_unit"), 1);
    assert_int_equal(ug_warnings_count(&w, "translation_not_finite"), 1);
    assert_int_equal(w.count, 5);
}

static void test_a_motion_of_another_skeleton_is_refused(void **state)
{
    ug_take *take = *state;
    ug_error err = { 0 };
    ug_clip_destroy(take->clip);
    take->clip = ug_clip_create(3, 5, (int[]){ 0 }, 1, ug_rate_make(100, 1));
    assert_int_equal(ug_take_validate(take, NULL, &err), UG_E_DATA);
    assert_string_equal(err.message, "motion has 5 joints, the skeleton 2");
}

static void test_a_marker_on_no_joint_is_refused(void **state)
{
    ug_take *take = *state;
    ug_error err = { 0 };
    const ug_attachment a = { .label = "A", .segment = "x", .joint = 7 };
    assert_int_equal(ug_attachments_add(&take->attachments, &a, NULL), UG_OK);
    assert_int_equal(ug_take_validate(take, NULL, &err), UG_E_DATA);
    assert_string_equal(err.message, "marker 'A' is attached to no joint");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_sound_take_has_no_warnings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_oddities_are_counted_by_name, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_motion_of_another_skeleton_is_refused, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_a_marker_on_no_joint_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests_name("pipeline/stages/validate", tests, NULL, NULL);
}
