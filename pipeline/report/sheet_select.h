// SPDX-License-Identifier: MIT
// Which moments of a take a contact sheet shows.
#pragma once

#include "motion/clip.h"
#include "motion/skeleton.h"
#include "motion/status.h"

#include <stddef.h>

/// `count` frames from `first` to `last`, both among them, evenly in time; the middle one for a
/// count of 1. Fewer when there are not so many.
///
/// @param frames  (count) written, ascending
/// @return how many
size_t ug_sheet_select_even(size_t *frames, size_t count, size_t first, size_t last);

/// `count` frames whose poses differ most: the one farthest from the middle of the range, then
/// again and again the one farthest from all that are chosen. Distances are those of the joints,
/// seen from the root, heights from the floor. At most 600 candidates, evenly in time, are looked
/// at; poses with a number that is not finite are none.
///
/// @param frames  (count) written, ascending
/// @param found   how many: fewer when there are not so many different poses
/// @return UG_E_NOMEM
///
/// O(600 · count · joint_count).
/// Source: Gonzalez 1985, "Clustering to minimize the maximum intercluster distance", farthest
/// first.
UG_CHECKED ug_status ug_sheet_select_keys(size_t *frames, size_t *found, size_t count,
                                          const ug_skeleton *skeleton, const ug_clip *clip,
                                          size_t first, size_t last, ug_error *err);
