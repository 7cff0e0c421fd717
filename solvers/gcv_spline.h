// SPDX-License-Identifier: MIT
// Smooth a path by the natural quintic spline that generalised cross-validation chooses.
//
// Of all curves s the one with the least sum |y - s|^2 + p integral |s'''|^2; p is where
//
//     GCV(p) = (RSS / n) / (tr(I - A) / n)^2,    A: the values' linear map to the smoothed ones
//
// has its minimum, the p that predicts a left-out sample best. So nobody needs to name a cut-off:
// a path with more noise, or slower, is smoothed more. In the interior the gain at w radians a
// sample is 1 / (1 + p |2 sin(w/2)|^6 / r(w)), r(w) = (66 + 52 cos w + 2 cos 2w) / 120: a 6th-order
// Butterworth in all but name, without phase.
//
// Not for noise that neighbouring samples share: a path that was smoothed before, or vibrates with
// its marker's plate, is then taken for the signal and left nearly as it is. Not for spikes or
// gaps: they belong to steps before this. p depends on the whole run, so a cut take is
// smoothed a little differently everywhere.
//
// Source: Woltring 1986, "A FORTRAN package for generalized, cross-validatory spline smoothing and
// differentiation", Adv. Eng. Softw. 8; the trace by Hutchinson & de Hoog 1985, "Smoothing noisy
// data with spline functions", Numer. Math. 47.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { UG_GCV_RUN_MIN = 12 };

typedef struct ug_gcv_fit {
    double p;       ///< the smoothing parameter, for a spacing of 1 sample
    double cutoff;  ///< where the gain is 1/sqrt(2), cycles a sample
    double noise;   ///< standard deviation per axis of what was taken for noise, unit of values
    double freedom; ///< tr A: parameters that the smoothed path has left, 3 … count
} ug_gcv_fit;

/// Doubles of scratch space for a run of `count`.
size_t ug_gcv_work_count(size_t count);

/// Smooth `values` in place with one p for all three axes, 0.002 to 0.45 cycles a sample.
///
/// @param fit     overwritten
/// @param values  (count x 3), finite, evenly spaced, count >= UG_GCV_RUN_MIN
/// @param work    ug_gcv_work_count() doubles, overwritten; reusable
///
/// O(count), about 1.5 microseconds a sample; allocates nothing.
void ug_gcv_smooth(ug_gcv_fit *fit, double *values, size_t count, double *work);

/// The same with a given p > 0, and its GCV in `*score`, which may be NULL.
void ug_gcv_smooth_with(ug_gcv_fit *fit, double *score, double *values, size_t count, double p,
                        double *work);

/// p of a cut-off, cycles a sample in (0, 0.5), and back.
double ug_gcv_parameter(double cutoff);
double ug_gcv_cutoff(double p);
