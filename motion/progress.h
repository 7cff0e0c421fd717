// SPDX-License-Identifier: MIT
// How long work reports itself and is asked to stop, without knowing who listens.
//
// Functions that may take long have a `const ug_progress *` among their options, NULL for nobody,
// and end with UG_E_INTERRUPTED when asked to. When NOT: work that ends within some milliseconds.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>

/// `report` gets the share done, 0…1; it returns false to ask for an end. Called from the thread
/// that entered the library, never from workers.
typedef struct ug_progress {
    bool (*report)(void *user, double share);
    void *user;
    double from, span; ///< the part of the whole this stands for; { 0, 0 }: all of it
} ug_progress;

/// False when the caller wants an end. `progress` or its function may be NULL. One call of
/// `report`, so not for every sample: see ug_progress_step.
static inline bool ug_progress_report(const ug_progress *progress, double share)
{
    if (!progress || !progress->report) {
        return true;
    }
    const double span = progress->span > 0.0 ? progress->span : 1.0;
    return progress->report(progress->user, progress->from + span * share);
}

/// The part `from`…`to` of `whole` (NULL: nobody listens) for a step that counts from 0 to 1.
static inline ug_progress ug_progress_part(const ug_progress *whole, double from, double to)
{
    if (!whole) {
        return (ug_progress){ 0 };
    }
    const double span = whole->span > 0.0 ? whole->span : 1.0;
    return (ug_progress){ whole->report, whole->user, whole->from + span * from,
                          span * (to - from) };
}

/// Between two steps of work. @return UG_E_INTERRUPTED when the caller wants an end
UG_CHECKED static inline ug_status ug_progress_check(const ug_progress *progress, double share,
                                                     ug_error *err)
{
    return ug_progress_report(progress, share)
               ? UG_OK
               : ug_fail(err, UG_E_INTERRUPTED, "interrupted; nothing was written");
}

/// In a loop over frames: step `done` of `total`. Asks every 256th time, costs nothing between.
/// @return UG_E_INTERRUPTED when the caller wants an end
UG_CHECKED static inline ug_status ug_progress_step(const ug_progress *progress, size_t done,
                                                    size_t total, ug_error *err)
{
    return done % 256 != 0 ? UG_OK : ug_progress_check(progress, (double)done / (double)total, err);
}
