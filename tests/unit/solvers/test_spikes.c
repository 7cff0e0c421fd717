// SPDX-License-Identifier: MIT
// Unit tests for solvers/spikes.c.
#include "solvers/spikes.h"

#include "tests/support/rigid_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void push(ug_markers *m, size_t frame, size_t marker, double mm)
{
    m->positions[3 * ug_markers_index(m, frame, marker) + 1] += (float)mm;
}

static void test_single_spikes_are_found_and_cleared(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(500, 2), *before = make_rigid_take(500, 2);
    push(m, 100, 0, 30.0);
    push(m, 106, 0, -12.0);
    push(m, 400, 1, 8.0);
    push(before, 100, 0, 30.0);
    push(before, 106, 0, -12.0);
    push(before, 400, 1, 8.0);
    ug_spikes spikes;
    ug_warnings warnings = { 0 };
    memset(&spikes, 0xa5, sizeof spikes);

    assert_int_equal(ug_spikes_find(m, &spikes, &warnings, NULL, NULL), UG_OK);

    assert_true(same_markers(m, before)); // only reported
    assert_int_equal(spikes.count, 3);
    assert_int_equal(spikes.items[0].frame, 100);
    assert_int_equal(spikes.items[1].frame, 106);
    assert_int_equal(spikes.items[2].marker, 1);
    assert_int_equal(spikes.items[2].frame, 400);
    assert_true(fabs(spikes.items[2].height_mm - 8.0) < 0.1);
    assert_int_equal(ug_warnings_count(&warnings, "spike"), 3);
    assert_string_equal(warnings.items[0].first, "marker 'M0', frame 100: 30.0 mm off its path");
    ug_spikes_fini(&spikes);

    ug_spikes_opts opts = ug_spikes_default_opts();
    opts.clear = true;
    assert_int_equal(ug_spikes_find(m, NULL, &warnings, &opts, NULL), UG_OK);
    assert_false(ug_markers_present(m, 100, 0));
    assert_false(ug_markers_present(m, 106, 0));
    assert_false(ug_markers_present(m, 400, 1));
    assert_int_equal(ug_markers_missing_count(m), 3);
    assert_int_equal(ug_warnings_count(&warnings, "spike_cleared"), 3);
    ug_markers_destroy(before);
    ug_markers_destroy(m);
}

// Fast but smooth motion, noise, a step and a gap are not spikes.
static void test_other_oddities_are_left(void **state)
{
    (void)state;
    ug_markers *m = make_rigid_take(600, 3);
    for (size_t f = 0; f < 600; f++) {
        const double noise = 5.0 * sin(12.9898 * (double)f * (double)f); // rough, not smooth
        push(m, f, 1, noise);
        push(m, f, 2, f >= 300 ? 40.0 : 0.0);
    }
    hide(m, 0, 200, 230);
    push(m, 199, 0, 25.0); // beside a gap: nothing to compare with
    ug_spikes spikes;
    assert_int_equal(ug_spikes_find(m, &spikes, NULL, NULL, NULL), UG_OK);
    for (size_t i = 0; i < spikes.count; i++) { // a step may be taken for one, nothing else
        assert_int_equal(spikes.items[i].marker, 2);
        assert_in_range(spikes.items[i].frame, 298, 301);
    }
    assert_true(spikes.count <= 1);
    ug_spikes_fini(&spikes);
    ug_markers_destroy(m);
}

static void test_wrong_options_and_empty_takes(void **state)
{
    (void)state;
    ug_error err = { 0 };
    ug_spikes spikes;
    const ug_spikes_opts bad = { .threshold = 0.0, .height_mm = 5.0 };
    for (size_t frames = 0; frames < 6; frames++) {
        ug_markers *m = make_markers(frames, 1, 100);
        assert_int_equal(ug_spikes_find(m, &spikes, NULL, NULL, NULL), UG_OK);
        assert_int_equal(spikes.count, 0);
        assert_int_equal(ug_spikes_find(m, &spikes, NULL, &bad, &err), UG_E_USAGE);
        assert_string_equal(err.message,
                            "spike threshold 0 and height 5 mm: must be above 0, and 0 or more");
        ug_markers_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_spikes_are_found_and_cleared),
        cmocka_unit_test(test_other_oddities_are_left),
        cmocka_unit_test(test_wrong_options_and_empty_takes),
    };
    return cmocka_run_group_tests_name("solvers/spikes", tests, NULL, NULL);
}
