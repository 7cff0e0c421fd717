// SPDX-License-Identifier: MIT
// validate: read everything, check everything, change nothing. Exit 0 when usable; --strict wants
// it without a single warning.
#include "pipeline/cli/args.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/stages/open.h"
#include "pipeline/stages/take_metrics.h"
#include "pipeline/stages/validate.h"

#include <stdio.h>

static const ug_option OPTIONS[] = {
    { .name = "unit", .type = UG_OPTION_TEXT, .help = "unit of the file's lengths" },
    { .name = "up", .type = UG_OPTION_TEXT, .help = "vertical axis of the file" },
};

static int validate(const char *path, const cli_args *args, const ug_option_values *values)
{
    ug_take take;
    ug_stage_context context = { 0 };
    ug_error err = { 0 };
    ug_take_init(&take);
    ug_status status = ug_open_any(&take, path, ug_option_text(values, "unit"),
                                   ug_option_text(values, "up"), &context.warnings, &err);
    if (status == UG_OK) {
        status = ug_take_validate(&take, &context.warnings, &err);
    }
    if (status == UG_OK && args->strict && context.warnings.count > 0) {
        status = ug_fail(&err, UG_E_DATA, "--strict: %s", context.warnings.items[0].first);
    }
    cli_print_warnings(&context.warnings, args->quiet);
    if (status != UG_OK) {
        ug_error_where(&err, "%s", path);
        cli_print_error("validate", &err);
    } else if (args->json) {
        ug_metrics_add_clip(&context.metrics, take.clip);
        ug_metrics_add_markers(&context.metrics, take.markers);
        cli_print_json("validate", &context);
        printf("\n");
    } else if (!args->quiet) {
        printf("%s: usable, %zu kinds of warning\n", path, context.warnings.count);
    }
    ug_stage_context_fini(&context);
    ug_take_fini(&take);
    return cli_exit_code(status);
}

int cmd_validate(int argc, char **argv)
{
    static const char EXAMPLES[] = "  ugoki validate take.c3d --strict\n"
                                   "  ugoki validate stores/*.h5 --json\n";
    const size_t count = sizeof OPTIONS / sizeof OPTIONS[0];
    cli_args args = { 0 };
    ug_option_values values;
    ug_error err = { 0 };
    ug_status status = ug_option_values_init(&values, OPTIONS, count, &err);
    if (status == UG_OK) {
        status = cli_args_parse(&args, &values, argc, argv, &err);
    }
    if (status == UG_OK && !args.help) {
        status = cli_args_refuse(&args, "validate", false, &err);
    }
    if (status == UG_OK && !args.help && args.input_count == 0) {
        status = ug_fail(&err, UG_E_USAGE, "which file? ugoki validate FILE");
    }
    int worst = cli_exit_code(status);
    if (status != UG_OK) {
        cli_print_error("validate", &err);
    } else if (args.help) {
        cli_print_help("validate", "FILE…", "check a file without changing it", EXAMPLES, OPTIONS,
                       count);
    } else {
        for (size_t i = 0; i < args.input_count; i++) {
            const int code = validate(args.inputs[i], &args, &values);
            worst = code > worst ? code : worst;
        }
    }
    cli_args_fini(&args);
    ug_option_values_fini(&values);
    return worst;
}
