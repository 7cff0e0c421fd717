// SPDX-License-Identifier: MIT
#include "datasets/synth_curves.h"

#include "motion/conventions.h"

#include <assert.h>
#include <math.h>

enum { HARMONICS = 6 };

// degrees: mean, { cosine, sine } of harmonics 1 …, half width of the band
static const struct {
    double mean, terms[HARMONICS][2], band;
} CURVES[UG_GAIT_ANGLE_COUNT] = {
    [UG_GAIT_PELVIS_TILT] = { 11.59,
                              { { 0.03, 0.09 },
                                { 0.42, -0.72 },
                                { 0.01, 0.01 },
                                { 0.16, -0.03 },
                                { 0.01, 0.01 },
                                { -0.05, 0.06 } },
                              4.9 },
    [UG_GAIT_PELVIS_OBLIQUITY] = { -0.02,
                                   { { 1.86, 2.12 },
                                     { 0.03, 0.03 },
                                     { -1.18, 0.22 },
                                     { 0.01, 0.02 },
                                     { 0.00, -0.09 },
                                     { 0.01, 0.01 } },
                                   2.1 },
    [UG_GAIT_PELVIS_ROTATION] = { -0.04,
                                  { { 3.75, 2.10 },
                                    { 0.01, 0.01 },
                                    { 0.34, -0.37 },
                                    { 0.01, 0.02 },
                                    { 0.27, -0.06 },
                                    { 0.01, 0.01 } },
                                  3.7 },
    [UG_GAIT_HIP_FLEXION] = { 18.45,
                              { { 20.88, -3.19 },
                                { -3.13, -1.54 },
                                { -0.09, 1.62 },
                                { -0.09, -0.09 },
                                { -0.26, 0.26 },
                                { 0.00, 0.09 } },
                              6.1 },
    [UG_GAIT_HIP_ADDUCTION] = { -0.34,
                                { { 0.48, 4.94 },
                                  { -0.05, -0.50 },
                                  { -1.59, 0.46 },
                                  { 0.05, 0.09 },
                                  { -0.16, -0.16 },
                                  { -0.07, 0.05 } },
                                3.1 },
    [UG_GAIT_KNEE_FLEXION] = { 22.88,
                               { { -1.90, -18.75 },
                                 { -13.63, 7.00 },
                                 { -0.69, 4.31 },
                                 { -0.86, 0.63 },
                                 { -0.54, 0.73 },
                                 { 0.08, 0.20 } },
                               6.3 },
    [UG_GAIT_ANKLE_DORSIFLEXION] = { 0.75,
                                     { { -2.05, 7.09 },
                                       { 0.82, -7.22 },
                                       { -4.60, 0.86 },
                                       { 2.20, 0.23 },
                                       { -0.52, -1.38 },
                                       { 0.27, 0.54 } },
                                     5.3 },
};

double ug_gait_mean_rad(ug_gait_angle angle)
{
    assert(angle < UG_GAIT_ANGLE_COUNT);
    return UG_DEG * CURVES[angle].mean;
}

double ug_gait_rad(ug_gait_angle angle, double phase)
{
    assert(angle < UG_GAIT_ANGLE_COUNT);
    double sum = CURVES[angle].mean;
    for (int h = 0; h < HARMONICS; h++) {
        const double a = 2.0 * UG_PI * (h + 1) * phase;
        sum += CURVES[angle].terms[h][0] * cos(a) + CURVES[angle].terms[h][1] * sin(a);
    }
    return UG_DEG * sum;
}

double ug_gait_band_rad(ug_gait_angle angle)
{
    assert(angle < UG_GAIT_ANGLE_COUNT);
    return UG_DEG * CURVES[angle].band;
}
