// SPDX-License-Identifier: MIT
#include "pipeline/stages/open.h"

#include "pipeline/stages/library.h"
#include "solvers/roles_find.h"

ug_status ug_open_any(ug_take *take, const char *path, unsigned parts, const ug_read_opts *opts,
                      ug_warnings *warnings, ug_error *err)
{
    const ug_read_opts nothing = { 0 };
    const ug_status status =
        ug_store_probe(path) != UG_STORE_NONE
            ? ug_store_read(take, path, parts, warnings, err)
            : ug_format_read(take, path, opts ? opts : &nothing, warnings, err);
    ug_error_settle(err); // what fails later did not fail here
    return status;
}

ug_status ug_open_roles(ug_take *take, const char *data_dir, ug_warnings *warnings, ug_error *err)
{
    if (!take->skeleton) {
        return UG_OK;
    }
    ug_role_dictionary dictionary = { 0 };
    ug_status status = ug_library_roles(&dictionary, data_dir, err);
    if (status == UG_OK) {
        status = ug_roles_find(take->skeleton, NULL, take->clip, &dictionary, warnings, err);
    }
    ug_role_dictionary_fini(&dictionary);
    return status;
}
