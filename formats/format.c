// SPDX-License-Identifier: MIT
// The list of formats: a new one is one line here.
#include "formats/format.h"

#include "formats/bvh.h"
#include "formats/c3d.h"
#include "formats/file.h"
#include "formats/glb.h"
#include "formats/marker_csv.h"
#include "formats/trc.h"
#include "formats/vsk.h"
#include "motion/text.h"

#include <assert.h>
#include <string.h>

enum { HEAD_BYTES = 4096 };

static const ug_format *const FORMATS[] = {
    &ug_format_c3d, &ug_format_bvh, &ug_format_trc, &ug_format_csv, &ug_format_vsk, &ug_format_glb,
};

enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

const ug_format *const *ug_format_list(size_t *count)
{
    *count = FORMAT_COUNT;
    return FORMATS;
}

// ".c3d" in ".vsk .vst"
static bool has_extension(const ug_format *format, const char *extension)
{
    const size_t length = strlen(extension);
    if (length < 2) {
        return false; // no extension, or only its dot
    }
    for (const char *p = format->extensions; (p = strstr(p, extension)) != NULL; p += length) {
        if ((p[length] == ' ' || p[length] == '\0')) {
            return true;
        }
    }
    return false;
}

const ug_format *ug_format_find(const char *name)
{
    assert(name);
    char extension[16];
    ug_path_extension(extension, name);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (ug_text_equal_nocase(FORMATS[i]->name, name) || has_extension(FORMATS[i], extension)) {
            return FORMATS[i];
        }
    }
    return NULL;
}

static const ug_format *detect(const char *path, const ug_bytes *head)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (FORMATS[i]->matches && FORMATS[i]->matches(head->data, head->size)) {
            return FORMATS[i];
        }
    }
    char extension[16];
    ug_path_extension(extension, path);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (has_extension(FORMATS[i], extension)) {
            return FORMATS[i]; // its reader says what is wrong
        }
    }
    return NULL;
}

const ug_format *ug_format_detect(const char *path)
{
    assert(path);
    ug_bytes head = { 0 };
    const ug_format *format = NULL;
    if (ug_path_check_rereadable(path, NULL) == UG_OK &&
        ug_bytes_read_head(&head, path, HEAD_BYTES, NULL) == UG_OK) {
        format = detect(path, &head);
    }
    ug_bytes_fini(&head);
    return format;
}

ug_status ug_format_read(ug_take *take, const char *path, const ug_read_opts *opts,
                         ug_warnings *warnings, ug_error *err)
{
    assert(take && path);
    ug_bytes head = { 0 };
    ug_status status = ug_path_check_rereadable(path, err);
    status = status == UG_OK ? ug_bytes_read_head(&head, path, HEAD_BYTES, err) : status;
    const ug_format *format = status == UG_OK ? detect(path, &head) : NULL;
    const bool empty = head.size == 0;
    ug_bytes_fini(&head);
    if (status == UG_OK && format && format->read) {
        status = format->read(take, path, opts, warnings, err);
    } else if (status == UG_OK) {
        status = ug_fail(err, UG_E_UNSUPPORTED,
                         empty    ? "the file is empty"
                         : format ? "this format is written here, not read"
                                  : "is in no format that is read here: C3D, "
                                    "BVH, TRC, VSK or marker CSV");
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    return status;
}
