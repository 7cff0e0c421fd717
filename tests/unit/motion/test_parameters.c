// SPDX-License-Identifier: MIT
#include "motion/parameters.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ug_parameters tree(void)
{
    ug_parameters p = { 0 };
    const float rate = 120.0f;
    const int16_t words[3] = { 5, -1, 300 };
    const uint8_t bytes[2] = { 200, 7 };
    assert_int_equal(
        ug_parameters_set(&p, "POINT", "RATE", UG_PARAMETER_FLOAT, 0, NULL, &rate, NULL), UG_OK);
    assert_int_equal(ug_parameters_set(&p, "POINT", "LABELS", UG_PARAMETER_CHAR, 2,
                                       (const uint8_t[]){ 4, 2 }, "LASIR\0x ", NULL),
                     UG_OK);
    assert_int_equal(ug_parameters_set(&p, "TRIAL", "WORDS", UG_PARAMETER_INT16, 1,
                                       (const uint8_t[]){ 3 }, words, NULL),
                     UG_OK);
    assert_int_equal(ug_parameters_set(&p, "TRIAL", "BYTES", UG_PARAMETER_BYTE, 1,
                                       (const uint8_t[]){ 2 }, bytes, NULL),
                     UG_OK);
    return p;
}

static void test_find_without_case(void **state)
{
    (void)state;
    ug_parameters p = tree();
    assert_int_equal(p.count, 2);
    assert_int_equal(p.groups[0].id, 1);
    assert_int_equal(p.groups[1].id, 2);
    assert_non_null(ug_parameters_find(&p, "point", "Rate"));
    assert_null(ug_parameters_find(&p, "POINT", "WORDS"));
    assert_null(ug_parameters_find(&p, "NONE", "RATE"));
    assert_null(ug_parameters_group(&p, "ANALOG"));
    ug_parameters_fini(&p);
    assert_int_equal(p.count, 0);
    ug_parameters_fini(NULL);
}

static void test_numbers(void **state)
{
    (void)state;
    ug_parameters p = tree();
    const ug_parameter *rate = ug_parameters_find(&p, "POINT", "RATE");
    const ug_parameter *words = ug_parameters_find(&p, "TRIAL", "WORDS");
    const ug_parameter *bytes = ug_parameters_find(&p, "TRIAL", "BYTES");
    assert_int_equal(ug_parameter_count(rate), 1);
    assert_true(ug_parameter_number(rate, 0, false) == 120.0);
    assert_true(isnan(ug_parameter_number(rate, 1, false)));
    assert_true(ug_parameter_number(words, 1, false) == -1.0);
    assert_true(ug_parameter_number(words, 1, true) == 65535.0);
    assert_true(ug_parameter_number(bytes, 0, false) == -56.0);
    assert_true(ug_parameter_number(bytes, 0, true) == 200.0);
    assert_true(isnan(ug_parameter_number(ug_parameters_find(&p, "POINT", "LABELS"), 0, false)));
    ug_parameters_fini(&p);
}

static void test_strings(void **state)
{
    (void)state;
    ug_parameters p = tree();
    const ug_parameter *labels = ug_parameters_find(&p, "POINT", "LABELS");
    assert_int_equal(ug_parameter_string_count(labels), 2);
    char *a = ug_parameter_string(labels, 0), *b = ug_parameter_string(labels, 1);
    assert_string_equal(a, "LASI"); // as wide as the column, no end mark
    assert_string_equal(b, "R");    // ended by a zero, whatever follows
    assert_null(ug_parameter_string(labels, 2));
    assert_null(ug_parameter_string(ug_parameters_find(&p, "POINT", "RATE"), 0));
    free(a), free(b);
    assert_int_equal(ug_parameters_set(&p, "POINT", "EMPTY", UG_PARAMETER_CHAR, 2,
                                       (const uint8_t[]){ 0, 9 }, "", NULL),
                     UG_OK);
    assert_int_equal(ug_parameter_string_count(ug_parameters_find(&p, "POINT", "EMPTY")), 0);
    ug_parameters_fini(&p);
}

static void test_set_replaces_the_value_alone(void **state)
{
    (void)state;
    ug_parameters p = tree();
    ug_parameter *rate = ug_parameters_find(&p, "POINT", "RATE");
    free(rate->description);
    rate->description = strdup("video rate");
    rate->locked = true;
    const int16_t now = 60;
    assert_int_equal(
        ug_parameters_set(&p, "Point", "rate", UG_PARAMETER_INT16, 0, NULL, &now, NULL), UG_OK);
    rate = ug_parameters_find(&p, "POINT", "RATE");
    assert_int_equal(p.groups[0].count, 2);
    assert_string_equal(rate->description, "video rate");
    assert_true(rate->locked);
    assert_true(ug_parameter_number(rate, 0, false) == 60.0);
    // a value may come from the very parameter it replaces
    assert_int_equal(
        ug_parameters_set(&p, "POINT", "RATE", UG_PARAMETER_INT16, 0, NULL, rate->data, NULL),
        UG_OK);
    assert_true(ug_parameter_number(ug_parameters_find(&p, "POINT", "RATE"), 0, false) == 60.0);
    ug_parameters_fini(&p);
}

static void test_copy_is_deep(void **state)
{
    (void)state;
    ug_parameters p = tree(), c = { 0 };
    p.groups[1].id = 77;
    assert_int_equal(ug_parameters_copy(&c, &p, NULL), UG_OK);
    ug_parameters_fini(&p);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.groups[1].id, 77);
    assert_true(ug_parameter_number(ug_parameters_find(&c, "TRIAL", "WORDS"), 2, false) == 300.0);
    // the next group takes an id that nobody has
    assert_int_equal(ug_parameters_set(&c, "NEW", "A", UG_PARAMETER_BYTE, 0, NULL, "x", NULL),
                     UG_OK);
    assert_int_equal(c.groups[2].id, 78);
    ug_parameters_fini(&c);
    ug_parameters empty = { 0 };
    assert_int_equal(ug_parameters_copy(&c, &empty, NULL), UG_OK);
    assert_int_equal(c.count, 0);
    ug_parameters_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_without_case),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_set_replaces_the_value_alone),
        cmocka_unit_test(test_copy_is_deep),
    };
    return cmocka_run_group_tests_name("motion/parameters", tests, NULL, NULL);
}
