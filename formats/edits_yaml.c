// SPDX-License-Identifier: MIT
#include "formats/settings_yaml.h"
#include "formats/yaml_fields.h"
#include "motion/contacts.h"
#include "motion/text.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

// What each kind of edit may and must have beside its own key, by ug_edit_kind.
static const struct {
    const char *verb;
    int label_count; ///< texts in the verb's value
    bool frames;     ///< may have them
    const char *keys[6];
    const char *needed[6];
} KINDS[] = {
    [UG_EDIT_FILL] = { "fill", 1, true, { "fill", "frames", "method" }, { "frames" } },
    [UG_EDIT_SWAP] = { "swap", 2, true, { "swap", "frames" }, { "frames" } },
    [UG_EDIT_CLEAR] = { "clear", 1, true, { "clear", "frames" }, { "frames" } },
    [UG_EDIT_RENAME] = { "rename", 2, false, { "rename" }, { NULL } },
    [UG_EDIT_CONTACT] = { "contact",
                          1,
                          false,
                          { "contact", "from_s", "to_s", "kind" },
                          { "from_s", "to_s" } },
    [UG_EDIT_MERGE] = { "merge", 2, true, { "merge", "frames" }, { NULL } },
    [UG_EDIT_DROP] = { "drop", 1, false, { "drop" }, { NULL } },
    [UG_EDIT_SPLIT] = { "split", 2, true, { "split", "frames" }, { "frames" } },
    [UG_EDIT_KEEP] = { "keep", 2, true, { "keep", "frames" }, { NULL } },
};

enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

static ug_status read_labels(ug_edit *edit, const ug_yaml *node, const char *verb, int count,
                             ug_error *err)
{
    ug_status status = UG_OK;
    if (count == 2) {
        status = ug_yaml_sequence(node, verb, err);
        if (status == UG_OK && node->count != 2) {
            return ug_yaml_fail(node, node->line, err, "%s needs two labels: [A, B]", verb);
        }
    }
    for (int i = 0; status == UG_OK && i < count; i++) {
        const char *text = NULL;
        status = ug_yaml_text(&text, count == 2 ? &node->items[i] : node, verb, err);
        edit->labels[i] = status == UG_OK ? ug_text_copy(text) : NULL;
        if (status == UG_OK && !edit->labels[i]) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
    }
    return status;
}

static ug_status read_frames(ug_edit *edit, const ug_yaml *node, ug_error *err)
{
    ug_status status = ug_yaml_sequence(node, "frames", err);
    if (status == UG_OK && node->count != 2) {
        return ug_yaml_fail(node, node->line, err, "frames needs first and last: [first, last]");
    }
    if (status == UG_OK) {
        status = ug_yaml_integer(&edit->first, &node->items[0], "frames", 0, LONG_MAX - 1, err);
    }
    if (status == UG_OK) {
        status = ug_yaml_integer(&edit->last, &node->items[1], "frames", 0, LONG_MAX - 1, err);
    }
    if (status == UG_OK && edit->first > edit->last) {
        return ug_yaml_fail(node, node->line, err, "frames: first %ld stands after last %ld",
                            edit->first, edit->last);
    }
    return status;
}

