// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_names.c.
#include "formats/c3d_internal.h"
#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_a_set_finds_what_was_put_and_nothing_else(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    char keys[COUNT][8];
    c3d_names names;
    assert_true(c3d_names_init(&names, COUNT));
    for (uint32_t i = 0; i < COUNT; i++) {
        bool is_new = false;
        (void)snprintf(keys[i], sizeof keys[i], "M%u", i);
        assert_int_equal(*c3d_names_put(&names, keys[i], i, &is_new), i);
        assert_true(is_new);
        assert_int_equal(*c3d_names_put(&names, keys[i], 77777, &is_new), i); // the first stays
        assert_false(is_new);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(*c3d_names_find(&names, keys[i]), i);
    }
    assert_null(c3d_names_find(&names, "M500"));
    assert_null(c3d_names_find(&names, ""));
    c3d_names_fini(&names);
}

static void check_unique(const char *const *labels, const char *const *subjects,
                         const char *const *want, size_t count, size_t changed)
{
    char **copy = ug_text_list_create(count), **whose = ug_text_list_create(count);
    for (size_t i = 0; i < count; i++) {
        copy[i] = ug_text_copy(labels[i]);
        whose[i] = ug_text_copy(subjects ? subjects[i] : "");
    }
    assert_int_equal(c3d_names_make_unique(copy, subjects ? whose : NULL, count), changed);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(copy[i], want[i]);
    }
    ug_text_list_destroy(copy, count);
    ug_text_list_destroy(whose, count);
}

static void test_second_bearers_get_numbers(void **state)
{
    (void)state;
    const char *const labels[] = { "A", "B", "A", "A", "" };
    const char *const want[] = { "A", "B", "A_2", "A_3", "" };
    check_unique(labels, NULL, want, 5, 2);
    check_unique(labels, NULL, want, 0, 0);
}

static void test_a_made_up_name_takes_nobodys_place(void **state)
{
    (void)state;
    const char *const labels[] = { "A", "A", "A_2", "A_2" };
    const char *const want[] = { "A", "A_3", "A_2", "A_2_2" };
    check_unique(labels, NULL, want, 4, 2);
}

static void test_two_people_may_wear_one_label(void **state)
{
    (void)state;
    const char *const labels[] = { "LASI", "LASI", "LASI" }, *const whose[] = { "a", "b", "a" };
    const char *const want[] = { "LASI", "LASI", "LASI_2" };
    check_unique(labels, whose, want, 3, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_set_finds_what_was_put_and_nothing_else),
        cmocka_unit_test(test_second_bearers_get_numbers),
        cmocka_unit_test(test_a_made_up_name_takes_nobodys_place),
        cmocka_unit_test(test_two_people_may_wear_one_label),
    };
    return cmocka_run_group_tests_name("formats/c3d_names", tests, NULL, NULL);
}
