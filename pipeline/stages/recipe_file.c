// SPDX-License-Identifier: MIT
#include "pipeline/stages/recipe_file.h"

#include "datasets/catalog.h"
#include "formats/settings_yaml.h"

#include <stdlib.h>

ug_status ug_recipe_file_read(ug_recipe *recipe, const char *path_or_name, const char *data_dir,
                              ug_error *err)
{
    char *path = NULL;
    ug_status status = ug_catalog_find(&path, UG_CATALOG_RECIPE, path_or_name, data_dir, err);
    if (status == UG_OK) {
        status = ug_recipe_read(recipe, path, err);
    }
    free(path);
    return status;
}
