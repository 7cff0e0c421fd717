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

static ug_status append(char ***list, size_t *count, const char *text, ug_error *err)
{
    char **grown = realloc(*list, (*count + 1) * sizeof *grown);
    char *copy = ug_text_copy(text);
    *list = grown ? grown : *list;
    if (!grown || !copy) {
        free(copy);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    grown[(*count)++] = copy;
    return UG_OK;
}

// "take[1]/" -> "take\[1]/": the recipe's folder is a name, only what stands in it is a pattern.
static char *escape(const char *text, size_t length)
{
    char *escaped = malloc(2 * length + 1), *out = escaped;
    for (size_t i = 0; escaped && i < length; i++) {
        if (strchr("*?[\\", text[i])) {
            *out++ = '\\';
        }
        *out++ = text[i];
    }
    if (escaped) {
        *out = '\0';
    }
    return escaped;
}

// The files of one pattern below `folder`, appended; none is no error.
static ug_status add_matches(char ***takes, size_t *count, const char *folder, size_t length,
                             const char *input, ug_error *err)
{
    struct stat st;
    glob_t found = { 0 };
    char *literal = ug_text_format("%.*s%s", (int)length, folder, input);
    char *escaped = escape(folder, length);
    char *pattern = escaped ? ug_text_format("%s%s", escaped, input) : NULL;
    ug_status status = UG_OK;
    if (!literal || !pattern) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    } else if (stat(literal, &st) == 0) {
        status = append(takes, count, literal, err);
    } else if (glob(pattern, 0, NULL, &found) == GLOB_NOSPACE) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; status == UG_OK && i < found.gl_pathc; i++) {
        status = append(takes, count, found.gl_pathv[i], err);
    }
    globfree(&found);
    free(pattern);
    free(escaped);
    free(literal);
    return status;
}

ug_status ug_run_inputs(char ***takes, size_t *count, char ***unmatched, size_t *unmatched_count,
                        const ug_recipe *recipe, const char *recipe_path, ug_error *err)
{
    *takes = *unmatched = NULL;
    *count = *unmatched_count = 0;
    ug_status status = UG_OK;
    for (size_t i = 0; status == UG_OK && i < recipe->input_count; i++) {
        const char *input = recipe->inputs[i];
        const size_t before = *count;
        const size_t folder =
            input[0] == '/' ? 0 : (size_t)(ug_path_base(recipe_path) - recipe_path);
        status = add_matches(takes, count, recipe_path, folder, input, err);
        if (status == UG_OK && *count == before) {
            status = append(unmatched, unmatched_count, input, err);
        }
    }
    if (status != UG_OK) {
        ug_text_list_destroy(*takes, *count);
        ug_text_list_destroy(*unmatched, *unmatched_count);
        *takes = *unmatched = NULL;
        *count = *unmatched_count = 0;
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
