// SPDX-License-Identifier: MIT
// Every verb that is a stage: parse, run it on each input, print what it did.
#include "motion/text.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/stages/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *ending_of(const ug_stage *stage, const ug_option_values *values)
{
    if (strcmp(stage->name, "export") == 0) {
        const char *format = ug_option_text(values, "format");
        return format ? format : "bvh";
    }
    return "h5";
}

static ug_status run_once(const cli_call *call, const ug_option_values *values, char **inputs,
                          size_t input_count, const char *output)
{
    const ug_stage *stage = call->verb->user;
    const cli_args *args = call->args;
    ug_error err = { 0 };
    ug_stage_context context = {
        .options = values,
        .inputs = inputs,
        .input_count = input_count,
        .output = output,
        .data_dir = args->data_dir,
        .command_line = call->command_line,
        .jobs = args->jobs,
        .seed = args->seed,
        .overwrite = args->overwrite,
        .strict = args->strict,
        .compress = args->compress,
        .trace = cli_trace(args->verbose),
        .progress = cli_progress(stage->name, args->quiet),
    };
    const ug_status status = ug_stage_execute(stage, &context, args->require, &err);
    cli_progress_end();
    cli_print_warnings(&context.warnings, args->quiet);
    if (status == UG_OK || status == UG_E_GATE) {
        if (args->json) {
            cli_print_json(stage->name, &context);
            printf("\n");
        } else if (!args->quiet) {
            cli_print_figures(&context);
        }
    }
    if (status != UG_OK) {
        if (input_count == 1) {
            ug_error_where(&err, "%s", inputs[0]);
        }
        cli_print_error(stage->name, &err);
    }
    ug_stage_context_fini(&context);
    return status;
}

// One input into a folder, once for every value of the option that fans out (or just once).
static int run_into_folder(const cli_call *call, char **input)
{
    const ug_stage *stage = call->verb->user;
    const ug_option_values *values = call->values;
    size_t count = 1;
    char *const *targets = NULL;
    const ptrdiff_t fan =
        stage->fans_out ? ug_option_find(values->table, values->count, stage->fans_out) : -1;
    if (fan >= 0) {
        targets = ug_option_list(values, stage->fans_out, &count);
    }
    int worst = 0;
    for (size_t i = 0; i < count; i++) {
        ug_option_values one = { 0 };
        char *stem = targets ? ug_path_stem(targets[i]) : NULL;
        char *suffix = stem ? ug_text_format("-%s", stem) : ug_text_copy("");
        char *output =
            suffix ? ug_path_in_folder(call->args->output, *input, suffix, ending_of(stage, values))
                   : NULL;
        ug_status status = output ? ug_option_values_copy(&one, values, NULL) : UG_E_NOMEM;
        if (status == UG_OK && targets) {
            const char *target = targets[i];
            status = ug_option_values_set(&one, (size_t)fan, &target, 1, NULL);
        }
        if (status == UG_OK) {
            status = run_once(call, &one, input, 1, output);
        }
        const int code = cli_exit_code(status);
        worst = code > worst ? code : worst;
        ug_option_values_fini(&one);
        free(output);
        free(suffix);
        free(stem);
        if (status == UG_E_INTERRUPTED) {
            break;
        }
    }
    return worst;
}

// Several inputs for a stage of one: each on its own, the worst code at the end.
static int run_each(const cli_call *call)
{
    const cli_args *args = call->args;
    int worst = 0;
    for (size_t i = 0; i < args->input_count && worst != cli_exit_code(UG_E_INTERRUPTED); i++) {
        const int code = run_into_folder(call, &args->inputs[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

static const char *find_collision(const cli_call *call)
{
    const ug_stage *stage = call->verb->user;
    const cli_args *args = call->args;
    const char *same =
        stage->inputs_max == 1 ? ug_path_same_stem(args->inputs, args->input_count) : NULL;
    if (!same && stage->fans_out) {
        size_t count = 0;
        char *const *targets = ug_option_list(call->values, stage->fans_out, &count);
        same = ug_path_same_stem(targets, count);
    }
    return same;
}

static int run_stage(const cli_call *call)
{
    const ug_stage *stage = call->verb->user;
    const cli_args *args = call->args;
    ug_error err = { 0 };
    const bool folder = args->output && ug_path_is_folder(args->output);
    if (stage->inputs_max == 1 && args->input_count > 1 && !folder) {
        (void)ug_fail(&err, UG_E_USAGE, "several inputs need a folder: -o DIR/");
        return cli_call_fail(call, &err);
    }
    const char *same = folder ? find_collision(call) : NULL;
    if (same) {
        ug_error_where(&err, "%s", same);
        (void)ug_fail(&err, UG_E_USAGE, "two of this name would write the same file: rename one");
        return cli_call_fail(call, &err);
    }
    if (folder && ug_path_make_folder(args->output, &err) != UG_OK) {
        return cli_call_fail(call, &err);
    }
    if (folder && stage->inputs_max == 1 && args->input_count > 0) {
        return run_each(call);
    }
    return cli_exit_code(
        run_once(call, call->values, args->inputs, args->input_count, args->output));
}

int cmd_stage(const ug_stage *stage, int argc, char **argv, const char *command_line)
{
    const cli_verb verb = {
        .name = stage->name,
        .usage = stage->usage,
        .summary = stage->summary,
        .examples = stage->examples,
        .options = stage->options,
        .option_count = stage->option_count,
        .writes = true,
        .is_stage = true,
        .user = stage,
        .run = run_stage,
    };
    return cli_verb_call(&verb, argc, argv, command_line);
}
