// SPDX-License-Identifier: MIT
// Write a take in another program's format with the same care as a store.
#pragma once

#include "formats/format.h"
#include "pipeline/stages/stage.h"

/// Write to `path`; the writer's warnings are added first, and under `strict`, or when the user
/// wants to stop, nothing appears at `path`.
///
/// @return as format->write and ug_stage_may_finish
UG_CHECKED ug_status ug_stage_write_as(ug_stage_context *context, const ug_format *format,
                                       const char *path, const ug_take *take,
                                       const ug_write_opts *opts, ug_error *err);
