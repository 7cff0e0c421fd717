// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_edit.c.
#include "formats/c3d_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double number(ug_parameters *tree, const char *name, size_t index)
{
    const ug_parameter *p = ug_parameters_find(tree, "G", name);
    assert_non_null(p);
    return ug_parameter_number(p, index, true);
}

static void test_a_number_keeps_its_type_where_that_holds_it(void **state)
{
    (void)state;
    ug_parameters tree = { 0 };
    assert_int_equal(c3d_set_number(&tree, "G", "N", UG_PARAMETER_INT16, 7, NULL), UG_OK);
    assert_int_equal(ug_parameters_find(&tree, "G", "N")->type, UG_PARAMETER_INT16);
    // 60000 is a count that C3D keeps in a signed word's bits; an INT16 asked for as FLOAT stays
    // one
    assert_int_equal(c3d_set_number(&tree, "G", "N", UG_PARAMETER_FLOAT, 60000, NULL), UG_OK);
    assert_int_equal(ug_parameters_find(&tree, "G", "N")->type, UG_PARAMETER_INT16);
    assert_true(number(&tree, "N", 0) == 60000);
    // what it cannot hold needs the other type
    assert_int_equal(c3d_set_number(&tree, "G", "N", UG_PARAMETER_INT16, 70000, NULL), UG_OK);
    assert_int_equal(ug_parameters_find(&tree, "G", "N")->type, UG_PARAMETER_FLOAT);
    assert_true(number(&tree, "N", 0) == 70000);
    // and an update makes nothing new
    assert_int_equal(c3d_update_number(&tree, "G", "NEW", UG_PARAMETER_FLOAT, 1, NULL), UG_OK);
    assert_null(ug_parameters_find(&tree, "G", "NEW"));
    assert_int_equal(c3d_update_number(&tree, "G", "N", UG_PARAMETER_FLOAT, 1, NULL), UG_OK);
    assert_true(number(&tree, "N", 0) == 1);
    ug_parameters_fini(&tree);
}

static void test_long_lists_go_on_in_parts_and_shrink_again(void **state)
{
    (void)state;
    enum { COUNT = 600 };
    double values[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = (double)i;
    }
    ug_parameters tree = { 0 };
    assert_int_equal(c3d_set_numbers(&tree, "G", "L", UG_PARAMETER_INT16, values, 1, COUNT, NULL),
                     UG_OK);
    assert_int_equal(ug_parameter_count(ug_parameters_find(&tree, "G", "L")), 255);
    assert_int_equal(ug_parameter_count(ug_parameters_find(&tree, "G", "L3")), 90);
    assert_true(number(&tree, "L2", 0) == 255 && number(&tree, "L3", 89) == 599);
    values[3] = 0.5; // no integer any more
    assert_int_equal(c3d_set_numbers(&tree, "G", "L", UG_PARAMETER_INT16, values, 1, 10, NULL),
                     UG_OK);
    assert_int_equal(ug_parameters_find(&tree, "G", "L")->type, UG_PARAMETER_FLOAT);
    assert_true(number(&tree, "L", 3) == 0.5 && number(&tree, "L", 9) == 9);
    assert_null(ug_parameters_find(&tree, "G", "L2"));
    assert_null(ug_parameters_find(&tree, "G", "L3"));
    ug_parameters_fini(&tree);
}

static void test_texts_are_padded_and_cut_in_words(void **state)
{
    (void)state;
    char wide[301];
    memset(wide, 'x', 300);
    wide[300] = '\0';
    char *texts[2] = { (char *)"ab", wide };
    ug_parameters tree = { 0 };
    ug_warnings warnings = { 0 };
    assert_int_equal(c3d_set_texts(&tree, "G", "T", texts, 2, &warnings, NULL), UG_OK);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_text_cut"), 1);
    const ug_parameter *p = ug_parameters_find(&tree, "G", "T");
    assert_int_equal(p->dimensions[0], 255);
    char *first = ug_parameter_string(p, 0), *second = ug_parameter_string(p, 1);
    assert_int_equal(strncmp(first, "ab", 2), 0);
    assert_int_equal(strlen(second), 255);
    free(first);
    free(second);
    ug_parameters_fini(&tree);
}

static void test_removing_takes_the_parts_that_follow(void **state)
{
    (void)state;
    ug_parameters tree = { 0 };
    static const char *const NAMES[] = { "P", "P2", "P3", "P5" };
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(c3d_set_text(&tree, "G", NAMES[i], "x", NULL), UG_OK);
    }
    c3d_remove(&tree, "G", "P", 2);
    assert_non_null(ug_parameters_find(&tree, "G", "P"));
    assert_null(ug_parameters_find(&tree, "G", "P2"));
    assert_null(ug_parameters_find(&tree, "G", "P3"));
    assert_non_null(ug_parameters_find(&tree, "G", "P5")); // no continuation of these
    c3d_remove(&tree, "G", "NOT", 1);
    c3d_remove(&tree, "NO", "P", 1);
    ug_parameters_fini(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_number_keeps_its_type_where_that_holds_it),
        cmocka_unit_test(test_long_lists_go_on_in_parts_and_shrink_again),
        cmocka_unit_test(test_texts_are_padded_and_cut_in_words),
        cmocka_unit_test(test_removing_takes_the_parts_that_follow),
    };
    return cmocka_run_group_tests_name("formats/c3d_edit", tests, NULL, NULL);
}
