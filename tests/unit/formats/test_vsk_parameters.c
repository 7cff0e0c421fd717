// SPDX-License-Identifier: MIT
#include "formats/vsk_parameters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ug_vsk_parameters parameters(void)
{
    ug_vsk_parameters p = { 0 };
    assert_int_equal(ug_vsk_parameters_set(&p, "UpperLegLength", 7.0, NULL), UG_OK);
    assert_int_equal(ug_vsk_parameters_set(&p, "UpperLegLength", 429.0, NULL), UG_OK);
    assert_int_equal(ug_vsk_parameters_set(&p, "b c", 2.0, NULL), UG_OK);
    return p;
}

static void test_numbers_and_arithmetic(void **state)
{
    (void)state;
    ug_vsk_parameters p = parameters();
    assert_int_equal(p.count, 2);
    static const struct {
        const char *text;
        double value;
    } CASES[] = {
        { "1.5", 1.5 },
        { "-0", 0.0 },
        { " \t1e3\n", 1000.0 },
        { "UpperLegLength", 429.0 },
        { "-UpperLegLength", -429.0 },
        { "'UpperLegLength'/2", 214.5 },
        { "2*(UpperLegLength-29)+1", 801.0 },
        { "'b c'*'b c'", 4.0 },
        { "6/3/2", 1.0 },
        { "1-2-3", -4.0 },
        { "--2", 2.0 },
        { "1+2*3", 7.0 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        double v[2] = { 99, 99 };
        size_t count = 77;
        assert_int_equal(ug_vsk_numbers(v, 2, &count, CASES[i].text, &p, NULL), UG_OK);
        assert_int_equal(count, 1);
        assert_true(v[0] == CASES[i].value);
    }
    double v[2] = { 99, 99 };
    size_t count = 77;
    assert_int_equal(ug_vsk_numbers(v, 2, &count, "0 -UpperLegLength 3 4", &p, NULL), UG_OK);
    assert_int_equal(count, 4);
    assert_true(v[1] == -429.0);
    assert_int_equal(ug_vsk_numbers(v, 2, &count, "", &p, NULL), UG_OK);
    assert_int_equal(count, 0);
    ug_vsk_parameters_fini(&p);
}

static void test_refused(void **state)
{
    (void)state;
    ug_vsk_parameters p = parameters();
    static const struct {
        const char *text, *message;
    } CASES[] = {
        { "UpperLegLenght",
          "parameter 'UpperLegLenght' is not defined; did you mean 'UpperLegLength'?" },
        { "xyz", "parameter 'xyz' is not defined" },
        { "1 2mm", "a number or a parameter must stand at 'mm'" },
        { "(1", "a number or a parameter must stand at ''" },
        { "'b c", "a number or a parameter must stand at ''b c'" },
        { "0x10", "a number or a parameter must stand at '0x10'" },
        { "3 1/0", "value 2 is not finite" },
        { "1e999", "value 1 is not finite" },
        { "nan", "parameter 'nan' is not defined" },
        { "((((((((((((((((((((((((((((((((((1", "a number or a parameter must stand at '((1'" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        double v[2];
        size_t count;
        ug_error err = { 0 };
        assert_int_equal(ug_vsk_numbers(v, 2, &count, CASES[i].text, &p, &err), UG_E_FORMAT);
        assert_string_equal(err.message, CASES[i].message);
    }
    ug_vsk_parameters_fini(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_arithmetic),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("formats/vsk_parameters", tests, NULL, NULL);
}
