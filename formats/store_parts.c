// SPDX-License-Identifier: MIT
// The root of a store and the table of its parts.
#include "formats/store_parts.h"

#include "formats/store.h"
#include "formats/store_block.h"
#include "formats/store_copy.h"

#include <stdlib.h>
#include <string.h>

// Skeleton first: attachments and motion are checked against it.
static const struct {
    unsigned part;
    ug_part_writer *put;
    ug_part_reader *get;
    const char *groups[2];
} PARTS[] = {
    { UG_PART_SOURCE, ug_store_put_source, ug_store_get_source, { "source" } },
    { UG_PART_MARKERS, ug_store_put_markers, ug_store_get_markers, { "markers" } },
    { UG_PART_ANALOG, ug_store_put_analog, ug_store_get_analog, { "analog", "events" } },
    { UG_PART_SKELETON, ug_store_put_skeleton, ug_store_get_skeleton, { "skeleton" } },
    { UG_PART_ATTACHMENTS, ug_store_put_attachments, ug_store_get_attachments, { "attachments" } },
    { UG_PART_MOTION, ug_store_put_motion, ug_store_get_motion, { "motion" } },
    { UG_PART_CONTACTS, ug_store_put_contacts, ug_store_get_contacts, { "contacts" } },
    { UG_PART_QUALITY, ug_store_put_quality, ug_store_get_quality, { "quality" } },
    { UG_PART_PROVENANCE, ug_store_put_provenance, ug_store_get_provenance, { "provenance" } },
};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

static const char *const CONVENTIONS[][2] = {
    { "up", "+Y" }, { "forward", "+Z" }, { "unit", "m" }, { "quaternion", "wxyz" }
};
enum { CONVENTION_COUNT = sizeof CONVENTIONS / sizeof *CONVENTIONS };

void ug_store_put_root(const ug_h5_group *root)
{
    ug_h5_put_text(root, NULL, "schema", "ugoki");
    ug_h5_put_int(root, NULL, "schema_version", UG_STORE_SCHEMA);
    for (size_t i = 0; i < CONVENTION_COUNT; i++) {
        ug_h5_put_text(root, NULL, CONVENTIONS[i][0], CONVENTIONS[i][1]);
    }
}

static void check_text(const ug_h5_group *root, const char *name, const char *want)
{
    char *text = ug_h5_get_text(root, NULL, name);
    if (text && strcmp(text, want) != 0) {
        ug_h5_fail(root->file, UG_E_FORMAT, "root attribute '%s' is '%.60s', must be '%s'", name,
                   text, want);
    }
    free(text);
}

void ug_store_check_root(const ug_h5_group *root)
{
    if (ug_h5_ok(root) && !ug_h5_has_attribute(root, NULL, "schema")) {
        ug_h5_fail(root->file, UG_E_FORMAT,
                   "HDF5, but not a ugoki store: root attribute 'schema' is missing");
    }
    check_text(root, "schema", "ugoki");
    const int64_t version = ug_h5_get_int(root, NULL, "schema_version", INT64_MIN, INT64_MAX);
    if (ug_h5_ok(root) && version != UG_STORE_SCHEMA) {
        ug_h5_fail(root->file, UG_E_UNSUPPORTED,
                   "store schema %lld; this program reads schema %d: use the version that wrote it",
                   (long long)version, UG_STORE_SCHEMA);
    }
    for (size_t i = 0; i < CONVENTION_COUNT; i++) {
        check_text(root, CONVENTIONS[i][0], CONVENTIONS[i][1]);
    }
}

ug_status ug_store_get_parts(ug_take *take, ug_h5_file *file, unsigned parts)
{
    const ug_h5_group root = ug_h5_root(file);
    ug_store_check_root(&root);
    for (size_t i = 0; file->status == UG_OK && i < PART_COUNT; i++) {
        if (parts & PARTS[i].part) {
            PARTS[i].get(take, &root);
        }
    }
    return file->status;
}

void ug_store_put_parts(ug_h5_file *file, const ug_take *take, unsigned parts,
                        const ug_h5_file *base, const ug_progress *progress)
{
    const ug_h5_group root = ug_h5_root(file);
    ug_store_put_root(&root);
    if (base) {
        const char *skip[2 * PART_COUNT + 1] = { NULL };
        size_t count = 0;
        for (size_t i = 0; i < PART_COUNT; i++) {
            for (int g = 0; (parts & PARTS[i].part) && g < 2 && PARTS[i].groups[g]; g++) {
                skip[count++] = PARTS[i].groups[g];
            }
        }
        ug_h5_copy_members(file, base, skip);
    }
    for (size_t i = 0; file->status == UG_OK && i < PART_COUNT; i++) {
        if (!ug_progress_report(progress, (double)i / (double)PART_COUNT)) {
            ug_h5_fail(file, UG_E_INTERRUPTED, "interrupted; nothing was written");
        } else if (parts & PARTS[i].part) {
            PARTS[i].put(&root, take);
        }
    }
}
