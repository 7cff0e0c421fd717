// SPDX-License-Identifier: MIT
// Unit tests for solvers/residual_stats.c.
#include "solvers/residual_stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

// Mean marker error must not look better the more markers are hidden: four markers, three of them
// exactly 10 mm off and one missing, are 10.000 mm over 3 samples, not 8.660 over 4.
static void test_missing_markers_are_in_no_sum(void **state)
{
    (void)state;
    const float residual[4] = { 10.0F, NAN, 10.0F, 10.0F };
    ug_residual_stats s;
    memset(&s, 0xa5, sizeof s);
    assert_int_equal(ug_residual_stats_compute(&s, residual, NULL, 1, 4, NULL), UG_OK);
    assert_true(near(s.rms_mm, 10.0) && near(s.all_rms_mm, 10.0) && near(s.max_mm, 10.0));
    assert_int_equal(s.sample_count, 3);
    assert_int_equal(s.frame_samples[0], 3);
    assert_int_equal(s.markers[1].sample_count, 0);
    assert_true(isnan(s.markers[1].rms_mm) && isnan(s.markers[1].max_mm));
    ug_residual_stats_fini(&s);

    // the worst keeps its place when those before it are missing
    const float worst[4] = { NAN, 10.0F, NAN, 12.0F };
    assert_int_equal(ug_residual_stats_compute(&s, worst, NULL, 1, 4, NULL), UG_OK);
    assert_int_equal(s.worst, 3);
    assert_true(near(s.rms_mm, sqrt(122.0)));
    ug_residual_stats_fini(&s);
}

static void test_outliers_are_counted_apart(void **state)
{
    (void)state;
    const float residual[6] = { 3.0F, 60.0F, 4.0F, 59.0F, 400.0F, NAN };
    ug_residual_stats s;
    assert_int_equal(ug_residual_stats_compute(&s, residual, NULL, 3, 2, NULL), UG_OK);
    assert_int_equal(s.outlier_count, 2);
    assert_true(near(s.outlier_pct, 40.0));
    assert_true(near(s.rms_mm, sqrt((9.0 + 16.0 + 59.0 * 59.0) / 3.0)));
    assert_true(near(s.p95_mm, 59.0) && near(s.median_mm, 4.0) && near(s.max_mm, 400.0));
    assert_int_equal(s.worst, 0); // 3, 4, 400
    assert_int_equal(s.markers[0].outlier_count, 1);
    assert_int_equal(s.frame_samples[2], 1);
    assert_true(isnan(s.frame_rms_mm[2]) && near(s.frame_rms_mm[0], 3.0));
    ug_residual_stats_fini(&s);
}

static void test_only_counted_samples_count(void **state)
{
    (void)state;
    const float residual[4] = { 1.0F, 2.0F, 3.0F, 4.0F };
    const uint8_t counted[4] = { 1, 0, 0, 1 };
    ug_residual_stats s;
    assert_int_equal(ug_residual_stats_compute(&s, residual, counted, 2, 2, NULL), UG_OK);
    assert_int_equal(s.sample_count, 2);
    assert_true(near(s.rms_mm, sqrt(8.5)));
    ug_residual_stats_fini(&s);
}

static void test_nothing_is_not_zero(void **state)
{
    (void)state;
    ug_residual_stats s;
    assert_int_equal(ug_residual_stats_compute(&s, NULL, NULL, 0, 0, NULL), UG_OK);
    assert_true(isnan(s.rms_mm) && isnan(s.p95_mm) && isnan(s.outlier_pct) && isnan(s.max_mm));
    assert_int_equal(s.worst, -1);
    ug_residual_stats_fini(&s);
    const float missing[2] = { NAN, NAN };
    assert_int_equal(ug_residual_stats_compute(&s, missing, NULL, 1, 2, NULL), UG_OK);
    assert_true(isnan(s.rms_mm) && s.worst == -1 && s.sample_count == 0);
    ug_residual_stats_fini(&s);
    ug_residual_stats_fini(NULL);
}

static void test_measured_samples_by_origin(void **state)
{
    (void)state;
    ug_markers *markers = ug_markers_create(1, 6, ug_rate_make(100, 1));
    const uint16_t origin[6] = { UG_ORIGIN_MEASURED, UG_ORIGIN_MEASURED | UG_ORIGIN_FILTERED,
                                 UG_ORIGIN_FILLED,   UG_ORIGIN_MEASURED | UG_ORIGIN_FILLED,
                                 UG_ORIGIN_COMPUTED, UG_ORIGIN_MEASURED | UG_ORIGIN_REPAIRED };
    for (size_t m = 0; m < 6; m++) {
        ug_markers_set_m(markers, 0, m, (ug_vec3){ 1, 2, 3 }, origin[m]);
    }
    ug_markers_clear(markers, 0, 0);
    const ptrdiff_t columns[7] = { 0, 1, 2, 3, 4, 5, -1 };
    uint8_t counted[7];
    memset(counted, 0xa5, sizeof counted);
    ug_residual_mark_measured(counted, markers, columns, 7);
    assert_memory_equal(counted, ((uint8_t[]){ 0, 1, 0, 0, 0, 1, 0 }), 7);
    ug_markers_destroy(markers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_markers_are_in_no_sum),
        cmocka_unit_test(test_outliers_are_counted_apart),
        cmocka_unit_test(test_only_counted_samples_count),
        cmocka_unit_test(test_nothing_is_not_zero),
        cmocka_unit_test(test_measured_samples_by_origin),
    };
    return cmocka_run_group_tests_name("solvers/residual_stats", tests, NULL, NULL);
}
