// SPDX-License-Identifier: MIT
#include "motion/warnings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_counts_and_keeps_the_first_words(void **state)
{
    (void)state;
    ug_warnings w = { 0 };
    ug_warn(&w, "gap", "frame %d", 7);
    ug_warn(&w, "gap", "frame %d", 8);
    ug_warn_times(&w, 5, "zero", "marker %s", "LASI");
    ug_warn_times(&w, 0, "never", "x");
    assert_int_equal(w.count, 2);
    assert_int_equal(ug_warnings_count(&w, "gap"), 2);
    assert_int_equal(ug_warnings_count(&w, "zero"), 5);
    assert_int_equal(ug_warnings_count(&w, "never"), 0);
    assert_string_equal(w.items[0].first, "frame 7");
    assert_string_equal(w.items[1].first, "marker LASI");
    ug_warn(NULL, "gap", "nobody listens");
    ug_warn_times(NULL, 3, "gap", "nobody listens");
}

static void test_more_kinds_than_fit(void **state)
{
    (void)state;
    ug_warnings w = { 0 };
    for (int i = 0; i < UG_WARNING_CAPACITY + 10; i++) {
        char code[32];
        (void)snprintf(code, sizeof code, "code_%d", i);
        ug_warn(&w, code, "%d", i);
    }
    assert_int_equal(w.count, UG_WARNING_CAPACITY);
    assert_int_equal(ug_warnings_count(&w, "code_0"), 1);
    assert_int_equal(ug_warnings_count(&w, "code_62"), 1);
    assert_int_equal(ug_warnings_count(&w, "code_63"), 0);
    assert_int_equal(ug_warnings_count(&w, "more_warnings"), 11);
    ug_warn(&w, "code_0", "again"); // known codes still count
    assert_int_equal(ug_warnings_count(&w, "code_0"), 2);
}

static void test_long_texts_are_cut(void **state)
{
    (void)state;
    ug_warnings w = { 0 };
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ug_warn(&w, "long", "%s", text);
    assert_int_equal(strlen(w.items[0].first), sizeof w.items[0].first - 1);
}

static void test_merge(void **state)
{
    (void)state;
    ug_warnings a = { 0 }, b = { 0 };
    ug_warn(&a, "gap", "first");
    ug_warn_times(&b, 4, "gap", "second");
    ug_warn(&b, "new", "third");
    ug_warnings_merge(&a, &b);
    assert_int_equal(ug_warnings_count(&a, "gap"), 5);
    assert_string_equal(a.items[0].first, "first");
    assert_int_equal(ug_warnings_count(&a, "new"), 1);
    assert_string_equal(a.items[1].first, "third");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_and_keeps_the_first_words),
        cmocka_unit_test(test_more_kinds_than_fit),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_merge),
    };
    return cmocka_run_group_tests_name("motion/warnings", tests, NULL, NULL);
}
