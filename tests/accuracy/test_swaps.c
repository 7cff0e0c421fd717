// SPDX-License-Identifier: MIT
// Labels exchanged on purpose in synthetic captures, where it is known which. The captures have
// their occlusions, lost samples and half a millimetre of noise; tests/real/test_swaps.c does the
// same to takes of other people.
#include "tests/support/swap_run.h"
#include "tests/support/synth_take.h"

#include "tests/support/markers.h"

static ug_synth make_capture(uint64_t seed)
{
    synth_input in = read_synth_input(__FILE__);
    ug_synth_opts opts = ug_synth_default_opts();
    opts.seed = seed;
    opts.swaps = 0;
    opts.strides = 12;
    ug_synth synth;
    assert_int_equal(ug_synth_make(&synth, in.humanoid, &in.set, &opts, NULL), UG_OK);
    free_synth_input(&in);
    return synth;
}

static void check_rings_of(size_t ring, uint64_t seeds, size_t count)
{
    swap_score sum = { 0 };
    for (uint64_t seed = 0; seed < seeds; seed++) {
        ug_synth synth = make_capture(seed);
        const swap_score score = run_injected(synth.captured.markers, seed, 0.0, count, ring);
        add_score(&sum, &score);
        ug_synth_fini(&synth);
    }
    print_score("synthetic", &sum);
    assert_score(&sum, ring);
}

static void test_pairs(void **state)
{
    (void)state;
    check_rings_of(2, 10, 12);
}

static void test_rings_of_three(void **state)
{
    (void)state;
    check_rings_of(3, 10, 9);
}

// The generator's own exchanges are of any two labels near each other, and gaps lie where they
// fall: what is put right must be the truth's place, sample by sample, nearly everywhere.
static void test_captures_as_they_come(void **state)
{
    (void)state;
    size_t wrong_before = 0, wrong = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        synth_input in = read_synth_input(__FILE__);
        ug_synth_opts opts = ug_synth_default_opts();
        opts.seed = seed;
        opts.swaps = 8;
        ug_synth synth;
        assert_int_equal(ug_synth_make(&synth, in.humanoid, &in.set, &opts, NULL), UG_OK);
        free_synth_input(&in);
        ug_markers *m = synth.captured.markers;
        const ug_markers *truth = synth.truth.markers;
        for (int after = 0; after < 2; after++) {
            for (size_t f = 0; f < m->frame_count; f++) {
                for (size_t k = 0; k < truth->marker_count; k++) {
                    // noise is 0.5 mm an axis: a centimetre off is another marker
                    const bool off = ug_markers_present(m, f, k) &&
                                     ug_vec3_distance(ug_markers_position_m(m, f, k),
                                                      ug_markers_position_m(truth, f, k)) > 0.01;
                    *(after ? &wrong : &wrong_before) += off;
                }
            }
            ug_swaps swaps;
            assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
            ug_swaps_fini(&swaps);
        }
        ug_synth_fini(&synth);
    }
    print_message("samples under a wrong label: %zu before, %zu after\n", wrong_before, wrong);
    assert_true(wrong_before > 1000);
    assert_true(100 * wrong <= wrong_before);
}

static void test_a_right_capture_is_left_alone(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        ug_synth synth = make_capture(seed);
        ug_markers *before = ug_markers_copy(synth.captured.markers);
        ug_swaps swaps;
        assert_int_equal(ug_swaps_find(&swaps, synth.captured.markers, NULL, NULL, NULL), UG_OK);
        for (size_t i = 0; i < swaps.count; i++) {
            assert_int_equal(swaps.items[i].outcome, UG_SWAP_UNSURE);
        }
        assert_true(same_markers(before, synth.captured.markers));
        ug_swaps_fini(&swaps);
        ug_markers_destroy(before);
        ug_synth_fini(&synth);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_rings_of_three),
        cmocka_unit_test(test_captures_as_they_come),
        cmocka_unit_test(test_a_right_capture_is_left_alone),
    };
    return cmocka_run_group_tests_name("accuracy/swaps", tests, NULL, NULL);
}
