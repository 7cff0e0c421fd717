// SPDX-License-Identifier: MIT
// What `run` remembers between runs: for every output, what it was made from.
//
// One JSON file in the output folder. An output is up to date when its stage, options, seed,
// program version and the hashes of all its inputs are the same and it has not been touched.
#pragma once

#include "pipeline/stages/stage.h"

typedef struct ug_run_memory ug_run_memory;

/// Read `folder`/run.json; a missing or unreadable one is an empty memory. ug_run_memory_close()
/// it. NULL when out of memory.
ug_run_memory *ug_run_memory_open(const char *folder);

/// NULL is fine.
void ug_run_memory_close(ug_run_memory *memory);

/// The key of a run that is about to happen; free() it. NULL on failure, `err` says why.
char *ug_run_memory_key(const ug_stage *stage, const ug_stage_context *context, ug_error *err);

/// True when `output` exists, is what was written, and was made with `key`.
bool ug_run_memory_is_current(const ug_run_memory *memory, const char *output, const char *key);

/// Remember `output` and write the memory to disk.
UG_CHECKED ug_status ug_run_memory_note(ug_run_memory *memory, const char *output, const char *key,
                                        ug_error *err);
