// SPDX-License-Identifier: MIT
// Unit tests for solvers/swaps.c, on one rigid body that tumbles.
#include "solvers/swaps.h"

#include "solvers/markers_move.h"
#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void exchange(ug_markers *m, size_t a, size_t b, size_t first, size_t end)
{
    for (size_t f = first; f < end; f++) {
        ug_markers_exchange(m, f, a, b);
    }
}

static void assert_swap(const ug_swap *s, size_t a, size_t b, size_t first, size_t last)
{
    assert_int_equal(s->count, 2);
    assert_int_equal(s->markers[0], a);
    assert_int_equal(s->markers[1], b);
    assert_int_equal(s->first, first);
    assert_int_equal(s->last, last);
    assert_true(s->gain > 10.0);
}

// Everything is as before the exchange, but for the bit that says so.
static void assert_put_right(const ug_markers *m, ug_markers *wanted, const ug_swaps *swaps)
{
    for (size_t i = 0; i < swaps->count; i++) {
        const ug_swap *s = &swaps->items[i];
        for (size_t f = s->first; f <= s->last; f++) {
            for (size_t k = 0; k < s->count; k++) {
                if (ug_markers_present(wanted, f, s->markers[k])) {
                    wanted->origin[ug_markers_index(wanted, f, s->markers[k])] |=
                        UG_ORIGIN_REPAIRED;
                }
            }
        }
    }
    assert_true(same_markers(m, wanted));
}

static void test_short_long_and_to_the_end(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    for (size_t i = 0; i < 600 * 5; i++) {
        m->residuals[i] = (float)(i % 7); // goes with the sample
        m->cameras[i] = (uint8_t)(i % 11);
    }
    ug_markers *right = ug_markers_copy(m);
    exchange(m, 1, 3, 100, 180);
    exchange(m, 0, 4, 250, 251);
    exchange(m, 2, 1, 500, 600);
    ug_swaps swaps;
    ug_warnings warnings = { 0 };
    memset(&swaps, 0xa5, sizeof swaps);
    assert_int_equal(ug_swaps_find(&swaps, m, &warnings, NULL, NULL), UG_OK);
    assert_int_equal(swaps.count, 3);
    assert_swap(&swaps.items[0], 1, 3, 100, 179);
    assert_swap(&swaps.items[1], 0, 4, 250, 250);
    assert_swap(&swaps.items[2], 1, 2, 500, 599);
    assert_put_right(m, right, &swaps);
    assert_memory_equal(m->cameras, right->cameras, (size_t)600 * 5);
    assert_int_equal(ug_warnings_count(&warnings, "swap_repaired"), 3);
    assert_string_equal(warnings.items[0].first,
                        "labels 'M1' and 'M3' were exchanged, put right, frames 100-179; also "
                        "'M0' and 'M4' frames 250-250; also 'M1' and 'M2' frames 500-599");
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
    ug_markers_destroy(right);
}

static void test_a_ring_of_three(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5), *right = ug_markers_copy(m);
    exchange(m, 0, 1, 200, 230);
    exchange(m, 1, 4, 200, 230); // label 0 holds 1, 1 holds 4, 4 holds 0
    ug_swaps swaps;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
    assert_int_equal(swaps.count, 1);
    const ug_swap *s = &swaps.items[0];
    assert_int_equal(s->count, 3);
    assert_int_equal(s->markers[0], 0);
    assert_int_equal(s->markers[1], 1);
    assert_int_equal(s->markers[2], 4);
    assert_int_equal(s->first, 200);
    assert_int_equal(s->last, 229);
    assert_put_right(m, right, &swaps);
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
    ug_markers_destroy(right);
}

// Both vanish for half a second and come back exchanged; the exchange ends in view.
static void test_out_of_sight(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    hide(m, 0, 240, 299);
    hide(m, 2, 236, 299);
    ug_markers *right = ug_markers_copy(m);
    exchange(m, 0, 2, 300, 420);
    ug_swaps swaps;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
    assert_int_equal(swaps.count, 1);
    assert_swap(&swaps.items[0], 0, 2, 300, 419);
    assert_put_right(m, right, &swaps);
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
    ug_markers_destroy(right);
}

// What lies in missing samples is not looked at, and stays missing.
static void test_garbage_in_missing_samples(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    hide(m, 0, 240, 299);
    hide(m, 2, 236, 299);
    exchange(m, 0, 2, 300, 420);
    ug_markers *garbage = ug_markers_copy(m);
    for (size_t i = 0; i < 600 * 5; i++) {
        if (!(garbage->origin[i] & UG_ORIGIN_PRESENT)) {
            for (size_t k = 0; k < 3; k++) {
                garbage->positions[3 * i + k] = (float)((i * 37) % 1000);
            }
        }
    }
    ug_swaps a, b;
    assert_int_equal(ug_swaps_find(&a, m, NULL, NULL, NULL), UG_OK);
    assert_int_equal(ug_swaps_find(&b, garbage, NULL, NULL, NULL), UG_OK);
    assert_int_equal(a.count, 1);
    assert_int_equal(b.count, 1);
    assert_memory_equal(a.items, b.items, sizeof *a.items);
    assert_memory_equal(m->origin, garbage->origin, 600 * 5 * sizeof *m->origin);
    ug_swaps_fini(&a);
    ug_swaps_fini(&b);
    ug_markers_destroy(m);
    ug_markers_destroy(garbage);
}

