// SPDX-License-Identifier: MIT
// What a verb is: a table of what it is called and takes, and one function that does it.
//
// A new verb is `const cli_verb cmd_xyz` in cmd_xyz.c, declared in commands.h and listed in
// main.c. Everything around it is done here, once: options at their defaults, argv, the shared
// options that would do nothing for it, -h, a missing input, the loop over files, the worst exit
// code. A verb that reads takes and writes a store is a stage instead (pipeline/stages/stage.h);
// its verb comes by itself.
#pragma once

#include "pipeline/cli/args.h"

/// One call of a verb, all borrowed, alive until the verb's function returns.
typedef struct cli_call {
    const struct cli_verb *verb;
    const cli_args *args;
    const ug_option_values *values; ///< of the verb's own table
    const char *command_line;       ///< for the provenance
} cli_call;

typedef struct cli_verb {
    const char *name;
    const char *usage;        ///< what stands after the name: "FILE…"
    const char *summary;      ///< one line
    const char *examples;     ///< lines of two blanks and a command, for -h
    const ug_option *options; ///< NULL: none of its own
    size_t option_count;
    const char *without_input; ///< what to say when there is none; NULL: it needs none
    bool writes;               ///< -o means something
    bool gates;                ///< --require means something
    bool is_stage;             ///< --require and --print-config mean something
    const void *user;          ///< for `run` and `run_file`

    // one of the two:
    /// All inputs at once. Prints its own errors (cli_call_fail()).
    /// @return exit code
    int (*run)(const cli_call *call);
    /// One input. An error is printed after it returns, under the file's name; the other files
    /// are still done, and the worst code is the program's. UG_E_INTERRUPTED ends the loop.
    ug_status (*run_file)(const cli_call *call, const char *path, ug_error *err);
} cli_verb;

/// Parse what stands after the verb, answer -h and --print-config, run. Errors go to stderr.
/// @return exit code
int cli_verb_call(const cli_verb *verb, int argc, char **argv, const char *command_line);

/// Print the error under the verb's name. @return its exit code
int cli_call_fail(const cli_call *call, const ug_error *err);
