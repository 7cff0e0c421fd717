// SPDX-License-Identifier: MIT
// ugoki VERB …: find the verb, hand over.
#include "motion/text.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_verb *const VERBS[] = { &cmd_info,   &cmd_validate, &cmd_report, &cmd_view,
                                         &cmd_render, &cmd_run,      &cmd_demo,   &cmd_seal };
enum { VERB_COUNT = sizeof VERBS / sizeof VERBS[0] };

static const cli_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(VERBS[i]->name, name) == 0) {
            return VERBS[i];
        }
    }
    return NULL;
}

static void print_usage(FILE *to)
{
    size_t count;
    const ug_stage *const *stages = ug_stage_list(&count);
    fprintf(to,
            "ugoki %s: from raw motion capture to clean, retargeted motion\n\n"
            "  ugoki demo                       the whole chain on a synthetic take\n"
            "  ugoki run recipe.yaml take.c3d   the whole chain on yours\n"
            "  ugoki VERB -h                    examples and options of one verb\n\n",
            ug_version());
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "  %-12s %s\n", stages[i]->name, stages[i]->summary);
    }
    for (size_t i = 0; i < VERB_COUNT; i++) {
        fprintf(to, "  %-12s %s\n", VERBS[i]->name, VERBS[i]->summary);
    }
}

// Words of the command line, for the provenance.
static char *join(int argc, char **argv)
{
    char *line = ug_text_copy("ugoki");
    for (int i = 1; line && i < argc; i++) {
        char *longer = ug_text_format("%s %s", line, argv[i]);
        free(line);
        line = longer;
    }
    return line;
}

static int unknown_verb(const char *verb)
{
    ug_error err = { 0 };
    ug_option verbs[32] = { 0 };
    size_t count, n = 0;
    const ug_stage *const *stages = ug_stage_list(&count);
    for (size_t i = 0; i < count && n < 32; i++) {
        verbs[n++].name = stages[i]->name;
    }
    for (size_t i = 0; i < VERB_COUNT && n < 32; i++) {
        verbs[n++].name = VERBS[i]->name;
    }
    const char *near = ug_option_nearest(verbs, n, verb);
    const ug_status status =
        near ? ug_fail(&err, UG_E_USAGE, "no verb '%s'; did you mean '%s'?", verb, near)
             : ug_fail(&err, UG_E_USAGE, "no verb '%s'; ugoki -h lists them", verb);
    cli_print_error(NULL, &err);
    return cli_exit_code(status);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return cli_exit_code(UG_E_USAGE);
    }
    const char *verb = argv[1];
    if (strcmp(verb, "-h") == 0 || strcmp(verb, "--help") == 0 || strcmp(verb, "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(verb, "--version") == 0) {
        printf("ugoki %s\n", ug_version());
        return 0;
    }
    char *line = join(argc, argv);
    const ug_stage *stage = ug_stage_find(verb);
    const cli_verb *other = find_verb(verb);
    int code;
    if (stage) {
        code = cmd_stage(stage, argc - 2, argv + 2, line ? line : "");
    } else if (other) {
        code = cli_verb_call(other, argc - 2, argv + 2, line ? line : "");
    } else {
        code = unknown_verb(verb);
    }
    free(line);
    return code;
}
