// SPDX-License-Identifier: MIT
// How long work reports itself and is asked to stop, without knowing who listens.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// `report` gets the share done, 0…1; it returns false to ask for an end. Called from the thread
/// that entered the library, never from workers.
typedef struct ug_progress {
    bool (*report)(void *user, double share);
    void *user;
} ug_progress;

/// False when the caller wants an end. `progress` or its function may be NULL.
static inline bool ug_progress_report(const ug_progress *progress, double share)
{
    return !progress || !progress->report || progress->report(progress->user, share);
}
