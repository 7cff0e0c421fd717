// SPDX-License-Identifier: MIT
// What the files of pipeline/report/sheet_actor.h share. Not for anybody else.
#pragma once

#include "pipeline/report/sheet_actor.h"

// ---- pipeline/report/sheet_actor_markers.c -----------------------------------------------------

/// Grow the box of what counts by a sphere.
void ug_sheet_pose_widen(ug_sheet_pose *pose, ug_vec3 p, double r);

/// Fill the dots of every pose. @return UG_E_NOMEM
UG_CHECKED ug_status ug_sheet_pose_markers(ug_sheet_actor *actor, ug_error *err);

// ---- pipeline/report/sheet_actor_facing.c ------------------------------------------------------

/// Fill the facing of every pose and of the whole. @return UG_E_NOMEM
UG_CHECKED ug_status ug_sheet_find_facing(ug_sheet_actor *actor, ug_error *err);
