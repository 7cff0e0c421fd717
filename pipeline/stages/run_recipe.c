// SPDX-License-Identifier: MIT
#include "pipeline/stages/run_recipe.h"

#include "motion/text.h"
#include "pipeline/stages/paths.h"
#include "pipeline/stages/run_memory.h"
#include "pipeline/stages/run_names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One stage of the recipe with its options checked.
typedef struct step {
    const ug_stage *stage;
    ug_option_values values;
    const char *require; // borrowed from the recipe, NULL: none
} step;

// The files a chain holds at one moment: one, or one per character after a fan-out.
typedef struct branch {
    char *path;
    char *suffix; // "-troll", or ""
} branch;

typedef struct chain {
    branch *branches;
    size_t count;
    char *subject; // made by calibrate, NULL before
    char *folder;  // of this take's files
    const char *take;
    ug_run_memory *memory;
} chain;

static ug_status set_option(step *s, const ug_recipe_option *option, const ug_run_opts *opts,
                            ug_error *err)
{
    const ug_stage *stage = s->stage;
    if (strcmp(option->key, "require") == 0 && option->value_count == 1) {
        s->require = option->values[0];
        return ug_metrics_check_gates(s->require, err);
    }
    const ptrdiff_t i = ug_option_find(stage->options, stage->option_count, option->key);
    if (i < 0) {
        const char *near = ug_option_nearest(stage->options, stage->option_count, option->key);
        return ug_fail(err, UG_E_USAGE, "%s has no option '%s'%s%s%s", stage->name, option->key,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    char **texts = ug_text_list_create(option->value_count + 1);
    ug_status status = texts ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    for (size_t k = 0; status == UG_OK && k < option->value_count; k++) {
        texts[k] = stage->options[i].is_path ? ug_run_beside(opts->recipe_path, option->values[k])
                                             : ug_text_copy(option->values[k]);
        status = texts[k] ? ug_stage_check_name(&stage->options[i], texts[k], opts->data_dir, err)
                          : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (status == UG_OK) {
        status = ug_option_values_set(&s->values, (size_t)i, (const char *const *)texts,
                                      option->value_count, err);
    }
    ug_text_list_destroy(texts, option->value_count);
    return status;
}

static ug_status check_step(step *s, const ug_recipe_stage *stage, const ug_run_opts *opts,
                            ug_error *err)
{
    s->stage = ug_stage_find(stage->name);
    if (!s->stage) {
        ug_error_where(err, "%s:line %d", opts->recipe_path, stage->line);
        return ug_fail(err, UG_E_USAGE, "no stage '%s'; ugoki -h lists them", stage->name);
    }
    ug_status status =
        ug_option_values_init(&s->values, s->stage->options, s->stage->option_count, err);
    for (size_t k = 0; status == UG_OK && k < stage->option_count; k++) {
        status = set_option(s, &stage->options[k], opts, err);
        if (status != UG_OK) {
            ug_error_where(err, "%s:line %d", opts->recipe_path, stage->options[k].line);
        }
    }
    return status;
}

static void steps_destroy(step *steps, size_t count)
{
    for (size_t i = 0; steps && i < count; i++) {
        ug_option_values_fini(&steps[i].values);
    }
    free(steps);
}

static void branches_destroy(branch *branches, size_t count)
{
    for (size_t i = 0; branches && i < count; i++) {
        free(branches[i].path);
        free(branches[i].suffix);
    }
    free(branches);
}

static void chain_fini(chain *c)
{
    branches_destroy(c->branches, c->count);
    free(c->subject);
    free(c->folder);
    ug_run_memory_close(c->memory);
}

// The subject made by calibrate goes to every later stage that takes one and was not told.
static ug_status inherit_subject(ug_option_values *values, const char *subject, ug_error *err)
{
    const ptrdiff_t i = ug_option_find(values->table, values->count, "subject");
    if (i >= 0 && !values->given[i] && subject) {
        return ug_option_values_set(values, (size_t)i, &subject, 1, err);
    }
    return UG_OK;
}

// What an earlier run made is ours to replace, a stranger's file is not. Said before it is written:
// a run that is killed in between would else take its own file for a stranger's.
static ug_status make_output(const step *s, ug_stage_context *context, const char *key,
                             ug_run_memory *memory, const ug_run_opts *opts, ug_error *err)
{
    const char *output = context->output;
    ug_status status = UG_OK;
    context->overwrite = opts->overwrite || ug_run_memory_knows(memory, output);
    if (context->overwrite || access(output, F_OK) != 0) {
        status = ug_run_memory_intend(memory, output, key, err);
    }
    if (status != UG_OK) {
        return status;
    }
    status = ug_stage_execute(s->stage, context, s->require, err);
    if (status == UG_OK) {
        return ug_run_memory_note(memory, output, key, &context->metrics, err);
    }
    if (context->written_count == 0) { // written, and refused by a gate: it stays ours
        (void)!ug_run_memory_withdraw(memory, output, NULL);
    }
    return status;
}

// Run, or skip, one stage for one file.
static ug_status run_step(const step *s, const ug_option_values *values, const chain *c,
                          const char *input, const char *output, const ug_run_opts *opts,
                          ug_error *err)
{
    char *inputs[1] = { (char *)input };
    ug_stage_context context = {
        .options = values,
        .inputs = inputs,
        .input_count = s->stage->inputs_max == 0 ? 0 : 1,
        .output = output,
        .data_dir = opts->data_dir,
        .command_line = opts->command_line,
        .jobs = opts->jobs,
        .seed = opts->seed,
        .strict = opts->strict,
        .compress = opts->compress,
        .trace = opts->trace,
        .progress = opts->progress,
    };
    ug_status status = UG_OK;
    bool skipped = false;
    char *key = NULL;
    if (!ug_progress_report(&opts->progress, 0.0)) {
        status = ug_fail(err, UG_E_INTERRUPTED, "interrupted; what was done is kept");
    } else if (!(key = ug_run_memory_key(s->stage, &context, s->require, err))) {
        status = err->status;
    } else if (ug_run_memory_is_current(c->memory, output, key)) {
        skipped = true;
        (void)ug_metrics_from_json(&context.metrics, ug_run_memory_metrics(c->memory, output));
    } else {
        status = make_output(s, &context, key, c->memory, opts, err);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", input);
    }
    opts->report(opts->user, s->stage, input, output, skipped, &context, status, err);
    free(key);
    ug_stage_context_fini(&context);
    return status;
}

static const char *ending_of(const step *s)
{
    if (strcmp(s->stage->name, "export") != 0) {
        return "h5";
    }
    const char *format = ug_option_text(&s->values, "format");
    return format ? format : "bvh";
}

// "3-calibrate.h5"; an export is named after the take, since it leaves the folder
static char *output_path(const chain *c, const step *s, size_t number, const char *suffix)
{
    if (strcmp(s->stage->name, "export") == 0) {
        return ug_path_in_folder(c->folder, c->take, suffix, ending_of(s));
    }
    return ug_text_format("%s/%zu-%s%s.h5", c->folder, number, s->stage->name, suffix);
}

// The characters of a retarget step; one unnamed target for every other stage.
static size_t targets_of(char *const **targets, const step *s)
{
    static char *const NONE[1] = { NULL };
    size_t count = 1;
    *targets = NONE;
    if (ug_option_find(s->values.table, s->values.count, "to") >= 0) {
        *targets = ug_option_list(&s->values, "to", &count);
    }
    return count;
}

static ug_status run_target(const step *s, chain *c, const branch *from, const char *target,
                            size_t number, branch *to, const ug_run_opts *opts, ug_error *err)
{
    ug_option_values values = { 0 };
    char *name = target ? ug_path_stem(target) : NULL;
    *to = (branch){ .suffix = target ? ug_text_format("%s-%s", from->suffix, name ? name : "")
                                     : ug_text_copy(from->suffix) };
    to->path = to->suffix ? output_path(c, s, number, to->suffix) : NULL;
    ug_status status = to->path ? ug_option_values_copy(&values, &s->values, err)
                                : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status == UG_OK && target) {
        const ptrdiff_t i = ug_option_find(values.table, values.count, "to");
        status = ug_option_values_set(&values, (size_t)i, &target, 1, err);
    }
    if (status == UG_OK) {
        status = inherit_subject(&values, c->subject, err);
    }
    if (status == UG_OK) {
        status = run_step(s, &values, c, from->path, to->path, opts, err);
    } else {
        ug_stage_context nothing = { 0 };
        opts->report(opts->user, s->stage, from->path, "", false, &nothing, status, err);
    }
    ug_option_values_fini(&values);
    free(name);
    return status;
}

// One step for every branch (and every character): the chain's next branches.
static ug_status run_branches(const step *s, chain *c, size_t number, const ug_run_opts *opts,
                              ug_error *err)
{
    char *const *targets;
    const size_t fan = targets_of(&targets, s);
    branch *next = calloc(c->count * fan + 1, sizeof *next);
    if (!next) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    size_t made = 0;
    ug_status status = UG_OK;
    for (size_t b = 0; status == UG_OK && b < c->count; b++) {
        for (size_t t = 0; status == UG_OK && t < fan; t++) {
            status = run_target(s, c, &c->branches[b], targets[t], number, &next[made], opts, err);
            made++;
        }
    }
    if (status == UG_OK && strcmp(s->stage->name, "calibrate") == 0) {
        free(c->subject);
        c->subject = next[0].path;
        next[0].path = NULL;
    } else if (status == UG_OK && strcmp(s->stage->name, "export") != 0) {
        branch *old = c->branches;
        const size_t old_count = c->count;
        c->branches = next;
        c->count = made;
        next = old;
        made = old_count;
    }
    branches_destroy(next, made);
    return status;
}

static ug_status run_take(const char *take, const char *name, const step *steps, size_t step_count,
                          const ug_run_opts *opts, ug_error *err)
{
    chain c = { .take = take };
    c.folder = ug_text_format("%s/%s", opts->folder, name);
    c.branches = calloc(1, sizeof *c.branches);
    ug_status status = UG_E_NOMEM;
    if (c.folder && c.branches) {
        c.count = 1;
        c.branches[0] = (branch){ ug_text_copy(take), ug_text_copy("") };
        status = ug_path_make_folder(c.folder, err);
        c.memory = status == UG_OK ? ug_run_memory_open(c.folder) : NULL;
    }
    if (status == UG_OK && (!c.memory || !c.branches[0].path || !c.branches[0].suffix)) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; status == UG_OK && i < step_count; i++) {
        status = run_branches(&steps[i], &c, i + 1, opts, err);
    }
    chain_fini(&c);
    return status;
}

// Two steps, or two characters of one, that would write the same file.
static ug_status check_outputs(const step *steps, size_t count, const ug_run_opts *opts,
                               ug_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const bool is_export = strcmp(steps[i].stage->name, "export") == 0;
        for (size_t k = 0; k < i && is_export; k++) {
            if (strcmp(steps[k].stage->name, "export") == 0 &&
                strcmp(ending_of(&steps[k]), ending_of(&steps[i])) == 0) {
                ug_error_where(err, "%s", opts->recipe_path);
                return ug_fail(err, UG_E_USAGE, "two exports would write the same .%s file",
                               ending_of(&steps[i]));
            }
        }
        char *const *targets;
        const size_t fan = targets_of(&targets, &steps[i]);
        const char *same = targets[0] ? ug_path_same_stem(targets, fan) : NULL;
        if (same) {
            ug_error_where(err, "%s", opts->recipe_path);
            return ug_fail(err, UG_E_USAGE,
                           "'%s': two characters of this name would write the "
                           "same file",
                           same);
        }
    }
    return UG_OK;
}

