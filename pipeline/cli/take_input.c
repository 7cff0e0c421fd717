// SPDX-License-Identifier: MIT
#include "pipeline/cli/take_input.h"

#include "pipeline/cli/console.h"
#include "pipeline/stages/open.h"
#include "pipeline/stages/shown_contacts.h"

#include <string.h>

ug_status cli_take_read(ug_take *take, const cli_call *call, const char *path,
                        ug_warnings *warnings, ug_error *err)
{
    const ug_read_opts opts = { .unit = ug_option_text(call->values, "unit"),
                                .up = ug_option_text(call->values, "up") };
    return ug_open_any(take, path, UG_PART_ALL, &opts, warnings, err);
}

static bool has_roles(const ug_skeleton *skeleton)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->joints[j].role != UG_ROLE_NONE) {
            return true;
        }
    }
    return false;
}

static ug_status find_roles(ug_take *take, const cli_call *call, ug_warnings *warnings,
                            ug_error *err)
{
    ug_error unseen = { 0 };
    if (!take->skeleton || has_roles(take->skeleton)) {
        return UG_OK;
    }
    const ug_status found = ug_open_roles(take, call->args->data_dir, warnings, &unseen);
    if (found == UG_E_NOMEM) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (found != UG_OK && found != UG_E_NOT_ENOUGH) {
        ug_warn(warnings, "roles_not_looked_for", "bones instead of a body: %s", unseen.message);
    }
    return UG_OK;
}

ug_status cli_take_read_to_draw(ug_take *take, const cli_call *call, const char *path,
                                bool find_contacts, ug_warnings *warnings, ug_error *err)
{
    ug_status status = cli_take_read(take, call, path, warnings, err);
    if (status == UG_OK) {
        status = find_roles(take, call, warnings, err);
    }
    return status == UG_OK ? ug_shown_contacts_find(take, find_contacts, err) : status;
}

const char *cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
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
