// SPDX-License-Identifier: MIT
// Unit tests for datasets/synth_capture.c: what is spoilt is what the list says, and nothing else.
#include "datasets/synth_capture.h"

#include "tests/support/synth_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static synth_input input;

static ug_synth make(const ug_synth_opts *opts)
{
    ug_synth s;
    assert_int_equal(ug_synth_make(&s, input.humanoid, &input.set, opts, NULL), UG_OK);
    return s;
}

static void test_noise_has_the_size_asked_for(void **state)
{
    (void)state;
    ug_synth_opts opts = ug_synth_default_opts();
    opts.swaps = 0;
    ug_synth s = make(&opts);
    double sum = 0.0, square = 0.0, previous = 0.0, product = 0.0;
    size_t n = 0;
    for (size_t f = 0; f < s.truth.markers->frame_count; f++) {
        for (size_t k = 0; k < 41; k++) {
            if (!ug_markers_present(s.captured.markers, f, k)) {
                continue;
            }
            for (size_t axis = 0; axis < 3; axis++) {
                const double e =
                    (double)s.captured.markers
                        ->positions[3 * ug_markers_index(s.captured.markers, f, k) + axis] -
                    (double)s.truth.markers
                        ->positions[3 * ug_markers_index(s.truth.markers, f, k) + axis];
                sum += e;
                square += e * e;
                product += e * previous;
                previous = e;
                n++;
            }
        }
    }
    // 190 000 draws: a standard error of 0.0011 in the mean and 0.0008 in the deviation
    assert_true(n > 150000);
    assert_true(fabs(sum / (double)n) < 0.006);
    assert_true(fabs(sqrt(square / (double)n) - 0.5) < 0.004);
    assert_true(fabs(product / square) < 0.012); // and independent
    ug_synth_fini(&s);
}

static void test_gaps_are_those_of_the_list(void **state)
{
    (void)state;
    ug_synth_opts opts = ug_synth_default_opts();
    opts.swaps = 0;
    opts.noise_mm = 0.0;
    ug_synth s = make(&opts);
    const ug_markers *m = s.captured.markers;
    bool *hidden = calloc(m->frame_count * m->marker_count, sizeof *hidden);
    for (size_t i = 0; i < s.fault_count; i++) {
        const ug_synth_fault *x = &s.faults[i];
        assert_true(x->first <= x->last && x->last < m->frame_count);
        for (size_t f = x->first; x->kind == UG_FAULT_GAP && f <= x->last; f++) {
            hidden[ug_markers_index(m, f, x->marker)] = true;
        }
    }
    size_t missing = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        for (size_t k = 0; k < 41; k++) {
            const size_t i = ug_markers_index(m, f, k);
            assert_int_equal(ug_markers_present(m, f, k), !hidden[i]);
            assert_true(
                hidden[i]
                    ? isnan(m->positions[3 * i])
                    : m->positions[3 * i] ==
                          s.truth.markers->positions[3 * ug_markers_index(s.truth.markers, f, k)]);
            assert_false(hidden[i] && f < 120); // the still first second is whole
            missing += hidden[i];
        }
    }
    const double share = (double)missing / (double)(41 * m->frame_count);
    // 4 % in bursts, which may overlap or end with the take, and 0.2 % alone
    assert_true(share > 0.030 && share < 0.047);
    free(hidden);
    ug_synth_fini(&s);
}

static void test_swaps_exchange_neighbours(void **state)
{
    (void)state;
    ug_synth_opts opts = ug_synth_default_opts();
    opts.occluded_share = opts.dropout_share = opts.noise_mm = 0.0;
    opts.swaps = 8;
    ug_synth s = make(&opts);
    const ug_markers *m = s.captured.markers, *t = s.truth.markers;
    size_t swaps = 0, wrong = 0, in_swaps = 0;
    for (size_t i = 0; i < s.fault_count; i++) {
        swaps += s.faults[i].kind == UG_FAULT_SWAP;
        in_swaps +=
            s.faults[i].kind == UG_FAULT_SWAP ? 2 * (s.faults[i].last - s.faults[i].first + 1) : 0;
        if (s.faults[i].kind == UG_FAULT_SWAP) {
            assert_true(ug_vec3_distance(
                            ug_markers_position_m(t, s.faults[i].first, s.faults[i].marker),
                            ug_markers_position_m(t, s.faults[i].first, s.faults[i].other)) < 0.25);
        }
    }
    for (size_t f = 0; f < m->frame_count; f++) {
        for (size_t k = 0; k < 41; k++) {
            wrong += ug_vec3_distance(ug_markers_position_m(m, f, k),
                                      ug_markers_position_m(t, f, k)) > 0.0;
        }
    }
    assert_int_equal(swaps, 8);
    assert_true(wrong > 0 && wrong <= in_swaps); // swaps of one marker may meet
    ug_synth_fini(&s);
}

static void test_missing_samples_keep_their_form_through_swaps(void **state)
{
    (void)state;
    ug_synth_opts opts = ug_synth_default_opts();
    opts.swaps = 40;
    opts.occluded_share = 0.2;
    ug_synth s = make(&opts);
    const ug_markers *m = s.captured.markers;
    for (size_t i = 0; i < m->frame_count * m->marker_count; i++) {
        const bool present = (m->origin[i] & UG_ORIGIN_PRESENT) != 0;
        assert_int_equal(present, isfinite(m->positions[3 * i]));
        assert_int_equal(present, m->residuals[i] >= 0.0f);
        assert_int_equal(present, m->cameras[i] != 0);
    }
    ug_synth_fini(&s);
}

static void test_ghosts_are_no_markers(void **state)
{
    (void)state;
    ug_synth_opts opts = ug_synth_default_opts();
    opts.ghosts = 3;
    ug_synth s = make(&opts);
    const ug_markers *m = s.captured.markers;
    assert_int_equal(m->marker_count, 44);
    assert_string_equal(m->labels[41], "*1");
    for (size_t g = 41; g < 44; g++) {
        size_t seen = 0;
        assert_int_equal(m->kinds[g], UG_POINT_UNLABELLED);
        for (size_t f = 0; f < m->frame_count; f++) {
            seen += ug_markers_present(m, f, g);
        }
        assert_true(seen > 0 && seen < m->frame_count / 2);
    }
    ug_synth_fini(&s);
    opts.ghosts = opts.swaps = 0;
    opts.occluded_share = opts.dropout_share = opts.noise_mm = 0.0;
    s = make(&opts); // nothing asked for: the capture is the truth
    assert_int_equal(s.fault_count, 0);
    assert_memory_equal(s.captured.markers->positions, s.truth.markers->positions,
                        3 * 41 * s.truth.markers->frame_count * sizeof(float));
    ug_synth_fini(&s);
}

static int setup(void **state)
{
    (void)state;
    input = read_synth_input(__FILE__);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free_synth_input(&input);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise_has_the_size_asked_for),
        cmocka_unit_test(test_gaps_are_those_of_the_list),
        cmocka_unit_test(test_swaps_exchange_neighbours),
        cmocka_unit_test(test_missing_samples_keep_their_form_through_swaps),
        cmocka_unit_test(test_ghosts_are_no_markers),
    };
    return cmocka_run_group_tests_name("datasets/synth_capture", tests, setup, teardown);
}
