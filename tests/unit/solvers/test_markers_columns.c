// SPDX-License-Identifier: MIT
// Unit tests for solvers/markers_columns.c.
#include "solvers/markers_columns.h"
#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static ug_markers *make_full(void)
{
    ug_markers *m = make_rigid_take(6, 3);
    assert_true(ug_markers_make_unfiltered(m));
    for (size_t i = 0; i < 18; i++) {
        m->origin[i] |= (uint16_t)(i % 2 ? UG_ORIGIN_FILTERED : UG_ORIGIN_FILLED);
        m->method[i] = (uint8_t)(i % 5);
        m->predicted_error_mm[i] = (float)i;
        m->residuals[i] = 0.5f * (float)i;
        m->cameras[i] = (uint8_t)(3 * i);
        m->unfiltered[3 * i + 2] = 100.0f + (float)i;
    }
    hide(m, 1, 4, 4);
    m->first_frame = 77;
    return m;
}

static void assert_sample(const ug_markers *a, size_t f, size_t k, const ug_markers *b, size_t g,
                          size_t l)
{
    const size_t i = ug_markers_index(a, f, k), j = ug_markers_index(b, g, l);
    assert_memory_equal(a->positions + 3 * i, b->positions + 3 * j, 3 * sizeof(float));
    assert_memory_equal(a->unfiltered + 3 * i, b->unfiltered + 3 * j, 3 * sizeof(float));
    assert_memory_equal(a->predicted_error_mm + i, b->predicted_error_mm + j, sizeof(float));
    assert_int_equal(a->origin[i], b->origin[j]);
    assert_int_equal(a->method[i], b->method[j]);
    assert_true(a->residuals[i] == b->residuals[j]);
    assert_int_equal(a->cameras[i], b->cameras[j]);
}

static void test_columns(void **state)
{
    (void)state;
    ug_markers *m = make_full(), *before = make_full();
    m->kinds[2] = UG_POINT_UNLABELLED;
    assert_int_equal(ug_markers_columns(m, (size_t[]){ 2, SIZE_MAX, 0 }, 3, NULL), UG_OK);
    assert_int_equal(m->marker_count, 3);
    assert_int_equal(m->first_frame, 77);
    assert_true(m->scale_m == before->scale_m);
    assert_string_equal(m->labels[0], "M2");
    assert_null(m->labels[1]);
    assert_string_equal(m->labels[2], "M0");
    assert_int_equal(m->kinds[0], UG_POINT_UNLABELLED);
    for (size_t f = 0; f < 6; f++) {
        assert_sample(m, f, 0, before, f, 2);
        assert_false(ug_markers_present(m, f, 1));
        assert_sample(m, f, 2, before, f, 0);
    }
    assert_int_equal(ug_markers_columns(m, NULL, 0, NULL), UG_OK);
    assert_int_equal(m->marker_count, 0);
    assert_int_equal(m->frame_count, 6);
    ug_markers_destroy(m);
    ug_markers_destroy(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests_name("solvers/markers_columns", tests, NULL, NULL);
}
