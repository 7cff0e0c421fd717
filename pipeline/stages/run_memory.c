// SPDX-License-Identifier: MIT
#include "pipeline/stages/run_memory.h"

#include "formats/file.h"
#include "formats/store.h"
#include "motion/text.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

struct ug_run_memory {
    char *path;
    cJSON *outputs; // path -> { key, hash, metrics }, or { intent } before there is one
};

ug_run_memory *ug_run_memory_open(const char *folder)
{
    ug_run_memory *memory = calloc(1, sizeof *memory);
    if (!memory) {
        return NULL;
    }
    memory->path = ug_text_format("%s/run.json", folder);
    ug_bytes bytes = { 0 };
    if (memory->path && ug_bytes_read(&bytes, memory->path, NULL) == UG_OK) {
        memory->outputs = cJSON_ParseWithLength((const char *)bytes.data, bytes.size);
    }
    ug_bytes_fini(&bytes);
    if (!cJSON_IsObject(memory->outputs)) {
        cJSON_Delete(memory->outputs); // unreadable: everything is simply made anew
        memory->outputs = cJSON_CreateObject();
    }
    if (!memory->path || !memory->outputs) {
        ug_run_memory_close(memory);
        return NULL;
    }
    return memory;
}

void ug_run_memory_close(ug_run_memory *memory)
{
    if (memory) {
        cJSON_Delete(memory->outputs);
        free(memory->path);
        free(memory);
    }
}

char *ug_run_memory_key(const ug_stage *stage, const ug_stage_context *context, const char *gates,
                        ug_error *err)
{
    ug_provenance_entry entry;
    if (ug_stage_entry(&entry, stage, context, err) != UG_OK) {
        return NULL;
    }
    char *key = ug_text_format("%s %s seed=%llu strict=%d compress=%d require=%s %s %s",
                               entry.stage, entry.version, (unsigned long long)entry.seed,
                               context->strict, context->compress, gates ? gates : "",
                               entry.options_json, entry.inputs_json);
    if (!key) {
        (void)ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_provenance_entry_fini(&entry);
    return key;
}

bool ug_run_memory_is_current(const ug_run_memory *memory, const char *output, const char *key)
{
    char hex[33];
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(memory->outputs, output);
    const char *old_key = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "key"));
    const char *old_hash = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "hash"));
    return old_key && old_hash && strcmp(old_key, key) == 0 &&
           ug_file_hash(hex, output, NULL) == UG_OK && strcmp(hex, old_hash) == 0;
}

bool ug_run_memory_knows(const ug_run_memory *memory, const char *output)
{
    return cJSON_GetObjectItemCaseSensitive(memory->outputs, output) != NULL;
}

const char *ug_run_memory_metrics(const ug_run_memory *memory, const char *output)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(memory->outputs, output);
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "metrics"));
}

static ug_status save(const ug_run_memory *memory, ug_error *err)
{
    char *text = cJSON_Print(memory->outputs);
    if (!text) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_outfile out;
    ug_status status = ug_outfile_open(&out, memory->path, err);
    if (status == UG_OK) {
        (void)fputs(text, out.stream); // a failure shows at commit
        status = ug_outfile_commit(&out, err);
    }
    free(text);
    return status;
}

ug_status ug_run_memory_intend(ug_run_memory *memory, const char *output, const char *key,
                               ug_error *err)
{
    if (ug_run_memory_knows(memory, output)) {
        return UG_OK;
    }
    cJSON *item = cJSON_AddObjectToObject(memory->outputs, output);
    if (!item || !cJSON_AddStringToObject(item, "intent", key)) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return save(memory, err);
}

ug_status ug_run_memory_withdraw(ug_run_memory *memory, const char *output, ug_error *err)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(memory->outputs, output);
    if (!cJSON_GetObjectItemCaseSensitive(item, "intent")) {
        return UG_OK;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(memory->outputs, output);
    return save(memory, err);
}

ug_status ug_run_memory_note(ug_run_memory *memory, const char *output, const char *key,
                             const ug_metrics *metrics, ug_error *err)
{
    char hex[33];
    const ug_status status = ug_file_hash(hex, output, err);
    if (status != UG_OK) {
        return status;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(memory->outputs, output);
    cJSON *item = cJSON_AddObjectToObject(memory->outputs, output);
    char *figures = ug_metrics_to_json(metrics);
    const bool ok = item && figures && cJSON_AddStringToObject(item, "key", key) &&
                    cJSON_AddStringToObject(item, "hash", hex) &&
                    cJSON_AddStringToObject(item, "metrics", figures);
    free(figures);
    return ok ? save(memory, err) : ug_fail(err, UG_E_NOMEM, "out of memory");
}
