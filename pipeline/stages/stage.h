// SPDX-License-Identifier: MIT
// What a stage is: it reads files, calls solvers, writes a file, and says what it did.
//
// A stage never prints: figures go to `metrics`, oddities to `warnings`, failures to ug_error.
// The command line (pipeline/cli) and `run` (pipeline/stages/run_recipe.h) drive all of them
// through this one shape.
#pragma once

#include "formats/store.h"
#include "motion/progress.h"
#include "motion/take.h"
#include "pipeline/stages/metrics.h"
#include "pipeline/stages/option.h"

#include <stdint.h>

/// Who is told what a call does, for -v: `say` gets one line a step, after it, with the seconds
/// since the start of the stage. NULL: nobody.
typedef struct ug_stage_trace {
    void (*say)(void *user, double seconds, const char *line);
    void *user;
} ug_stage_trace;

typedef struct ug_stage_context {
    // what to do; borrowed from the caller
    const ug_option_values *options;
    char *const *inputs;
    size_t input_count;
    const char *output;
    const char *data_dir;     ///< NULL: the usual places
    const char *command_line; ///< for the provenance
    size_t jobs;              ///< threads, >= 1
    uint64_t seed;
    bool overwrite; ///< -y
    bool strict;    ///< any warning is an error, before anything is written
    bool compress;
    ug_stage_trace trace;
    ug_progress progress; ///< of the whole call; a stage's own work reports to `work`
    // set by ug_stage_execute
    ug_progress work; ///< the middle part of `progress`, between reading and writing
    double started_s; ///< monotonic clock at the start
    char started[32]; ///< ISO 8601, UTC
    // what was done; start from zero, ug_stage_context_fini() it
    ug_metrics metrics;
    ug_warnings warnings;
    char **written; ///< paths, owned
    size_t written_count;
} ug_stage_context;

typedef struct ug_stage {
    const char *name;
    const char *summary;  ///< one line
    const char *usage;    ///< "take.h5 -o clean.h5"
    const char *examples; ///< lines for -h
    const char *reads, *writes;
    const ug_option *options;
    size_t option_count;
    size_t inputs_min, inputs_max; ///< SIZE_MAX: any number
    const char *fans_out; ///< LIST option whose values each make an output of their own ("to")
    ug_status (*run)(const struct ug_stage *self, ug_stage_context *context, ug_error *err);
} ug_stage;

/// All stages, in the order of the pipeline; `*count` is set. Static.
const ug_stage *const *ug_stage_list(size_t *count);

/// By name, or NULL.
const ug_stage *ug_stage_find(const char *name);

/// Run one stage: counts inputs, refuses to overwrite, times it, adds `seconds`, `peak_mb` and
/// `warnings` to the metrics, and checks `gates` (NULL: none) at the end, their syntax before.
///
/// @return what the stage says; UG_E_USAGE (number of inputs, gates, unknown built-in names);
/// UG_E_EXISTS; UG_E_GATE
UG_CHECKED ug_status ug_stage_execute(const ug_stage *stage, ug_stage_context *context,
                                      const char *gates, ug_error *err);

/// Is `text` a file, or the name of built-in data of the kind that `option` takes? Anything passes
/// where the option takes none.
/// @return UG_E_USAGE, listing what there is; UG_E_IO without a data folder; UG_E_NOMEM
UG_CHECKED ug_status ug_stage_check_name(const ug_option *option, const char *text,
                                         const char *data_dir, ug_error *err);

/// Releases what a stage put into the context. NULL is fine.
void ug_stage_context_fini(ug_stage_context *context);

// --- for stages ---

/// Read input `index` — a store, or any format we read — into the initialised `take`.
UG_CHECKED ug_status ug_stage_read(ug_take *take, ug_stage_context *context, size_t index,
                                   unsigned parts, ug_error *err);

/// The same for a path that is an option's value and not an input.
UG_CHECKED ug_status ug_stage_read_path(ug_take *take, ug_stage_context *context, const char *path,
                                        unsigned parts, ug_error *err);

/// Write `parts` of `take` to `path` and everything else of `base` (NULL: nothing), with one more
/// provenance entry: its metrics are those so far, `seconds`, `peak_mb` and `warnings` as they
/// stand before the write. Under `strict` a warning stops it here.
UG_CHECKED ug_status ug_stage_write(const ug_stage *self, ug_stage_context *context,
                                    const char *path, ug_take *take, unsigned parts,
                                    const char *base, ug_error *err);

/// The usual case: one input, one output. `parts` are rewritten, every other group of the input
/// is kept; an input of another format is written whole.
UG_CHECKED ug_status ug_stage_write_over(const ug_stage *self, ug_stage_context *context,
                                         ug_take *take, unsigned parts, ug_error *err);

/// Seconds since the start of the stage.
double ug_stage_seconds(const ug_stage_context *context);

/// Tell the trace what has just been done. Nothing when nobody listens.
void ug_stage_say(const ug_stage_context *context, const char *fmt, ...) UG_PRINTF(2, 3);

/// The last moment before an output is written: under `strict` any warning is an error, and so is
/// a wish to stop. ug_stage_write asks by itself.
///
/// @return UG_E_DATA, UG_E_INTERRUPTED
UG_CHECKED ug_status ug_stage_may_finish(const ug_stage_context *context, ug_error *err);

/// Remember an output that ug_stage_write did not make (a BVH, say).
void ug_stage_wrote(ug_stage_context *context, const char *path);

/// UG_E_EXISTS when `path` is there and -y was not given; UG_E_USAGE when it is one of the inputs.
UG_CHECKED ug_status ug_stage_may_write(const ug_stage_context *context, const char *path,
                                        ug_error *err);

/// The same for an output that will be a store: an ending that says another format (.csv, .bvh …)
/// would deceive whoever opens it. .h5 and .hdf5 are the custom; other endings are the user's.
///
/// @return as ug_stage_may_write; UG_E_USAGE with the name to give instead
UG_CHECKED ug_status ug_stage_may_write_store(const ug_stage_context *context, const char *path,
                                              ug_error *err);

/// The provenance entry this run would write, for `run` to compare; texts are fresh, release with
/// ug_provenance_entry_fini. Metrics and warnings are those so far.
UG_CHECKED ug_status ug_stage_entry(ug_provenance_entry *entry, const ug_stage *self,
                                    const ug_stage_context *context, ug_error *err);

/// Remove what is half written, for a process that ends now: ug_outfiles_abandon() for the command
/// line's signal handler.
void ug_stage_abandon(void);

/// Version of the program, "0.1.0".
const char *ug_version(void);
