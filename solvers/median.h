// SPDX-License-Identifier: MIT
// Median and quantiles, for statistics that wrong samples must not move.
#pragma once

#include <stddef.h>

/// Median of `count` values, which are reordered; the mean of the middle two for an even count,
/// NAN for none. Values must not be NaN. O(count log count).
double ug_median(double *values, size_t count);

/// The value below which a share of `count` values lies (0 the smallest, 1 the largest), linear
/// between neighbours; NAN for none. Values are reordered and must not be NaN.
double ug_quantile(double *values, size_t count, double share);
