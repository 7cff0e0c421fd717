// SPDX-License-Identifier: MIT
// Every filler behind one call, by its ug_fill_method. A new filler gets its case here.
#pragma once

#include "solvers/gap_regress.h"

/// "auto" -> UG_FILL_STACKED, "linear", "cubic" (or "spline"), "rigid", "pattern", "pca".
/// @return false when there is no such
bool ug_gap_method_from_name(ug_fill_method *method, const char *name);

/// "stacked", "cubic" …; static text, for metrics.
const char *ug_gap_method_name(ug_fill_method method);

/// The names that ug_gap_method_from_name() knows, separated by `|`.
#define UG_GAP_METHOD_NAMES "auto|linear|cubic|rigid|pattern|pca"

/// Fill `gap` into workspace->mm and ->error_mm (NaN where that cannot be known).
///
/// @param scene   its pairs measured; not read at the gap's marker in the gap
/// @param method  UG_FILL_STACKED: the blend of all that can be learned from other markers
/// @param fills   lean on earlier fills too
/// @return false when this method cannot fill this gap: the line and the cubic an open end, the
///         others without three markers through it that span a frame
bool ug_gap_method_fill(ug_gap_workspace *workspace, const ug_gap_scene *scene, const ug_gap *gap,
                        ug_fill_method method, bool fills);
