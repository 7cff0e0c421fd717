// SPDX-License-Identifier: MIT
// Unit tests for solvers/foot_plant_reach.c: the fade around planted frames. What legs reach is
// tested with the whole of planting.
#include "solvers/foot_plant_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FRAMES = 60 };

static void test_fade_is_nothing_on_planted_frames_and_smooth_beside(void **state)
{
    (void)state;
    uint8_t heel[FRAMES] = { 0 }, ball[FRAMES] = { 0 };
    double fade[FRAMES];
    heel[20] = ball[21] = ball[22] = 1; // either point holds the foot
    const ug_plant_leg leg = { .planted = { heel, ball } };
    for (size_t f = 0; f < FRAMES; f++) {
        fade[f] = NAN;
    }
    ug_plant_fade(fade, &leg, FRAMES, 100.0); // 60 ms are six frames
    for (size_t f = 0; f < FRAMES; f++) {
        const double away = f < 20 ? 20.0 - (double)f : f > 22 ? (double)f - 22.0 : 0.0;
        const double u = fmin(away / 6.0, 1.0);
        assert_true(fabs(fade[f] - u * u * (3.0 - 2.0 * u)) < 1e-15);
    }
}

static void test_a_leg_that_never_touches_is_free_throughout(void **state)
{
    (void)state;
    const uint8_t none[FRAMES] = { 0 };
    double fade[FRAMES] = { 0 };
    const ug_plant_leg leg = { .planted = { (uint8_t *)none, (uint8_t *)none } };
    ug_plant_fade(fade, &leg, FRAMES, 0.5); // a rate so low that 60 ms are no frame
    for (size_t f = 0; f < FRAMES; f++) {
        assert_true(fade[f] == 1.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fade_is_nothing_on_planted_frames_and_smooth_beside),
        cmocka_unit_test(test_a_leg_that_never_touches_is_free_throughout),
    };
    return cmocka_run_group_tests_name("solvers/foot_plant_reach", tests, NULL, NULL);
}
