// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/footing.c: a walk made in code, whose stances are known.
#include "pipeline/stages/footing.h"

#include "motion/text.h"
#include "tests/support/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const test_walk WALK = { 400, 100, 0.9, 0.06, 0, 0 };

static void open_take(ug_take *take, double raise_m)
{
    ug_take_init(take);
    take->skeleton = test_character_create(&(test_character){ 1.0, 1.0, 2, 0, 4, true, "l", "r" });
    take->clip = test_walk_create(take->skeleton, &WALK);
    for (size_t f = 0; f < take->clip->frame_count; f++) {
        ug_clip_translations(take->clip, f)[0].y += raise_m;
    }
}

static void test_walk_on_a_raised_floor(void **state)
{
    (void)state;
    ug_take take;
    ug_footing f;
    memset(&f, 0xa5, sizeof f);
    open_take(&take, 0.7);
    assert_int_equal(ug_footing_find(&f, &take, NULL), UG_OK);
    assert_true(f.found && f.floor_found);
    // the plane at the middle of the walk, 1.8 m on
    assert_true(fabs(f.floor_m + f.slope_z * 1.8 - 0.7) < 0.01);
    assert_string_equal(take.skeleton->joints[f.ankle[0]].name, "lAnkle");
    assert_string_equal(take.skeleton->joints[f.ankle[1]].name, "rAnkle");
    assert_true(fabs(ug_vec3_norm(f.heel_m[0]) - 0.08) < 0.04); // under an ankle 8 cm up
    ug_take_fini(&take);
}

static void test_without_a_rate_no_floor(void **state)
{
    (void)state;
    ug_take take;
    ug_footing f;
    open_take(&take, 0.0);
    take.clip->rate = (ug_rate){ 0, 0 }; // no speeds without a rate
    assert_int_equal(ug_footing_find(&f, &take, NULL), UG_OK);
    assert_true(f.found && !f.floor_found);
    ug_take_fini(&take);
}

static void test_frames_that_are_no_numbers(void **state)
{
    (void)state;
    ug_take take;
    ug_footing f;
    open_take(&take, 0.0);
    for (size_t frame = 100; frame < 180; frame++) {
        ug_clip_translations(take.clip, frame)[0].x = NAN;
    }
    assert_int_equal(ug_footing_find(&f, &take, NULL), UG_OK);
    assert_true(f.found && isfinite(f.heel_m[0].y));
    for (size_t frame = 0; frame < take.clip->frame_count; frame++) {
        ug_clip_translations(take.clip, frame)[0].x = NAN;
    }
    assert_int_equal(ug_footing_find(&f, &take, NULL), UG_OK);
    ug_take_fini(&take);
}

static void test_no_feet(void **state)
{
    (void)state;
    ug_take take;
    ug_footing f;
    ug_take_init(&take);
    memset(&f, 0xa5, sizeof f);
    assert_int_equal(ug_footing_find(&f, &take, NULL), UG_OK); // no motion
    assert_false(f.found);
    take.skeleton = ug_skeleton_create(3);
    const int root = 0;
    take.clip = ug_clip_create(2, 3, &root, 1, ug_rate_make(100, 1));
    for (int j = 0; j < 3; j++) {
        take.skeleton->joints[j].name = ug_text_format("bone%d", j);
    }
    memset(&f, 0xa5, sizeof f);
    assert_int_equal(ug_footing_find(&f, &take, NULL), UG_OK); // no legs
    assert_false(f.found);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk_on_a_raised_floor),
        cmocka_unit_test(test_without_a_rate_no_floor),
        cmocka_unit_test(test_frames_that_are_no_numbers),
        cmocka_unit_test(test_no_feet),
    };
    return cmocka_run_group_tests_name("stages/footing", tests, NULL, NULL);
}
