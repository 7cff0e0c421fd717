// SPDX-License-Identifier: MIT
#include "pipeline/stages/open.h"

#include "formats/format.h"
#include "formats/store.h"
#include "pipeline/stages/library.h"
#include "solvers/roles_find.h"

ug_status ug_open_any(ug_take *take, const char *path, const char *unit, const char *up,
                      ug_warnings *warnings, ug_error *err)
{
    if (ug_store_probe(path) != UG_STORE_NONE) {
        return ug_store_read(take, path, UG_PART_ALL, warnings, err);
    }
    return ug_format_read(take, path, &(ug_read_opts){ .unit = unit, .up = up }, warnings, err);
}

ug_status ug_seal_file(const char *path, ug_warnings *warnings, ug_error *err)
{
    return ug_store_seal(path, warnings, err);
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
