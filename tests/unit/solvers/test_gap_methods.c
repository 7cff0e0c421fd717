// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_methods.c.
#include "solvers/gap_methods.h"

#include "tests/support/elastic_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_every_name_fills(void **state)
{
    (void)state;
    static const char *const NAMES[] = { "auto",  "linear",  "cubic", "spline",
                                         "rigid", "pattern", "pca" };
    ug_markers *m = make_elastic_take(900);
    hide(m, 5, 400, 429);
    ug_gap_scene *s = ug_gap_scene_create(m);
    ug_gap_scene_measure_pairs(s);
    ug_gap_workspace *w = ug_gap_workspace_create(30);
    const ug_gap gap = { 5, 400, 429, true, true }, open = { 4, 0, 9, false, true };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        ug_fill_method method = UG_FILL_NONE;
        assert_true(ug_gap_method_from_name(&method, NAMES[i]));
        assert_true(ug_gap_method_fill(w, s, &gap, method, false));
        assert_int_equal(w->used, method);
        assert_true(isfinite(w->mm[45]) && w->error_mm[15] >= 0.0f);
        const bool alone = method == UG_FILL_LINEAR || method == UG_FILL_CUBIC;
        assert_int_equal(ug_gap_method_fill(w, s, &open, method, false), !alone);
    }
    ug_fill_method method;
    assert_false(ug_gap_method_from_name(&method, "magic"));
    assert_string_equal(ug_gap_method_name(UG_FILL_STACKED), "stacked");
    assert_string_equal(ug_gap_method_name(UG_FILL_LOW_RANK), "low_rank");
    ug_gap_workspace_destroy(w);
    ug_gap_scene_destroy(s);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_name_fills),
    };
    return cmocka_run_group_tests_name("solvers/gap_methods", tests, NULL, NULL);
}
