// SPDX-License-Identifier: MIT
// Unit and vertical of a source that declares neither, from what bodies and gravity look like.
//
// Evidence only; the reader decides. A result without margin is UG_E_AMBIGUOUS and the message asks
// for --unit and --up. Whatever is inferred is recorded in ug_source and warned about once.
#pragma once

#include "motion/clip.h"
#include "motion/markers.h"
#include "motion/skeleton.h"
#include "motion/warnings.h"

/// What was found. `margin` in 0…1: 1 = all evidence agrees.
typedef struct ug_inferred_frame {
    char up[3];   ///< "+Y", "+Z", … in the source's axes
    char unit[8]; ///< "m", "cm", "mm", "in" …
    double up_margin, unit_margin;
    double unit_m; ///< metres per unit where `unit` is no name ("scaled"), else 0
} ug_inferred_frame;

/// From markers whose positions are still in the source's unit and axes: heads above feet where
/// labels say so, slow points low, human size. Points that are not markers are left out.
///
/// @param need_up, need_unit  which of both is asked for; the other is taken as known
/// @return UG_E_AMBIGUOUS naming the options, when a needed one has no margin
UG_CHECKED ug_status ug_infer_from_markers(ug_inferred_frame *out, const ug_markers *markers,
                                           bool need_up, bool need_unit, ug_error *err);

/// From a skeleton and clip in the source's unit and axes. Up is the largest component of the mean
/// of unit(head − middle of the feet) over the clip; the unit follows from the body's size.
UG_CHECKED ug_status ug_infer_from_motion(ug_inferred_frame *out, const ug_skeleton *skeleton,
                                          const ug_clip *clip, bool need_up, bool need_unit,
                                          ug_error *err);