static ug_status read_method(ug_edit *edit, const ug_yaml *node, const char *name,
                             const char *fallback, ug_error *err)
{
    const char *text = fallback;
    const ug_status status = node ? ug_yaml_text(&text, node, name, err) : UG_OK;
    if (status == UG_OK && text) {
        edit->method = ug_text_copy(text);
        return edit->method ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return status;
}

static ug_status read_contact(ug_edit *edit, const ug_yaml *map, ug_error *err)
{
    const char *points[UG_CONTACT_POINT_COUNT + 1] = { NULL };
    for (int i = 0; i < UG_CONTACT_POINT_COUNT; i++) {
        points[i] = ug_contact_point_name((ug_contact_point)i);
    }
    int index = 0;
    const ug_yaml *kind = ug_yaml_get(map, "kind"), *to = ug_yaml_get(map, "to_s");
    ug_status status = ug_yaml_choice(&index, ug_yaml_get(map, "contact"), "contact", points, err);
    if (kind && status == UG_OK) {
        status = ug_yaml_choice(&index, kind, "kind",
                                (const char *const[]){ "load", "planted", NULL }, err);
    }
    if (status == UG_OK) {
        status = read_method(edit, kind, "kind", "planted", err);
    }
    if (status == UG_OK) {
        status = ug_yaml_number(&edit->from_s, ug_yaml_get(map, "from_s"), "from_s", err);
    }
    if (status == UG_OK) {
        status = ug_yaml_number(&edit->to_s, to, "to_s", err);
    }
    if (status == UG_OK && !(edit->from_s < edit->to_s)) {
        return ug_yaml_fail(to, to->line, err, "contact: to_s %g is not after from_s %g",
                            edit->to_s, edit->from_s);
    }
    return status;
}

static ug_status find_kind(int *kind, const ug_yaml *map, ug_error *err)
{
    *kind = -1;
    for (int k = 0; k < KIND_COUNT; k++) {
        if (ug_yaml_get(map, KINDS[k].verb)) {
            if (*kind >= 0) {
                return ug_yaml_fail(map, map->line, err,
                                    "an edit does one thing; here are %s and %s", KINDS[*kind].verb,
                                    KINDS[k].verb);
            }
            *kind = k;
        }
    }
    if (*kind < 0) {
        return ug_yaml_fail(
            map, map->line, err,
            "an edit is a mapping with one of fill, swap, keep, clear, rename, merge, drop, "
            "split, contact");
    }
    return UG_OK;
}

static ug_status read_edit(ug_edit *edit, const ug_yaml *map, ug_error *err)
{
    int kind = 0;
    edit->line = map->line;
    ug_status status = find_kind(&kind, map, err);
    if (status != UG_OK) {
        return status;
    }
    const char *verb = KINDS[kind].verb;
    edit->kind = (ug_edit_kind)kind;
    status = ug_yaml_check_keys(map, verb, KINDS[kind].keys, KINDS[kind].needed, err);
    if (status == UG_OK) {
        status = read_labels(edit, ug_yaml_get(map, verb), verb, KINDS[kind].label_count, err);
    }
    const ug_yaml *frames = ug_yaml_get(map, "frames");
    edit->whole_take = KINDS[kind].frames && !frames;
    if (status == UG_OK && KINDS[kind].frames && frames) {
        status = read_frames(edit, frames, err);
    }
    if (status == UG_OK && kind == UG_EDIT_FILL) {
        status = read_method(edit, ug_yaml_get(map, "method"), "method", NULL, err);
    }
    if (status == UG_OK && kind == UG_EDIT_CONTACT) {
        status = read_contact(edit, map, err);
    }
    return status;
}

static ug_status read_top(ug_edits *out, const ug_yaml *root, ug_error *err)
{
    ug_status status = UG_OK;
    const ug_yaml *list = root;
    if (root->kind != UG_YAML_SEQUENCE) {
        static const char *const KEYS[] = { "edits", NULL };
        status = ug_yaml_check_keys(root, "edits", KEYS, KEYS, err);
        list = status == UG_OK ? ug_yaml_get(root, "edits") : root;
    }
    status = status == UG_OK ? ug_yaml_sequence(list, "edits", err) : status;
    if (status != UG_OK || list->count == 0) {
        return status;
    }
    out->items = calloc(list->count, sizeof *out->items);
    if (!out->items) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; status == UG_OK && i < list->count; i++) {
        status = read_edit(&out->items[out->count++], &list->items[i], err);
    }
    return status;
}

ug_status ug_edits_read(ug_edits *out, const char *path, ug_error *err)
{
    assert(out && path);
    *out = (ug_edits){ 0 };
    ug_yaml_document document;
    ug_status status = ug_yaml_read(&document, path, err);
    if (status == UG_OK) {
        status = read_top(out, &document.root, err);
        ug_yaml_fini(&document);
    }
    if (status != UG_OK) {
        ug_edits_fini(out);
    }
    return status;
}