static void test_report_changes_nothing(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    exchange(m, 1, 3, 100, 180);
    exchange(m, 0, 1, 100, 180);
    ug_markers *before = ug_markers_copy(m);
    ug_swaps swaps;
    ug_warnings warnings = { 0 };
    ug_swaps_opts opts = ug_swaps_default_opts();
    opts.repair = false;
    assert_int_equal(ug_swaps_find(&swaps, m, &warnings, &opts, NULL), UG_OK);
    assert_int_equal(swaps.count, 1);
    assert_int_equal(swaps.items[0].count, 3);
    assert_int_equal(swaps.items[0].outcome, UG_SWAP_FOUND);
    assert_int_equal(ug_warnings_count(&warnings, "swap_found"), 1);
    assert_true(same_markers(m, before));
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
    ug_markers_destroy(before);
}

static void test_what_a_person_settled_stays(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    exchange(m, 1, 3, 100, 180);
    exchange(m, 1, 3, 300, 320);
    const ug_swap_settled settled = { .first = 150, .last = 200, .markers = { 3, 1 } };
    ug_swaps swaps;
    ug_swaps_opts opts = ug_swaps_default_opts();
    opts.settled = &settled;
    opts.settled_count = 1;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, &opts, NULL), UG_OK);
    assert_int_equal(swaps.count, 1);
    assert_swap(&swaps.items[0], 1, 3, 300, 319);
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
}

static void test_same_for_any_number_of_threads(void **state)
{
    (void)state;
    ug_swaps first = { 0 };
    for (size_t workers = 1; workers <= 4; workers++) {
        ug_markers *m = make_rigid_take(600, 5);
        exchange(m, 1, 3, 100, 180);
        exchange(m, 0, 4, 150, 151);
        ug_swaps swaps;
        ug_swaps_opts opts = ug_swaps_default_opts();
        opts.workers = workers;
        assert_int_equal(ug_swaps_find(&swaps, m, NULL, &opts, NULL), UG_OK);
        if (workers == 1) {
            first = swaps;
        } else {
            assert_int_equal(swaps.count, first.count);
            assert_memory_equal(swaps.items, first.items, swaps.count * sizeof *swaps.items);
            ug_swaps_fini(&swaps);
        }
        ug_markers_destroy(m);
    }
    assert_int_equal(first.count, 2);
    ug_swaps_fini(&first);
}

// A spike, one that is where the other would be, two that step together, and an exchange of points
// that are no markers.
static void test_what_is_no_exchange(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 5);
    for (size_t f = 300; f < 600; f++) { // both step the same way
        m->positions[3 * ug_markers_index(m, f, 2) + 1] += 40.0f;
        m->positions[3 * ug_markers_index(m, f, 3) + 1] += 40.0f;
    }
    m->positions[3 * ug_markers_index(m, 200, 0)] += 80.0f;
    for (size_t k = 0; k < 3; k++) { // marker 0 on marker 1's place, mirrored: 1 stays
        const float a = m->positions[3 * ug_markers_index(m, 450, 0) + k];
        const float b = m->positions[3 * ug_markers_index(m, 450, 1) + k];
        m->positions[3 * ug_markers_index(m, 450, 0) + k] = 2.0f * b - a;
    }
    m->kinds[4] = UG_POINT_VIRTUAL;
    exchange(m, 3, 4, 500, 520);
    ug_markers *before = ug_markers_copy(m);
    ug_swaps swaps;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
    assert_true(same_markers(m, before));
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
    ug_markers_destroy(before);
}

static void test_empty_takes_and_wrong_ones(void **state)
{
    (void)state;
    ug_swaps swaps;
    for (size_t count = 0; count < 4; count++) {
        for (size_t frames = 0; frames < 4; frames++) {
            ug_markers *m = make_markers(frames, count, 100);
            assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
            assert_int_equal(swaps.count, 0);
            ug_markers_destroy(m);
        }
    }
    ug_error err = { 0 };
    ug_markers *m = make_rigid_take(5, 2);
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
    m->scale_m = 0.0;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, &err), UG_E_DATA);
    assert_null(swaps.items);
    ug_markers_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_long_and_to_the_end),
        cmocka_unit_test(test_a_ring_of_three),
        cmocka_unit_test(test_out_of_sight),
        cmocka_unit_test(test_garbage_in_missing_samples),
        cmocka_unit_test(test_report_changes_nothing),
        cmocka_unit_test(test_what_a_person_settled_stays),
        cmocka_unit_test(test_same_for_any_number_of_threads),
        cmocka_unit_test(test_what_is_no_exchange),
        cmocka_unit_test(test_empty_takes_and_wrong_ones),
    };
    return cmocka_run_group_tests_name("solvers/swaps", tests, NULL, NULL);
}
