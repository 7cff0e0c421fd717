// SPDX-License-Identifier: MIT
// Unit tests for solvers/gap_check.c, with fillers whose error is known.
#include "solvers/gap_check.h"

#include "tests/support/markers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 300 };

typedef struct probe {
    size_t calls, refuse_before;
    size_t lowest, highest;
    double off_m;
} probe;

// Off by a known distance; notes where it was asked.
static bool off_by(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap, const void *model)
{
    probe *p = (probe *)model;
    if (gap->first < p->refuse_before) {
        return false;
    }
    p->calls++;
    p->lowest = gap->first < p->lowest ? gap->first : p->lowest;
    p->highest = gap->last > p->highest ? gap->last : p->highest;
    for (size_t i = 0; i < ug_gap_length(gap); i++) {
        out_m[i] = ug_markers_position_m(markers, gap->first + i, gap->marker);
        out_m[i].y += i % 2 == 0 ? p->off_m : -p->off_m;
    }
    return true;
}

static ug_markers *make_seen(void)
{
    ug_markers *m = make_markers(FRAMES, 1, 100);
    for (size_t f = 0; f < FRAMES; f++) {
        put_mm(m, f, 0, (double)f, 500.0, 0.0);
    }
    return m;
}

static void test_error_is_the_rms(void **state)
{
    (void)state;
    ug_markers *m = make_seen();
    const ug_gap gap = { 0, 100, 119, true, true };
    hide(m, 0, 100, 119);
    ug_vec3 scratch[20];
    probe p = { .lowest = FRAMES, .off_m = 0.007 };
    assert_true(fabs(ug_gap_predict_error_mm(scratch, m, &gap, off_by, &p) - 7.0) < 1e-9);
    assert_int_equal(p.calls, UG_GAP_CHECKS);
    assert_true(p.lowest < 60 && p.highest > 240); // spread over the take
    ug_markers_destroy(m);
}

static void test_filled_samples_are_no_truth(void **state)
{
    (void)state;
    ug_markers *m = make_seen();
    for (size_t f = 0; f < 200; f++) {
        m->origin[f] = UG_ORIGIN_PRESENT | UG_ORIGIN_FILLED;
    }
    ug_vec3 scratch[20];
    probe p = { .lowest = FRAMES, .off_m = 0.001 };
    const ug_gap gap = { 0, 100, 119, true, true };
    assert_true(ug_gap_predict_error_mm(scratch, m, &gap, off_by, &p) > 0.0);
    assert_true(p.calls > 0 && p.lowest > 200);
    ug_markers_destroy(m);
}

static void test_unknown_is_nan(void **state)
{
    (void)state;
    ug_markers *m = make_seen();
    ug_vec3 scratch[FRAMES];
    probe p = { .refuse_before = FRAMES };
    const ug_gap gap = { 0, 100, 119, true, true };
    assert_true(isnan(ug_gap_predict_error_mm(scratch, m, &gap, off_by, &p))); // refuses all
    p.refuse_before = 0;
    hide(m, 0, 0, FRAMES - 1);
    assert_true(isnan(ug_gap_predict_error_mm(scratch, m, &gap, off_by, &p))); // nothing seen
    const ug_gap whole = { 0, 0, FRAMES - 1, false, false };
    assert_true(isnan(ug_gap_predict_error_mm(scratch, m, &whole, off_by, &p))); // no room
    assert_int_equal(p.calls, 0);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_is_the_rms),
        cmocka_unit_test(test_filled_samples_are_no_truth),
        cmocka_unit_test(test_unknown_is_nan),
    };
    return cmocka_run_group_tests_name("solvers/gap_check", tests, NULL, NULL);
}
