// SPDX-License-Identifier: MIT
#include "pipeline/cli/run_report.h"

#include "pipeline/cli/console.h"
#include "pipeline/stages/recipe_file.h"
#include "pipeline/stages/run_recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct listener {
    const cli_args *args;
    size_t count;
    size_t failures;
} listener;

// The figures worth a line while a recipe runs; --json has all of them.
static void print_headline(const ug_stage_context *context)
{
    static const char *const SHOWN[] = {
        "frame_count",
        "missing_pct",
        "gap_count",
        "filled_count",
        "marker_rms_mm",
        "outlier_pct",
        "unsolved_frames",
        "scale_ratio",
        "contact_count",
        "foot_slide_mm",
        "foot_slide_pinned_mm",
        "penetration_mm",
        "knee_accel_ratio",
        "seconds",
    };
    for (size_t i = 0; i < sizeof SHOWN / sizeof SHOWN[0]; i++) {
        double value;
        if (ug_metrics_get(&context->metrics, SHOWN[i], &value)) {
            // rounding noise of an exact zero says nothing to a reader
            printf("  %s %.4g", SHOWN[i], fabs(value) < 1e-6 ? 0.0 : value);
        }
    }
}

static void report(void *user, const ug_stage *stage, const char *input, const char *output,
                   bool skipped, const ug_stage_context *context, ug_status status,
                   const ug_error *err)
{
    listener *l = user;
    cli_progress_end();
    cli_print_warnings(&context->warnings, l->args->quiet);
    if (l->args->json) {
        if (status == UG_OK || status == UG_E_GATE) {
            printf("%s", l->count++ > 0 ? ", " : "");
            cli_print_step_json(stage->name, context, input, output, skipped);
        }
    } else if (!l->args->quiet && status == UG_OK) {
        printf("%-10s %s%s", stage->name, output, skipped ? "  (unchanged, skipped)" : "");
        print_headline(context);
        printf("\n");
        fflush(stdout);
    }
    if (status != UG_OK) {
        l->failures++;
        cli_print_error(stage->name, err);
    }
}

ug_status cli_run_recipe(const char *recipe_path, char *const *takes, size_t take_count,
                         const char *folder, const cli_args *args, const char *command_line)
{
    listener l = { .args = args };
    ug_error err = { 0 };
    ug_recipe recipe = { 0 };
    ug_status status = ug_recipe_file_read(&recipe, recipe_path, args->data_dir, &err);
    if (status != UG_OK) {
        cli_print_error("run", &err);
        return status;
    }
    const ug_run_opts opts = {
        .recipe_path = recipe_path,
        .folder = folder,
        .data_dir = args->data_dir,
        .command_line = command_line,
        .jobs = args->jobs,
        .seed = args->seed,
        .strict = args->strict,
        .compress = args->compress,
        .overwrite = args->overwrite,
        .trace = cli_trace(args->verbose),
        .progress = cli_progress("run", args->quiet),
        .report = report,
        .user = &l,
    };
    if (args->json) {
        printf("{\"stages\": [");
    }
    status = ug_run_recipe(&recipe, takes, take_count, &opts, &err);
    cli_progress_end();
    if (args->json) {
        printf("]}\n");
    }
    if (status != UG_OK && l.failures == 0) { // before any stage could report
        cli_print_error("run", &err);
    }
    ug_recipe_fini(&recipe);
    return status;
}
