// SPDX-License-Identifier: MIT
#include "pipeline/cli/console.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool colour(void)
{
    const char *no_color = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && !(no_color && *no_color);
}

void cli_print_error(const char *verb, const ug_error *err)
{
    const char *red = colour() ? "\033[31m" : "", *plain = colour() ? "\033[0m" : "";
    fprintf(stderr, "%sugoki%s%s:%s %s%s%s\n", red, verb ? " " : "", verb ? verb : "", plain,
            err->where, err->where[0] ? ": " : "",
            err->message[0] ? err->message : "failed without saying why");
}

void cli_print_warnings(const ug_warnings *warnings, bool quiet)
{
    const char *yellow = colour() ? "\033[33m" : "", *plain = colour() ? "\033[0m" : "";
    for (size_t i = 0; i < warnings->count && !quiet; i++) {
        const ug_warning *w = &warnings->items[i];
        fprintf(stderr, "%swarning:%s %s", yellow, plain, w->first);
        if (w->count > 1) {
            fprintf(stderr, " (%zu times)", w->count);
        }
        fprintf(stderr, " [%s]\n", w->code);
    }
}

void cli_print_json(const char *stage, const ug_stage_context *context)
{
    char *metrics = ug_metrics_to_json(&context->metrics);
    char *warnings = ug_warnings_to_json(&context->warnings);
    printf("{\"stage\": \"%s\", \"metrics\": %s, \"warnings\": %s}", stage,
           metrics ? metrics : "{}", warnings ? warnings : "[]");
    free(metrics);
    free(warnings);
}

static void print_json_text(const char *text)
{
    cJSON *item = cJSON_CreateString(text);
    char *quoted = item ? cJSON_PrintUnformatted(item) : NULL;
    printf("%s", quoted ? quoted : "null");
    free(quoted);
    cJSON_Delete(item);
}

void cli_print_step_json(const char *stage, const ug_stage_context *context, const char *input,
                         const char *output, bool skipped)
{
    char *metrics = ug_metrics_to_json(&context->metrics);
    char *warnings = ug_warnings_to_json(&context->warnings);
    printf("{\"stage\": \"%s\", \"input\": ", stage);
    print_json_text(input);
    printf(", \"output\": ");
    print_json_text(output);
    printf(", \"skipped\": %s, \"metrics\": %s, \"warnings\": %s}", skipped ? "true" : "false",
           metrics ? metrics : "{}", warnings ? warnings : "[]");
    free(metrics);
    free(warnings);
}

void cli_print_figures(const ug_stage_context *context)
{
    for (size_t i = 0; i < context->metrics.count; i++) {
        const ug_metric *m = &context->metrics.items[i];
        // rounding noise of an exact zero says nothing to a reader
        const double shown = fabs(m->value) < 1e-6 ? 0.0 : m->value;
        if (shown == rint(shown) && fabs(shown) < 1e15) {
            printf("  %-32s %.0f\n", m->name, shown);
        } else {
            printf("  %-32s %.4g\n", m->name, shown);
        }
    }
    for (size_t i = 0; i < context->written_count; i++) {
        printf("wrote %s\n", context->written[i]);
    }
}

static volatile sig_atomic_t interrupted;
static timer_t grace; // from the wish to stop to the end
static bool has_grace;
static char last_words[64];

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
    (void)signal(SIGINT, SIG_DFL); // a second Ctrl-C ends at once
    if (has_grace) {
        const struct itimerspec once = { .it_value = { .tv_nsec = 160000000 } };
        (void)timer_settime(grace, 0, &once, NULL);
    }
}

// Still at work, in a library that cannot be asked: only what is safe in a signal handler.
static _Noreturn void on_grace_over(int signal_number)
{
    (void)signal_number;
    ug_stage_abandon();
    const ssize_t ignored = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)ignored;
    _exit(cli_exit_code(UG_E_INTERRUPTED));
}

void cli_watch_interrupts(const char *verb)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
    (void)snprintf(last_words, sizeof last_words, "%sugoki %s: interrupted\n",
                   isatty(STDERR_FILENO) ? "\r" : "", verb);
    (void)signal(SIGALRM, on_grace_over);
    has_grace = timer_create(CLOCK_MONOTONIC, &event, &grace) == 0;
    (void)signal(SIGINT, on_interrupt);
    (void)signal(SIGTERM, on_interrupt);
    (void)signal(SIGXFSZ, SIG_IGN); // a limit on file size is a write that fails, not an end
}

static struct {
    const char *verb;
    double started_s, shown_s, most;
    bool enabled, shown;
} bar;

double cli_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool report(void *user, double share)
{
    (void)user;
    const double t = cli_now_s();
    bar.most =
        share > bar.most ? share : bar.most; // two outputs write themselves one after another
    if (bar.enabled && t - bar.started_s > 1.0 && t - bar.shown_s > 0.1) {
        enum { WIDTH = 30 };
        char cells[WIDTH + 1];
        const double clamped = bar.most < 0 ? 0 : bar.most > 1 ? 1 : bar.most;
        for (int i = 0; i < WIDTH; i++) {
            cells[i] = i < (int)(clamped * WIDTH) ? '#' : '.';
        }
        cells[WIDTH] = '\0';
        fprintf(stderr, "\r%-10s [%s] %3.0f %%", bar.verb, cells, 100.0 * clamped);
        fflush(stderr);
        bar.shown_s = t;
        bar.shown = true;
    }
    return !interrupted;
}

ug_progress cli_progress(const char *verb, bool quiet)
{
    bar.verb = verb;
    bar.started_s = cli_now_s();
    bar.shown_s = bar.most = 0;
    bar.enabled = !quiet && isatty(STDERR_FILENO);
    return (ug_progress){ .report = report };
}

void cli_progress_end(void)
{
    if (bar.shown) {
        fprintf(stderr, "\r%60s\r", "");
        bar.shown = false;
    }
    bar.most = 0;
    bar.started_s = cli_now_s();
}

static double said_s; // seconds of the line before

static void say(void *user, double seconds, const char *line)
{
    (void)user;
    cli_progress_end();
    said_s = seconds < said_s ? 0.0 : said_s; // the next stage has started
    fprintf(stderr, "%8.3f s  +%.3f s  %s\n", seconds, seconds - said_s, line);
    said_s = seconds;
}

ug_stage_trace cli_trace(bool verbose)
{
    return (ug_stage_trace){ .say = verbose ? say : NULL };
}

int cli_exit_code(ug_status status)
{
    switch (status) {
    case UG_OK:
        return 0;
    case UG_E_USAGE:
    case UG_E_EXISTS:
    case UG_E_UNAVAILABLE:
        return 2;
    case UG_E_IO:
    case UG_E_FORMAT:
    case UG_E_UNSUPPORTED:
    case UG_E_AMBIGUOUS:
    case UG_E_DATA:
        return 3;
    case UG_E_NOT_ENOUGH:
        return 4;
    case UG_E_GATE:
        return 5;
    case UG_E_WRITE:
        return 6;
    case UG_E_INTERRUPTED:
        return 130;
    case UG_E_NOMEM:
    case UG_E_INTERNAL:
        return 1;
    }
    return 1;
}
