// SPDX-License-Identifier: MIT
#include "pipeline/stages/paths.h"

#include "formats/file.h"
#include "motion/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool ug_path_is_folder(const char *path)
{
    struct stat st;
    const size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

ug_status ug_path_make_folder(const char *path, ug_error *err)
{
    char *part = ug_text_copy(path);
    if (!part) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_status status = UG_OK;
    for (char *slash = part + 1; status == UG_OK && *slash; slash++) {
        if (*slash == '/') {
            *slash = '\0';
            (void)mkdir(part, 0777); // the last one tells
            *slash = '/';
        }
    }
    struct stat st;
    if (mkdir(part, 0777) != 0 && (stat(part, &st) != 0 || !S_ISDIR(st.st_mode))) {
        ug_error_where(err, "%s", path);
        status = ug_fail(err, UG_E_WRITE, "folder cannot be made: %s", strerror(errno));
    }
    free(part);
    return status;
}

char *ug_path_stem(const char *path)
{
    const char *base = ug_path_base(path);
    const char *dot = strrchr(base, '.');
    return ug_text_copy_n(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

char *ug_path_in_folder(const char *folder, const char *input, const char *suffix,
                        const char *ending)
{
    char *stem = ug_path_stem(input);
    const size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    char *path = stem ? ug_text_format("%s%s%s%s.%s", folder, slash, stem, suffix, ending) : NULL;
    free(stem);
    return path;
}

const char *ug_path_same_stem(char *const *paths, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        char *mine = ug_path_stem(paths[i]);
        bool same = false;
        for (size_t k = 0; mine && k < i && !same; k++) {
            char *other = ug_path_stem(paths[k]);
            same = other && strcmp(mine, other) == 0;
            free(other);
        }
        free(mine);
        if (same) {
            return paths[i];
        }
    }
    return NULL;
}
