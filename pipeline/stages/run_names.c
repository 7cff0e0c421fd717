// SPDX-License-Identifier: MIT
#include "pipeline/stages/run_names.h"

#include "formats/file.h"
#include "motion/text.h"
#include "pipeline/stages/paths.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// "edits.yaml" next to the recipe, wherever the program was started; others as they are.
char *ug_run_beside(const char *recipe_path, const char *text)
{
    struct stat st;
    const size_t folder = (size_t)(ug_path_base(recipe_path) - recipe_path);
    char *joined = ug_text_format("%.*s%s", (int)folder, recipe_path, text);
    if (joined && text[0] != '/' && stat(joined, &st) == 0) {
        return joined;
    }
    free(joined);
    return ug_text_copy(text);
}

// One pattern's files, appended.
static ug_status add_matches(char ***takes, size_t *count, const char *pattern, ug_error *err)
{
    glob_t found = { 0 };
    ug_status status = UG_OK;
    const int code = glob(pattern, 0, NULL, &found);
    if (code == GLOB_NOSPACE) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    } else if (code != 0) {
        status = ug_fail(err, UG_E_IO, "inputs: nothing matches '%s'", pattern);
    }
    for (size_t i = 0; status == UG_OK && i < found.gl_pathc; i++) {
        char **grown = realloc(*takes, (*count + 1) * sizeof *grown);
        char *path = ug_text_copy(found.gl_pathv[i]);
        *takes = grown ? grown : *takes;
        if (!grown || !path) {
            free(path);
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
        } else {
            grown[(*count)++] = path;
        }
    }
    globfree(&found);
    return status;
}

ug_status ug_run_inputs(char ***takes, size_t *count, const ug_recipe *recipe,
                        const char *recipe_path, ug_error *err)
{
    *takes = NULL;
    *count = 0;
    ug_status status = UG_OK;
    const size_t folder = (size_t)(ug_path_base(recipe_path) - recipe_path);
    for (size_t i = 0; status == UG_OK && i < recipe->input_count; i++) {
        const char *input = recipe->inputs[i];
        char *pattern = input[0] == '/' ? ug_text_copy(input)
                                        : ug_text_format("%.*s%s", (int)folder, recipe_path, input);
        status = pattern ? add_matches(takes, count, pattern, err)
                         : ug_fail(err, UG_E_NOMEM, "out of memory");
        free(pattern);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", recipe_path);
        ug_text_list_destroy(*takes, *count);
        *takes = NULL;
        *count = 0;
    }
    return status;
}

// "monday/walk.c3d" -> "monday-walk"
static char *name_with_folder(const char *take)
{
    char *stem = ug_path_stem(take);
    char *folder = ug_text_copy_n(take, (size_t)(ug_path_base(take) - take));
    char *name = NULL;
    if (stem && folder) {
        const size_t length = strlen(folder);
        if (length > 0) {
            folder[length - 1] = '\0'; // its last slash
        }
        name = ug_text_format("%s%s%s", ug_path_base(folder), length > 0 ? "-" : "", stem);
    }
    free(stem);
    free(folder);
    return name;
}

static size_t count_equal(char *const *names, size_t count, const char *name)
{
    size_t equal = 0;
    for (size_t i = 0; i < count; i++) {
        equal += names[i] && strcmp(names[i], name) == 0;
    }
    return equal;
}

// The result folder of each take: its file name, with its folder's name where two are called alike.
ug_status ug_run_names(char ***out, char *const *takes, size_t take_count, ug_error *err)
{
    char **names = ug_text_list_create(take_count + 1);
    char **stems = ug_text_list_create(take_count + 1);
    ug_status status = stems && names ? UG_OK : UG_E_NOMEM;
    for (size_t i = 0; status == UG_OK && i < take_count; i++) {
        stems[i] = ug_path_stem(takes[i]);
        status = stems[i] ? UG_OK : UG_E_NOMEM;
    }
    for (size_t i = 0; status == UG_OK && i < take_count; i++) {
        const bool alone = count_equal(stems, take_count, stems[i]) == 1;
        names[i] = alone ? ug_text_copy(stems[i]) : name_with_folder(takes[i]);
        status = names[i] ? UG_OK : UG_E_NOMEM;
    }
    ug_text_list_destroy(stems, take_count);
    if (status != UG_OK) {
        (void)ug_fail(err, status, "out of memory");
    }
    for (size_t i = 0; status == UG_OK && i < take_count; i++) {
        if (count_equal(names, take_count, names[i]) > 1) {
            status = ug_fail(err, UG_E_USAGE,
                             "two takes would write into the same folder '%s': rename one of them",
                             names[i]);
        }
    }
    if (status != UG_OK) {
        ug_text_list_destroy(names, take_count);
        names = NULL;
    }
    *out = names;
    return status;
}
