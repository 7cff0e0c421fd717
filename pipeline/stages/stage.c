// SPDX-License-Identifier: MIT
#include "pipeline/stages/stage.h"

#include "datasets/catalog.h"
#include "formats/file.h"
#include "motion/text.h"
#include "pipeline/stages/open.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

const char *ug_version(void)
{
    return UG_VERSION;
}

// How the bar is shared out: reading, the stage's own work, writing.
static const double READ_END = 0.1, WORK_END = 0.85;

static double monotonic_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double ug_stage_seconds(const ug_stage_context *context)
{
    return monotonic_s() - context->started_s;
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
    ug_metrics_set(&context->metrics, "seconds", ug_stage_seconds(context));
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        ug_metrics_set(&context->metrics, "peak_mb", (double)usage.ru_maxrss / 1024.0);
    }
    double total = 0.0;
    for (size_t i = 0; i < context->warnings.count; i++) {
        total += (double)context->warnings.items[i].count;
    }
    ug_metrics_set(&context->metrics, "warnings", total);
}

void ug_stage_say(const ug_stage_context *context, const char *fmt, ...)
{
    if (!context->trace.say) {
        return;
    }
    char line[512];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    context->trace.say(context->trace.user, ug_stage_seconds(context), line);
}

// "read take.h5, 1.25 MB"
static void say_file(const ug_stage_context *context, const char *what, const char *path)
{
    struct stat st;
    if (context->trace.say && stat(path, &st) == 0) {
        ug_stage_say(context, "%s %s, %.2f MB", what, path, 1e-6 * (double)st.st_size);
    }
}

static void say_options(const ug_stage_context *context)
{
    char *options = context->trace.say ? ug_option_values_to_json(context->options) : NULL;
    if (options) {
        ug_stage_say(context, "options %s, seed %llu, %zu threads", options,
                     (unsigned long long)context->seed, context->jobs);
    }
    free(options);
}

ug_status ug_stage_check_name(const ug_option *option, const char *text, const char *data_dir,
                              ug_error *err)
{
    char *path = NULL;
    if (option->names == 0) {
        return UG_OK;
    }
    const ug_status status =
        ug_catalog_find(&path, (ug_catalog_kind)(option->names - 1), text, data_dir, err);
    free(path);
    return status;
}

// Before a take is read: a wrong name is no fault of the take's.
static ug_status check_names(const ug_stage_context *context, ug_error *err)
{
    const ug_option_values *o = context->options;
    for (size_t i = 0; i < o->count; i++) {
        for (size_t k = 0; k < o->value_counts[i]; k++) {
            const char *text = o->values[i][k];
            const ug_status status =
                ug_stage_check_name(&o->table[i], text, context->data_dir, err);
            if (status != UG_OK) {
                ug_error_where(err, "--%s %s", o->table[i].name, text);
                return status;
            }
        }
    }
    return UG_OK;
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
    ug_status status = check_names(context, err);
    if (status != UG_OK) {
        return status;
    }
    note_start(context);
    context->work = ug_progress_part(&context->progress, READ_END, WORK_END);
    say_options(context);
    status = stage->run(stage, context, err);
    note_cost(context);
    if (status == UG_OK && gates) {
        status = ug_metrics_require(&context->metrics, gates, err);
    }
    return status;
}

void ug_stage_abandon(void)
{
    ug_outfiles_abandon();
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
    const ug_progress reading = ug_progress_part(&context->progress, 0.0, READ_END);
    ug_status status = ug_progress_check(&reading, 0.0, err);
    if (status == UG_OK) {
        status = ug_open_any(take, path, parts | UG_PART_PROVENANCE,
                             &(ug_read_opts){ .progress = &reading }, &context->warnings, err);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    } else {
        say_file(context, "read", path);
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
    say_file(context, "wrote", path);
    char **grown = realloc(context->written, (context->written_count + 1) * sizeof *grown);
    if (grown) {
        context->written = grown;
        context->written[context->written_count++] = ug_text_copy(path);
    }
}

ug_status ug_stage_may_finish(const ug_stage_context *context, ug_error *err)
{
    const ug_status status = ug_progress_check(&context->progress, WORK_END, err);
    if (status != UG_OK) {
        return status;
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
        const ug_progress writing = ug_progress_part(&context->progress, WORK_END, 1.0);
        const ug_store_opts opts = { .base_path = base,
                                     .compress = context->compress,
                                     .progress = &writing };
        status = ug_store_write(path, take, parts | UG_PART_PROVENANCE, &opts, err);
    }
    if (status == UG_OK) {
        ug_stage_wrote(context, path);
    }
    ug_provenance_entry_fini(&entry);
    return status;
}

ug_status ug_stage_write_over(const ug_stage *self, ug_stage_context *context, ug_take *take,
                              unsigned parts, ug_error *err)
{
    const bool is_store = ug_store_probe(context->inputs[0]) != UG_STORE_NONE;
    return ug_stage_write(self, context, context->output, take, is_store ? parts : UG_PART_ALL,
                          is_store ? context->inputs[0] : NULL, err);
}
