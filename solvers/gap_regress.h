// SPDX-License-Identifier: MIT
// Fill one gap from what is seen of the other markers: a pool of fills, blended by what each gets
// wrong on windows of the same take.
//
// The pool: the rigid fill (no bridge), linear and kernel ridge regressions in bridge space, a
// level estimate, the marker's own line and cubic, its nearest neighbour's path. Not for short gaps
// with both ends (a cubic does as well) nor for gaps that nobody was seen through (false).
#pragma once

#include "solvers/gap_pool.h"

/// Fill `gap` into workspace->mm and ->error_mm.
///
/// @param method  UG_FILL_STACKED blends the whole pool; another takes that fill alone
/// @param fills   lean on earlier fills, with their predicted errors reckoned with
/// @return false when this gap cannot be filled so
bool ug_gap_regress(ug_gap_workspace *workspace, const ug_gap_scene *scene, const ug_gap *gap,
                    ug_fill_method method, bool fills);
