// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap.c.
#include "solvers/gap.h"

#include "tests/support/markers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_list_names_every_run(void **state)
{
    (void)state;
    ug_markers *m = make_markers(10, 4, 100);
    for (size_t f = 0; f < 10; f++) {
        put_mm(m, f, 0, 1.0, 2.0, 3.0);
        put_mm(m, f, 1, 1.0, 2.0, 3.0);
    }
    hide(m, 0, 0, 1);
    hide(m, 0, 4, 4);
    hide(m, 0, 8, 9);
    m->kinds[3] = UG_POINT_UNLABELLED; // all missing, but no marker
    ug_gap *gaps = NULL;
    size_t count = 99;
    assert_int_equal(ug_gaps_list(&gaps, &count, m, NULL), UG_OK);
    static const ug_gap WANT[] = { { 0, 0, 1, false, true },
                                   { 0, 4, 4, true, true },
                                   { 0, 8, 9, true, false },
                                   { 2, 0, 9, false, false } };
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(gaps[i].marker, WANT[i].marker);
        assert_int_equal(gaps[i].first, WANT[i].first);
        assert_int_equal(gaps[i].last, WANT[i].last);
        assert_int_equal(gaps[i].has_start, WANT[i].has_start);
        assert_int_equal(gaps[i].has_end, WANT[i].has_end);
    }
    free(gaps);
    ug_markers_destroy(m);
}

static void test_list_of_nothing(void **state)
{
    (void)state;
    for (size_t frames = 0; frames < 2; frames++) {
        ug_markers *m = make_markers(frames, 1, 100);
        if (frames == 1) {
            put_mm(m, 0, 0, 1.0, 2.0, 3.0);
        }
        ug_gap *gaps = (ug_gap *)m;
        size_t count = 99;
        assert_int_equal(ug_gaps_list(&gaps, &count, m, NULL), UG_OK);
        assert_null(gaps);
        assert_int_equal(count, 0);
        ug_markers_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_names_every_run),
        cmocka_unit_test(test_list_of_nothing),
    };
    return cmocka_run_group_tests_name("solvers/gap", tests, NULL, NULL);
}
