// SPDX-License-Identifier: MIT
#include "motion/take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_empty_take(void **state)
{
    (void)state;
    ug_take take;
    memset(&take, 0xA5, sizeof take);
    ug_take_init(&take);
    assert_string_equal(take.source.unit, "m");
    assert_true(take.source.unit_m == 1.0);
    assert_int_equal(take.source.axes.from[2], 2);
    assert_int_equal(take.source.axes.sign[1], 1);
    assert_null(take.markers);
    assert_int_equal(take.quality.count + take.provenance.count + take.attachments.count, 0);
    ug_take_fini(&take);
    ug_take_fini(&take);
    ug_take_fini(NULL);
}

static void test_fini_releases_every_part(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    take.markers = ug_markers_create(2, 1, ug_rate_make(1, 1));
    take.analog = ug_analog_create(1, 1, 1);
    take.skeleton = ug_skeleton_create(1);
    take.clip = ug_clip_create(1, 1, (const int[]){ 0 }, 1, ug_rate_make(1, 1));
    strcpy(take.source.unit, "mm");
    assert_int_equal(ug_events_add(&take.events, "a", "", "", 0), 0);
    assert_int_equal(ug_contacts_add(&take.contacts, &(ug_contact){ 0 }, NULL), UG_OK);
    assert_int_equal(
        ug_parameters_set(&take.source.parameters, "A", "B", UG_PARAMETER_BYTE, 0, NULL, "x", NULL),
        UG_OK);
    ug_take_fini(&take); // the leak checker watches
    assert_null(take.markers);
    assert_string_equal(take.source.unit, "m");
    assert_int_equal(take.source.parameters.count, 0);
}

static void test_quality_replaces_by_name(void **state)
{
    (void)state;
    ug_quality q = { 0 };
    const float a[2] = { 1, 2 }, b[6] = { 1, 2, 3, 4, 5, 6 };
    assert_int_equal(ug_quality_set(&q, "residual", "mm", 2, 1, a, NULL), UG_OK);
    assert_int_equal(ug_quality_set(&q, "speed", "m/s", 1, 2, a, NULL), UG_OK);
    assert_int_equal(ug_quality_set(&q, "residual", "m", 3, 2, b, NULL), UG_OK);
    assert_int_equal(ug_quality_set(&q, "empty", "", 0, 5, NULL, NULL), UG_OK);
    assert_int_equal(q.count, 3);
    const ug_series *s = ug_quality_find(&q, "residual");
    assert_int_equal(s->rows, 3);
    assert_int_equal(s->columns, 2);
    assert_string_equal(s->unit, "m");
    assert_true(s->values[5] == 6.0f);
    // a series may be set from its own values
    assert_int_equal(ug_quality_set(&q, "residual", "m", 1, 2, s->values + 2, NULL), UG_OK);
    assert_true(ug_quality_find(&q, "residual")->values[1] == 4.0f);
    assert_null(ug_quality_find(&q, "none"));
    ug_take take;
    ug_take_init(&take);
    take.quality = q;
    ug_take_fini(&take);
}

static void test_provenance_keeps_order(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    char stage[] = "import";
    ug_provenance_entry e = { .stage = stage, .seed = 42, .seconds = 1.5 };
    assert_int_equal(ug_provenance_add(&take.provenance, &e, NULL), UG_OK);
    stage[0] = 'X';
    e.stage = "clean";
    e.options_json = "{}";
    assert_int_equal(ug_provenance_add(&take.provenance, &e, NULL), UG_OK);
    assert_int_equal(take.provenance.count, 2);
    assert_string_equal(take.provenance.items[0].stage, "import");
    assert_string_equal(take.provenance.items[0].options_json, ""); // never NULL
    assert_string_equal(take.provenance.items[1].options_json, "{}");
    assert_int_equal(take.provenance.items[1].seed, 42);
    ug_take_fini(&take);
}

static void test_provenance_merges_what_is_new(void **state)
{
    (void)state;
    ug_take take, subject;
    ug_take_init(&take);
    ug_take_init(&subject);
    const ug_provenance_entry import = { .stage = "import", .started = "monday" };
    const ug_provenance_entry other = { .stage = "import", .started = "tuesday" };
    const ug_provenance_entry calibrate = { .stage = "calibrate", .started = "monday" };
    assert_int_equal(ug_provenance_add(&take.provenance, &import, NULL), UG_OK);
    assert_int_equal(ug_provenance_add(&subject.provenance, &import, NULL), UG_OK);
    assert_int_equal(ug_provenance_add(&subject.provenance, &other, NULL), UG_OK);
    assert_int_equal(ug_provenance_add(&subject.provenance, &calibrate, NULL), UG_OK);
    assert_int_equal(ug_provenance_merge(&take.provenance, &subject.provenance, NULL), UG_OK);
    assert_int_equal(take.provenance.count, 3);
    assert_string_equal(take.provenance.items[1].started, "tuesday");
    assert_string_equal(take.provenance.items[2].stage, "calibrate");
    ug_take_fini(&subject);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_take),
        cmocka_unit_test(test_fini_releases_every_part),
        cmocka_unit_test(test_quality_replaces_by_name),
        cmocka_unit_test(test_provenance_keeps_order),
        cmocka_unit_test(test_provenance_merges_what_is_new),
    };
    return cmocka_run_group_tests_name("motion/take", tests, NULL, NULL);
}
