// SPDX-License-Identifier: MIT
#include "motion/contacts.h"

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
    for (int p = 0; p < UG_CONTACT_POINT_COUNT; p++) {
        ug_contact_point back = UG_CONTACT_POINT_COUNT;
        assert_true(ug_contact_point_from_name(&back, ug_contact_point_name((ug_contact_point)p)));
        assert_int_equal(back, p);
    }
    ug_contact_point untouched = UG_POINT_LEFT_TOE;
    assert_false(ug_contact_point_from_name(&untouched, "tail"));
    assert_int_equal(untouched, UG_POINT_LEFT_TOE);
    assert_string_equal(ug_contact_point_name(UG_POINT_RIGHT_HEEL), "right_heel");
}

static void test_add_and_copy(void **state)
{
    (void)state;
    ug_contacts a = { 0 }, b = { 0 };
    for (int i = 0; i < 20; i++) {
        const ug_contact c = { .point = UG_POINT_LEFT_HEEL,
                               .kind = UG_CONTACT_PLANTED,
                               .start_s = i,
                               .end_s = i + 0.5,
                               .accepted = i % 2,
                               .reason = "short" };
        assert_int_equal(ug_contacts_add(&a, &c, NULL), UG_OK);
    }
    assert_int_equal(ug_contacts_copy(&b, &a, NULL), UG_OK);
    ug_contacts_fini(&a);
    assert_int_equal(a.count, 0);
    assert_int_equal(b.count, 20);
    assert_true(b.items[19].start_s == 19 && b.items[19].accepted);
    assert_string_equal(b.items[3].reason, "short");
    ug_contacts_fini(&b);
    ug_contacts_fini(NULL);
    assert_int_equal(ug_contacts_copy(&b, &a, NULL), UG_OK);
    assert_int_equal(b.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_inverse),
        cmocka_unit_test(test_add_and_copy),
    };
    return cmocka_run_group_tests_name("motion/contacts", tests, NULL, NULL);
}
