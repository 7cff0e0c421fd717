// SPDX-License-Identifier: MIT
// Unit tests for formats/roles_yaml.c.
#include "formats/roles_yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REST                                                                                       \
    "spine: []\nneck: []\nhead: []\nclavicle: []\nupper_arm: []\nforearm: []\nhand: []\n"          \
    "thigh: [thigh]\nshin: ~\nfoot: []\ntoe: []\n"

static ug_status parse(ug_role_dictionary *d, const char *text, ug_error *err)
{
    memset(d, 0xa5, sizeof *d);
    return ug_roles_yaml_parse(d, text, strlen(text), "roles.yaml", err);
}

static void test_reads_lists_in_order(void **state)
{
    (void)state;
    ug_role_dictionary d;
    assert_int_equal(parse(&d,
                           "prefixes: ['bip[0-9]*']\nignore: ['(^|[^b])end$', thumb]\n"
                           "pelvis: ['hips?', root]\n" REST,
                           NULL),
                     UG_OK);
    assert_int_equal(d.prefixes.count, 1);
    assert_string_equal(d.prefixes.items[0], "bip[0-9]*");
    assert_int_equal(d.suffixes.count, 0);
    assert_int_equal(d.ignore.count, 2);
    assert_string_equal(d.ignore.items[1], "thumb");
    assert_int_equal(d.parts[UG_BODY_PELVIS].count, 2);
    assert_string_equal(d.parts[UG_BODY_PELVIS].items[0], "hips?");
    assert_int_equal(d.parts[UG_BODY_SHIN].count, 0);
    assert_string_equal(d.parts[UG_BODY_THIGH].items[0], "thigh");
    ug_role_dictionary_fini(&d);
}

static void expect(const char *text, const char *message, const char *where)
{
    ug_role_dictionary d;
    ug_error err = { 0 };
    assert_int_equal(parse(&d, text, &err), UG_E_FORMAT);
    assert_non_null(strstr(err.message, message));
    assert_string_equal(err.where, where);
    assert_int_equal(d.parts[UG_BODY_PELVIS].count, 0);
    assert_null(d.prefixes.items);
}

static void test_wrong_files_say_where(void **state)
{
    (void)state;
    expect("pelvis: [hips]\n", "spine", "roles.yaml:1");
    expect("pelvis: [hips]\ntail: [tail]\n" REST, "tail", "roles.yaml:2");
    expect("pelvis: hips\n" REST, "pelvis", "roles.yaml:1");
    expect("pelvis: [[hips]]\n" REST, "pelvis", "roles.yaml:1");
    expect("- pelvis\n", "role dictionary", "roles.yaml:1");
}

static void test_missing_file(void **state)
{
    (void)state;
    ug_role_dictionary d;
    ug_error err = { 0 };
    assert_int_equal(ug_roles_yaml_read(&d, "no_such_roles.yaml", &err), UG_E_IO);
    assert_non_null(strstr(err.where, "no_such_roles.yaml"));
    assert_int_equal(d.ignore.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_lists_in_order),
        cmocka_unit_test(test_wrong_files_say_where),
        cmocka_unit_test(test_missing_file),
    };
    return cmocka_run_group_tests_name("formats/roles_yaml", tests, NULL, NULL);
}
