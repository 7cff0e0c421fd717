// SPDX-License-Identifier: MIT
#include "pipeline/stages/stage.h"

#include "datasets/catalog.h"
#include "formats/file.h"
#include "formats/format.h"
#include "motion/text.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

const char *ug_version(void)
{
    return UG_VERSION;
}

static double monotonic_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void note_start(ug_stage_context *context)
{
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    (void)strftime(context->started, sizeof context->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    context->started_s = monotonic_s();
}

static void note_cost(ug_stage_context *context)
{
    struct rusage usage;
    ug_metrics_set(&context->metrics, "seconds", monotonic_s() - context->started_s);
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        ug_metrics_set(&context->metrics, "peak_mb", (double)usage.ru_maxrss / 1024.0);
    }
    double total = 0.0;
    for (size_t i = 0; i < context->warnings.count; i++) {
        total += (double)context->warnings.items[i].count;
    }
    ug_metrics_set(&context->metrics, "warnings", total);
}

ug_status ug_stage_execute(const ug_stage *stage, ug_stage_context *context, const char *gates,
                           ug_error *err)
{
    assert(stage && context && context->options);
    if (context->input_count < stage->inputs_min || context->input_count > stage->inputs_max) {
        return ug_fail(err, UG_E_USAGE, "%s takes %s: ugoki %s %s", stage->name,
                       stage->inputs_max == 0   ? "no input file"
                       : stage->inputs_max == 1 ? "one input file"
                                                : "one or more input files",
                       stage->name, stage->usage);
    }
    if (gates && ug_metrics_check_gates(gates, err) != UG_OK) {
        return UG_E_USAGE; // before hours of work
    }
    note_start(context);
    ug_status status = stage->run(stage, context, err);
    note_cost(context);
    if (status == UG_OK && gates) {
        status = ug_metrics_require(&context->metrics, gates, err);
    }
    return status;
}

void ug_stage_context_fini(ug_stage_context *context)
{
    if (context) {
        ug_metrics_fini(&context->metrics);
        ug_text_list_destroy(context->written, context->written_count);
        context->written = NULL;
        context->written_count = 0;
        context->warnings = (ug_warnings){ 0 };
    }
}

ug_status ug_stage_read_path(ug_take *take, ug_stage_context *context, const char *path,
                             unsigned parts, ug_error *err)
{
    const ug_status status =
        ug_store_probe(path) != UG_STORE_NONE
            ? ug_store_read(take, path, parts | UG_PART_PROVENANCE, &context->warnings, err)
            : ug_format_read(take, path, &(ug_read_opts){ 0 }, &context->warnings, err);
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    ug_error_settle(err);
    return status;
}

ug_status ug_stage_read(ug_take *take, ug_stage_context *context, size_t index, unsigned parts,
                        ug_error *err)
{
    assert(index < context->input_count);
    return ug_stage_read_path(take, context, context->inputs[index], parts, err);
}

static bool is_same_file(const char *path, const struct stat *other)
{
    struct stat st;
    return stat(path, &st) == 0 && st.st_dev == other->st_dev && st.st_ino == other->st_ino;
}

// Is this file read by the call, as an input or through an option (a subject, a character)?
static bool is_input(const ug_stage_context *context, const struct stat *file)
{
    bool same = false;
    for (size_t i = 0; i < context->input_count; i++) {
        same = same || is_same_file(context->inputs[i], file);
    }
    const ug_option_values *options = context->options;
    for (size_t i = 0; i < options->count; i++) {
        for (size_t k = 0; options->table[i].is_path && k < options->value_counts[i]; k++) {
            same = same || is_same_file(options->values[i][k], file);
        }
    }
    return same;
}

