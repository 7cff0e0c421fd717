// SPDX-License-Identifier: MIT
// Unit tests for motion/role_dictionary.c.
#include "motion/role_dictionary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_parts_have_names_both_ways(void **state)
{
    (void)state;
    for (int p = 0; p < UG_ROLE_PART_COUNT; p++) {
        ug_role_part part = UG_ROLE_PART_COUNT;
        assert_true(ug_role_part_from_name(&part, ug_role_part_name((ug_role_part)p)));
        assert_int_equal(part, p);
    }
    ug_role_part part = UG_BODY_TOE;
    assert_false(ug_role_part_from_name(&part, "tail"));
    assert_int_equal(part, UG_BODY_TOE);
}

static void test_role_of_part_agrees_with_role_names(void **state)
{
    (void)state;
    for (int p = 0; p < UG_ROLE_PART_COUNT; p++) {
        const ug_role_part part = (ug_role_part)p;
        const char *name = ug_role_part_name(part);
        if (!ug_role_part_is_sided(part)) {
            assert_string_equal(ug_role_name(ug_role_of_part(part, UG_SIDE_NONE)), name);
            continue;
        }
        const char *left = ug_role_name(ug_role_of_part(part, UG_SIDE_LEFT));
        const char *right = ug_role_name(ug_role_of_part(part, UG_SIDE_RIGHT));
        assert_memory_equal(left, "left_", 5);
        assert_string_equal(left + 5, name);
        assert_memory_equal(right, "right_", 6);
        assert_string_equal(right + 6, name);
    }
}

static void test_lists_copy_and_release(void **state)
{
    (void)state;
    ug_role_dictionary d = { 0 };
    char text[] = "hips?";
    assert_int_equal(ug_pattern_list_add(&d.parts[UG_BODY_PELVIS], text, NULL), UG_OK);
    assert_int_equal(ug_pattern_list_add(&d.parts[UG_BODY_PELVIS], "root", NULL), UG_OK);
    assert_int_equal(ug_pattern_list_add(&d.ignore, "thumb", NULL), UG_OK);
    text[0] = 'x';
    assert_int_equal(d.parts[UG_BODY_PELVIS].count, 2);
    assert_string_equal(d.parts[UG_BODY_PELVIS].items[0], "hips?");
    ug_role_dictionary_fini(&d);
    assert_int_equal(d.parts[UG_BODY_PELVIS].count, 0);
    assert_null(d.ignore.items);
    ug_role_dictionary_fini(&d);
    ug_role_dictionary_fini(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_have_names_both_ways),
        cmocka_unit_test(test_role_of_part_agrees_with_role_names),
        cmocka_unit_test(test_lists_copy_and_release),
    };
    return cmocka_run_group_tests_name("motion/role_dictionary", tests, NULL, NULL);
}
