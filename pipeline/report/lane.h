// SPDX-License-Identifier: MIT
// What a gap chart shows of a sample: how it came to be, where it was not simply measured.
#pragma once

#include "motion/markers.h"

/// In the order of what most needs to be seen; viewer/README.md lists the numbers.
typedef enum ug_lane {
    UG_LANE_MISSING = 0,
    UG_LANE_FILLED = 1,
    UG_LANE_REPAIRED = 2,
    UG_LANE_EDITED = 3,
    UG_LANE_COMPUTED = 4,
    UG_LANE_NONE = 5, ///< measured
} ug_lane;

/// A hand's edit says most about a sample, its making least.
static inline ug_lane ug_lane_of(uint16_t origin)
{
    if (!(origin & UG_ORIGIN_PRESENT)) {
        return UG_LANE_MISSING;
    }
    if (origin & UG_ORIGIN_EDITED) {
        return UG_LANE_EDITED;
    }
    if (origin & UG_ORIGIN_REPAIRED) {
        return UG_LANE_REPAIRED;
    }
    if (origin & UG_ORIGIN_FILLED) {
        return UG_LANE_FILLED;
    }
    return origin & UG_ORIGIN_COMPUTED ? UG_LANE_COMPUTED : UG_LANE_NONE;
}
