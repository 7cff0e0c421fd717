// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/take_residuals.c.
#include "pipeline/stages/take_residuals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/report_take.h"

static void test_strays_are_runs_of_60_mm_and_more(void **state)
{
    (void)state;
    // two columns over six frames; a missing sample ends a run, and 60 counts
    const float mm[12] = { 60, 1, 70, 2, NAN, 61, 80, 62, 59.9f, 63, 90, 64 };
    ug_stray *strays = NULL;
    size_t count = 0;
    assert_int_equal(ug_strays_find(&strays, &count, mm, NULL, 6, 2, NULL), UG_OK);
    const ug_stray wanted[] = {
        { 0, 0, 2, 2, 70.0 }, { 0, 3, 4, 1, 80.0 }, { 0, 5, 6, 1, 90.0 }, { 1, 2, 6, 4, 64.0 }
    };
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(strays[i].column, wanted[i].column);
        assert_int_equal(strays[i].first, wanted[i].first);
        assert_int_equal(strays[i].end, wanted[i].end);
        assert_int_equal(strays[i].count, wanted[i].count);
        assert_true(strays[i].max_mm == wanted[i].max_mm);
    }
    free(strays);
    assert_int_equal(ug_strays_find(&strays, &count, mm, NULL, 0, 2, NULL), UG_OK);
    assert_int_equal(count, 0);
    assert_null(strays);
}

static void test_strays_of_samples_that_count(void **state)
{
    (void)state;
    // the fill in frame 2 is of the first stretch, and not its worst; that in frame 6 is of none
    const float mm[14] = { 70, 70, 70, 70, 95, 70, 80, 70, 1, 1, 70, 1, 90, 70 };
    const uint8_t counted[14] = { 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0 };
    ug_stray *strays = NULL;
    size_t count = 0;
    assert_int_equal(ug_strays_find(&strays, &count, mm, counted, 7, 2, NULL), UG_OK);
    const ug_stray wanted[] = { { 0, 0, 4, 3, 80.0 }, { 0, 5, 6, 1, 70.0 } };
    assert_int_equal(count, 2); // none in the second column, nothing of which was measured
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(strays[i].column, wanted[i].column);
        assert_int_equal(strays[i].first, wanted[i].first);
        assert_int_equal(strays[i].end, wanted[i].end);
        assert_int_equal(strays[i].count, wanted[i].count);
        assert_true(strays[i].max_mm == wanted[i].max_mm);
    }
    free(strays);
}

static void test_columns_are_told_apart(void **state)
{
    (void)state;
    ug_take take;
    ug_take_residuals r;
    report_take_init(&take);
    memset(&r, 0xa5, sizeof r);
    assert_int_equal(ug_take_residuals_read(&r, &take, NULL), UG_OK);
    assert_int_equal(r.column_count, 3);
    assert_int_equal(r.columns[2].marker, 3); // as the solve noted it
    assert_int_equal(r.columns[2].outlier_count, 40);
    assert_true(r.columns[2].rms_mm == 4.0);
    assert_int_equal(r.columns[1].sample_count, 230); // without the filled ones
    assert_int_equal(r.counted[3 * 99 + 1], 1);
    assert_int_equal(r.counted[3 * 100 + 1], 0);
    ug_take_residuals_fini(&r);
    // an index that is none, and a table instead of the note
    const float wrong[3] = { -1, NAN, 1e9f };
    assert_int_equal(ug_quality_set(&take.quality, "residual_marker", "", 3, 1, wrong, NULL),
                     UG_OK);
    assert_int_equal(ug_take_residuals_read(&r, &take, NULL), UG_OK);
    for (size_t c = 0; c < 3; c++) {
        assert_int_equal(r.columns[c].marker, -1);
        assert_int_equal(r.columns[c].sample_count, 0);
        assert_true(isnan(r.columns[c].rms_mm));
    }
    ug_take_residuals_fini(&r);
    assert_int_equal(ug_quality_set(&take.quality, "residual_marker", "", 1, 2, wrong, NULL),
                     UG_OK);
    const ug_attachment d = { .label = "D", .segment = "s", .weight = 1.0 };
    assert_int_equal(ug_attachments_add(&take.attachments, &d, NULL), UG_OK);
    assert_int_equal(ug_take_residuals_read(&r, &take, NULL), UG_OK);
    assert_int_equal(r.columns[0].marker, 3);
    assert_int_equal(r.columns[1].marker, -1);
    ug_take_residuals_fini(&r);
    ug_take_fini(&take);
}

static void test_takes_without_residuals(void **state)
{
    (void)state;
    ug_take take;
    ug_take_residuals r;
    ug_take_init(&take);
    assert_int_equal(ug_take_residuals_read(&r, &take, NULL), UG_OK);
    assert_int_equal(r.column_count, 0);
    const float rows[4] = { 1, 2, 3, 4 };
    assert_int_equal(ug_quality_set(&take.quality, "marker_residual_mm", "mm", 4, 1, rows, NULL),
                     UG_OK);
    assert_int_equal(ug_take_residuals_read(&r, &take, NULL), UG_OK);
    assert_int_equal(r.column_count, 0); // no markers that they are of
    ug_take_residuals_fini(&r);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strays_are_runs_of_60_mm_and_more),
        cmocka_unit_test(test_strays_of_samples_that_count),
        cmocka_unit_test(test_columns_are_told_apart),
        cmocka_unit_test(test_takes_without_residuals),
    };
    return cmocka_run_group_tests_name("pipeline/stages/take_residuals", tests, NULL, NULL);
}