ug_status ug_stage_may_write(const ug_stage_context *context, const char *path, ug_error *err)
{
    struct stat st;
    if (!path) {
        return ug_fail(err, UG_E_USAGE, "say where the result goes with -o FILE");
    }
    if (stat(path, &st) != 0) {
        return UG_OK;
    }
    if (is_input(context, &st)) {
        ug_error_where(err, "%s", path);
        return ug_fail(err, UG_E_USAGE, "is an input of this call; the result needs another name");
    }
    if (!context->overwrite) {
        ug_error_where(err, "%s", path);
        return ug_fail(err, UG_E_EXISTS, "is there already; -y overwrites it");
    }
    return UG_OK;
}

ug_status ug_stage_may_write_store(const ug_stage_context *context, const char *path, ug_error *err)
{
    char ending[16] = "";
    if (path) {
        ug_path_extension(ending, path);
    }
    const ug_format *format = ending[0] ? ug_format_find(ending) : NULL;
    // YAML is what templates, marker sets and recipes are read from
    if (format || strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0) {
        const int stem = (int)(strlen(path) - strlen(ending));
        ug_error_where(err, "%s", path);
        return ug_fail(
            err, UG_E_USAGE, "what is written here is a store, not %s: name it %.*s.h5%s", ending,
            stem, path,
            format && format->write ? ", and let `ugoki export` make the other from it" : "");
    }
    return ug_stage_may_write(context, path, err);
}

void ug_stage_wrote(ug_stage_context *context, const char *path)
{
    char **grown = realloc(context->written, (context->written_count + 1) * sizeof *grown);
    if (grown) {
        context->written = grown;
        context->written[context->written_count++] = ug_text_copy(path);
    }
}

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
        .seconds = monotonic_s() - context->started_s,
    };
    if (!entry->stage || !entry->version || !entry->command_line || !entry->options_json ||
        !entry->inputs_json || !entry->started || !entry->metrics_json || !entry->warnings_json) {
        ug_stage_entry_fini(entry);
        return err && err->status != UG_OK ? err->status
                                           : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return UG_OK;
}

void ug_stage_entry_fini(ug_provenance_entry *entry)
{
    free(entry->stage);
    free(entry->version);
    free(entry->command_line);
    free(entry->options_json);
    free(entry->inputs_json);
    free(entry->started);
    free(entry->metrics_json);
    free(entry->warnings_json);
    *entry = (ug_provenance_entry){ 0 };
}

ug_status ug_stage_may_finish(const ug_stage_context *context, ug_error *err)
{
    if (!ug_progress_report(&context->progress, 1.0)) {
        return ug_fail(err, UG_E_INTERRUPTED, "interrupted; nothing was written");
    }
    if (context->strict && context->warnings.count > 0) {
        return ug_fail(err, UG_E_DATA, "--strict: %s", context->warnings.items[0].first);
    }
    return UG_OK;
}

ug_status ug_stage_write(const ug_stage *self, ug_stage_context *context, const char *path,
                         ug_take *take, unsigned parts, const char *base, ug_error *err)
{
    ug_status status = ug_stage_may_finish(context, err);
    if (status != UG_OK) {
        return status;
    }
    ug_provenance_entry entry;
    note_cost(context); // what is known before the write; the call's own figures count the rest
    status = ug_stage_entry(&entry, self, context, err);
    if (status != UG_OK) {
        return status;
    }
    status = ug_provenance_add(&take->provenance, &entry, err);
    if (status == UG_OK) {
        const ug_store_opts opts = { .base_path = base, .compress = context->compress };
        status = ug_store_write(path, take, parts | UG_PART_PROVENANCE, &opts, err);
    }
    if (status == UG_OK) {
        ug_stage_wrote(context, path);
    }
    ug_stage_entry_fini(&entry);
    return status;
}

ug_status ug_stage_write_over(const ug_stage *self, ug_stage_context *context, ug_take *take,
                              unsigned parts, ug_error *err)
{
    const bool is_store = ug_store_probe(context->inputs[0]) != UG_STORE_NONE;
    return ug_stage_write(self, context, context->output, take, is_store ? parts : UG_PART_ALL,
                          is_store ? context->inputs[0] : NULL, err);
}
