// SPDX-License-Identifier: MIT
#include "formats/yaml_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ug_yaml_document parse(const char *text)
{
    ug_yaml_document d;
    assert_int_equal(ug_yaml_parse(&d, text, strlen(text), "f.yaml", NULL), UG_OK);
    return d;
}

static void test_numbers_are_strict(void **state)
{
    (void)state;
    ug_yaml_document d = parse("[1.5, -2e-3, '3', .5]");
    double v[4] = { 9, 9, 9, 9 };
    assert_int_equal(ug_yaml_numbers(v, 4, &d.root, "list", NULL), UG_OK);
    assert_true(v[0] == 1.5 && v[1] == -2e-3 && v[2] == 3 && v[3] == 0.5);
    ug_error err = { 0 };
    assert_int_equal(ug_yaml_numbers(v, 3, &d.root, "list", &err), UG_E_FORMAT);
    assert_string_equal(err.message, "list must have 3 numbers, here are 4");
    ug_yaml_fini(&d);

    static const char *const BAD[] = { "0.2s", "1 5", "nan", "inf", "0x10", "1e999", "''", "~" };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        d = parse(BAD[i]);
        err = (ug_error){ 0 };
        assert_int_equal(ug_yaml_number(v, &d.root, "speed", &err), UG_E_FORMAT);
        assert_non_null(strstr(err.message, "speed: '"));
        assert_non_null(strstr(err.message, "is not a number"));
        assert_string_equal(err.where, "f.yaml:1");
        ug_yaml_fini(&d);
    }
    d = parse("[1,5]"); // a comma for a point becomes two values
    err = (ug_error){ 0 };
    assert_int_equal(ug_yaml_number(v, &d.root, "speed", &err), UG_E_FORMAT);
    assert_string_equal(err.message, "speed must be a number, not a list");
    ug_yaml_fini(&d);
}

static void test_integers_are_bounded(void **state)
{
    (void)state;
    long v = 99;
    ug_error err = { 0 };
    ug_yaml_document d = parse("[12, 3.5, 1e3, 21]");
    assert_int_equal(ug_yaml_integer(&v, &d.root.items[0], "n", 0, 20, NULL), UG_OK);
    assert_int_equal(v, 12);
    for (int i = 1; i < 4; i++) {
        err = (ug_error){ 0 };
        assert_int_equal(ug_yaml_integer(&v, &d.root.items[i], "n", 0, 20, &err), UG_E_FORMAT);
        assert_non_null(strstr(err.message, "is not a whole number from 0 to 20"));
    }
    ug_yaml_fini(&d);
}

static void test_bool_is_true_or_false(void **state)
{
    (void)state;
    bool v = false;
    ug_yaml_document d = parse("[true, false, yes]");
    assert_int_equal(ug_yaml_bool(&v, &d.root.items[0], "b", NULL), UG_OK);
    assert_true(v);
    assert_int_equal(ug_yaml_bool(&v, &d.root.items[1], "b", NULL), UG_OK);
    assert_false(v);
    ug_error err = { 0 };
    assert_int_equal(ug_yaml_bool(&v, &d.root.items[2], "b", &err), UG_E_FORMAT);
    assert_string_equal(err.message, "b: 'yes' is not known; allowed: false, true");
    ug_yaml_fini(&d);
}

static void test_null_is_unquoted(void **state)
{
    (void)state;
    ug_yaml_document d = parse("[~, null, '', '~', x]");
    static const bool NULLS[] = { true, true, false, false, false };
    for (int i = 0; i < 5; i++) {
        assert_int_equal(ug_yaml_is_null(&d.root.items[i]), NULLS[i]);
    }
    ug_error err = { 0 };
    const char *text = NULL;
    assert_int_equal(ug_yaml_text(&text, &d.root.items[0], "name", &err), UG_E_FORMAT);
    assert_string_equal(err.message, "name has no value");
    assert_int_equal(ug_yaml_text(&text, &d.root.items[3], "name", NULL), UG_OK);
    assert_string_equal(text, "~");
    ug_yaml_fini(&d);
}

static void test_keys(void **state)
{
    (void)state;
    static const char *const ALLOWED[] = { "max_gap_s", "smooth", NULL };
    static const char *const NEEDED[] = { "smooth", NULL };
    ug_error err = { 0 };
    ug_yaml_document d = parse("smooth: x\nmax_gap: 2\n");
    assert_int_equal(ug_yaml_check_keys(&d.root, "clean", ALLOWED, NEEDED, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "clean: unknown key 'max_gap'; did you mean 'max_gap_s'?");
    assert_string_equal(err.where, "f.yaml:2");
    ug_yaml_fini(&d);

    d = parse("a: 1\nb: 1\n");
    err = (ug_error){ 0 };
    assert_int_equal(ug_yaml_check_keys(&d.root, "clean", ALLOWED, NULL, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "clean: unknown key 'a'; allowed: max_gap_s, smooth");
    assert_null(ug_yaml_get(&d.root, "smooth"));
    assert_string_equal(ug_yaml_get(&d.root, "b")->text, "1");
    ug_yaml_fini(&d);

    d = parse("\nmax_gap_s: 1\n");
    err = (ug_error){ 0 };
    assert_int_equal(ug_yaml_check_keys(&d.root, "clean", ALLOWED, NEEDED, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "clean: key 'smooth' is missing");
    assert_string_equal(err.where, "f.yaml:2");
    ug_yaml_fini(&d);

    d = parse("[1]");
    err = (ug_error){ 0 };
    assert_int_equal(ug_yaml_check_keys(&d.root, "clean", ALLOWED, NULL, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "clean must be a mapping with keys max_gap_s, smooth");
    assert_null(ug_yaml_get(&d.root, "smooth"));
    ug_yaml_fini(&d);
}

static void test_choice(void **state)
{
    (void)state;
    static const char *const WORDS[] = { "hinge", "ball", NULL };
    int index = 7;
    ug_error err = { 0 };
    ug_yaml_document d = parse("[ball, hnige, {a: 1}]");
    assert_int_equal(ug_yaml_choice(&index, &d.root.items[0], "type", WORDS, NULL), UG_OK);
    assert_int_equal(index, 1);
    assert_int_equal(ug_yaml_choice(&index, &d.root.items[1], "type", WORDS, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "type: 'hnige' is not known, did you mean 'hinge'?; allowed: "
                                     "hinge, ball");
    err = (ug_error){ 0 };
    assert_int_equal(ug_yaml_choice(&index, &d.root.items[2], "type", WORDS, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "type must be a text, not a mapping");
    assert_int_equal(ug_yaml_sequence(&d.root, "x", NULL), UG_OK);
    err = (ug_error){ 0 };
    assert_int_equal(ug_yaml_sequence(&d.root.items[0], "x", &err), UG_E_FORMAT);
    assert_string_equal(err.message, "x must be a list: [a, b, …]");
    ug_yaml_fini(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_strict),
        cmocka_unit_test(test_integers_are_bounded),
        cmocka_unit_test(test_bool_is_true_or_false),
        cmocka_unit_test(test_null_is_unquoted),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests_name("formats/yaml_fields", tests, NULL, NULL);
}
