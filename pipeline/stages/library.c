// SPDX-License-Identifier: MIT
#include "pipeline/stages/library.h"

#include "datasets/catalog.h"
#include "formats/file.h"
#include "formats/roles_yaml.h"
#include "formats/settings_yaml.h"
#include "motion/text.h"
#include "pipeline/stages/open.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool is_yaml(const char *path)
{
    char extension[16];
    ug_path_extension(extension, path);
    return strcmp(extension, ".yaml") == 0 || strcmp(extension, ".yml") == 0;
}

static ug_status skeleton_of_file(ug_skeleton **skeleton, ug_attachments *attachments,
                                  ug_clip **clip, const char *path, const ug_read_opts *opts,
                                  ug_warnings *warnings, ug_error *err)
{
    ug_take take;
    ug_take_init(&take);
    ug_status status = ug_open_any(&take, path, UG_PART_ALL, opts, warnings, err);
    if (status == UG_OK && !take.skeleton) {
        ug_error_where(err, "%s", path);
        status = ug_fail(err, UG_E_NOT_ENOUGH, "has no skeleton");
    }
    if (status == UG_OK) {
        *skeleton = take.skeleton;
        take.skeleton = NULL;
        if (attachments) {
            *attachments = take.attachments;
            take.attachments = (ug_attachments){ 0 };
        }
        if (clip) {
            *clip = take.clip;
            take.clip = NULL;
        }
    }
    ug_take_fini(&take);
    return status;
}

ug_status ug_library_skeleton(ug_skeleton **skeleton, ug_attachments *attachments, ug_clip **clip,
                              const char *name, ug_catalog_kind kind, const ug_read_opts *opts,
                              const char *data_dir, ug_warnings *warnings, ug_error *err)
{
    assert(skeleton && name && (!attachments || attachments->count == 0));
    char *path = NULL;
    if (clip) {
        *clip = NULL;
    }
    ug_status status = ug_catalog_find(&path, kind, name, data_dir, err);
    if (status != UG_OK) {
        return status;
    }
    status = is_yaml(path)
                 ? ug_template_read(skeleton, path, err)
                 : skeleton_of_file(skeleton, attachments, clip, path, opts, warnings, err);
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    ug_error_settle(err);
    free(path);
    return status;
}

// Attachments that came with another skeleton, tied to `skeleton` by segment names.
static ug_status retie(ug_attachments *out, const ug_attachments *from, const ug_skeleton *skeleton,
                       ug_error *err)
{
    ug_marker_set set = { .markers = *from }; // borrowed for the call
    return ug_marker_set_attach(out, &set, skeleton, err);
}

ug_status ug_library_markers(ug_attachments *attachments, const char *name,
                             const ug_skeleton *skeleton, const char *data_dir,
                             ug_warnings *warnings, ug_error *err)
{
    assert(attachments && attachments->count == 0 && name && skeleton);
    char *path = NULL;
    ug_status status = ug_catalog_find(&path, UG_CATALOG_MARKERS, name, data_dir, err);
    if (status == UG_OK && is_yaml(path)) {
        ug_marker_set set = { 0 };
        status = ug_marker_set_read(&set, path, err);
        if (status == UG_OK) {
            status = ug_marker_set_attach(attachments, &set, skeleton, err);
        }
        if (status != UG_OK) {
            ug_error_where(err, "%s", path);
        }
        ug_error_settle(err);
        ug_marker_set_fini(&set);
    } else if (status == UG_OK) {
        ug_skeleton *other = NULL;
        ug_attachments own = { 0 };
        status = skeleton_of_file(&other, &own, NULL, path, NULL, warnings, err);
        if (status == UG_OK) {
            status = retie(attachments, &own, skeleton, err);
        }
        ug_attachments_fini(&own);
        ug_skeleton_destroy(other);
    }
    free(path);
    return status;
}

ug_status ug_library_sets(ug_marker_set **sets, size_t *count, const char *data_dir, ug_error *err)
{
    char **names = NULL;
    size_t name_count = 0;
    *sets = NULL;
    *count = 0;
    ug_status status = ug_catalog_list(&names, &name_count, UG_CATALOG_MARKERS, data_dir, err);
    if (status == UG_OK) {
        *sets = calloc(name_count + 1, sizeof **sets);
        status = *sets ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; status == UG_OK && i < name_count; i++) {
        char *path = NULL;
        status = ug_catalog_find(&path, UG_CATALOG_MARKERS, names[i], data_dir, err);
        if (status == UG_OK) {
            status = ug_marker_set_read(&(*sets)[*count], path, err);
            *count += status == UG_OK;
        }
        free(path);
    }
    ug_text_list_destroy(names, name_count);
    if (status != UG_OK) {
        ug_library_sets_destroy(*sets, *count);
        *sets = NULL;
        *count = 0;
    }
    return status;
}

void ug_library_sets_destroy(ug_marker_set *sets, size_t count)
{
    for (size_t i = 0; sets && i < count; i++) {
        ug_marker_set_fini(&sets[i]);
    }
    free(sets);
}

ug_status ug_library_roles(ug_role_dictionary *dictionary, const char *data_dir, ug_error *err)
{
    char *path = NULL;
    ug_status status = ug_catalog_find(&path, UG_CATALOG_ROLES, "roles", data_dir, err);
    if (status == UG_OK) {
        status = ug_roles_yaml_read(dictionary, path, err);
    }
    ug_error_settle(err);
    free(path);
    return status;
}
