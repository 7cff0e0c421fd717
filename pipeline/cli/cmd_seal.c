// SPDX-License-Identifier: MIT
// seal: put a fresh checksum in front of a store that another program made or edited.
#include "pipeline/cli/commands.h"
#include "pipeline/stages/open.h"

#include <stdio.h>

static ug_status seal(const cli_call *call, const char *path, ug_error *err)
{
    ug_warnings warnings = { 0 };
    const ug_status status = ug_store_seal(path, &warnings, err);
    if (status == UG_OK && !call->args->quiet) {
        printf("sealed %s\n", path);
    }
    return status;
}

const cli_verb cmd_seal = {
    .name = "seal",
    .usage = "FILE…",
    .summary = "re-seal a store that was edited elsewhere",
    .examples = "  ugoki seal edited.h5\n",
    .without_input = "which file? ugoki seal FILE",
    .run_file = seal,
};
