// SPDX-License-Identifier: MIT
#include "pipeline/cli/args.h"

#include "pipeline/stages/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The options every verb has, as a table like any other.
static const ug_option SHARED[] = {
    { .name = "output", .type = UG_OPTION_TEXT, .help = "-o FILE, or DIR/ for several inputs" },
    { .name = "json", .type = UG_OPTION_FLAG, .help = "figures as JSON on stdout" },
    { .name = "print_config", .type = UG_OPTION_FLAG, .help = "resolved options as a recipe" },
    { .name = "jobs",
      .type = UG_OPTION_INTEGER,
      .low = 1,
      .high = 256,
      .help = "-j N threads; the result does not depend on it" },
    { .name = "seed",
      .type = UG_OPTION_INTEGER,
      .low = 0,
      .high = 9e15,
      .help = "seed of everything random (0)" },
    { .name = "require",
      .type = UG_OPTION_TEXT,
      .help = "quality gates: 'marker_rms_mm<10,…'; exit 5 when one fails" },
    { .name = "data_dir",
      .type = UG_OPTION_TEXT,
      .help = "where templates, marker sets and characters are" },
    { .name = "strict", .type = UG_OPTION_FLAG, .help = "any warning is an error" },
    { .name = "compress", .type = UG_OPTION_FLAG, .help = "compress the store" },
    { .name = "yes", .type = UG_OPTION_FLAG, .help = "-y: overwrite outputs" },
    { .name = "quiet", .type = UG_OPTION_FLAG, .help = "-q: errors only" },
    { .name = "verbose",
      .type = UG_OPTION_FLAG,
      .help = "-v: options, sizes and seconds of each step, on stderr" },
    { .name = "help", .type = UG_OPTION_FLAG, .help = "-h: this text" },
};
enum { SHARED_COUNT = sizeof SHARED / sizeof SHARED[0] };

static const char *long_name_of(char letter)
{
    switch (letter) {
    case 'o':
        return "output";
    case 'j':
        return "jobs";
    case 'h':
        return "help";
    case 'q':
        return "quiet";
    case 'v':
        return "verbose";
    case 'y':
        return "yes";
    default:
        return NULL;
    }
}

static ug_status set_shared(cli_args *args, ptrdiff_t index, const char *value, ug_error *err)
{
    const char *name = SHARED[index].name;
    const bool on = !value || strcmp(value, "true") == 0;
    if (strcmp(name, "output") == 0) {
        args->output = value;
    } else if (strcmp(name, "require") == 0) {
        args->require = value;
    } else if (strcmp(name, "data_dir") == 0) {
        args->data_dir = value;
    } else if (strcmp(name, "jobs") == 0 || strcmp(name, "seed") == 0) {
        char *end;
        errno = 0;
        const unsigned long long n = strtoull(value, &end, 10);
        if (errno != 0 || *end != '\0' || *value < '0' || *value > '9' ||
            (double)n < SHARED[index].low || (double)n > SHARED[index].high) {
            return ug_fail(err, UG_E_USAGE, "--%s: '%s' is not a whole number from %.0f to %.0f",
                           name, value, SHARED[index].low, SHARED[index].high);
        }
        if (name[0] == 'j') {
            args->jobs = (size_t)n;
        } else {
            args->seed = n;
        }
    } else {
        bool *flag = strcmp(name, "json") == 0           ? &args->json
                     : strcmp(name, "print_config") == 0 ? &args->print_config
                     : strcmp(name, "strict") == 0       ? &args->strict
                     : strcmp(name, "compress") == 0     ? &args->compress
                     : strcmp(name, "yes") == 0          ? &args->overwrite
                     : strcmp(name, "quiet") == 0        ? &args->quiet
                     : strcmp(name, "verbose") == 0      ? &args->verbose
                                                         : &args->help;
        *flag = on;
    }
    return UG_OK;
}

static ug_status set_own(ug_option_values *values, size_t index, const char *value, ug_error *err)
{
    if (values->table[index].type == UG_OPTION_LIST) {
        if (!values->given[index]) { // the first one replaces the default
            const ug_status status = ug_option_values_set(values, index, NULL, 0, err);
            if (status != UG_OK) {
                return status;
            }
        }
        return ug_option_values_append(values, index, value, err);
    }
    return ug_option_values_set(values, index, &value, 1, err);
}

static ug_status unknown(const ug_option_values *values, const char *name, ug_error *err)
{
    const char *near = ug_option_nearest(values->table, values->count, name);
    near = near ? near : ug_option_nearest(SHARED, SHARED_COUNT, name);
    char dashed[64] = "";
    for (size_t i = 0; near && near[i] && i < sizeof dashed - 1; i++) {
        dashed[i] = near[i] == '_' ? '-' : near[i];
    }
    return near ? ug_fail(err, UG_E_USAGE, "no option --%s; did you mean --%s?", name, dashed)
                : ug_fail(err, UG_E_USAGE, "no option --%s; -h lists them", name);
}

