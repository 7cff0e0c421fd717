// SPDX-License-Identifier: MIT
#include "formats/settings_yaml.h"
#include "formats/yaml_fields.h"
#include "motion/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const KEYS[] = { "inputs", "stages", NULL };
static const char *const NEEDED[] = { "stages", NULL };

static ug_status no_memory(ug_error *err)
{
    return ug_fail(err, UG_E_NOMEM, "out of memory");
}

// A text or a list of texts -> fresh list.
static ug_status read_texts(char ***list, size_t *count, const ug_yaml *node, const char *name,
                            ug_error *err)
{
    const ug_yaml *items = node->kind == UG_YAML_SEQUENCE ? node->items : node;
    *count = node->kind == UG_YAML_SEQUENCE ? node->count : 1;
    if (*count == 0) {
        return ug_yaml_fail(node, node->line, err, "%s: the list is empty", name);
    }
    *list = ug_text_list_create(*count);
    if (!*list) {
        *count = 0;
        return no_memory(err);
    }
    for (size_t i = 0; i < *count; i++) {
        const char *text = NULL;
        const ug_status status = ug_yaml_text(&text, &items[i], name, err);
        if (status != UG_OK) {
            return status;
        }
        (*list)[i] = ug_text_copy(text);
        if (!(*list)[i]) {
            return no_memory(err);
        }
    }
    return UG_OK;
}

static ug_status read_options(ug_recipe_stage *stage, const ug_yaml *node, ug_error *err)
{
    if (ug_yaml_is_null(node)) {
        return UG_OK; // "- import:" asks for the defaults
    }
    if (node->kind != UG_YAML_MAPPING) {
        return ug_yaml_fail(node, node->line, err,
                            "stage '%s': options must be a mapping: {option: value, …}",
                            stage->name);
    }
    if (node->count == 0) {
        return UG_OK;
    }
    stage->options = calloc(node->count, sizeof *stage->options);
    if (!stage->options) {
        return no_memory(err);
    }
    for (size_t i = 0; i < node->count; i++) {
        ug_recipe_option *option = &stage->options[stage->option_count++];
        char name[128];
        (void)snprintf(name, sizeof name, "stage '%.40s', option '%.60s'", stage->name,
                       node->keys[i]);
        option->line = node->key_lines[i];
        option->key = ug_text_copy(node->keys[i]);
        if (!option->key) {
            return no_memory(err);
        }
        const ug_status status =
            read_texts(&option->values, &option->value_count, &node->items[i], name, err);
        if (status != UG_OK) {
            return status;
        }
    }
    return UG_OK;
}

// "- import", or "- import: {…}"
static ug_status read_stage(ug_recipe_stage *stage, const ug_yaml *node, ug_error *err)
{
    const char *name = NULL;
    stage->line = node->line;
    if (node->kind == UG_YAML_TEXT) {
        const ug_status status = ug_yaml_text(&name, node, "stage", err);
        if (status != UG_OK) {
            return status;
        }
    } else if (node->kind == UG_YAML_MAPPING && node->count == 1) {
        name = node->keys[0];
    } else {
        return ug_yaml_fail(node, node->line, err,
                            "a stage is one name with its options: - clean: {max_gap_s: 2}");
    }
    stage->name = ug_text_copy(name);
    if (!stage->name) {
        return no_memory(err);
    }
    return node->kind == UG_YAML_MAPPING ? read_options(stage, &node->items[0], err) : UG_OK;
}

static ug_status read_top(ug_recipe *out, const ug_yaml *root, ug_error *err)
{
    ug_status status = ug_yaml_check_keys(root, "recipe", KEYS, NEEDED, err);
    if (status != UG_OK) {
        return status;
    }
    const ug_yaml *inputs = ug_yaml_get(root, "inputs"), *stages = ug_yaml_get(root, "stages");
    if (inputs) {
        status = read_texts(&out->inputs, &out->input_count, inputs, "inputs", err);
    }
    status = status == UG_OK ? ug_yaml_sequence(stages, "stages", err) : status;
    if (status != UG_OK) {
        return status;
    }
    if (stages->count == 0) {
        return ug_yaml_fail(stages, stages->line, err, "stages: the list is empty");
    }
    out->stages = calloc(stages->count, sizeof *out->stages);
    if (!out->stages) {
        return no_memory(err);
    }
    for (size_t i = 0; status == UG_OK && i < stages->count; i++) {
        status = read_stage(&out->stages[out->stage_count++], &stages->items[i], err);
    }
    return status;
}

ug_status ug_recipe_read(ug_recipe *out, const char *path, ug_error *err)
{
    assert(out && path);
    *out = (ug_recipe){ 0 };
    ug_yaml_document document;
    ug_status status = ug_yaml_read(&document, path, err);
    if (status == UG_OK) {
        status = read_top(out, &document.root, err);
        ug_yaml_fini(&document);
    }
    if (status != UG_OK) {
        ug_recipe_fini(out);
    }
    return status;
}
