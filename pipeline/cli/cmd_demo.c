// SPDX-License-Identifier: MIT
// demo: make a synthetic take, run the built-in recipe over it, say how far off the truth it ends.
#include "motion/text.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/cli/run_report.h"
#include "pipeline/report/report.h"
#include "pipeline/stages/compare.h"
#include "pipeline/stages/open.h"
#include "pipeline/stages/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static ug_status make_take(const char *path, const cli_args *args, const char *command_line,
                           ug_error *err)
{
    const ug_stage *synth = ug_stage_find("synth");
    ug_option_values values;
    ug_status status = ug_option_values_init(&values, synth->options, synth->option_count, err);
    if (status == UG_OK) {
        ug_stage_context context = {
            .options = &values,
            .output = path,
            .data_dir = args->data_dir,
            .command_line = command_line,
            .jobs = args->jobs,
            .seed = args->seed,
            .overwrite = args->overwrite,
        };
        status = ug_stage_execute(synth, &context, NULL, err);
        if (status == UG_OK && !args->json && !args->quiet) {
            double frames = 0, missing = 0, swaps = 0;
            (void)ug_metrics_get(&context.metrics, "frame_count", &frames);
            (void)ug_metrics_get(&context.metrics, "missing_pct", &missing);
            (void)ug_metrics_get(&context.metrics, "swap_faults", &swaps);
            printf("synth      %s  %.0f frames of walking, turning and jumping; %.1f %% of the "
                   "samples lost, %.0f label swaps, 0.5 mm noise\n",
                   path, frames, missing, swaps);
        }
        ug_stage_context_fini(&context);
    }
    ug_option_values_fini(&values);
    return status;
}

// The page about the whole chain: the last file carries all that was found on the way.
static ug_status write_report(const char *folder, ug_error *err)
{
    char *path = ug_text_format("%s/take/5-retarget-troll.h5", folder);
    char *page = ug_text_format("%s/report.html", folder);
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_take_init(&take);
    ug_status status = path && page ? ug_open_any(&take, path, UG_PART_ALL, NULL, &warnings, err)
                                    : ug_fail(err, UG_E_NOMEM, "out of memory");
    const ug_report_opts opts = { .max_mb = 10.0, .paths = &path, .file_count = 1 };
    ug_report *report = status == UG_OK ? ug_report_create(&opts, err) : NULL;
    if (status == UG_OK) {
        status = report ? ug_report_add(report, &take, err) : err->status;
    }
    if (status == UG_OK) {
        status = ug_report_write(NULL, report, page, err);
    }
    ug_report_destroy(report);
    ug_take_fini(&take);
    free(page);
    free(path);
    return status;
}

static void say_where(const char *folder, const cli_args *args)
{
    if (args->json || args->quiet) {
        return;
    }
    char *solved = ug_text_format("%s/take/4-solve.h5", folder);
    char *truth = ug_text_format("%s/take-truth.h5", folder);
    ug_motion_difference d;
    ug_error err = { 0 };
    if (solved && truth && ug_motion_compare_files(&d, solved, truth, &err) == UG_OK) {
        printf(
            "\nThe solved skeleton against the truth of the generator, which no stage has seen:\n"
            "  joint centres %.1f mm rms, 95 %% within %.1f mm; bone directions %.2f deg rms\n",
            d.position_rms_mm, d.position_p95_mm, d.direction_deg);
    }
    printf("\nLook at it:\n"
           "  %s/sheet.png     poses of the solved skeleton and of the troll\n"
           "  %s/report.html   in a browser: gaps, residuals, contacts, every stage\n"
           "Results in %s/take/\n"
           "  take-troll.bvh take-human.bvh take-long_legs.bvh   open them in Blender or any BVH "
           "viewer\n"
           "  4-solve.h5           the solved skeleton; %s info %s/take/4-solve.h5\n"
           "  1-import.h5 … 5-*.h5   every stage's file; h5py reads them\n",
           folder, folder, folder, program_invocation_name, folder);
    free(solved);
    free(truth);
}

// The first thing to look at. Drawn as a user would ask for it.
static ug_status draw_sheet(const char *folder, const cli_args *args)
{
    char *solved = ug_text_format("%s/take/4-solve.h5", folder);
    char *troll = ug_text_format("%s/take/5-retarget-troll.h5", folder);
    char *sheet = ug_text_format("%s/sheet.png", folder);
    char *data = ug_text_format("--data-dir=%s", args->data_dir ? args->data_dir : "");
    ug_status status = UG_E_NOMEM;
    if (solved && troll && sheet && data) {
        char *argv[] = { solved, troll, "-o", sheet, "--facing", "each", "-y", "-q", data };
        const int count = (int)(sizeof argv / sizeof argv[0]) - (args->data_dir ? 0 : 1);
        status = cli_verb_call(&cmd_render, count, argv, "") == 0 ? UG_OK : UG_E_WRITE;
    }
    free(solved);
    free(troll);
    free(sheet);
    free(data);
    return status;
}

static int demo(const cli_call *call)
{
    const cli_args *args = call->args;
    const char *folder = args->output ? args->output : "demo-out";
    char *take = ug_text_format("%s/take.c3d", folder);
    ug_error err = { 0 };
    ug_status status =
        take ? ug_path_make_folder(folder, &err) : ug_fail(&err, UG_E_NOMEM, "out of memory");
    if (status == UG_OK) {
        status = make_take(take, args, call->command_line, &err);
    }
    if (status != UG_OK) {
        cli_print_error(call->verb->name, &err);
    } else {
        status = cli_run_recipe("demo", &take, 1, folder, args, call->command_line);
    }
    if (status == UG_OK) {
        status = write_report(folder, &err);
        if (status != UG_OK) {
            cli_print_error(call->verb->name, &err);
        }
    }
    if (status == UG_OK) {
        status = draw_sheet(folder, args);
    }
    if (status == UG_OK) {
        say_where(folder, args);
    }
    free(take);
    return cli_exit_code(status);
}

const cli_verb cmd_demo = {
    .name = "demo",
    .usage = "[-o DIR]",
    .summary = "the whole chain on a synthetic take",
    .examples = "  ugoki demo -o demo-out\n"
                "  ugoki demo -o demo-out --seed 7 -y\n",
    .writes = true,
    .run = demo,
};
