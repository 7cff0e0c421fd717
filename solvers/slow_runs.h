// SPDX-License-Identifier: MIT
// Where a moving point all but stands still: speeds, and the runs in which it is slow.
//
// What floors and contacts are made of. A run must last: a point in free flight is slower than v
// for at most 2 v / g, so a jump's apex never counts when runs of 0.3 m/s last 0.1 s.
#pragma once

#include "motion/status.h"
#include "motion/vec3.h"

#include <stddef.h>

typedef struct ug_slow_run {
    size_t start, end; ///< frames, end excluded
    ug_vec3 place_m;   ///< median of each coordinate
} ug_slow_run;

typedef struct ug_slow_runs {
    size_t count;
    ug_slow_run *items; ///< owned, ascending, disjoint
} ug_slow_runs;

/// Low-pass a path (each gap-free run of its own; frames with NaN stay as they are) and take the
/// size of its central difference; one-sided at ends and gaps, NaN where a frame is missing.
///
/// @param speed_m_s  (count) written
/// @param path_m     (count) smoothed in place where rate_hz > 30 and cutoff_hz > 0
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_path_speed(double *speed_m_s, ug_vec3 *path_m, size_t count, double rate_hz,
                                   double cutoff_hz, ug_error *err);

/// Maximal runs below `limit_m_s` that last at least `shortest_s`.
///
/// @param out  overwritten; ug_slow_runs_fini() it
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_slow_runs_find(ug_slow_runs *out, const double *speed_m_s,
                                       const ug_vec3 *path_m, size_t count, double rate_hz,
                                       double limit_m_s, double shortest_s, ug_error *err);

/// Releases what is below. NULL is fine.
void ug_slow_runs_fini(ug_slow_runs *runs);
