// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/option.c.
#include "pipeline/stages/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ug_option TABLE[] = {
    { .name = "max_gap_s", .type = UG_OPTION_REAL, .initial = "0.5", .low = 0, .high = 60 },
    { .name = "rounds", .type = UG_OPTION_INTEGER, .initial = "2", .low = 1, .high = 9 },
    { .name = "smooth",
      .type = UG_OPTION_CHOICE,
      .initial = "none",
      .choices = "none|butterworth" },
    { .name = "keep", .type = UG_OPTION_FLAG, .initial = "false" },
    { .name = "to", .type = UG_OPTION_LIST, .initial = "a,b" },
    { .name = "subject", .type = UG_OPTION_TEXT },
};
enum { COUNT = sizeof TABLE / sizeof TABLE[0] };

static ug_status set(ug_option_values *v, const char *name, const char *text, ug_error *err)
{
    return ug_option_values_set(v, (size_t)ug_option_find(TABLE, COUNT, name), &text, 1, err);
}

static void test_defaults_are_read_back(void **state)
{
    (void)state;
    ug_option_values v;
    assert_int_equal(ug_option_values_init(&v, TABLE, COUNT, NULL), UG_OK);
    size_t count = 0;
    assert_true(ug_option_real(&v, "max_gap_s") == 0.5);
    assert_int_equal(ug_option_integer(&v, "rounds"), 2);
    assert_true(ug_option_is(&v, "smooth", "none"));
    assert_false(ug_option_flag(&v, "keep"));
    assert_null(ug_option_text(&v, "subject"));
    assert_string_equal(ug_option_list(&v, "to", &count)[1], "b");
    assert_int_equal(count, 2);
    assert_false(ug_option_given(&v, "max_gap_s"));
    ug_option_values_fini(&v);
}

static void test_bad_values_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } CASES[] = {
        { "max_gap_s", "0.2s", "max_gap_s: '0.2s' is not a number from 0 to 60" },
        { "max_gap_s", "61", "max_gap_s: '61' is not a number from 0 to 60" },
        { "max_gap_s", "nan", "max_gap_s: 'nan' is not a number from 0 to 60" },
        { "rounds", "1.5", "rounds: '1.5' is not a whole number from 1 to 9" },
        { "smooth", "butter", "smooth: 'butter' is none of none|butterworth" },
        { "smooth", "", "smooth: '' is none of none|butterworth" },
        { "keep", "maybe", "keep: 'maybe' is neither true nor false" },
    };
    ug_option_values v;
    assert_int_equal(ug_option_values_init(&v, TABLE, COUNT, NULL), UG_OK);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_error err = { 0 };
        assert_int_equal(set(&v, CASES[i].name, CASES[i].text, &err), UG_E_USAGE);
        assert_string_equal(err.message, CASES[i].message);
    }
    assert_true(ug_option_real(&v, "max_gap_s") == 0.5);
    ug_option_values_fini(&v);
}

static void test_list_takes_commas_and_repeats(void **state)
{
    (void)state;
    ug_option_values v;
    assert_int_equal(ug_option_values_init(&v, TABLE, COUNT, NULL), UG_OK);
    assert_int_equal(ug_option_values_append(&v, 4, "c,,d", NULL), UG_OK);
    size_t count = 0;
    char *const *list = ug_option_list(&v, "to", &count);
    assert_int_equal(count, 4);
    assert_string_equal(list[2], "c");
    assert_string_equal(list[3], "d");
    ug_option_values_fini(&v);
}

static void test_json_keeps_the_digits(void **state)
{
    (void)state;
    ug_option_values v, copy;
    assert_int_equal(ug_option_values_init(&v, TABLE, COUNT, NULL), UG_OK);
    assert_int_equal(set(&v, "max_gap_s", "1.20", NULL), UG_OK);
    assert_int_equal(set(&v, "subject", "a \"b\".h5", NULL), UG_OK);
    assert_int_equal(ug_option_values_copy(&copy, &v, NULL), UG_OK);
    char *text = ug_option_values_to_json(&copy);
    assert_string_equal(text, "{\"max_gap_s\":1.20,\"rounds\":2,\"smooth\":\"none\",\"keep\":false,"
                              "\"to\":[\"a\",\"b\"],\"subject\":\"a \\\"b\\\".h5\"}");
    assert_true(ug_option_given(&copy, "max_gap_s"));
    free(text);
    ug_option_values_fini(&copy);
    ug_option_values_fini(&v);
}

static void test_names_take_dashes_and_misspelt_ones_are_guessed(void **state)
{
    (void)state;
    assert_int_equal(ug_option_find(TABLE, COUNT, "max-gap-s"), 0);
    assert_int_equal(ug_option_find(TABLE, COUNT, "max_gap"), -1);
    assert_string_equal(ug_option_nearest(TABLE, COUNT, "max-gaps-s"), "max_gap_s");
    assert_null(ug_option_nearest(TABLE, COUNT, "zzzzzz"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_read_back),
        cmocka_unit_test(test_bad_values_are_refused_and_change_nothing),
        cmocka_unit_test(test_list_takes_commas_and_repeats),
        cmocka_unit_test(test_json_keeps_the_digits),
        cmocka_unit_test(test_names_take_dashes_and_misspelt_ones_are_guessed),
    };
    return cmocka_run_group_tests_name("pipeline/stages/option", tests, NULL, NULL);
}
