// SPDX-License-Identifier: MIT
#include "formats/roles_yaml.h"

#include "formats/yaml_fields.h"

#include <assert.h>

enum { OTHER_LISTS = 3, KEY_COUNT = UG_ROLE_PART_COUNT + OTHER_LISTS };

static const char *const OTHER_NAMES[OTHER_LISTS] = { "prefixes", "suffixes", "ignore" };

static ug_status read_list(ug_pattern_list *list, const ug_yaml *node, const char *name,
                           ug_error *err)
{
    if (!node || ug_yaml_is_null(node)) {
        return UG_OK;
    }
    ug_status status = ug_yaml_sequence(node, name, err);
    for (size_t i = 0; status == UG_OK && i < node->count; i++) {
        const char *pattern = NULL;
        status = ug_yaml_text(&pattern, &node->items[i], name, err);
        if (status == UG_OK) {
            status = ug_pattern_list_add(list, pattern, err);
        }
    }
    return status;
}

static ug_status from_document(ug_role_dictionary *out, const ug_yaml *root, ug_error *err)
{
    const char *allowed[KEY_COUNT + 1] = { NULL };
    const char *needed[UG_ROLE_PART_COUNT + 1] = { NULL };
    for (int p = 0; p < UG_ROLE_PART_COUNT; p++) {
        allowed[p] = needed[p] = ug_role_part_name((ug_role_part)p);
    }
    for (int i = 0; i < OTHER_LISTS; i++) {
        allowed[UG_ROLE_PART_COUNT + i] = OTHER_NAMES[i];
    }
    ug_status status = ug_yaml_check_keys(root, "role dictionary", allowed, needed, err);
    ug_pattern_list *const others[OTHER_LISTS] = { &out->prefixes, &out->suffixes, &out->ignore };
    for (int i = 0; status == UG_OK && i < OTHER_LISTS; i++) {
        status = read_list(others[i], ug_yaml_get(root, OTHER_NAMES[i]), OTHER_NAMES[i], err);
    }
    for (int p = 0; status == UG_OK && p < UG_ROLE_PART_COUNT; p++) {
        status = read_list(&out->parts[p], ug_yaml_get(root, needed[p]), needed[p], err);
    }
    if (status != UG_OK) {
        ug_role_dictionary_fini(out);
    }
    return status;
}

ug_status ug_roles_yaml_read(ug_role_dictionary *out, const char *path, ug_error *err)
{
    assert(out && path);
    *out = (ug_role_dictionary){ 0 };
    ug_yaml_document document;
    ug_status status = ug_yaml_read(&document, path, err);
    if (status == UG_OK) {
        status = from_document(out, &document.root, err);
    }
    ug_yaml_fini(&document);
    return status;
}

ug_status ug_roles_yaml_parse(ug_role_dictionary *out, const char *text, size_t size,
                              const char *path, ug_error *err)
{
    assert(out && text && path);
    *out = (ug_role_dictionary){ 0 };
    ug_yaml_document document;
    ug_status status = ug_yaml_parse(&document, text, size, path, err);
    if (status == UG_OK) {
        status = from_document(out, &document.root, err);
    }
    ug_yaml_fini(&document);
    return status;
}
