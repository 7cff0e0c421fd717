// SPDX-License-Identifier: MIT
// Unit tests for solvers/roles_find.c.
#include "solvers/roles_find.h"

#include "tests/support/character.h"
#include "tests/support/role_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ug_skeleton *make(bool roles, const char *left, const char *right)
{
    const test_character c = { 1.0, 1.0, 2, 0.5, 3, roles, left, right };
    return test_character_create(&c);
}

static void expect_same(const ug_skeleton *s)
{
    ug_skeleton *wanted = make(true, "left_", "right_");
    for (size_t j = 0; j < s->joint_count; j++) {
        assert_int_equal(s->joints[j].role, wanted->joints[j].role);
    }
    ug_skeleton_destroy(wanted);
}

static void test_names_first(void **state)
{
    (void)state;
    ug_role_dictionary d = test_role_words();
    ug_skeleton *s = make(false, "left_", "right_");
    ug_roles_report report;
    ug_warnings warnings = { 0 };
    assert_int_equal(ug_roles_find(s, &report, NULL, &d, &warnings, NULL), UG_OK);
    expect_same(s);
    assert_int_equal(report.named_count, 21);
    assert_int_equal(report.topology_count, 0);
    assert_false(report.by_topology);
    assert_int_equal(warnings.count, 0);
    // and what is set is believed
    s->joints[ug_skeleton_find_role(s, UG_ROLE_L_HAND)].role = UG_ROLE_NONE;
    assert_int_equal(ug_roles_find(s, &report, NULL, &d, &warnings, NULL), UG_OK);
    assert_int_equal(report.preset_count, 20);
    assert_int_equal(ug_skeleton_find_role(s, UG_ROLE_L_HAND), -1);
    ug_skeleton_destroy(s);
    ug_role_dictionary_fini(&d);
}

static void test_tree_where_names_fail(void **state)
{
    (void)state;
    ug_role_dictionary d = test_role_words();
    for (int k = 0; k < 2; k++) { // nothing has a name, or only legs and trunk
        ug_skeleton *s = make(false, "left_", "right_");
        for (size_t j = 0; j < s->joint_count; j++) {
            char *name = s->joints[j].name;
            if (k == 0 || strstr(name, "arm") || strstr(name, "Arm") || strstr(name, "Collar")) {
                name[0] = '\0';
            }
        }
        ug_roles_report report;
        ug_warnings warnings = { 0 };
        assert_int_equal(ug_roles_find(s, &report, NULL, &d, &warnings, NULL), UG_OK);
        expect_same(s);
        assert_true(report.by_topology);
        assert_int_equal(report.topology_count, k == 0 ? 21 : 8);
        assert_int_equal(report.named_count, k == 0 ? 0 : 13);
        assert_int_equal(ug_warnings_count(&warnings, "roles_by_topology"), 1);
        assert_non_null(strstr(warnings.items[0].first, k == 0 ? "the body found" : "arms found"));
        ug_skeleton_destroy(s);
    }
    ug_role_dictionary_fini(&d);
}

static void test_no_humanoid_is_refused_and_left_alone(void **state)
{
    (void)state;
    ug_role_dictionary d = test_role_words();
    ug_skeleton *s = ug_skeleton_create(2);
    s->joints[0].name = ug_text_copy("Hips");
    s->joints[1].name = ug_text_copy("Head");
    ug_error err = { 0 };
    assert_int_equal(ug_roles_find(s, NULL, NULL, &d, NULL, &err), UG_E_NOT_ENOUGH);
    assert_string_equal(err.message, "no left thigh found among: Hips, Head");
    assert_int_equal(s->joints[0].role, UG_ROLE_NONE);
    s->joints[0].role = UG_ROLE_HEAD; // preset nonsense
    err = (ug_error){ 0 };
    assert_int_equal(ug_roles_find(s, NULL, NULL, &d, NULL, &err), UG_E_NOT_ENOUGH);
    assert_int_equal(s->joints[0].role, UG_ROLE_HEAD);
    ug_skeleton_destroy(s);
    ug_role_dictionary_fini(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_first),
        cmocka_unit_test(test_tree_where_names_fail),
        cmocka_unit_test(test_no_humanoid_is_refused_and_left_alone),
    };
    return cmocka_run_group_tests_name("solvers/roles_find", tests, NULL, NULL);
}
