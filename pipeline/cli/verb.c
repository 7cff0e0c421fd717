// SPDX-License-Identifier: MIT
#include "pipeline/cli/verb.h"

#include "pipeline/cli/console.h"

#include <assert.h>
#include <stdio.h>

// Shared options that would do nothing for this verb are errors: nothing given is ignored.
static ug_status refuse(const cli_verb *verb, const cli_args *args, ug_error *err)
{
    if (args->require && !verb->is_stage && !verb->gates) {
        return ug_fail(
            err, UG_E_USAGE,
            "%s has no figures to --require; in a recipe, write `require:` under a stage",
            verb->name);
    }
    if (args->print_config && !verb->is_stage) {
        return ug_fail(err, UG_E_USAGE, "%s has no configuration to print", verb->name);
    }
    if (args->output && !verb->writes) {
        return ug_fail(err, UG_E_USAGE, "%s writes no output: leave out -o", verb->name);
    }
    if (args->input_count == 0 && verb->without_input) {
        return ug_fail(err, UG_E_USAGE, "%s", verb->without_input);
    }
    return UG_OK;
}

int cli_call_fail(const cli_call *call, const ug_error *err)
{
    cli_print_error(call->verb->name, err);
    return cli_exit_code(err->status);
}

static int run_files(const cli_call *call)
{
    int worst = 0;
    ug_status status = UG_OK;
    for (size_t i = 0; i < call->args->input_count && status != UG_E_INTERRUPTED; i++) {
        ug_error err = { 0 };
        const double started_s = cli_now_s();
        status = call->verb->run_file(call, call->args->inputs[i], &err);
        if (status != UG_OK) {
            ug_error_where(&err, "%s", call->args->inputs[i]);
            cli_print_error(call->verb->name, &err);
        }
        if (call->args->verbose) {
            const double seconds = cli_now_s() - started_s;
            fprintf(stderr, "%8.3f s  %s\n", seconds, call->args->inputs[i]);
        }
        const int code = cli_exit_code(status);
        worst = code > worst ? code : worst;
    }
    return worst;
}

int cli_verb_call(const cli_verb *verb, int argc, char **argv, const char *command_line)
{
    assert(!verb->run != !verb->run_file);
    cli_args args = { 0 };
    ug_option_values values;
    ug_error err = { 0 };
    const cli_call call = {
        .verb = verb, .args = &args, .values = &values, .command_line = command_line
    };
    ug_status status = ug_option_values_init(&values, verb->options, verb->option_count, &err);
    if (status == UG_OK) {
        status = cli_args_parse(&args, &values, argc, argv, &err);
    }
    if (status == UG_OK && !args.help) {
        status = refuse(verb, &args, &err);
    }
    int code = 0;
    cli_watch_interrupts(verb->name);
    if (status != UG_OK) {
        cli_print_error(verb->name, &err);
        code = cli_exit_code(status);
    } else if (args.help) {
        cli_print_help(verb->name, verb->usage, verb->summary, verb->examples, verb->options,
                       verb->option_count);
    } else if (args.print_config) {
        cli_print_config(verb->name, &values);
    } else {
        code = verb->run ? verb->run(&call) : run_files(&call);
    }
    cli_args_fini(&args);
    ug_option_values_fini(&values);
    return code;
}
