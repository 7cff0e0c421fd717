// SPDX-License-Identifier: MIT
// Take columns out of a table of markers, or put empty ones in.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"

/// Rebuild `markers` with these columns of it, in this order, all that is known of each sample
/// with them.
///
/// @param markers  edited in place; unchanged on failure
/// @param columns  (count) each at most once; SIZE_MAX makes a new column of kind MARKER, without a
///                 label (the caller gives it one), all missing
/// @return UG_E_NOMEM
///
/// Copies the samples once.
UG_CHECKED ug_status ug_markers_columns(ug_markers *markers, const size_t *columns, size_t count,
                                        ug_error *err);