static ug_status run_all(char *const *takes, char *const *names, size_t take_count,
                         const step *steps, size_t step_count, const ug_run_opts *opts,
                         ug_error *err)
{
    ug_status worst = UG_OK;
    for (size_t i = 0; i < take_count; i++) {
        ug_error one = { 0 };
        const ug_status status = run_take(takes[i], names[i], steps, step_count, opts, &one);
        if (status > worst) { // the statuses are in the order of their exit codes, but for 1
            worst = status;
            if (err) {
                *err = one;
            }
        }
        if (status == UG_E_INTERRUPTED) {
            worst = status;
            break;
        }
    }
    return worst;
}

// A pattern without a file fails as a take does: it is reported, and the others go on.
static ug_status report_unmatched(char *const *patterns, size_t count, const ug_stage *first,
                                  const ug_run_opts *opts, ug_error *err)
{
    for (size_t i = 0; i < count; i++) {
        ug_error one = { 0 };
        ug_stage_context nothing = { 0 };
        ug_error_where(&one, "%s", opts->recipe_path);
        const ug_status status =
            ug_fail(&one, UG_E_IO, "inputs: nothing matches '%s'", patterns[i]);
        opts->report(opts->user, first, patterns[i], "", false, &nothing, status, &one);
        if (err && i == 0) {
            *err = one;
        }
    }
    return count > 0 ? UG_E_IO : UG_OK;
}

