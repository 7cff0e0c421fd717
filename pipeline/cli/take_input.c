// SPDX-License-Identifier: MIT
#include "pipeline/cli/take_input.h"

#include "pipeline/cli/console.h"
#include "pipeline/stages/open.h"

ug_status cli_take_read(ug_take *take, const cli_call *call, const char *path,
                        ug_warnings *warnings, ug_error *err)
{
    const ug_read_opts opts = { .unit = ug_option_text(call->values, "unit"),
                                .up = ug_option_text(call->values, "up") };
    return ug_open_any(take, path, UG_PART_ALL, &opts, warnings, err);
}

ug_status cli_warnings_settle(const cli_call *call, const ug_warnings *warnings, ug_status status,
                              ug_error *err)
{
    cli_print_warnings(warnings, call->args->quiet);
    if (status == UG_OK && call->args->strict && warnings->count > 0) {
        return ug_fail(err, UG_E_DATA, "--strict: %s", warnings->items[0].first);
    }
    return status;
}
