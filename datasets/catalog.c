// SPDX-License-Identifier: MIT
#include "datasets/catalog.h"

#include "motion/text.h"

#include <assert.h>
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef UG_BUILD_SHARE
#define UG_BUILD_SHARE ""
#endif

static const struct {
    const char *folder, *what;
} KINDS[UG_CATALOG_KIND_COUNT] = {
    { "templates", "template" }, { "markersets", "marker set" }, { "characters", "character" },
    { "recipes", "recipe" },     { ".", "role dictionary" },
};

enum { PLACE_COUNT = 4 };

// The folder beside the program: <executable>/../share/ugoki
static char *beside_program(void)
{
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return NULL;
    }
    program[length] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (!slash) {
            return NULL;
        }
        *slash = '\0';
    }
    return ug_text_format("%s/share/ugoki", program);
}

// Root folder `place` in search order; NULL when there is none such. free() it.
static char *root_of(int place, const char *data_dir)
{
    const char *share = getenv("UGOKI_SHARE");
    switch (place) {
    case 0:
        return data_dir ? ug_text_copy(data_dir) : NULL;
    case 1:
        return share && *share ? ug_text_copy(share) : NULL;
    case 2:
        return beside_program();
    default:
        return UG_BUILD_SHARE[0] ? ug_text_copy(UG_BUILD_SHARE) : NULL;
    }
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// "cmu_41.yaml" -> "cmu_41"; NULL for another ending
static char *stem_of_yaml(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && dot != file && strcmp(dot, ".yaml") == 0
               ? ug_text_copy_n(file, (size_t)(dot - file))
               : NULL;
}

static ug_status list_folder(char ***names, size_t *count, const char *folder, ug_error *err)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        char *stem = stem_of_yaml(e->d_name);
        if (!stem) {
            continue;
        }
        char **grown = realloc(*names, (*count + 1) * sizeof *grown);
        if (!grown) {
            free(stem);
            closedir(dir);
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        *names = grown;
        grown[(*count)++] = stem;
    }
    if (dir) {
        closedir(dir);
    }
    if (*count > 1) {
        qsort(*names, *count, sizeof **names, by_name);
    }
    return UG_OK;
}

ug_status ug_catalog_list(char ***names, size_t *count, ug_catalog_kind kind, const char *data_dir,
                          ug_error *err)
{
    assert(names && count && kind < UG_CATALOG_KIND_COUNT);
    *names = NULL;
    *count = 0;
    for (int place = 0; place < PLACE_COUNT; place++) {
        char *root = root_of(place, data_dir);
        char *folder = root ? ug_text_format("%s/%s", root, KINDS[kind].folder) : NULL;
        ug_status status = folder ? list_folder(names, count, folder, err) : UG_OK;
        free(folder);
        free(root);
        if (status != UG_OK) {
            ug_text_list_destroy(*names, *count);
            *names = NULL;
            *count = 0;
            return status;
        }
        if (*count > 0) {
            return UG_OK;
        }
    }
    return ug_fail(err, UG_E_IO,
                   "no data folder with a %s in it; name it with --data-dir or $UGOKI_SHARE",
                   KINDS[kind].what);
}

// Every name there is, in all places, and the places themselves: "a, b, c".
static ug_status describe(char *all, size_t all_size, char *places, size_t places_size,
                          ug_catalog_kind kind, const char *data_dir, ug_error *err)
{
    char **names = NULL;
    size_t count = 0, all_used = 0, places_used = 0;
    ug_status status = UG_OK;
    all[0] = places[0] = '\0';
    for (int place = 0; place < PLACE_COUNT && status == UG_OK; place++) {
        char *root = root_of(place, data_dir);
        char *folder = root ? ug_text_format("%s/%s", root, KINDS[kind].folder) : NULL;
        status = folder ? list_folder(&names, &count, folder, err) : UG_OK;
        if (root && places_used < places_size) {
            places_used += (size_t)snprintf(places + places_used, places_size - places_used, "%s%s",
                                            places_used > 0 ? ", " : "", root);
        }
        free(folder);
        free(root);
    }
    for (size_t i = 0; i < count && status == UG_OK && all_used < all_size; i++) {
        if (i == 0 || strcmp(names[i - 1], names[i]) != 0) {
            all_used += (size_t)snprintf(all + all_used, all_size - all_used, "%s%s",
                                         i > 0 ? ", " : "", names[i]);
        }
    }
    ug_text_list_destroy(names, count);
    return status;
}

static ug_status not_found(ug_catalog_kind kind, const char *name, const char *data_dir,
                           ug_error *err)
{
    char all[200], places[160];
    const ug_status status = describe(all, sizeof all, places, sizeof places, kind, data_dir, err);
    if (status != UG_OK) {
        return status;
    }
    if (!all[0]) {
        return ug_fail(err, UG_E_IO,
                       "no data folder with a %s in it; name it with --data-dir or $UGOKI_SHARE",
                       KINDS[kind].what);
    }
    return ug_fail(err, UG_E_USAGE, "no %s '%s'; there are %s, or give a file (looked in %s)",
                   KINDS[kind].what, name, all, places);
}

ug_status ug_catalog_find(char **path, ug_catalog_kind kind, const char *name, const char *data_dir,
                          ug_error *err)
{
    assert(path && name && kind < UG_CATALOG_KIND_COUNT);
    *path = NULL;
    if (strpbrk(name, "/.")) {
        *path = ug_text_copy(name);
        return *path ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (int place = 0; place < PLACE_COUNT; place++) {
        char *root = root_of(place, data_dir);
        char *candidate =
            root ? ug_text_format("%s/%s/%s.yaml", root, KINDS[kind].folder, name) : NULL;
        free(root);
        if (candidate && is_file(candidate)) {
            *path = candidate;
            return UG_OK;
        }
        free(candidate);
    }
    return not_found(kind, name, data_dir, err);
}
