// SPDX-License-Identifier: MIT
#include "motion/roles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_names_are_inverse(void **state)
{
    (void)state;
    for (int r = 0; r < UG_ROLE_COUNT; r++) {
        ug_role back = UG_ROLE_COUNT;
        assert_true(ug_role_from_name(&back, ug_role_name((ug_role)r)));
        assert_int_equal(back, r);
    }
    ug_role untouched = UG_ROLE_HEAD;
    assert_false(ug_role_from_name(&untouched, "left_ear"));
    assert_int_equal(untouched, UG_ROLE_HEAD);
    assert_string_equal(ug_role_name(UG_ROLE_NONE), "none");
    assert_string_equal(ug_role_name(UG_ROLE_R_TOE), "right_toe");
}

static void test_mirror(void **state)
{
    (void)state;
    for (int r = 0; r < UG_ROLE_COUNT; r++) {
        const ug_role m = ug_role_mirror((ug_role)r);
        assert_int_equal(ug_role_mirror(m), r);
        const char *a = ug_role_name((ug_role)r), *b = ug_role_name(m);
        if (strncmp(a, "left_", 5) == 0) {
            assert_memory_equal(b, "right_", 6);
            assert_string_equal(a + 5, b + 6);
        } else if (strncmp(a, "right_", 6) != 0) {
            assert_int_equal(m, r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_inverse),
        cmocka_unit_test(test_mirror),
    };
    return cmocka_run_group_tests_name("motion/roles", tests, NULL, NULL);
}
