// SPDX-License-Identifier: MIT
// Unit tests for solvers/fragments.c, on one rigid body that tumbles.
#include "solvers/fragments.h"

#include "solvers/markers_move.h"
#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Five markers and two unlabelled points, all of them missing.
static ug_markers *make_take(void)
{
    ug_markers *body = make_rigid_take(600, 5), *m = make_markers(600, 7, 120);
    for (size_t f = 0; f < 600; f++) {
        for (size_t k = 0; k < 5; k++) {
            const float *p = body->positions + 3 * ug_markers_index(body, f, k);
            put_mm(m, f, k, (double)p[0], (double)p[1], (double)p[2]);
        }
    }
    m->kinds[5] = m->kinds[6] = UG_POINT_UNLABELLED;
    ug_markers_destroy(body);
    return m;
}

static void unname(ug_markers *m, size_t marker, size_t point, size_t first, size_t last)
{
    for (size_t f = first; f <= last; f++) {
        ug_markers_exchange(m, f, marker, point);
    }
}

static void test_joined_with_all_that_is_known(void **state)
{
    (void)state;
    ug_markers *m = make_take();
    hide(m, 2, 200, 320);
    ug_markers *before = ug_markers_copy(m);
    for (size_t f = 230; f <= 300; f++) { // 30 frames missing before it, 20 after
        const ug_vec3 p = body_point_mm(BODY_MM[2], (double)f);
        put_mm(m, f, 5, p.x, p.y, p.z);
        m->residuals[ug_markers_index(m, f, 5)] = (float)f;
    }
    ug_fragments found;
    ug_warnings warnings = { 0 };
    memset(&found, 0xa5, sizeof found);
    assert_int_equal(ug_fragments_find(&found, m, &warnings, true, NULL), UG_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].point, 5);
    assert_int_equal(found.items[0].marker, 2);
    assert_int_equal(found.items[0].first, 230);
    assert_int_equal(found.items[0].last, 300);
    assert_true(found.items[0].miss_mm < 0.01); // a rigid body, in floats
    assert_int_equal(found.sample_count, 71);
    assert_int_equal(found.left, 0);
    assert_int_equal(ug_warnings_count(&warnings, "fragment_joined"), 1);
    for (size_t f = 0; f < 600; f++) {
        const size_t i = ug_markers_index(m, f, 2);
        const bool joined = f >= 230 && f <= 300;
        assert_false(ug_markers_present(m, f, 5));
        assert_int_equal(m->origin[i],
                         joined ? UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED | UG_ORIGIN_REPAIRED
                                : before->origin[i]);
        if (joined) {
            assert_true(m->residuals[i] == (float)f);
        }
    }
    ug_fragments_fini(&found);
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

static void test_two_in_one_gap_and_at_the_end(void **state)
{
    (void)state;
    ug_markers *m = make_take();
    unname(m, 1, 5, 100, 180);
    hide(m, 5, 130, 140);
    unname(m, 3, 6, 550, 599); // to the end of the take: only its beginning is known
    ug_fragments found;
    assert_int_equal(ug_fragments_find(&found, m, NULL, true, NULL), UG_OK);
    assert_int_equal(found.count, 3);
    assert_int_equal(found.items[0].first, 100);
    assert_int_equal(found.items[1].first, 141);
    assert_int_equal(found.items[2].marker, 3);
    ug_fragments_fini(&found);
    ug_markers_destroy(m);
}

static void test_what_is_left(void **state)
{
    (void)state;
    ug_markers *m = make_take();
    unname(m, 1, 5, 100, 180);
    for (size_t f = 100; f <= 180; f++) { // 4 cm off: a ghost
        m->positions[3 * ug_markers_index(m, f, 5)] += 40.0f;
    }
    for (size_t f = 300; f <= 305; f++) { // a double of a marker that is there, for 50 ms
        const ug_vec3 p = body_point_mm(BODY_MM[2], (double)f);
        put_mm(m, f, 6, p.x + 3.0, p.y, p.z);
    }
    ug_markers *before = ug_markers_copy(m);
    ug_fragments found;
    assert_int_equal(ug_fragments_find(&found, m, NULL, true, NULL), UG_OK);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.left, 2);
    assert_int_equal(found.short_left, 1);
    assert_true(same_markers(m, before));
    ug_fragments_fini(&found);
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

// Where the missing marker must be, but also where another one is: a double of either.
static void test_doubles_are_left(void **state)
{
    (void)state;
    ug_markers *m = make_take();
    for (size_t f = 0; f < 600; f++) { // 4 sits 6 mm beside 2
        const ug_vec3 p = body_point_mm(ug_vec3_add(BODY_MM[2], (ug_vec3){ 6, 0, 0 }), (double)f);
        put_mm(m, f, 4, p.x, p.y, p.z);
    }
    unname(m, 2, 5, 100, 180);
    ug_fragments found;
    assert_int_equal(ug_fragments_find(&found, m, NULL, true, NULL), UG_OK);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.left, 1);
    ug_fragments_fini(&found);
    ug_markers_destroy(m);
}

static void test_without_join_nothing_changes(void **state)
{
    (void)state;
    ug_markers *m = make_take();
    unname(m, 1, 5, 100, 180);
    ug_markers *before = ug_markers_copy(m);
    ug_fragments found;
    assert_int_equal(ug_fragments_find(&found, m, NULL, false, NULL), UG_OK);
    assert_int_equal(found.count, 1);
    assert_true(same_markers(m, before));
    ug_fragments_fini(&found);
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

static void test_empty_takes_and_wrong_ones(void **state)
{
    (void)state;
    ug_fragments found;
    for (size_t frames = 0; frames < 4; frames++) {
        ug_markers *m = make_markers(frames, 2, 100);
        m->kinds[1] = UG_POINT_UNLABELLED;
        for (size_t f = 0; f < frames; f++) {
            put_mm(m, f, 1, 1, 2, 3);
        }
        assert_int_equal(ug_fragments_find(&found, m, NULL, true, NULL), UG_OK);
        assert_int_equal(found.count, 0);
        ug_markers_destroy(m);
    }
    ug_error err = { 0 };
    ug_markers *m = make_rigid_take(5, 2);
    m->scale_m = 0.0;
    assert_int_equal(ug_fragments_find(&found, m, NULL, true, &err), UG_E_DATA);
    assert_null(found.items);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joined_with_all_that_is_known),
        cmocka_unit_test(test_two_in_one_gap_and_at_the_end),
        cmocka_unit_test(test_what_is_left),
        cmocka_unit_test(test_doubles_are_left),
        cmocka_unit_test(test_without_join_nothing_changes),
        cmocka_unit_test(test_empty_takes_and_wrong_ones),
    };
    return cmocka_run_group_tests_name("solvers/fragments", tests, NULL, NULL);
}
