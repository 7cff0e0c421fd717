// SPDX-License-Identifier: MIT
// validate: read everything, check everything, change nothing. Exit 0 when usable; --strict wants
// it without a single warning.
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/cli/take_input.h"
#include "pipeline/stages/take_metrics.h"
#include "pipeline/stages/validate.h"

#include <stdio.h>

static const ug_option OPTIONS[] = {
    CLI_TAKE_OPTIONS,
};

static ug_status validate(const cli_call *call, const char *path, ug_error *err)
{
    const cli_args *args = call->args;
    ug_take take;
    ug_stage_context context = { 0 };
    ug_take_init(&take);
    ug_status status = cli_take_read(&take, call, path, &context.warnings, err);
    if (status == UG_OK) {
        status = ug_take_validate(&take, &context.warnings, err);
    }
    status = cli_warnings_settle(call, &context.warnings, status, err);
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
