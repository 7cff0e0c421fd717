// SPDX-License-Identifier: MIT
#include "motion/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const WORDS[] = { "max_gap_s", "smooth", NULL, "cutoff_hz", "to" };

static void test_finds_typing_errors(void **state)
{
    (void)state;
    assert_string_equal(ug_text_nearest("cutof_hz", WORDS, 5), "cutoff_hz");
    assert_string_equal(ug_text_nearest("cutfof_hz", WORDS, 5), "cutoff_hz");
    assert_string_equal(ug_text_nearest("SMOOTH", WORDS, 5), "smooth");
    assert_string_equal(ug_text_nearest("max-gap-s", WORDS, 5), "max_gap_s");
}

static void test_far_words_have_no_neighbour(void **state)
{
    (void)state;
    assert_null(ug_text_nearest("banana", WORDS, 5));
    assert_null(ug_text_nearest("x", WORDS, 5));
    assert_null(ug_text_nearest("", WORDS, 5));
    assert_null(ug_text_nearest("smooth", NULL, 0));
    char long_word[100];
    memset(long_word, 'a', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    const char *const known[] = { long_word };
    assert_null(ug_text_nearest(long_word, known, 1));
    assert_null(ug_text_nearest("aaaa", known, 1));
}

static void test_nearest_wins(void **state)
{
    (void)state;
    static const char *const CLOSE[] = { "left_knees", "left_knee", "left_kne" };
    assert_string_equal(ug_text_nearest("left_knee", CLOSE, 3), "left_knee");
    assert_string_equal(ug_text_nearest("left_nkee", CLOSE, 3), "left_knee"); // one swap
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_typing_errors),
        cmocka_unit_test(test_far_words_have_no_neighbour),
        cmocka_unit_test(test_nearest_wins),
    };
    return cmocka_run_group_tests_name("motion/nearest", tests, NULL, NULL);
}