ug_status ug_run_recipe(const ug_recipe *recipe, char *const *takes, size_t take_count,
                        const ug_run_opts *opts, ug_error *err)
{
    assert(recipe && opts && opts->report && opts->folder && opts->recipe_path);
    char **found = NULL, **unmatched = NULL, **names = NULL;
    size_t found_count = 0, unmatched_count = 0;
    ug_status lost = UG_OK;
    step *steps = calloc(recipe->stage_count + 1, sizeof *steps);
    ug_status status = steps ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    for (size_t i = 0; status == UG_OK && i < recipe->stage_count; i++) {
        status = check_step(&steps[i], &recipe->stages[i], opts, err);
    }
    if (status == UG_OK) {
        status = check_outputs(steps, recipe->stage_count, opts, err);
    }
    if (status == UG_OK && take_count == 0) {
        status = ug_run_inputs(&found, &found_count, &unmatched, &unmatched_count, recipe,
                               opts->recipe_path, err);
        takes = found;
        take_count = found_count;
    }
    if (status == UG_OK && unmatched_count > 0 && recipe->stage_count > 0) {
        lost = report_unmatched(unmatched, unmatched_count, steps[0].stage, opts, err);
    }
    if (status == UG_OK && take_count == 0 && lost == UG_OK) {
        status = ug_fail(err, UG_E_USAGE, "no takes: name them, or list `inputs:` in the recipe");
    }
    if (status == UG_OK) {
        status = ug_run_names(&names, takes, take_count, err);
    }
    if (status == UG_OK) {
        status = run_all(takes, names, take_count, steps, recipe->stage_count, opts, err);
    }
    ug_text_list_destroy(names, take_count);
    ug_text_list_destroy(found, found_count);
    ug_text_list_destroy(unmatched, unmatched_count);
    steps_destroy(steps, recipe->stage_count);
    return status > lost ? status : lost;
}
