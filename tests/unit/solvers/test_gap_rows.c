// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_rows.c.
#include "solvers/gap_rows.h"

#include "tests/support/elastic_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct table {
    ug_gap_scene *scene;
    ug_gap_company company;
    ug_gap_windows windows;
    ug_gap_rows rows, ask;
} table;

static void build(table *t, const ug_gap *gap)
{
    ug_markers *m = make_elastic_take(900);
    hide(m, gap->marker, gap->first, gap->last);
    t->scene = ug_gap_scene_create(m);
    ug_markers_destroy(m);
    ug_gap_scene_measure_pairs(t->scene);
    assert_true(ug_gap_windows_choose(&t->windows, &t->company, t->scene, gap, false));
    // a frame that is rigid for sure
    assert_true(ug_gap_frame_choose(&t->company.frame, t->scene, (const size_t[]){ 0, 1, 2 }, 3, 3,
                                    gap->marker, 0));
    assert_true(ug_gap_rows_init(&t->rows, UG_GAP_POSITIONS_MAX, 1));
    assert_true(ug_gap_rows_init(&t->ask, ug_gap_length(gap), 1));
    ug_gap_rows_start(&t->rows, &t->company);
    ug_gap_rows_start(&t->ask, &t->company);
    const ug_gap window = { gap->marker, t->windows.first[0],
                            t->windows.first[0] + t->windows.length - 1, gap->has_start,
                            gap->has_end };
    ug_gap_rows_add(&t->rows, t->scene, &t->company, &window, t->windows.position,
                    t->windows.position_count);
    ug_gap_rows_add_all(&t->ask, t->scene, &t->company, gap);
}

static void release(table *t)
{
    ug_gap_rows_fini(&t->rows);
    ug_gap_rows_fini(&t->ask);
    ug_gap_scene_destroy(t->scene);
}

// The bridges of swinging markers, in the body's own axes, are known: lengths do not depend on
// how the frame lies in it.
static void test_bridges_are_those_of_the_body(void **state)
{
    (void)state;
    table t;
    build(&t, &(ug_gap){ 5, 400, 459, true, true });
    assert_int_equal(t.rows.count, UG_GAP_POSITIONS_MAX);
    assert_int_equal(t.rows.columns, UG_GAP_TANGENTS + 15);
    const double a = (double)t.windows.first[0] - 1.0, b = a + 61.0;
    for (size_t r = 0; r < t.rows.count; r++) {
        const double f = a + 1.0 + (double)t.windows.position[r], u = (f - a) / (b - a);
        assert_true(fabs(t.rows.share[r] - u) < 1e-12);
        const ug_vec3 y = ug_vec3_sub(follow_mm(f), ug_vec3_lerp(follow_mm(a), follow_mm(b), u));
        assert_true(fabs(ug_vec3_norm(ug_vec3_of(t.rows.y + 3 * r)) - ug_vec3_norm(y)) < 0.01);
        const ug_vec3 s = ug_vec3_sub(swing_mm(f), ug_vec3_lerp(swing_mm(a), swing_mm(b), u));
        for (size_t k = 0; k < t.company.feature_count; k++) {
            const double *x = t.rows.x + r * t.rows.columns + UG_GAP_TANGENTS + 3 * k;
            const double want = t.company.features[k] == 4 ? ug_vec3_norm(s) : 0.0;
            assert_true(fabs(ug_vec3_norm(ug_vec3_of(x)) - want) < 0.01);
        }
        // line and bridge give the marker back
        const ug_vec3 local =
            ug_vec3_add(ug_vec3_of(t.rows.line + 3 * r), ug_vec3_of(t.rows.y + 3 * r));
        const ug_vec3 world = ug_gap_place_world(&t.rows.place[r], local);
        assert_true(ug_vec3_distance(world, body_point_mm(follow_mm(f), f)) < 0.01);
    }
    release(&t);
}

static void test_the_gap_is_asked_not_read(void **state)
{
    (void)state;
    table t;
    build(&t, &(ug_gap){ 5, 400, 459, true, true });
    assert_int_equal(t.ask.count, 60);
    for (size_t r = 0; r < 60; r++) {
        assert_true(isnan(t.ask.y[3 * r]));
        for (size_t c = 0; c < t.ask.columns; c++) {
            assert_true(isfinite(t.ask.x[r * t.ask.columns + c]));
        }
        for (size_t c = 0; c < 9; c++) {
            assert_true(isfinite(t.ask.path[9 * r + c]));
        }
    }
    release(&t);
}

static void test_an_open_end_is_the_one_known_value(void **state)
{
    (void)state;
    table t;
    build(&t, &(ug_gap){ 5, 0, 59, false, true });
    for (size_t r = 1; r < 60; r++) {
        for (size_t k = 0; k < 3; k++) {
            assert_true(fabs(t.ask.line[3 * r + k] - t.ask.line[k]) < 1e-9); // constant
            assert_true(t.ask.x[r * t.ask.columns + k] == 0.0); // no slope at the open end
        }
    }
    release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bridges_are_those_of_the_body),
        cmocka_unit_test(test_the_gap_is_asked_not_read),
        cmocka_unit_test(test_an_open_end_is_the_one_known_value),
    };
    return cmocka_run_group_tests_name("solvers/gap_rows", tests, NULL, NULL);
}
