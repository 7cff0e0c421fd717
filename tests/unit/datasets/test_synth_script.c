// SPDX-License-Identifier: MIT
// Unit tests for datasets/synth_script.c.
#include "datasets/synth_script.h"

#include "tests/support/synth_take.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_smooth_step(void **state)
{
    (void)state;
    assert_true(ug_smooth_step(-1.0) == 0.0 && ug_smooth_step(0.0) == 0.0);
    assert_true(ug_smooth_step(1.0) == 1.0 && ug_smooth_step(7.0) == 1.0);
    assert_true(fabs(ug_smooth_step(0.5) - 0.5) < 1e-15);
    const double h = 1e-3; // third differences at both ends are of the order of h⁴
    assert_true(ug_smooth_step(h) < 40.0 * h * h * h * h);
    assert_true(1.0 - ug_smooth_step(1.0 - h) < 40.0 * h * h * h * h);
}

static void test_the_curves_put_the_foot_flat(void **state)
{
    (void)state;
    // thigh - knee + ankle is nearly level while the foot is loaded, toes up at heel strike and
    // far down at toe off: three published curves agree on it
    for (double phase = 0.08; phase < 0.34; phase += 0.02) {
        assert_true(fabs(ug_synth_gait_pitch_rad(phase)) < 4.0 * UG_DEG);
    }
    assert_true(ug_synth_gait_pitch_rad(0.0) > 10.0 * UG_DEG);
    assert_true(ug_synth_gait_pitch_rad(0.62) < -50.0 * UG_DEG);
}

static void test_legs_measure_a_human_step(void **state)
{
    (void)state;
    synth_input in = read_synth_input(__FILE__);
    ug_synth_legs legs;
    memset(&legs, 0xa5, sizeof legs);
    assert_int_equal(ug_synth_legs_init(&legs, in.humanoid, NULL), UG_OK);
    assert_true(legs.thigh_m == 0.4225 && legs.shin_m == 0.432);
    // 0.41 of stature is the usual figure for a step (Drillis & Contini); a third to a half is
    // walking
    assert_true(legs.step_m > 0.33 * 1.75 && legs.step_m < 0.5 * 1.75);
    // standing straighter than walking, both under the length of the leg with its foot
    assert_true(legs.height[0] < legs.stand_m);
    assert_true(legs.stand_m < legs.thigh_m + legs.shin_m + 0.075);
    free_synth_input(&in);
}

static void test_template_without_toes_is_named(void **state)
{
    (void)state;
    synth_input in = read_synth_input(__FILE__);
    in.humanoid->joints[ug_skeleton_find_role(in.humanoid, UG_ROLE_R_TOE)].role = UG_ROLE_NONE;
    ug_synth_legs legs;
    ug_error err = { 0 };
    assert_int_equal(ug_synth_legs_init(&legs, in.humanoid, &err), UG_E_DATA);
    assert_string_equal(err.message, "the template has no toe joints; they carry the step");
    free_synth_input(&in);
}

static void test_wishes_are_smooth(void **state)
{
    (void)state;
    synth_input in = read_synth_input(__FILE__);
    ug_synth_legs legs;
    assert_int_equal(ug_synth_legs_init(&legs, in.humanoid, NULL), UG_OK);
    const ug_synth_opts opts = ug_synth_default_opts();
    const ug_synth_times t = ug_synth_times_make(&opts, 1.0, 1.0);
    assert_true(t.arms_start < t.arms_end && t.arms_end < t.walk_start &&
                t.walk_start < t.walk_end && t.walk_end < t.crouch && t.crouch < t.push &&
                t.push < t.take_off && t.take_off < t.touch_down && t.touch_down < t.absorbed &&
                t.absorbed < t.end);
    const size_t frames = (size_t)(t.end * 120.0) + 1;
    ug_synth_wish *w = malloc(frames * sizeof *w);
    memset(w, 0xa5, frames * sizeof *w);
    ug_synth_wishes(w, frames, opts.rate, &legs, &t, &opts, 1.0);
    double fastest = 0.0;
    for (size_t f = 1; f + 1 < frames; f++) {
        const ug_vec3 a = ug_vec3_add(w[f - 1].pelvis_m, w[f + 1].pelvis_m);
        const ug_vec3 bend = ug_vec3_madd(a, -2.0, w[f].pelvis_m);
        // no more than a landing asks for: v²/2s = 2.2²/(2 · 0.1) and some
        assert_true(ug_vec3_norm(bend) * 120.0 * 120.0 < 60.0);
        fastest = fmax(fastest, ug_vec3_distance(w[f].pelvis_m, w[f - 1].pelvis_m) * 120.0);
        assert_true(w[f].weight >= 0.0 && w[f].weight <= 1.0);
    }
    assert_true(fastest > 1.0 && fastest < 3.0);
    assert_true(w[0].weight == 0.0 && w[frames - 1].weight == 0.0);
    assert_true(fabs(w[frames - 1].heading_rad - 90.0 * UG_DEG) < 1e-12);
    free(w);
    free_synth_input(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth_step),
        cmocka_unit_test(test_the_curves_put_the_foot_flat),
        cmocka_unit_test(test_legs_measure_a_human_step),
        cmocka_unit_test(test_template_without_toes_is_named),
        cmocka_unit_test(test_wishes_are_smooth),
    };
    return cmocka_run_group_tests_name("datasets/synth_script", tests, NULL, NULL);
}
