// SPDX-License-Identifier: MIT
// Unit tests for pipeline/stages/take_metrics.c.
#include "pipeline/stages/take_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double get(const ug_metrics *m, const char *name)
{
    double v = -1;
    assert_true(ug_metrics_get(m, name, &v));
    return v;
}

// A: all there; B: frames 2-4 missing; C: never seen; D: a model's point, missing, not counted
static void test_gaps_are_counted_over_markers_only(void **state)
{
    (void)state;
    ug_markers *markers = ug_markers_create(10, 4, ug_rate_make(100, 1));
    for (size_t f = 0; f < 10; f++) {
        ug_markers_set_m(markers, f, 0, (ug_vec3){ 1, 2, 3 }, UG_ORIGIN_MEASURED);
        if (f < 2 || f > 4) {
            ug_markers_set_m(markers, f, 1, (ug_vec3){ 1, 2, 3 },
                             f == 5 ? UG_ORIGIN_FILLED : UG_ORIGIN_MEASURED);
        }
    }
    markers->kinds[3] = UG_POINT_ANGLE;

    ug_metrics m = { 0 };
    ug_metrics_add_markers(&m, markers);
    assert_true(get(&m, "frame_count") == 10);
    assert_true(get(&m, "marker_count") == 3);
    assert_true(get(&m, "gap_count") == 1);
    assert_true(get(&m, "never_seen_count") == 1);
    assert_true(get(&m, "filled_count") == 1);
    assert_true(fabs(get(&m, "missing_pct") - 100.0 * 13 / 30) < 1e-12);
    assert_true(fabs(get(&m, "longest_gap_s") - 0.03) < 1e-12);
    ug_metrics_fini(&m);
    ug_markers_destroy(markers);
}

static void test_absent_parts_say_nothing(void **state)
{
    (void)state;
    ug_metrics m = { 0 };
    ug_metrics_add_markers(&m, NULL);
    ug_metrics_add_clip(&m, NULL);
    assert_int_equal(m.count, 0);
    ug_metrics_fini(&m);
}

static void test_duration_is_one_frame_short(void **state)
{
    (void)state;
    ug_clip *clip = ug_clip_create(241, 1, (int[]){ 0 }, 1, ug_rate_make(120, 1));
    ug_metrics m = { 0 };
    ug_metrics_add_clip(&m, clip);
    assert_true(get(&m, "duration_s") == 2.0);
    ug_metrics_fini(&m);
    ug_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_are_counted_over_markers_only),
        cmocka_unit_test(test_absent_parts_say_nothing),
        cmocka_unit_test(test_duration_is_one_frame_short),
    };
    return cmocka_run_group_tests_name("pipeline/stages/take_metrics", tests, NULL, NULL);
}
