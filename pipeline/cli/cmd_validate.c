// SPDX-License-Identifier: MIT
// validate: read everything, check everything, change nothing. Exit 0 when usable; --strict wants
// it without a single warning.
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

static ug_status validate(const cli_call *call, const char *path, ug_error *err)
{
    const cli_args *args = call->args;
    ug_take take;
    ug_stage_context context = { 0 };
    ug_take_init(&take);
    const ug_read_opts opts = { .unit = ug_option_text(call->values, "unit"),
                                .up = ug_option_text(call->values, "up") };
    ug_status status = ug_open_any(&take, path, UG_PART_ALL, &opts, &context.warnings, err);
    if (status == UG_OK) {
        status = ug_take_validate(&take, &context.warnings, err);
    }
    if (status == UG_OK && args->strict && context.warnings.count > 0) {
        status = ug_fail(err, UG_E_DATA, "--strict: %s", context.warnings.items[0].first);
    }
    cli_print_warnings(&context.warnings, args->quiet);
    if (status == UG_OK && args->json) {
        ug_metrics_add_clip(&context.metrics, take.clip);
        ug_metrics_add_markers(&context.metrics, take.markers);
        cli_print_json(call->verb->name, &context);
        printf("\n");
    } else if (status == UG_OK && !args->quiet) {
        printf("%s: usable, %zu kinds of warning\n", path, context.warnings.count);
    }
    ug_stage_context_fini(&context);
    ug_take_fini(&take);
    return status;
}

const cli_verb cmd_validate = {
    .name = "validate",
    .usage = "FILE…",
    .summary = "check a file without changing it",
    .examples = "  ugoki validate take.c3d --strict\n"
                "  ugoki validate stores/*.h5 --json\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .without_input = "which file? ugoki validate FILE",
    .run_file = validate,
};
