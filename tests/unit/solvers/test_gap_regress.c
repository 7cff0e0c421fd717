// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_regress.c and the pool it blends (solvers/gap_pool.c, gap_kernel.c).
#include "solvers/gap_regress.h"

#include "solvers/blas_threads.h"
#include "tests/support/elastic_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 1800, FIRST = 700, LENGTH = 120 };

static const ug_gap GAP = { 5, FIRST, FIRST + LENGTH - 1, true, true };

// Mean distance of the fill to the truth, and its mean predicted error.
static double fill(double *predicted_mm, const ug_markers *m, const ug_gap *gap,
                   ug_fill_method method)
{
    ug_gap_scene *s = ug_gap_scene_create(m);
    ug_gap_scene_measure_pairs(s);
    ug_gap_workspace *w = ug_gap_workspace_create(ug_gap_length(gap));
    ug_blas_single_thread();
    assert_true(ug_gap_regress(w, s, gap, method, false));
    assert_int_equal(w->used, method);
    double sum = 0.0, predicted = 0.0;
    for (size_t k = 0; k < ug_gap_length(gap); k++) {
        const double f = (double)(gap->first + k);
        sum += ug_vec3_distance(ug_vec3_of(w->mm + 3 * k), body_point_mm(follow_mm(f), f));
        predicted += (double)w->error_mm[k];
    }
    *predicted_mm = predicted / (double)ug_gap_length(gap);
    ug_gap_workspace_destroy(w);
    ug_gap_scene_destroy(s);
    return sum / (double)ug_gap_length(gap);
}

// What is linear in another marker is found; what is left is the 0.3 mm of its own.
static void test_regression_finds_the_law(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(FRAMES);
    hide(m, 5, GAP.first, GAP.last);
    double predicted, rigid_predicted;
    const double rigid = fill(&rigid_predicted, m, &GAP, UG_FILL_RIGID);
    assert_true(rigid > 10.0); // it knows nothing of the swing
    assert_true(rigid_predicted > 0.4 * rigid && rigid_predicted < 2.5 * rigid);
    assert_true(fill(&predicted, m, &GAP, UG_FILL_PCA) < 1.0);
    assert_true(fill(&predicted, m, &GAP, UG_FILL_STACKED) < 1.0);
    assert_true(predicted > 0.05 && predicted < 1.5);
    (void)fill(&predicted, m, &GAP, UG_FILL_PATTERN);
    ug_markers_destroy(m);
}

static void test_open_ends_too(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(FRAMES);
    const ug_gap head = { 5, 0, 99, false, true }, tail = { 5, 1700, 1799, true, false };
    hide(m, 5, head.first, head.last);
    hide(m, 5, tail.first, tail.last);
    double predicted;
    assert_true(fill(&predicted, m, &head, UG_FILL_STACKED) < 3.0);
    assert_true(fill(&predicted, m, &tail, UG_FILL_STACKED) < 3.0);
    ug_markers_destroy(m);
}

// Whatever a take holds in place of missing samples, the same bits come out.
static void test_garbage_in_the_gap_is_not_read(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(FRAMES);
    hide(m, 5, GAP.first, GAP.last);
    hide(m, 4, 900, 930);
    double mm[2][3 * LENGTH];
    float error_mm[2][LENGTH];
    for (int round = 0; round < 2; round++) {
        ug_gap_scene *s = ug_gap_scene_create(m);
        ug_gap_scene_measure_pairs(s);
        ug_gap_workspace *w = ug_gap_workspace_create(LENGTH);
        assert_true(ug_gap_regress(w, s, &GAP, UG_FILL_STACKED, false));
        memcpy(mm[round], w->mm, sizeof mm[round]);
        memcpy(error_mm[round], w->error_mm, sizeof error_mm[round]);
        ug_gap_workspace_destroy(w);
        ug_gap_scene_destroy(s);
        for (size_t i = 0; i < 3 * FRAMES * ELASTIC_MARKERS; i++) {
            if (!(m->origin[i / 3] & UG_ORIGIN_PRESENT)) {
                m->positions[i] = (float)(i % 977) * 7.0f - 3000.0f;
            }
        }
    }
    assert_memory_equal(mm[0], mm[1], sizeof mm[0]);
    assert_memory_equal(error_mm[0], error_mm[1], sizeof error_mm[0]);
    ug_markers_destroy(m);
}

// 6.7 s with a gap of 2 s: windows are shorter than the gap, and the fill does not collapse.
static void test_a_short_take_does_not_collapse(void **state)
{
    (void)state;
    ug_markers *m = make_elastic_take(800);
    const ug_gap gap = { 5, 300, 539, true, true };
    hide(m, 5, gap.first, gap.last);
    double predicted, rigid_predicted;
    const double rigid = fill(&rigid_predicted, m, &gap, UG_FILL_RIGID);
    assert_true(fill(&predicted, m, &gap, UG_FILL_STACKED) < 0.3 * rigid);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regression_finds_the_law),
        cmocka_unit_test(test_open_ends_too),
        cmocka_unit_test(test_garbage_in_the_gap_is_not_read),
        cmocka_unit_test(test_a_short_take_does_not_collapse),
    };
    return cmocka_run_group_tests_name("solvers/gap_regress", tests, NULL, NULL);
}
