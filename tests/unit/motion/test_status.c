// SPDX-License-Identifier: MIT
#include "motion/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_the_first_failure_stays(void **state)
{
    (void)state;
    ug_error err = { 0 };
    assert_int_equal(ug_fail(&err, UG_E_FORMAT, "line %d", 3), UG_E_FORMAT);
    assert_int_equal(ug_fail(&err, UG_E_NOMEM, "later"), UG_E_NOMEM);
    assert_int_equal(err.status, UG_E_FORMAT);
    assert_string_equal(err.message, "line 3");
    assert_int_equal(ug_fail(NULL, UG_E_IO, "unheard"), UG_E_IO);
}

static void test_the_closest_place_stays(void **state)
{
    (void)state;
    ug_error err = { 0 };
    ug_error_where(&err, "take.trc:%d", 12);
    ug_error_where(&err, "take.trc");
    assert_string_equal(err.where, "take.trc:12");
    ug_error_where(NULL, "nowhere");
}

static void test_long_messages_are_cut(void **state)
{
    (void)state;
    ug_error err = { 0 };
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    (void)ug_fail(&err, UG_E_DATA, "%s", text);
    ug_error_where(&err, "%s", text);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
    assert_int_equal(strlen(err.where), sizeof err.where - 1);
}

static void test_a_place_of_success_is_forgotten(void **state)
{
    (void)state;
    ug_error err = { 0 };
    ug_error_where(&err, "read.h5");
    ug_error_settle(&err);
    assert_string_equal(err.where, "");
    ug_error_where(&err, "broken.h5");
    (void)ug_fail(&err, UG_E_FORMAT, "damaged");
    ug_error_settle(&err); // a failure keeps its place
    assert_string_equal(err.where, "broken.h5");
    ug_error_settle(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_failure_stays),
        cmocka_unit_test(test_the_closest_place_stays),
        cmocka_unit_test(test_long_messages_are_cut),
        cmocka_unit_test(test_a_place_of_success_is_forgotten),
    };
    return cmocka_run_group_tests_name("motion/status", tests, NULL, NULL);
}
