// SPDX-License-Identifier: MIT
// What every cleaning solver asks of its markers before it touches them.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"

/// A known rate, a positive scale, and every PRESENT sample of a MARKER finite.
///
/// @return UG_E_DATA, naming marker and frame (counted from 0). O(frame_count · marker_count).
UG_CHECKED ug_status ug_markers_check(const ug_markers *markers, ug_error *err);
