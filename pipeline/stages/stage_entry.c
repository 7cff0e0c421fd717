// SPDX-License-Identifier: MIT
// The provenance entry of a call: what it was asked for, of which files, and what came of it.
#include "datasets/catalog.h"
#include "formats/file.h"
#include "motion/text.h"
#include "pipeline/stages/stage.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool add_input(cJSON *list, const char *path, const char *option, ug_error *err)
{
    char hex[33];
    if (ug_file_hash(hex, path, err) != UG_OK) {
        return false;
    }
    ug_error_settle(err);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", ug_path_base(path));
    cJSON_AddStringToObject(item, "xxh3", hex);
    if (option) {
        cJSON_AddStringToObject(item, "option", option);
    }
    cJSON_AddItemToArray(list, item);
    return true;
}

// The file behind an option's text: itself, or the built-in data it names; NULL: neither.
static char *file_of(const ug_option *option, const char *text, const char *data_dir)
{
    struct stat st;
    if (stat(text, &st) == 0 && S_ISREG(st.st_mode)) {
        return ug_text_copy(text);
    }
    char *path = NULL;
    if (option->names > 0 && ug_catalog_find(&path, (ug_catalog_kind)(option->names - 1), text,
                                             data_dir, NULL) == UG_OK) {
        return path;
    }
    return NULL;
}

// Option values that stand for a file (a subject, a character, edits) are inputs as much as takes.
static bool add_option_files(cJSON *list, const ug_stage_context *context, ug_error *err)
{
    const ug_option_values *options = context->options;
    for (size_t i = 0; i < options->count; i++) {
        const ug_option *option = &options->table[i];
        if (option->type != UG_OPTION_TEXT && option->type != UG_OPTION_LIST) {
            continue;
        }
        for (size_t k = 0; k < options->value_counts[i]; k++) {
            char *path = file_of(option, options->values[i][k], context->data_dir);
            const bool ok = !path || add_input(list, path, option->name, err);
            free(path);
            if (!ok) {
                return false;
            }
        }
    }
    return true;
}

static char *inputs_to_json(const ug_stage_context *context, ug_error *err)
{
    cJSON *list = cJSON_CreateArray();
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < context->input_count; i++) {
        ok = add_input(list, context->inputs[i], NULL, err);
    }
    ok = ok && add_option_files(list, context, err);
    char *text = ok ? cJSON_PrintUnformatted(list) : NULL;
    cJSON_Delete(list);
    return text;
}

ug_status ug_stage_entry(ug_provenance_entry *entry, const ug_stage *self,
                         const ug_stage_context *context, ug_error *err)
{
    *entry = (ug_provenance_entry){
        .stage = ug_text_copy(self->name),
        .version = ug_text_copy(ug_version()),
        .command_line = ug_text_copy(context->command_line ? context->command_line : ""),
        .options_json = ug_option_values_to_json(context->options),
        .inputs_json = inputs_to_json(context, err),
        .started = ug_text_copy(context->started),
        .metrics_json = ug_metrics_to_json(&context->metrics),
        .warnings_json = ug_warnings_to_json(&context->warnings),
        .seed = context->seed,
        .seconds = ug_stage_seconds(context),
    };
    if (!entry->stage || !entry->version || !entry->command_line || !entry->options_json ||
        !entry->inputs_json || !entry->started || !entry->metrics_json || !entry->warnings_json) {
        ug_provenance_entry_fini(entry);
        return err && err->status != UG_OK ? err->status
                                           : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return UG_OK;
}
