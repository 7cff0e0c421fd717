// SPDX-License-Identifier: MIT
// run: a recipe over takes. Prints one line a stage, or {"stages": […]}.
#include "pipeline/cli/args.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/cli/run_report.h"

#include <stdio.h>

int cmd_run(int argc, char **argv, const char *command_line)
{
    static const char EXAMPLES[] = "  ugoki run recipe.yaml\n"
                                   "  ugoki run recipe.yaml takes/*.c3d -o results/\n";
    cli_args args = { 0 };
    ug_option_values values;
    ug_error err = { 0 };
    ug_status status = ug_option_values_init(&values, NULL, 0, &err);
    if (status == UG_OK) {
        status = cli_args_parse(&args, &values, argc, argv, &err);
    }
    if (status == UG_OK && !args.help) {
        status = cli_args_refuse(&args, "run", true, &err);
    }
    if (status == UG_OK && !args.help && args.input_count == 0) {
        status = ug_fail(&err, UG_E_USAGE, "which recipe? ugoki run recipe.yaml [take…] -o DIR");
    }
    if (status != UG_OK) {
        cli_print_error("run", &err);
    } else if (args.help) {
        cli_print_help("run", "recipe.yaml [take…] -o DIR", "run a recipe over takes", EXAMPLES,
                       NULL, 0);
    } else {
        status = cli_run_recipe(args.inputs[0], args.inputs + 1, args.input_count - 1,
                                args.output ? args.output : "ugoki-out", &args, command_line);
    }
    cli_args_fini(&args);
    ug_option_values_fini(&values);
    return cli_exit_code(status);
}
