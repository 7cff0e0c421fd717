// SPDX-License-Identifier: MIT
// Canonical postures of a humanoid, as turns from the T-pose. Data for solvers/ik_cold.c.
#pragma once

#include "motion/skeleton.h"

#include <stddef.h>

/// How many postures there are.
size_t ug_posture_count(void);

/// "t", "arms_down" …; static text.
const char *ug_posture_name(size_t posture);

/// Local rotations that put `skeleton` into a posture. Joints without a role follow their parent;
/// several SPINE (or NECK) joints share their bend. The rest pose may have its arms anywhere: the
/// limbs are first brought into the T-pose by the shortest turns.
///
/// @param local_q  (joint_count) full local rotations
/// @param scratch  (3 joint_count)
void ug_posture_apply(ug_quat *local_q, size_t posture, const ug_skeleton *skeleton,
                      ug_quat *scratch);
