// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_methods.c.
#include "solvers/gap_methods.h"

#include "solvers/gap_check.h"
#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_names(void **state)
{
    (void)state;
    ug_fill_method method = UG_FILL_NONE;
    assert_true(ug_gap_method_from_name(&method, "spline"));
    assert_int_equal(method, UG_FILL_CUBIC);
    assert_true(ug_gap_method_from_name(&method, "rigid"));
    assert_int_equal(method, UG_FILL_RIGID);
    assert_true(ug_gap_method_from_name(&method, "cubic"));
    assert_int_equal(method, UG_FILL_CUBIC);
    assert_false(ug_gap_method_from_name(&method, "magic"));
    assert_int_equal(method, UG_FILL_CUBIC);
}

// Each method with its own idea of how far off it is.
static void test_methods_know_their_error(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    const ug_gap gap = { 0, 200, 319, true, true };
    ug_vec3 out[120];
    ug_rigid_neighbour neighbours[5];
    ug_gap_scratch scratch = { out, neighbours };
    double error_mm = -1.0;
    hide(m, 0, 200, 319);
    assert_true(ug_gap_method_fill(&scratch, &error_mm, m, &gap, UG_FILL_RIGID));
    assert_true(error_mm >= 0.0 && error_mm < 0.01);
    assert_true(ug_gap_method_fill(&scratch, &error_mm, m, &gap, UG_FILL_CUBIC));
    assert_true(error_mm > 10.0); // a second of tumbling is nothing for a cubic, and it knows
    hide(m, 1, 250, 250);
    hide(m, 2, 250, 250);
    assert_false(ug_gap_method_fill(&scratch, &error_mm, m, &gap, UG_FILL_RIGID));
    ug_markers_destroy(m);
}

static bool rigid(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap, const void *model)
{
    return ug_gap_rigid_fill(out_m, markers, gap, model);
}

// The nearest neighbour swings about the marker at a constant distance, so it ranks first and is
// in every cluster, but larger ones outvote it.
static void test_rigid_method_keeps_the_best_cluster(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    for (size_t f = 0; f < 600; f++) {
        const double a = 0.9 * sin(0.05 * (double)f);
        const ug_vec3 p = body_point_mm((ug_vec3){ 40.0 * cos(a), 40.0 * sin(a), 0.0 }, (double)f);
        put_mm(m, f, 3, p.x, p.y, p.z);
    }
    const ug_gap gap = { 0, 200, 319, true, true };
    ug_vec3 out[120];
    ug_rigid_neighbour list[5];
    ug_rigid_cluster cluster;
    const size_t count = ug_rigid_neighbours(list, m, &gap);
    double best_mm = 1e9, worst_mm = 0.0;
    for (size_t size = 3; size <= 4; size++) {
        assert_true(ug_rigid_cluster_choose(&cluster, list, count, size, 0.03, m, &gap));
        const double mm = ug_gap_predict_error_mm(out, m, &gap, rigid, &cluster);
        best_mm = fmin(best_mm, mm);
        worst_mm = fmax(worst_mm, mm);
    }
    assert_true(best_mm < 0.9 * worst_mm);
    ug_gap_scratch scratch = { out, list };
    double error_mm = -1.0;
    assert_true(ug_gap_method_fill(&scratch, &error_mm, m, &gap, UG_FILL_RIGID));
    assert_true(error_mm <= best_mm);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_rigid_method_keeps_the_best_cluster),
        cmocka_unit_test(test_methods_know_their_error),
    };
    return cmocka_run_group_tests_name("solvers/gap_methods", tests, NULL, NULL);
}
