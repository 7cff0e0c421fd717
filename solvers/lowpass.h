// SPDX-License-Identifier: MIT
// Zero-phase low-pass of a series of doubles: 2nd-order Butterworth, forwards and backwards.
//
// The gain is exactly 1/sqrt(2) at the cut-off *after* both passes (the single-pass cut-off is
// raised for it), 4th order in all, no delay. Ends are extended by point reflection and the filter
// starts in steady state: constants pass unchanged, straight lines of a few cut-off periods to
// 1e-5. Not for series with missing values: filter each gap-free run on its own. Source: Winter,
// Biomechanics and Motor Control of Human Movement, ch. 3 (two-pass correction); bilinear transform
// with pre-warping, any text on digital filters.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ug_lowpass {
    double b0, b1, b2, a1, a2; ///< one pass: y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''
    size_t pad;                ///< samples that ends are extended by
} ug_lowpass;

/// @return false, and a filter that changes nothing, when cutoff_hz is not in (0, rate_hz / 2)
bool ug_lowpass_design(ug_lowpass *filter, double cutoff_hz, double rate_hz);

/// Doubles of scratch space for a series of `count`.
size_t ug_lowpass_work_count(const ug_lowpass *filter, size_t count);

/// Filter series[0], series[stride], … in place.
///
/// @param work  ug_lowpass_work_count() doubles, overwritten; reusable
///
/// O(count), allocates nothing. Fewer than 2 samples stay as they are.
void ug_lowpass_apply(double *series, size_t count, size_t stride, const ug_lowpass *filter,
                      double *work);
