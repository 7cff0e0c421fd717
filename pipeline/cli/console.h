// SPDX-License-Identifier: MIT
// What a person sees: errors, warnings, the progress bar, figures. Messages on stderr, results on
// stdout; colour and the bar only on a terminal.
#pragma once

#include "motion/progress.h"
#include "motion/status.h"
#include "motion/warnings.h"
#include "pipeline/stages/stage.h"

/// One line on stderr: "ugoki clean: take.h5: message".
void cli_print_error(const char *verb, const ug_error *err);

/// Each code once, with its count. Nothing when `quiet`.
void cli_print_warnings(const ug_warnings *warnings, bool quiet);

/// {"stage", "metrics", "warnings"} without a newline.
void cli_print_json(const char *stage, const ug_stage_context *context);

/// The same with "input", "output" and "skipped", for one step of a recipe.
void cli_print_step_json(const char *stage, const ug_stage_context *context, const char *input,
                         const char *output, bool skipped);

/// "name value" lines and what was written.
void cli_print_figures(const ug_stage_context *context);

/// Ctrl-C (and SIGTERM) asks the work to stop; where it has not heard within a sixth of a second
/// the program ends as it is: half-written files are removed, old ones untouched, exit 130. Once,
/// before any work; `verb` is kept.
void cli_watch_interrupts(const char *verb);

/// A bar on stderr for work of over a second, when stderr is a terminal and not `quiet`. It also
/// hands on the wish to stop.
ug_progress cli_progress(const char *verb, bool quiet);

/// Lines of steps on stderr, each with the seconds since the one before; nobody when not `verbose`.
ug_stage_trace cli_trace(bool verbose);

/// Take the bar away.
void cli_progress_end(void);

/// Seconds of a clock that only goes forward.
double cli_now_s(void);

/// Exit code of a status, DESIGN's table.
int cli_exit_code(ug_status status);
