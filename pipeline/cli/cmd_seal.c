// SPDX-License-Identifier: MIT
// seal: put a fresh checksum in front of a store that another program made or edited.
#include "pipeline/cli/args.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/stages/open.h"

#include <stdio.h>

int cmd_seal(int argc, char **argv)
{
    cli_args args = { 0 };
    ug_option_values values;
    ug_error err = { 0 };
    ug_status status = ug_option_values_init(&values, NULL, 0, &err);
    if (status == UG_OK) {
        status = cli_args_parse(&args, &values, argc, argv, &err);
    }
    if (status == UG_OK && !args.help) {
        status = cli_args_refuse(&args, "seal", false, &err);
    }
    if (status == UG_OK && args.help) {
        cli_print_help("seal", "FILE…", "re-seal a store that was edited elsewhere",
                       "  ugoki seal edited.h5\n", NULL, 0);
    } else if (status == UG_OK && args.input_count == 0) {
        status = ug_fail(&err, UG_E_USAGE, "which file? ugoki seal FILE");
    }
    int worst = cli_exit_code(status);
    if (status != UG_OK) {
        cli_print_error("seal", &err);
    }
    for (size_t i = 0; status == UG_OK && !args.help && i < args.input_count; i++) {
        ug_warnings warnings = { 0 };
        ug_error one = { 0 };
        const ug_status sealed = ug_seal_file(args.inputs[i], &warnings, &one);
        if (sealed != UG_OK) {
            ug_error_where(&one, "%s", args.inputs[i]);
            cli_print_error("seal", &one);
        } else if (!args.quiet) {
            printf("sealed %s\n", args.inputs[i]);
        }
        const int code = cli_exit_code(sealed);
        worst = code > worst ? code : worst;
    }
    cli_args_fini(&args);
    ug_option_values_fini(&values);
    return worst;
}
