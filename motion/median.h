// SPDX-License-Identifier: MIT
// Order of numbers: sorting, median and quantiles, for statistics that wrong samples must not move.
//
// When NOT: values with NaN among them have no order; take them out first.
#pragma once

#include <stddef.h>

/// Smallest first. O(count log count).
void ug_sort_ascending(double *values, size_t count);

/// Median of `count` values, which are reordered; the mean of the middle two for an even count,
/// NAN for none. Values must not be NaN. O(count log count).
double ug_median(double *values, size_t count);

/// The value below which a share of `count` values lies (0 the smallest, 1 the largest), linear
/// between neighbours; NAN for none. Values are reordered and must not be NaN.
/// O(count log count).
double ug_quantile(double *values, size_t count, double share);

/// The same by nearest rank: the smallest value that at least this share of all does not exceed,
/// so always one of them; NAN for none. Values are reordered. O(count log count).
double ug_quantile_rank(double *values, size_t count, double share);
