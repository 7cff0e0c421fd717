// SPDX-License-Identifier: MIT
// What cameras make of a moving body: clean markers, then noise, gaps, swapped labels and ghosts.
#pragma once

#include "datasets/synth.h"

/// Clean markers of `clip`, one for each attachment, in millimetres (scale_m 0.001).
/// `*markers` is the caller's. @return UG_E_INTERRUPTED; UG_E_NOMEM
UG_CHECKED ug_status ug_synth_observe(ug_markers **markers, const ug_skeleton *skeleton,
                                      const ug_attachments *attachments, const ug_clip *clip,
                                      const ug_progress *progress, ug_error *err);

/// A spoilt copy of `clean`. The still start (before `still_s`) keeps its labels and all of its
/// markers, so that there is something to calibrate on.
///
/// @param spoilt  `*spoilt` is the caller's; opts->ghosts points "*1" … come after the markers
/// @param faults  `*faults` (count) is the caller's to free
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_synth_spoil(ug_markers **spoilt, ug_synth_fault **faults, size_t *count,
                                    const ug_markers *clean, double still_s,
                                    const ug_synth_opts *opts, ug_error *err);
