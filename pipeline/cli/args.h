// SPDX-License-Identifier: MIT
// One grammar for every verb: inputs, the options all verbs share, and the verb's own table.
#pragma once

#include "pipeline/stages/option.h"

#include <stdint.h>

typedef struct cli_args {
    char **inputs; ///< owned array of borrowed argv texts
    size_t input_count;
    const char *output, *require, *data_dir;
    size_t jobs;
    uint64_t seed;
    bool help, json, print_config, quiet, verbose, overwrite, strict, compress;
} cli_args;

/// Parse argv after the verb. Values go to `values` (its table decides what exists).
/// cli_args_fini() `args` either way.
///
/// @return UG_E_USAGE naming the option, with the nearest existing one
ug_status cli_args_parse(cli_args *args, ug_option_values *values, int argc, char **argv,
                         ug_error *err);
void cli_args_fini(cli_args *args);

/// -h of a verb: examples first, then its options, then the shared ones. Prints to stdout.
void cli_print_help(const char *verb, const char *usage, const char *summary, const char *examples,
                    const ug_option *table, size_t count);

/// Resolved options as a recipe snippet on stdout.
void cli_print_config(const char *verb, const ug_option_values *values);
