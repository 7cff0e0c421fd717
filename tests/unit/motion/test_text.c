// SPDX-License-Identifier: MIT
#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_copies(void **state)
{
    (void)state;
    char *a = ug_text_copy("abc"), *b = ug_text_copy_n("abcdef", 2), *c = ug_text_copy_n(NULL, 0);
    assert_string_equal(a, "abc");
    assert_string_equal(b, "ab");
    assert_string_equal(c, "");
    char *d = ug_text_format("%s-%03d", "x", 7), *e = ug_text_format("%s", "");
    assert_string_equal(d, "x-007");
    assert_string_equal(e, "");
    char long_text[5000];
    memset(long_text, 'y', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    char *f = ug_text_format("%s!", long_text);
    assert_int_equal(strlen(f), 5000);
    free(a), free(b), free(c), free(d), free(e), free(f);
}

static void test_lists(void **state)
{
    (void)state;
    char **list = ug_text_list_create(3);
    list[0] = ug_text_copy("LASI");
    list[2] = ug_text_copy("RASI"); // [1] stays NULL
    assert_int_equal(ug_text_list_find(list, 3, "RASI"), 2);
    assert_int_equal(ug_text_list_find(list, 3, "rasi"), -1);
    assert_int_equal(ug_text_list_find(list, 0, "LASI"), -1);
    assert_int_equal(ug_text_list_find(NULL, 0, "LASI"), -1);
    ug_text_list_destroy(list, 3);
    ug_text_list_destroy(NULL, 5);
    assert_null(ug_text_list_create(0));
}

static void test_equal_nocase(void **state)
{
    (void)state;
    assert_true(ug_text_equal_nocase("", ""));
    assert_true(ug_text_equal_nocase("X_Screen", "x_sCREEN"));
    assert_false(ug_text_equal_nocase("abc", "ab"));
    assert_false(ug_text_equal_nocase("ab", "abc"));
    assert_false(ug_text_equal_nocase("\xC4", "\xE4")); // only ASCII letters have a case
}

static void test_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        bool good;
    } CASES[] = {
        { "", true },
        { "abc", true },
        { "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", true },
        { "\xC3", false },             // cut short
        { "\xE2\x82", false },         // cut short
        { "\xC0\xAF", false },         // overlong
        { "\xE0\x80\x80", false },     // overlong
        { "\xED\xA0\x80", false },     // surrogate
        { "\xF4\x90\x80\x80", false }, // past U+10FFFF
        { "\x80", false },             // continuation first
        { "\xFF", false },
        { "a\xC3(b", false },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_int_equal(ug_text_is_utf8(CASES[i].bytes, strlen(CASES[i].bytes)), CASES[i].good);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_equal_nocase),
        cmocka_unit_test(test_utf8),
    };
    return cmocka_run_group_tests_name("motion/text", tests, NULL, NULL);
}
