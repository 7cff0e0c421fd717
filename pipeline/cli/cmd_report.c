// SPDX-License-Identifier: MIT
// report: one page about takes, for people (-o) and, with --json, for programs.
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/cli/take_input.h"
#include "pipeline/report/page.h"
#include "pipeline/report/report.h"

#include <stdio.h>
#include <stdlib.h>

static const ug_option OPTIONS[] = {
    { .name = "max_mb",
      .type = UG_OPTION_REAL,
      .initial = "10",
      .low = 0.1,
      .high = 2000,
      .help = "size of the page: the player's frames are thinned out to it" },
    { .name = "player",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "put the player and its data into the page" },
    CLI_TAKE_OPTIONS,
};

static ug_status add_file(ug_report *report, const cli_call *call, const char *path, ug_error *err)
{
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_take_init(&take);
    ug_status status = cli_take_read_to_draw(&take, call, path, true, &warnings, err);
    status = cli_warnings_settle(call, &warnings, status, err);
    if (status == UG_OK) {
        status = ug_report_add(report, &take, err);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    ug_take_fini(&take);
    return status;
}

static ug_status may_write(const cli_call *call, ug_error *err)
{
    const cli_args *args = call->args;
    const ug_stage_context context = { .options = call->values,
                                       .inputs = args->inputs,
                                       .input_count = args->input_count,
                                       .overwrite = args->overwrite };
    if (!args->output && args->json) {
        return UG_OK; // the facts alone
    }
    const ug_status status = ug_stage_may_write(&context, args->output, err);
    if (status == UG_OK && !ug_report_can_write(args->output)) {
        return ug_fail(err, UG_E_USAGE, "cannot write '%s': a report is a .html", args->output);
    }
    return status;
}

static void print_json(const ug_report *report)
{
    char *text = ug_report_to_json(report);
    printf("{\"stage\": \"report\", \"report\": %s}\n", text ? text : "null");
    free(text);
}

static void print_summary(const ug_report *report, size_t bytes, const cli_call *call)
{
    size_t script;
    const bool wanted =
        ug_option_flag(call->values, "player") && ug_page_player_js(&script) != NULL;
    printf("wrote %s  %.1f MB", call->args->output, 1e-6 * (double)bytes);
    for (size_t i = 0; i < call->args->input_count; i++) {
        if (ug_report_stride(report, i) > 1) {
            printf(", one frame in %zu of %s in its player", ug_report_stride(report, i),
                   call->args->inputs[i]);
        } else if (wanted && ug_report_stride(report, i) == 0) {
            printf(", no player of %s: the page says why", call->args->inputs[i]);
        }
    }
    printf("\n");
}

static ug_status make(const cli_call *call, ug_report *report, ug_error *err)
{
    const cli_args *args = call->args;
    ug_status status = UG_OK;
    size_t bytes = 0;
    for (size_t i = 0; i < args->input_count && status == UG_OK; i++) {
        status = add_file(report, call, args->inputs[i], err);
    }
    if (status == UG_OK) {
        status = ug_report_check(report, err);
    }
    if (status == UG_OK && args->output) {
        status = ug_report_write(&bytes, report, args->output, err);
        if (status != UG_OK) {
            ug_error_where(err, "%s", args->output);
        }
    }
    if (status == UG_OK && args->json) {
        print_json(report);
    } else if (status == UG_OK && !args->quiet) {
        print_summary(report, bytes, call);
    }
    return status == UG_OK ? ug_report_verdict(report, err) : status;
}

static int run(const cli_call *call)
{
    ug_error err = { 0 };
    const ug_report_opts opts = {
        .require = call->args->require,
        .max_mb = ug_option_real(call->values, "max_mb"),
        .paths = call->args->inputs,
        .file_count = call->args->input_count,
        .without_player = !ug_option_flag(call->values, "player"),
    };
    ug_status status = may_write(call, &err);
    ug_report *report = status == UG_OK ? ug_report_create(&opts, &err) : NULL;
    if (report) {
        status = make(call, report, &err);
    }
    ug_report_destroy(report);
    return err.status == UG_OK ? cli_exit_code(status) : cli_call_fail(call, &err);
}

const cli_verb cmd_report = {
    .name = "report",
    .usage = "FILE… -o report.html",
    .summary = "one page about takes: gaps, residuals, contacts, every stage, a player",
    .examples =
        "  ugoki report 4-solve.h5 -o report.html\n"
        "  ugoki report before.h5 after.h5 -o both.html\n"
        "  ugoki report troll.h5 -o troll.html --require 'marker_rms_mm<10,foot_slide_mm<3'\n"
        "  ugoki report 4-solve.h5 --json\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .without_input = "which file? ugoki report FILE… -o report.html",
    .writes = true,
    .gates = true,
    .run = run,
};
