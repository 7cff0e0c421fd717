// SPDX-License-Identifier: MIT
// Unit tests for solvers/slow_runs.c.
#include "solvers/slow_runs.h"

#include "motion/median.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COUNT = 200 };

// rests at x = 0, runs at 2 m/s for 0.5 s, rests at x = 1; 100 Hz
static void make_path(ug_vec3 *path)
{
    for (int f = 0; f < COUNT; f++) {
        const double t = fmin(fmax((f - 75) / 50.0, 0.0), 1.0);
        path[f] = (ug_vec3){ t, 0.03, -1.0 };
    }
}

static void test_speed_and_runs(void **state)
{
    (void)state;
    ug_vec3 path[COUNT];
    double speed[COUNT];
    ug_slow_runs runs;
    make_path(path);
    for (int f = 0; f < COUNT; f++) {
        speed[f] = -1.0;
    }
    assert_int_equal(ug_path_speed(speed, path, COUNT, 100.0, 0.0, NULL), UG_OK);
    assert_true(fabs(speed[100] - 2.0) < 1e-9);
    assert_true(speed[0] == 0.0 && speed[COUNT - 1] == 0.0);
    assert_int_equal(ug_slow_runs_find(&runs, speed, path, COUNT, 100.0, 0.3, 0.1, NULL), UG_OK);
    assert_int_equal(runs.count, 2);
    assert_int_equal(runs.items[0].start, 0);
    assert_int_equal(runs.items[0].end, 75);
    assert_int_equal(runs.items[1].start, 126);
    assert_int_equal(runs.items[1].end, COUNT);
    assert_true(fabs(runs.items[1].place_m.x - 1.0) < 1e-12);
    assert_true(fabs(runs.items[1].place_m.y - 0.03) < 1e-12);
    ug_slow_runs_fini(&runs);
    // too short to count
    assert_int_equal(ug_slow_runs_find(&runs, speed, path, COUNT, 100.0, 0.3, 0.751, NULL), UG_OK);
    assert_int_equal(runs.count, 0);
    ug_slow_runs_fini(&runs);
    ug_slow_runs_fini(NULL);
}

static void test_smoothing_only_above_30_hz(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ug_vec3 path[COUNT];
        double speed[COUNT];
        for (int f = 0; f < COUNT; f++) {
            path[f] = (ug_vec3){ f % 2 ? 0.001 : -0.001, 0, 0 };
        }
        path[50].x = 0.3;
        assert_int_equal(ug_path_speed(speed, path, COUNT, k ? 120.0 : 30.0, 12.0, NULL), UG_OK);
        assert_true((path[50].x == 0.3) == (k == 0));
    }
}

static void test_gaps_are_not_bridged(void **state)
{
    (void)state;
    ug_vec3 path[COUNT];
    double speed[COUNT];
    make_path(path);
    for (int f = 20; f < 30; f++) {
        path[f].y = NAN;
    }
    path[60].x = INFINITY;
    assert_int_equal(ug_path_speed(speed, path, COUNT, 100.0, 12.0, NULL), UG_OK);
    assert_true(isnan(speed[20]) && isnan(speed[29]) && isnan(speed[60]));
    assert_true(speed[19] < 1e-9 && speed[30] < 1e-9);
    assert_true(isnan(path[25].y) && path[25].x == 0.0);
    ug_slow_runs runs;
    assert_int_equal(ug_slow_runs_find(&runs, speed, path, COUNT, 100.0, 0.3, 0.05, NULL), UG_OK);
    assert_int_equal(runs.items[0].end, 20);
    assert_int_equal(runs.items[1].start, 30);
    assert_int_equal(runs.items[1].end, 60);
    ug_slow_runs_fini(&runs);
}

static void test_nothing_and_medians(void **state)
{
    (void)state;
    ug_slow_runs runs;
    ug_vec3 one = { 1, 2, 3 };
    double speed = -1.0;
    assert_int_equal(ug_path_speed(&speed, &one, 0, 100.0, 12.0, NULL), UG_OK);
    assert_true(speed == -1.0);
    assert_int_equal(ug_path_speed(&speed, &one, 1, 100.0, 12.0, NULL), UG_OK);
    assert_true(speed == 0.0);
    assert_int_equal(ug_slow_runs_find(&runs, &speed, &one, 0, 100.0, 0.3, 0.1, NULL), UG_OK);
    assert_int_equal(runs.count, 0);
    ug_slow_runs_fini(&runs);
    double odd[3] = { 5, 1, 2 }, even[4] = { 4, 1, 3, 2 };
    assert_true(ug_median(odd, 3) == 2.0);
    assert_true(ug_median(even, 4) == 2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speed_and_runs),
        cmocka_unit_test(test_smoothing_only_above_30_hz),
        cmocka_unit_test(test_gaps_are_not_bridged),
        cmocka_unit_test(test_nothing_and_medians),
    };
    return cmocka_run_group_tests_name("solvers/slow_runs", tests, NULL, NULL);
}
