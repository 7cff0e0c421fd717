// SPDX-License-Identifier: MIT
// The inside of solvers/ik_take.c: what is gathered before a solve and reported after it.
#pragma once

#include "solvers/ik_take.h"
#include "solvers/ik_track.h"

// Everything a solve needs beside its result.
typedef struct ug_ik_job {
    const ug_markers *markers;
    const ug_skeleton *skeleton;
    const ug_attachments *attachments;
    const ug_ik_take_options *options;
    ug_warnings *warnings;
    ug_ik_model *model;
    ug_ik_track track;
    double *measured_m, *weight; // owned, seen through track
    size_t *visible;
    bool *seen;
} ug_ik_job;

/// Releases what is below.
void ug_ik_job_fini(ug_ik_job *j);

/// True when the attachment may be solved with at all.
bool ug_ik_is_used(const ug_attachment *item);

/// Allocate for the take's size, match labels, and copy samples in metres with their weights.
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_ik_gather(ug_ik_job *j, ug_ik_take_result *out, ug_error *err);

/// Clip, residuals and an outcome for every frame, from the solved poses. @return UG_E_NOMEM
UG_CHECKED ug_status ug_ik_report(ug_ik_take_result *out, ug_ik_job *j, ug_error *err);
