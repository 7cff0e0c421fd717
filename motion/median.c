// SPDX-License-Identifier: MIT
#include "motion/median.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ug_sort_ascending(double *values, size_t count)
{
    if (count > 0) { // qsort() wants a place even for nothing
        qsort(values, count, sizeof *values, ascending);
    }
}

double ug_quantile(double *values, size_t count, double share)
{
    if (count == 0) {
        return NAN;
    }
    ug_sort_ascending(values, count);
    const double at = fmax(0.0, fmin(1.0, share)) * (double)(count - 1);
    const size_t low = (size_t)at;
    const size_t high = low + 1 < count ? low + 1 : low;
    return values[low] + (at - (double)low) * (values[high] - values[low]);
}

double ug_quantile_rank(double *values, size_t count, double share)
{
    if (count == 0) {
        return NAN;
    }
    ug_sort_ascending(values, count);
    const double rank = ceil(fmax(0.0, fmin(1.0, share)) * (double)count);
    return values[rank < 1.0 ? 0 : (size_t)rank - 1];
}

double ug_median(double *values, size_t count)
{
    return ug_quantile(values, count, 0.5);
}
