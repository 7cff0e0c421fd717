// SPDX-License-Identifier: MIT
// The median, for statistics that wrong samples must not move.
#pragma once

#include <stddef.h>

/// Median of `count` values, which are reordered; the mean of the middle two for an even count,
/// NAN for none. Values must not be NaN. O(count log count).
double ug_median(double *values, size_t count);
