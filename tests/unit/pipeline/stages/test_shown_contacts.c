// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/shown_contacts.c: a walk made in code, whose stances are known.
#include "pipeline/stages/shown_contacts.h"

#include "motion/text.h"
#include "tests/support/gait.h"

#include <math.h>
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

static bool is_planted(const ug_take *take, ug_contact_point point, double time_s)
{
    for (size_t i = 0; i < take->contacts.count; i++) {
        const ug_contact *c = &take->contacts.items[i];
        if (c->accepted && c->point == point && time_s >= c->start_s && time_s < c->end_s) {
            return true;
        }
    }
    return false;
}

static void test_walk_on_a_raised_floor(void **state)
{
    (void)state;
    ug_take take;
    open_take(&take, 0.7);
    assert_int_equal(ug_shown_contacts_find(&take, true, NULL), UG_OK);
    assert_true(take.contacts.found && take.contacts.count > 0);
    // every frame amid a stance has a planted toe of that side, none amid a swing
    for (size_t frame = 50; frame < 350; frame++) {
        const double t = (double)frame / 100.0, phase = t - floor(t);
        if (phase > 0.1 && phase < 0.5) {
            assert_true(is_planted(&take, UG_POINT_LEFT_TOE, t));
        } else if (phase > 0.7 && phase < 0.9) {
            assert_false(is_planted(&take, UG_POINT_LEFT_TOE, t));
        }
    }
    // targets are where the feet are, not where they would be on a level floor at 0; the ball's
    // centre lies a few cm over the sole
    const ug_series *s = ug_quality_find(&take.quality, "contact_slide_mm");
    assert_true(s && s->columns == 2 && s->rows == take.contacts.count);
    for (size_t i = 0; i < take.contacts.count; i++) {
        const double y = take.contacts.items[i].target_m.y;
        assert_true(y > 0.67 && y < 0.8);
        assert_true(isnan(s->values[2 * i]));
        // the walk's feet stand still but for the roll over the toe, within the detector's speeds
        assert_true(s->values[2 * i + 1] >= 0.0f && s->values[2 * i + 1] < 60.0f);
    }
    ug_take_fini(&take);
}

static void test_what_is_there_stays(void **state)
{
    (void)state;
    ug_take take;
    open_take(&take, 0.0);
    const ug_contact stance = {
        UG_POINT_LEFT_TOE, UG_CONTACT_PLANTED, 1.1, 1.5, { 1, 2, 3 }, true, ""
    };
    const ug_contact stride = {
        UG_POINT_LEFT_TOE, UG_CONTACT_LOAD, 1.1, 2.5, { 0, 0, 0 }, true, ""
    };
    assert_int_equal(ug_contacts_add(&take.contacts, &stance, NULL), UG_OK);
    assert_int_equal(ug_contacts_add(&take.contacts, &stride, NULL), UG_OK);
    assert_int_equal(ug_shown_contacts_find(&take, true, NULL), UG_OK);
    assert_int_equal(take.contacts.count, 2);
    assert_false(take.contacts.found);
    assert_true(take.contacts.items[0].target_m.z == 3.0);
    // only how far they slide is new: nothing amid a stance, a step's length over two
    const float *slide = ug_quality_find(&take.quality, "contact_slide_mm")->values;
    assert_true(slide[1] < 5.0f);
    assert_true(slide[3] > 500.0f);
    // and what the file says of that stays too
    const float said[] = { 9, 1, 8, 2 };
    assert_int_equal(ug_quality_set(&take.quality, "contact_slide_mm", "mm", 2, 2, said, NULL), 0);
    assert_int_equal(ug_shown_contacts_find(&take, true, NULL), UG_OK);
    assert_memory_equal(ug_quality_find(&take.quality, "contact_slide_mm")->values, said,
                        sizeof said);
    ug_take_fini(&take);
}

static void test_only_what_was_asked_for(void **state)
{
    (void)state;
    ug_take take;
    open_take(&take, 0.0);
    assert_int_equal(ug_shown_contacts_find(&take, false, NULL), UG_OK);
    assert_int_equal(take.contacts.count, 0);
    assert_false(take.contacts.found);
    take.clip->rate = (ug_rate){ 0, 0 }; // no speeds without a rate
    assert_int_equal(ug_shown_contacts_find(&take, true, NULL), UG_OK);
    assert_int_equal(take.contacts.count, 0);
    ug_take_fini(&take);
}

static void test_frames_that_are_no_numbers(void **state)
{
    (void)state;
    ug_take take;
    open_take(&take, 0.0);
    for (size_t frame = 100; frame < 180; frame++) {
        ug_clip_translations(take.clip, frame)[0].x = NAN;
    }
    assert_int_equal(ug_shown_contacts_find(&take, true, NULL), UG_OK);
    for (size_t i = 0; i < take.contacts.count; i++) {
        assert_false(take.contacts.items[i].start_s < 1.7 && take.contacts.items[i].end_s > 1.1);
        assert_true(ug_vec3_is_finite(take.contacts.items[i].target_m));
    }
    ug_contacts_fini(&take.contacts);
    for (size_t frame = 0; frame < take.clip->frame_count; frame++) {
        ug_clip_translations(take.clip, frame)[0].x = NAN;
    }
    assert_int_equal(ug_shown_contacts_find(&take, true, NULL), UG_OK);
    ug_take_fini(&take);
}

static void test_no_feet(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    assert_int_equal(ug_shown_contacts_find(&take, true, NULL), UG_OK); // no motion
    take.skeleton = ug_skeleton_create(3);
    const int root = 0;
    take.clip = ug_clip_create(2, 3, &root, 1, ug_rate_make(100, 1));
    for (int j = 0; j < 3; j++) {
        take.skeleton->joints[j].name = ug_text_format("bone%d", j);
    }
    assert_int_equal(ug_shown_contacts_find(&take, true, NULL), UG_OK); // no legs
    assert_true(take.contacts.count == 0 && !take.contacts.found);
    assert_null(ug_quality_find(&take.quality, "contact_slide_mm"));
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk_on_a_raised_floor),
        cmocka_unit_test(test_what_is_there_stays),
        cmocka_unit_test(test_only_what_was_asked_for),
        cmocka_unit_test(test_frames_that_are_no_numbers),
        cmocka_unit_test(test_no_feet),
    };
    return cmocka_run_group_tests_name("stages/shown_contacts", tests, NULL, NULL);
}
