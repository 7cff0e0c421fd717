// SPDX-License-Identifier: MIT
// Labels exchanged on purpose in synthetic captures, where it is known which. The captures have
// their occlusions, lost samples and half a millimetre of noise; tests/real/test_swaps.c does the
// same to takes of other people.
#include "tests/support/swap_run.h"
#include "tests/support/synth_take.h"

#include "tests/support/rigid_take.h"

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

static size_t nearest_frame(const ug_markers *m, size_t a, size_t b)
{
    size_t best = 0;
    double least = 1e9;
    for (size_t f = 0; f < m->frame_count; f++) {
        const double d =
            ug_vec3_distance(ug_markers_position_m(m, f, a), ug_markers_position_m(m, f, b));
        if (d < least) {
            least = d;
            best = f;
        }
    }
    return best;
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
    // what is left has a partner that is hidden from before the exchange to after it
    assert_true(50 * wrong <= wrong_before);
}

// Two bodies pass each other so that a marker of each comes within 6 mm of the other's, where the
// labels change over: nothing jumps, and only the distances to their own bodies tell.
static void test_crossings(void **state)
{
    (void)state;
    size_t found = 0, made = 0, wrong = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        ug_random r = ug_random_make(seed, 5);
        ug_markers *m = make_markers(600, 10, 120);
        // right for more than half of the take, or it looks right the other way round
        const size_t at = (seed % 2 ? 340 : 200) + ug_random_below(&r, 150);
        const size_t last = seed % 2 ? 599 : at + 100;
        const double speed = ug_random_range(&r, 1.0, 10.0); // mm a frame
        const ug_vec3 near = { 0.0, ug_random_range(&r, 1.0, 6.0), 0.0 };
        for (size_t f = 0; f < 600; f++) {
            const double t = (double)f;
            // 1.5 m apart at most, and back again: a person's hands
            const double way = speed * (t - (double)at);
            const ug_vec3 apart = { 700.0 * sin(way / 700.0), 0.0, 150.0 * sin(way / 300.0) };
            const ug_vec3 meet = body_point_mm(BODY_MM[1], t);
            for (size_t k = 0; k < 5; k++) {
                const ug_vec3 a = body_point_mm(BODY_MM[k], t);
                const ug_vec3 turned = { 0.8 * BODY_MM[k].z, BODY_MM[k].x, 1.1 * BODY_MM[k].y };
                const ug_vec3 own = body_point_mm(turned, 1.3 * t + 100.0);
                const ug_vec3 hub = body_point_mm(
                    (ug_vec3){ 0.0, BODY_MM[2].x, 1.1 * BODY_MM[2].y }, 1.3 * t + 100.0);
                const ug_vec3 b =
                    ug_vec3_add(ug_vec3_add(meet, near), ug_vec3_add(apart, ug_vec3_sub(own, hub)));
                put_mm(m, f, k, a.x, a.y, a.z);
                put_mm(m, f, 5 + k, b.x, b.y, b.z);
            }
        }
        add_noise(m, seed, 0.0003);
        const size_t crossing = nearest_frame(m, 1, 7);
        for (size_t f = crossing; f <= last; f++) {
            ug_markers_exchange(m, f, 1, 7);
        }
        ug_swaps swaps;
        assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
        made++;
        for (size_t i = 0; i < swaps.count; i++) {
            const ug_swap *s = &swaps.items[i];
            const bool hit = s->count == 2 && s->markers[0] == 1 && s->markers[1] == 7 &&
                             within(s->first, crossing, 3) && within(s->last, last, 3);
            found += hit && s->outcome == UG_SWAP_REPAIRED;
            wrong += !hit && s->outcome == UG_SWAP_REPAIRED;
        }
        ug_swaps_fini(&swaps);
        ug_markers_destroy(m);
    }
    print_message("crossings: %zu of %zu, %zu wrong\n", found, made, wrong);
    assert_int_equal(wrong, 0);
    assert_true(10 * found >= 9 * made);
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
        cmocka_unit_test(test_crossings),
        cmocka_unit_test(test_captures_as_they_come),
        cmocka_unit_test(test_a_right_capture_is_left_alone),
    };
    return cmocka_run_group_tests_name("accuracy/swaps", tests, NULL, NULL);
}
