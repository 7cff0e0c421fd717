// SPDX-License-Identifier: MIT
// What `run` remembers between runs: for every output, what it was made from.
//
// One JSON file in the output folder. An output is up to date when its stage, options, seed,
// program version and the hashes of all its inputs are the same and it has not been touched.
// Figures (seconds, memory, counts) are kept to be shown, and never compared. When NOT: for outputs
// outside a run's folder; a stage called by itself remembers nothing. Cost: a key or a check reads
// every file it names once, for its hash.
#pragma once

#include "pipeline/stages/stage.h"

typedef struct ug_run_memory ug_run_memory;

/// Read `folder`/run.json; a missing or unreadable one is an empty memory. ug_run_memory_close()
/// it. NULL when out of memory.
ug_run_memory *ug_run_memory_open(const char *folder);

/// NULL is fine.
void ug_run_memory_close(ug_run_memory *memory);

/// The key of a run that is about to happen, before the stage has counted anything; free() it.
/// `gates` (NULL: none) are part of it, so that a stricter one is checked again.
///
/// @return NULL on failure, `err` says why: UG_E_IO for an input that cannot be read; UG_E_NOMEM
char *ug_run_memory_key(const ug_stage *stage, const ug_stage_context *context, const char *gates,
                        ug_error *err);

/// True when `output` exists, is what was written, and was made with `key`.
bool ug_run_memory_is_current(const ug_run_memory *memory, const char *output, const char *key);

/// True when `output` was written, or is about to be, by a run of this folder: ours to replace.
bool ug_run_memory_knows(const ug_run_memory *memory, const char *output);

/// The figures of the run that made `output`, as JSON; NULL when there are none. Borrowed.
const char *ug_run_memory_metrics(const ug_run_memory *memory, const char *output);

/// Before `output` is written: a run that is killed after the file is there and before it is noted
/// still knows it as its own. When NOT: while a file of that name is there that is not to be
/// replaced. Nothing for an output that is known. Written to disk, atomically.
///
/// @return UG_E_WRITE; UG_E_NOMEM
UG_CHECKED ug_status ug_run_memory_intend(ug_run_memory *memory, const char *output,
                                          const char *key, ug_error *err);

/// Nothing was written after all: forget the intent, and nothing that was noted.
///
/// @return UG_E_WRITE; UG_E_NOMEM
UG_CHECKED ug_status ug_run_memory_withdraw(ug_run_memory *memory, const char *output,
                                            ug_error *err);

/// Remember `output` with its figures and write the memory to disk, atomically.
///
/// @return UG_E_IO when `output` cannot be read; UG_E_WRITE; UG_E_NOMEM
UG_CHECKED ug_status ug_run_memory_note(ug_run_memory *memory, const char *output, const char *key,
                                        const ug_metrics *metrics, ug_error *err);
