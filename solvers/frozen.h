// SPDX-License-Identifier: MIT
// Find frozen values: a marker that keeps the very same coordinates over several frames while its
// neighbours move. A capture system that lost it wrote the last value on.
//
// The first sample of such a run is taken for a measured one, the others are not. Neighbours must
// have carried the marker 5 mm or more by the run's end (solvers/swap_space.h): a person who stands
// still in a file of whole tenths of a millimetre repeats values, too.
//
// Not for a marker without three neighbours that keep their distance, where nothing says that it
// should have moved.
#pragma once

#include "motion/markers.h"
#include "motion/status.h"
#include "motion/warnings.h"

typedef struct ug_frozen_run {
    size_t marker;
    size_t first, last; ///< the samples that are not measured: the run without its first
    double missed_mm;   ///< how far its neighbours went meanwhile
} ug_frozen_run;

typedef struct ug_frozen {
    size_t count;
    ug_frozen_run *items; ///< owned, by marker, then by time
    size_t sample_count;
} ug_frozen;

/// Releases what is below. NULL is fine.
void ug_frozen_fini(ug_frozen *frozen);

/// Warns "frozen" with marker and frames of the first; "frozen_cleared" when cleared.
///
/// @param markers   changed only with `clear`; samples with UG_ORIGIN_EDITED never
/// @param frozen    overwritten; ug_frozen_fini() it
/// @param warnings  may be NULL
/// @return UG_E_DATA as ug_markers_check(); UG_E_NOMEM
///
/// O(frame_count · marker_count).
UG_CHECKED ug_status ug_frozen_find(ug_markers *markers, ug_frozen *frozen, ug_warnings *warnings,
                                    bool clear, ug_error *err);
