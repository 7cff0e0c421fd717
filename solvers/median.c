// SPDX-License-Identifier: MIT
#include "solvers/median.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ug_quantile(double *values, size_t count, double share)
{
    if (count == 0) {
        return NAN;
    }
    qsort(values, count, sizeof *values, ascending);
    const double at = fmax(0.0, fmin(1.0, share)) * (double)(count - 1);
    const size_t low = (size_t)at;
    const size_t high = low + 1 < count ? low + 1 : low;
    return values[low] + (at - (double)low) * (values[high] - values[low]);
}

double ug_median(double *values, size_t count)
{
    return ug_quantile(values, count, 0.5);
}
