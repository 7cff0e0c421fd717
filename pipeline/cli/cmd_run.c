// SPDX-License-Identifier: MIT
// run: a recipe over takes. Prints one line a stage, or {"stages": […]}.
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/cli/run_report.h"

static int run(const cli_call *call)
{
    const cli_args *args = call->args;
    const char *folder = args->output ? args->output : "ugoki-out";
    return cli_exit_code(cli_run_recipe(args->inputs[0], args->inputs + 1, args->input_count - 1,
                                        folder, args, call->command_line));
}

const cli_verb cmd_run = {
    .name = "run",
    .usage = "recipe.yaml [take…] -o DIR",
    .summary = "run a recipe over takes, skipping what has not changed",
    .examples = "  ugoki run recipe.yaml\n"
                "  ugoki run recipe.yaml takes/*.c3d -o results/\n",
    .without_input = "which recipe? ugoki run recipe.yaml [take…] -o DIR",
    .writes = true,
    .run = run,
};