// One option, starting at argv[*at]; moves *at past its value.
static ug_status parse_option(cli_args *args, ug_option_values *values, int *at, int argc,
                              char **argv, ug_error *err)
{
    const char *word = argv[*at];
    char name[64];
    const char *value = NULL;
    if (word[1] != '-') {
        const char *full = long_name_of(word[1]);
        if (!full) {
            return ug_fail(err, UG_E_USAGE, "no option %s; -h lists them", word);
        }
        (void)snprintf(name, sizeof name, "%s", full);
        value = word[2] ? word + 2 : NULL; // -j4
    } else {
        const char *equals = strchr(word, '=');
        const size_t length = equals ? (size_t)(equals - word - 2) : strlen(word) - 2;
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word + 2);
        value = equals ? equals + 1 : NULL;
    }
    const char *negated = strncmp(name, "no-", 3) == 0 ? name + 3 : NULL;
    ptrdiff_t own = ug_option_find(values->table, values->count, name);
    const ptrdiff_t shared = own < 0 ? ug_option_find(SHARED, SHARED_COUNT, name) : -1;
    if (own < 0 && shared < 0 && negated) {
        own = ug_option_find(values->table, values->count, negated);
        if (own >= 0 && values->table[own].type == UG_OPTION_FLAG && !value) {
            return set_own(values, (size_t)own, "false", err);
        }
        own = -1;
    }
    if (own < 0 && shared < 0) {
        return unknown(values, name, err);
    }
    const ug_option *option = own >= 0 ? &values->table[own] : &SHARED[shared];
    if (option->type == UG_OPTION_FLAG) {
        value = value ? value : "true";
    } else if (!value) {
        if (*at + 1 >= argc) {
            return ug_fail(err, UG_E_USAGE, "--%s needs a value", name);
        }
        value = argv[++*at];
    }
    return own >= 0 ? set_own(values, (size_t)own, value, err)
                    : set_shared(args, shared, value, err);
}

ug_status cli_args_parse(cli_args *args, ug_option_values *values, int argc, char **argv,
                         ug_error *err)
{
    *args = (cli_args){ .jobs = ug_machine_processors() };
    args->inputs = calloc((size_t)argc + 1, sizeof *args->inputs);
    if (!args->inputs) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    bool only_inputs = false;
    for (int i = 0; i < argc; i++) {
        if (!only_inputs && strcmp(argv[i], "--") == 0) {
            only_inputs = true;
        } else if (!only_inputs && argv[i][0] == '-' && argv[i][1] != '\0') {
            const ug_status status = parse_option(args, values, &i, argc, argv, err);
            if (status != UG_OK) {
                return status;
            }
        } else {
            args->inputs[args->input_count++] = argv[i];
        }
    }
    return UG_OK;
}

void cli_args_fini(cli_args *args)
{
    free(args->inputs);
    args->inputs = NULL;
}

static void print_option(const ug_option *option)
{
    char left[64];
    size_t n = (size_t)snprintf(left, sizeof left, "--%s", option->name);
    for (size_t i = 2; i < n && i < sizeof left; i++) {
        left[i] = left[i] == '_' ? '-' : left[i];
    }
    const bool is_on = option->initial && strcmp(option->initial, "true") == 0;
    const char *kind = option->type == UG_OPTION_FLAG   ? (is_on ? ", --no-…" : "")
                       : option->type == UG_OPTION_LIST ? " A,B"
                       : option->type == UG_OPTION_TEXT ? " TEXT"
                       : option->choices                ? ""
                                                        : " N";
    (void)snprintf(left + n, sizeof left - n, "%s", kind);
    printf("  %-24s %s", left, option->help ? option->help : "");
    if (option->choices) {
        printf(" [%s]", option->choices);
    }
    if (option->initial) {
        printf(" (%s)", option->initial);
    }
    printf("\n");
}

void cli_print_help(const char *verb, const char *usage, const char *summary, const char *examples,
                    const ug_option *table, size_t count)
{
    printf("%s\nugoki %s: %s\n\n  usage: ugoki %s %s\n", examples, verb, summary, verb, usage);
    if (count > 0) {
        printf("\noptions of %s:\n", verb);
    }
    for (size_t i = 0; i < count; i++) {
        print_option(&table[i]);
    }
    printf("\noptions of every verb:\n");
    for (size_t i = 0; i < SHARED_COUNT; i++) {
        print_option(&SHARED[i]);
    }
}

void cli_print_config(const char *verb, const ug_option_values *values)
{
    printf("stages:\n  - %s:\n", verb);
    for (size_t i = 0; i < values->count; i++) {
        const size_t n = values->value_counts[i];
        if (values->table[i].type == UG_OPTION_LIST) {
            printf("      %s: [", values->table[i].name);
            for (size_t k = 0; k < n; k++) {
                printf("%s\"%s\"", k > 0 ? ", " : "", values->values[i][k]);
            }
            printf("]\n");
        } else if (n > 0) {
            printf("      %s: \"%s\"\n", values->table[i].name, values->values[i][0]);
        } else {
            printf("      # %s: not set\n", values->table[i].name);
        }
    }
}
