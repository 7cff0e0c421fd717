// SPDX-License-Identifier: MIT
// Unit tests for solvers/foot_path.c.
#include "solvers/foot_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 60 };

static void test_extend_is_smooth_at_both_ends(void **state)
{
    (void)state;
    ug_vec3 d[COUNT];
    uint8_t planted[COUNT] = { 0 };
    memset(d, 0xff, sizeof d); // NaN where nothing is known
    for (int f = 10; f < 50; f++) {
        if (f < 20 || f >= 40) {
            planted[f] = 1;
            d[f] = (ug_vec3){ f < 20 ? 0.001 * f : 0.1 - 0.002 * (f - 40), 0, 1.0 };
        }
    }
    ug_displacement_extend(d, planted, COUNT, 8.0);
    for (int f = 0; f < COUNT; f++) {
        assert_true(ug_vec3_is_finite(d[f]));
        assert_true(fabs(d[f].z - 1.0) < 1e-12); // what is the same on both sides stays
    }
    // planted frames are untouched; the free side leaves with the planted side's slope
    assert_true(d[15].x == 0.015);
    // k (1 - k/8)^2 after one frame is 0.766 of the slope; smoothstep adds its own little
    assert_true(fabs(d[20].x - d[19].x - 0.000766) < 0.0006);
    assert_true(d[20].x > d[19].x);
    assert_true(d[39].x > d[40].x); // arrives falling, as it goes on
    // beyond the last contact: held, after the bump
    assert_true(fabs(d[COUNT - 1].x - d[49].x) < 1e-12);
    assert_true(fabs(d[0].x - d[10].x) < 1e-12);
    // no jump anywhere: second differences stay of the order of the slopes
    for (int f = 1; f + 1 < COUNT; f++) {
        assert_true(fabs(d[f - 1].x - 2 * d[f].x + d[f + 1].x) < 0.003);
    }
}

static void test_extend_without_contacts_and_one_frame(void **state)
{
    (void)state;
    ug_vec3 d[3] = { { 9, 9, 9 }, { 9, 9, 9 }, { 9, 9, 9 } };
    const uint8_t none[3] = { 0 }, one[3] = { 0, 1, 0 };
    ug_displacement_extend(d, none, 3, 5.0);
    assert_true(d[0].x == 0.0 && d[2].z == 0.0);
    d[1].x = 0.25;
    ug_displacement_extend(d, one, 3, 5.0);
    assert_true(d[0].x == 0.25 && d[2].x == 0.25);
    ug_displacement_extend(d, none, 0, 5.0);
}

static void test_envelope_covers_and_is_smooth(void **state)
{
    (void)state;
    double need[COUNT], out[COUNT], work[COUNT];
    for (int f = 0; f < COUNT; f++) {
        need[f] = f == 30 ? 1.0 : f == 5 ? 0.3 : -2.0;
        out[f] = work[f] = NAN;
    }
    ug_envelope(out, work, need, COUNT, 6);
    for (int f = 0; f < COUNT; f++) {
        assert_true(out[f] >= fmax(need[f], 0.0) - 1e-12);
        assert_true(out[f] <= 1.0 + 1e-12);
        assert_true(f == 0 || fabs(out[f] - out[f - 1]) < 0.2); // 1 / 6 on average, Hann's peak
    }
    assert_true(fabs(out[30] - 1.0) < 1e-12);
    assert_true(out[50] == 0.0);
    ug_envelope(out, work, need, 1, 6);
    assert_true(out[0] == 0.0);
    ug_envelope(out, work, need, COUNT, 0); // no width: the need itself
    assert_true(out[30] == 1.0 && out[29] == 0.0);
}

static void test_soft_floor_keeps_what_is_above(void **state)
{
    (void)state;
    assert_true(ug_soft_floor(0.0, 0.002) == 0.0);
    assert_true(ug_soft_floor(0.5, 0.002) == 0.5);
    assert_true(ug_soft_floor(-1.0, 0.002) == -0.002);
    assert_true(fabs(ug_soft_floor(-0.004, 0.002) + 0.002) < 1e-15);
    assert_true(ug_soft_floor(-1.0, 0.0) == 0.0);
    double before = ug_soft_floor(-0.006, 0.002);
    for (double h = -0.006; h < 0.004; h += 1e-5) { // rises, never faster than the input
        const double now = ug_soft_floor(h, 0.002);
        assert_true(now >= before - 1e-15 && now - before <= 1.0001e-5);
        before = now;
    }
}

static void test_smoothstep(void **state)
{
    (void)state;
    // a door of 90 degrees over 24 frames passes 14.06, 45 and 75.94 at 6, 12, 18
    assert_true(fabs(90 * ug_smoothstep(6.0 / 24) - 14.0625) < 1e-12);
    assert_true(fabs(90 * ug_smoothstep(0.5) - 45.0) < 1e-12);
    assert_true(fabs(90 * ug_smoothstep(18.0 / 24) - 75.9375) < 1e-12);
    assert_true(ug_smoothstep(-3.0) == 0.0 && ug_smoothstep(7.0) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extend_is_smooth_at_both_ends),
        cmocka_unit_test(test_extend_without_contacts_and_one_frame),
        cmocka_unit_test(test_envelope_covers_and_is_smooth),
        cmocka_unit_test(test_soft_floor_keeps_what_is_above),
        cmocka_unit_test(test_smoothstep),
    };
    return cmocka_run_group_tests_name("solvers/foot_path", tests, NULL, NULL);
}
