// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/report_facts_cleaning.c, on a small take of which every number is
// known (tests/support/report_take.h).
#include "pipeline/report/report_facts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/report_take.h"

static void compute(ug_report_facts *f, const ug_take *take)
{
    assert_int_equal(ug_report_facts_compute(f, take, "t.h5", NULL, NULL), UG_OK);
}

static void test_fills_and_what_was_missing_before(void **state)
{
    (void)state;
    ug_take take;
    ug_report_facts f;
    char text[32];
    report_take_init(&take);
    ug_markers *m = take.markers;
    for (size_t frame = 100; frame < 110; frame++) { // B, worst 7 mm at 105
        m->method[ug_markers_index(m, frame, 1)] = frame < 104 ? UG_FILL_CUBIC : UG_FILL_RIGID;
    }
    ug_markers_clear(m, 110, 1); // and one beside it that nobody filled
    // A, without a prediction, by a method of a later program
    ug_markers_set_m(m, 20, 0, (ug_vec3){ 0, 1, 0 }, UG_ORIGIN_FILLED);
    m->method[ug_markers_index(m, 20, 0)] = 17;
    compute(&f, &take);
    assert_int_equal(f.fill_count, 3);
    assert_int_equal(f.fills[0].marker, 0);
    assert_true(isnan(f.fills[0].error_mm));
    assert_string_equal(ug_report_method_name(text, f.fills[0].method), "method 17");
    assert_int_equal(f.fills[1].marker, 1);
    assert_int_equal(f.fills[1].first, 100);
    assert_int_equal(f.fills[1].end, 104);
    assert_true(f.fills[1].error_mm == 4.5);
    assert_string_equal(ug_report_method_name(text, f.fills[1].method), "cubic");
    assert_int_equal(f.fills[2].end, 110);
    assert_true(f.fills[2].error_mm == 7.0);
    assert_int_equal(f.method_count, 3);
    assert_int_equal(f.methods[0].method, UG_FILL_CUBIC);
    assert_int_equal(f.methods[0].sample_count, 4);
    assert_true(f.methods[0].median_mm == 4.5 && f.methods[0].worst_mm == 4.5);
    assert_int_equal(f.methods[2].unpredicted, 1);
    assert_true(isnan(f.methods[2].median_mm) && isnan(f.methods[2].worst_mm));
    // filled and missing together were the gap
    assert_int_equal(f.markers[0].missing_before, 10);
    assert_int_equal(f.markers[0].longest_before, 10);
    assert_int_equal(f.markers[0].longest_before_first, 20);
    assert_int_equal(f.markers[0].longest_gap, 9);
    assert_int_equal(f.markers[1].missing_before, 11);
    assert_int_equal(f.markers[1].longest_before, 11);
    assert_int_equal(f.markers[1].longest_gap, 1);
    assert_int_equal(f.markers[2].missing_before, REPORT_FRAMES); // never seen: no gap
    assert_int_equal(f.markers[2].longest_before, 0);
    assert_true(ug_report_share_pct(&f, 60) == 25.0);
    ug_report_facts_fini(&f);
    ug_take_fini(&take);
}

static void repair(ug_markers *m, size_t marker, size_t first, size_t end)
{
    for (size_t f = first; f < end; f++) {
        m->origin[ug_markers_index(m, f, marker)] |= UG_ORIGIN_REPAIRED;
    }
}

static void test_repairs_are_paired_by_their_frames(void **state)
{
    (void)state;
    ug_take take;
    ug_report_facts f;
    report_take_init(&take);
    repair(take.markers, 0, 150, 160);
    repair(take.markers, 1, 150, 160);
    repair(take.markers, 1, 200, 201);
    repair(take.markers, 3, 200, 202); // another run: not the same exchange
    compute(&f, &take);
    assert_int_equal(f.repair_count, 3);
    assert_int_equal(f.repairs[0].marker, 0);
    assert_int_equal(f.repairs[0].other, 1);
    assert_int_equal(f.repairs[0].first, 150);
    assert_int_equal(f.repairs[0].end, 160);
    assert_int_equal(f.repairs[1].marker, 1);
    assert_true(f.repairs[1].other == SIZE_MAX && f.repairs[2].other == SIZE_MAX);
    ug_report_facts_fini(&f);
    ug_take_fini(&take);
}

static void test_frozen_rows_that_fit(void **state)
{
    (void)state;
    ug_take take;
    ug_report_facts f;
    report_take_init(&take);
    compute(&f, &take);
    assert_false(f.frozen_known); // no stage has looked
    ug_report_facts_fini(&f);
    const float rows[] = { 3, 10, 20, 4, 1, 2, 0, 6, 5, 0, 230, 241, 0, NAN, 3, 0, 1, NAN };
    assert_int_equal(ug_quality_set(&take.quality, "frozen", "", 6, 3, rows, NULL), 0);
    compute(&f, &take);
    assert_true(f.frozen_known);
    assert_int_equal(f.frozen_count,
                     1); // one is of no marker, one empty, one too long, two no numbers
    assert_int_equal(f.frozen[0].marker, 3);
    assert_int_equal(f.frozen[0].first, 10);
    assert_int_equal(f.frozen[0].end, 21);
    ug_report_facts_fini(&f);
    ug_take_fini(&take);
}

static void test_cutoff_is_that_of_the_smoothing(void **state)
{
    (void)state;
    ug_take take;
    ug_report_facts f;
    report_take_init(&take);
    compute(&f, &take);
    assert_true(isnan(f.cutoff_hz)); // cutoff_hz is among the options, but nothing was smoothed
    assert_int_equal(f.spectrum.count, 0);
    ug_report_facts_fini(&f);
    report_entry(&take, "clean", "{\"smooth\":\"butterworth\",\"cutoff_hz\":6}", "[]", "{}", "[]");
    report_entry(&take, "clean", "{\"smooth\":\"none\",\"cutoff_hz\":12}", "[]", "{}", "[]");
    compute(&f, &take);
    assert_true(f.cutoff_hz == 6.0);
    ug_report_facts_fini(&f);
    report_entry(&take, "clean", "{\"smooth\":\"gcv\",\"cutoff_hz\":12}", "[]", "{}", "[]");
    compute(&f, &take);
    assert_true(isnan(f.cutoff_hz)); // a spline is not told one, whatever the option says
    ug_report_facts_fini(&f);
    report_entry(&take, "clean", "{\"smooth\":\"gcv\",\"cutoff_hz\":12}", "[]",
                 "{\"smooth_cutoff_hz\":7.5}", "[]");
    compute(&f, &take);
    assert_true(f.cutoff_hz == 7.5); // but says what it found
    ug_report_facts_fini(&f);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fills_and_what_was_missing_before),
        cmocka_unit_test(test_repairs_are_paired_by_their_frames),
        cmocka_unit_test(test_frozen_rows_that_fit),
        cmocka_unit_test(test_cutoff_is_that_of_the_smoothing),
    };
    return cmocka_run_group_tests_name("pipeline/report/report_facts_cleaning", tests, NULL, NULL);
}
