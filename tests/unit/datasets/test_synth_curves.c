// SPDX-License-Identifier: MIT
// Unit tests for datasets/synth_curves.c: the published midpoints at phases the fit did not see.
#include "datasets/synth_curves.h"

#include "motion/conventions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PHASES = 7 };

static const double AT[PHASES] = { 0.02, 0.10, 0.26, 0.50, 0.62, 0.70, 0.86 };

static const double PUBLISHED_DEG[UG_GAIT_ANGLE_COUNT][PHASES] = {
    [UG_GAIT_PELVIS_TILT] = { 12.03, 10.94, 11.52, 12.04, 10.60, 10.86, 12.01 },
    [UG_GAIT_PELVIS_OBLIQUITY] = { 1.09, 3.36, 1.45, -0.68, -3.79, -3.43, 0.36 },
    [UG_GAIT_PELVIS_ROTATION] = { 4.45, 3.41, 2.09, -4.38, -3.50, -3.39, 0.49 },
    [UG_GAIT_HIP_FLEXION] = { 35.69, 32.85, 15.83, -5.28, 2.32, 17.87, 36.02 },
    [UG_GAIT_HIP_ADDUCTION] = { -0.89, 3.67, 3.96, 0.77, -6.32, -6.29, -2.24 },
    [UG_GAIT_KNEE_FLEXION] = { 7.94, 18.59, 12.59, 11.64, 40.19, 58.17, 32.35 },
    [UG_GAIT_ANKLE_DORSIFLEXION] = { -3.87, -2.11, 7.43, 10.40, -18.55, -11.19, 2.37 },
};

static void test_meets_published_values(void **state)
{
    (void)state;
    for (int a = 0; a < UG_GAIT_ANGLE_COUNT; a++) {
        // what six harmonics leave, and the step between heel strikes that the bands have
        const double tolerance = a == UG_GAIT_ANKLE_DORSIFLEXION ? 1.6 : 0.4;
        for (int k = 0; k < PHASES; k++) {
            const double deg = ug_gait_rad((ug_gait_angle)a, AT[k]) / UG_DEG;
            assert_true(fabs(deg - PUBLISHED_DEG[a][k]) < tolerance);
            assert_true(tolerance < ug_gait_band_rad((ug_gait_angle)a) / UG_DEG);
        }
    }
}

static void test_is_periodic_with_its_mean(void **state)
{
    (void)state;
    for (int a = 0; a < UG_GAIT_ANGLE_COUNT; a++) {
        double sum = 0.0;
        for (int k = 0; k < 100; k++) {
            sum += ug_gait_rad((ug_gait_angle)a, 0.01 * k);
        }
        assert_true(fabs(sum / 100.0 - ug_gait_mean_rad((ug_gait_angle)a)) < 1e-12);
        assert_true(fabs(ug_gait_rad((ug_gait_angle)a, 0.3) - ug_gait_rad((ug_gait_angle)a, -2.7)) <
                    1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meets_published_values),
        cmocka_unit_test(test_is_periodic_with_its_mean),
    };
    return cmocka_run_group_tests_name("datasets/synth_curves", tests, NULL, NULL);
}
