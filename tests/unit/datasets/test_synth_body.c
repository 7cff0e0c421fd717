// SPDX-License-Identifier: MIT
// Unit tests for datasets/synth_feet.c and synth_body.c on their own; what they make together is
// tested in test_synth.c.
#include "datasets/synth_body.h"

#include "tests/support/synth_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct walk {
    synth_input in;
    ug_synth_opts opts;
    ug_synth_legs legs;
    ug_synth_times times;
    size_t frames;
    ug_synth_wish *wishes;
    ug_synth_foot *feet[2];
} walk;

static int setup(void **state)
{
    walk *w = calloc(1, sizeof *w);
    w->in = read_synth_input(__FILE__);
    w->opts = ug_synth_default_opts();
    assert_int_equal(ug_synth_legs_init(&w->legs, w->in.humanoid, NULL), UG_OK);
    w->times = ug_synth_times_make(&w->opts, 1.0, 1.0);
    w->frames = (size_t)(w->times.end * 120.0) + 1;
    w->wishes = calloc(w->frames, sizeof *w->wishes);
    for (int side = 0; side < 2; side++) {
        w->feet[side] = malloc(w->frames * sizeof *w->feet[side]);
        memset(w->feet[side], 0xa5, w->frames * sizeof *w->feet[side]);
    }
    ug_synth_wishes(w->wishes, w->frames, w->opts.rate, &w->legs, &w->times, &w->opts, 1.0);
    assert_int_equal(ug_synth_feet(w->feet, w->wishes, w->frames, &w->legs, w->in.humanoid,
                                   &w->times, &w->opts, NULL),
                     UG_OK);
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    walk *w = *state;
    free_synth_input(&w->in);
    free(w->wishes);
    free(w->feet[0]);
    free(w->feet[1]);
    free(w);
    return 0;
}

static void test_every_frame_has_its_feet(void **state)
{
    const walk *w = *state;
    size_t flat = 0, air = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t f = 0; f < w->frames; f++) {
            const ug_synth_foot *foot = &w->feet[side][f];
            assert_true(ug_vec3_is_finite(foot->ball_m));
            assert_true(fabs(foot->pitch_rad) < 75.0 * UG_DEG);
            assert_true(foot->toe_rad >= 0.0 && foot->toe_rad < 75.0 * UG_DEG);
            flat += foot->heel_planted && foot->ball_planted;
            air += !foot->heel_planted && !foot->ball_planted;
            if (foot->ball_planted && !foot->heel_planted) { // pushed off over the ball: toes flat
                assert_true(fabs(foot->toe_rad + foot->pitch_rad) < 1e-12);
            }
            if (f > 0) { // 6 m/s are a fast swing
                assert_true(ug_vec3_distance(foot->ball_m, w->feet[side][f - 1].ball_m) * 120.0 <
                            6.0);
            }
        }
    }
    assert_true(flat > 0 && air > 0);
    // two feet are up at once only in the jump
    for (size_t f = 0; f < w->frames; f++) {
        const ug_synth_foot *l = &w->feet[0][f], *r = &w->feet[1][f];
        const bool up =
            !l->heel_planted && !l->ball_planted && !r->heel_planted && !r->ball_planted;
        const double t = w->wishes[f].time_s + 1e-9; // a frame on the edge belongs to the air
        assert_int_equal(up, t >= w->times.take_off && t < w->times.touch_down);
    }
}

static void test_pelvis_settles_within_reach(void **state)
{
    walk *w = *state;
    ug_synth_wish *before = malloc(w->frames * sizeof *before);
    memcpy(before, w->wishes, w->frames * sizeof *before);
    assert_int_equal(ug_synth_settle_pelvis(w->wishes, w->feet, w->frames, w->in.humanoid, &w->legs,
                                            &w->times, w->opts.rate, NULL),
                     UG_OK);
    double most = 0.0, step = 0.0, longest = 0.0;
    for (size_t f = 0; f < w->frames; f++) {
        const double drop = before[f].pelvis_m.y - w->wishes[f].pelvis_m.y;
        assert_true(drop >= 0.0);
        if (w->wishes[f].time_s >= w->times.crouch) {
            assert_true(drop == 0.0);
            continue;
        }
        most = fmax(most, drop);
        step = f > 0 ? fmax(step,
                            fabs(drop - (before[f - 1].pelvis_m.y - w->wishes[f - 1].pelvis_m.y)))
                     : step;
        for (int side = 0; side < 2; side++) {
            const ug_joint *j = w->in.humanoid->joints;
            const ug_vec3 hip =
                ug_vec3_add(w->wishes[f].pelvis_m,
                            ug_quat_rotate(w->wishes[f].pelvis_q, j[w->legs.thigh[side]].offset_m));
            const ug_vec3 ankle = ug_vec3_sub(
                w->feet[side][f].ball_m,
                ug_quat_rotate(ug_synth_foot_q(&w->feet[side][f]), j[w->legs.toe[side]].offset_m));
            longest = fmax(longest, ug_vec3_distance(hip, ankle));
        }
    }
    assert_true(longest <= 0.9992 * (w->legs.thigh_m + w->legs.shin_m) + 1e-12);
    assert_true(most > 0.001 && most < 0.04); // it was needed, and it is not a crouch
    assert_true(step < 0.004);
    free(before);
}

static void test_out_of_reach_is_named(void **state)
{
    walk *w = *state;
    ug_clip *clip = NULL;
    ug_error err = { 0 };
    w->feet[1][40].ball_m.z += 1.0;
    assert_int_equal(ug_synth_body(&clip, w->in.humanoid, w->wishes, w->feet, w->frames, &w->legs,
                                   &w->times, &w->opts, &err),
                     UG_E_DATA);
    assert_null(clip);
    assert_string_equal(err.message,
                        "the right foot cannot reach its place at frame 40; turn less or jump "
                        "lower");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_frame_has_its_feet, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pelvis_settles_within_reach, setup, teardown),
        cmocka_unit_test_setup_teardown(test_out_of_reach_is_named, setup, teardown),
    };
    return cmocka_run_group_tests_name("datasets/synth_body", tests, NULL, NULL);
}
