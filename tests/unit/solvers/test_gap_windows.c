// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_windows.c.
#include "solvers/gap_windows.h"

#include "tests/support/elastic_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static ug_gap_scene *make_scene(ug_markers *m)
{
    ug_gap_scene *s = ug_gap_scene_create(m);
    ug_gap_scene_measure_pairs(s);
    ug_markers_destroy(m);
    return s;
}

static void test_windows_keep_clear_of_holes(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(1500);
    hide(m, 5, 700, 759);
    hide(m, 4, 200, 219);
    hide(m, 2, 710, 711); // not there through the gap
    ug_gap_scene *s = make_scene(m);
    const ug_gap gap = { 5, 700, 759, true, true };
    ug_gap_windows w;
    ug_gap_company c;
    assert_true(ug_gap_windows_choose(&w, &c, s, &gap, false));
    assert_int_equal(w.length, 60);
    assert_int_equal(c.feature_count, 4); // all but itself and 2
    assert_int_equal(c.sound_count, 4);
    assert_true(w.count > 100 && w.count <= UG_GAP_WINDOWS_MAX);
    for (size_t i = 0; i < w.count; i++) {
        const size_t from = w.first[i] - 4, to = w.first[i] + 63;
        assert_true(ug_scene_seen(s, 5, from, to));
        for (size_t k = 0; k < c.feature_count; k++) {
            assert_int_not_equal(c.features[k], 2);
            assert_true(ug_scene_seen(s, c.features[k], w.first[i] - 1, w.first[i] + 60));
        }
    }
    assert_int_equal(w.position_count, UG_GAP_POSITIONS_MAX);
    assert_true(w.position[0] < 5 && w.position[UG_GAP_POSITIONS_MAX - 1] >= 55);
    ug_gap_scene_destroy(s);
}

// Windows of two folds share frames only where one block of time ends and the next begins.
static void test_folds_are_blocks_of_time(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(3000);
    hide(m, 5, 700, 759);
    ug_gap_scene *s = make_scene(m);
    const ug_gap gap = { 5, 700, 759, true, true };
    ug_gap_windows w;
    ug_gap_company c;
    assert_true(ug_gap_windows_choose(&w, &c, s, &gap, false));
    for (size_t fold = 0; fold < UG_GAP_FOLDS; fold++) {
        assert_true(w.fold_start[fold + 1] > w.fold_start[fold]);
        for (size_t i = w.fold_start[fold]; i < w.fold_start[fold + 1]; i++) {
            assert_int_equal(w.first[i] / 120 % UG_GAP_FOLDS, fold);
        }
    }
    ug_gap_scene_destroy(s);
}

static void test_short_takes_halve_the_windows(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(800); // 6.7 s
    hide(m, 5, 300, 539);                   // 2 s: nothing like it is left beside it
    ug_gap_scene *s = make_scene(m);
    const ug_gap gap = { 5, 300, 539, true, true };
    ug_gap_windows w;
    ug_gap_company c;
    assert_true(ug_gap_windows_choose(&w, &c, s, &gap, false));
    assert_true(w.length < 240 && w.length >= 15);
    assert_true(w.count >= 24);
    ug_gap_scene_destroy(s);
}

static void test_fills_count_only_where_asked_for(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(1500);
    hide(m, 5, 700, 759);
    hide(m, 4, 690, 770);
    ug_gap_scene *s = make_scene(m);
    const ug_gap gap = { 5, 700, 759, true, true }, other = { 4, 690, 770, true, true };
    double mm[3 * 81] = { 0 };
    float error_mm[81];
    for (size_t k = 0; k < 81; k++) {
        error_mm[k] = 30.0f;
    }
    ug_gap_scene_lay(s, &other, mm, error_mm, UG_SCENE_FILLED);
    ug_gap_scene_count(s);
    ug_gap_windows w;
    ug_gap_company c;
    assert_true(ug_gap_windows_choose(&w, &c, s, &gap, false));
    assert_int_equal(c.feature_count, 4);
    assert_true(ug_gap_windows_choose(&w, &c, s, &gap, true));
    assert_int_equal(c.feature_count, 5);
    assert_int_equal(c.sound_count, 4);
    assert_int_equal(c.features[4], 4); // 30 mm off: last, and not sound
    for (size_t k = 0; k < c.frame.count; k++) {
        assert_int_not_equal(c.frame.markers[k], 4);
    }
    ug_gap_scene_destroy(s);
}

static void test_no_frame_without_three(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(600);
    hide(m, 5, 300, 359);
    for (size_t k = 1; k < 4; k++) {
        hide(m, k, 320, 320);
    }
    ug_gap_scene *s = make_scene(m);
    const ug_gap gap = { 5, 300, 359, true, true };
    ug_gap_windows w;
    ug_gap_company c;
    assert_false(ug_gap_windows_choose(&w, &c, s, &gap, false));
    ug_gap_scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows_keep_clear_of_holes),
        cmocka_unit_test(test_folds_are_blocks_of_time),
        cmocka_unit_test(test_short_takes_halve_the_windows),
        cmocka_unit_test(test_fills_count_only_where_asked_for),
        cmocka_unit_test(test_no_frame_without_three),
    };
    return cmocka_run_group_tests_name("solvers/gap_windows", tests, NULL, NULL);
}
