// SPDX-License-Identifier: MIT
// Bring a clip or markers to another rate; duration stays, the frame count changes.
//
// Not a filter: going down in rate does not low-pass first. Rotations by slerp on the short arc,
// translations and markers linearly. Frames that fall exactly on a source frame are copied.
#pragma once

#include "motion/clip.h"
#include "motion/markers.h"

/// Frames at `to` that fit in the duration of `frame_count` frames at `from`: every time
/// k/to <= (frame_count - 1)/from, counted in exact integers. 0 stays 0.
size_t ug_resample_count(size_t frame_count, ug_rate from, ug_rate to);

/// A new clip at `rate`; ug_clip_destroy() it. NULL when out of memory.
/// origin bits: a copied frame keeps them, an interpolated one has the bits both neighbours have
/// plus COMPUTED.
ug_clip *ug_clip_resample(const ug_clip *clip, ug_rate rate);

/// New markers at `rate`. A sample between a present and a missing one is missing.
/// NULL when out of memory.
ug_markers *ug_markers_resample(const ug_markers *markers, ug_rate rate);
