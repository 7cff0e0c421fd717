// SPDX-License-Identifier: MIT
#include "motion/analog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_value_is_scaled(void **state)
{
    (void)state;
    ug_analog *a = ug_analog_create(2, 3, 2);
    assert_true(a->scale[1] == 1.0 && a->offset[1] == 0.0 && a->gen_scale == 1.0);
    assert_null(a->labels[0]);
    for (size_t i = 0; i < 12; i++) {
        assert_true(a->raw[i] == 0.0f);
        a->raw[i] = (float)i;
    }
    a->scale[1] = 0.5;
    a->offset[1] = 1.0;
    a->gen_scale = 10.0;
    assert_true(ug_analog_value(a, 1, 2, 1) == (11.0 - 1.0) * 0.5 * 10.0);
    assert_true(ug_analog_value(a, 0, 1, 0) == 2.0 * 10.0);
    ug_analog_destroy(a);
    ug_analog_destroy(NULL);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_null(ug_analog_create(SIZE_MAX / 8, 1000, 1000));
    assert_null(ug_analog_create(1, SIZE_MAX / 2, 16));
    ug_analog *a = ug_analog_create(0, 0, 0);
    assert_non_null(a);
    ug_analog *c = ug_analog_copy(a);
    assert_non_null(c);
    ug_analog_destroy(a);
    ug_analog_destroy(c);
}

static void test_copy_is_deep(void **state)
{
    (void)state;
    ug_analog *a = ug_analog_create(1, 2, 2);
    a->labels[0] = strdup("Fz");
    a->units[0] = strdup("N");
    a->scale[0] = 2.0;
    a->offset[1] = 3.0;
    a->gen_scale = 0.1;
    a->raw[3] = 4.0f;
    ug_analog *c = ug_analog_copy(a);
    assert_ptr_not_equal(c->labels[0], a->labels[0]);
    ug_analog_destroy(a);
    assert_string_equal(c->labels[0], "Fz");
    assert_string_equal(c->units[0], "N");
    assert_null(c->labels[1]);
    assert_true(c->scale[0] == 2.0 && c->offset[1] == 3.0 && c->gen_scale == 0.1);
    assert_true(c->raw[3] == 4.0f);
    ug_analog_destroy(c);
}

static void test_events_sort_stably(void **state)
{
    (void)state;
    ug_events e = { 0 };
    static const double TIMES[] = { 2.0, 1.0, 2.0, 0.5, 1.0 };
    static const char *const ORDER = "dbeac";
    for (int i = 0; i < 5; i++) {
        const char label[2] = { (char)('a' + i), '\0' };
        assert_int_equal(ug_events_add(&e, label, "Left", "", TIMES[i]), 0);
    }
    ug_events_sort(&e);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(e.items[i].label[0], ORDER[i]);
    }
    assert_string_equal(e.items[0].context, "Left");
    assert_string_equal(e.items[0].subject, "");
    ug_events_fini(&e);
    assert_int_equal(e.count, 0);
    ug_events_sort(&e);
    ug_events_fini(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_is_scaled),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_copy_is_deep),
        cmocka_unit_test(test_events_sort_stably),
    };
    return cmocka_run_group_tests_name("motion/analog", tests, NULL, NULL);
}
