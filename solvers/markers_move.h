// SPDX-License-Identifier: MIT
// Move samples between labels, with all that is known of them.
#pragma once

#include "motion/markers.h"

/// Exchange the samples of two markers in one frame: position, origin, method, predicted error,
/// residual, cameras and unfiltered position. A missing one leaves the other's place missing.
void ug_markers_exchange(ug_markers *markers, size_t frame, size_t a, size_t b);
