// SPDX-License-Identifier: MIT
// render: a contact sheet of one or more takes, so that a motion can be seen without a browser.
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/cli/take_input.h"
#include "pipeline/report/sheet.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ug_option OPTIONS[] = {
    { .name = "poses",
      .type = UG_OPTION_INTEGER,
      .initial = "8",
      .low = 1,
      .high = UG_SHEET_POSES_MAX,
      .help = "how many, along time" },
    { .name = "frames", .type = UG_OPTION_LIST, .help = "these frames instead, counted from 0" },
    { .name = "from_s",
      .type = UG_OPTION_REAL,
      .low = 0,
      .high = 1e7,
      .help = "from here on, seconds from frame 0" },
    { .name = "to_s", .type = UG_OPTION_REAL, .low = 0, .high = 1e7, .help = "up to here" },
    { .name = "pick",
      .type = UG_OPTION_CHOICE,
      .initial = "even",
      .choices = "even|keys",
      .help = "poses evenly in time, or those that differ most" },
    { .name = "views",
      .type = UG_OPTION_LIST,
      .initial = "front,side",
      .help = "rows: front, side, top, persp" },
    { .name = "follow",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "the camera goes along; else every pose at its place" },
    { .name = "facing",
      .type = UG_OPTION_CHOICE,
      .initial = "mean",
      .choices = "mean|each",
      .help = "views by the mean facing, or turning with the character" },
    { .name = "trails",
      .type = UG_OPTION_FLAG,
      .initial = "false",
      .help = "the way of hands, feet and head up to each pose" },
    { .name = "markers",
      .type = UG_OPTION_CHOICE,
      .initial = "auto",
      .choices = "auto|on|off",
      .help = "auto: not those of another body" },
    { .name = "contacts",
      .type = UG_OPTION_CHOICE,
      .initial = "auto",
      .choices = "auto|file",
      .help = "auto: found on the motion where the file has none" },
    { .name = "theme",
      .type = UG_OPTION_CHOICE,
      .initial = "light",
      .choices = "light|dark",
      .help = "colours" },
    { .name = "width",
      .type = UG_OPTION_INTEGER,
      .initial = "1600",
      .low = 240,
      .high = 16000,
      .help = "pixels (SVG, PDF: points); the height follows" },
    CLI_TAKE_OPTIONS,
};

// What is read of one input; the sheet borrows from it.
typedef struct subject {
    ug_take take;
    ug_footing footing;
} subject;

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static ug_status read_frames(int64_t frames[UG_SHEET_POSES_MAX], size_t *count,
                             const ug_option_values *values, ug_error *err)
{
    char *const *texts = ug_option_list(values, "frames", count);
    if (*count == 0) {
        return ug_option_given(values, "frames")
                   ? ug_fail(err, UG_E_USAGE, "--frames needs numbers: --frames 10,250,400")
                   : UG_OK;
    }
    if (ug_option_given(values, "poses") || ug_option_given(values, "from_s") ||
        ug_option_given(values, "to_s") || ug_option_given(values, "pick")) {
        return ug_fail(err, UG_E_USAGE,
                       "--frames says which: leave out --poses, --pick, --from-s and --to-s");
    }
    if (*count > UG_SHEET_POSES_MAX) {
        return ug_fail(err, UG_E_USAGE, "--frames: %zu poses, %d is the most", *count,
                       UG_SHEET_POSES_MAX);
    }
    for (size_t i = 0; i < *count; i++) {
        char *end;
        errno = 0;
        frames[i] = strtoll(texts[i], &end, 10);
        if (errno != 0 || *end != '\0' || end == texts[i]) {
            return ug_fail(err, UG_E_USAGE, "--frames: '%s' is not a whole number", texts[i]);
        }
    }
    qsort(frames, *count, sizeof *frames, ascending);
    return UG_OK;
}

static ug_status read_views(ug_sheet_opts *opts, const ug_option_values *values, ug_error *err)
{
    size_t count;
    char *const *names = ug_option_list(values, "views", &count);
    for (size_t i = 0; i < count; i++) {
        ug_sheet_view_kind kind;
        if (!ug_sheet_view_from_name(&kind, names[i])) {
            return ug_fail(err, UG_E_USAGE, "views: '%s' is none of front, side, top, persp",
                           names[i]);
        }
        for (size_t k = 0; k < opts->view_count; k++) {
            if (opts->views[k] == kind) {
                return ug_fail(err, UG_E_USAGE, "views: '%s' is there twice", names[i]);
            }
        }
        opts->views[opts->view_count++] = kind;
    }
    return count > 0 ? UG_OK : ug_fail(err, UG_E_USAGE, "views: say at least one, e.g. side");
}

static ug_status read_opts(ug_sheet_opts *opts, int64_t frames[UG_SHEET_POSES_MAX],
                           const ug_option_values *values, ug_error *err)
{
    *opts = (ug_sheet_opts){
        .pose_count = (size_t)ug_option_integer(values, "poses"),
        .pick = ug_option_is(values, "pick", "keys") ? UG_SHEET_KEYS : UG_SHEET_EVEN,
        .from_s = ug_option_given(values, "from_s") ? ug_option_real(values, "from_s") : NAN,
        .to_s = ug_option_given(values, "to_s") ? ug_option_real(values, "to_s") : NAN,
        .width_px = (int)ug_option_integer(values, "width"),
        .dark = ug_option_is(values, "theme", "dark"),
        .fixed = !ug_option_flag(values, "follow"),
        .each_facing = ug_option_is(values, "facing", "each"),
        .trails = ug_option_flag(values, "trails"),
        .markers = ug_option_is(values, "markers", "on")    ? UG_SHEET_MARKERS_ON
                   : ug_option_is(values, "markers", "off") ? UG_SHEET_MARKERS_OFF
                                                            : UG_SHEET_MARKERS_AUTO,
    };
    if (opts->from_s > opts->to_s) {
        return ug_fail(err, UG_E_USAGE, "--from-s %g is after --to-s %g", opts->from_s, opts->to_s);
    }
    if (opts->each_facing && opts->fixed) {
        return ug_fail(err, UG_E_USAGE,
                       "--facing each needs a camera that follows: leave out --no-follow");
    }
    size_t given = 0;
    ug_status status = read_frames(frames, &given, values, err);
    if (status == UG_OK && given > 0) {
        opts->frames = frames;
        opts->pose_count = given;
    }
    return status == UG_OK ? read_views(opts, values, err) : status;
}

static ug_status read_subject(subject *s, const cli_call *call, const char *path,
                              ug_warnings *warnings, ug_error *err)
{
    ug_take_init(&s->take);
    ug_status status = cli_take_read_to_draw(
        &s->take, call, path, ug_option_is(call->values, "contacts", "auto"), warnings, err);
    if (status == UG_OK) {
        status = ug_footing_find(&s->footing, &s->take, err);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    return status;
}

static void print_json(const cli_call *call, const ug_sheet_report *report,
                       const ug_warnings *warnings)
{
    const cli_args *args = call->args;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "stage", "render");
    cJSON_AddStringToObject(root, "output", args->output);
    cJSON *metrics = cJSON_AddObjectToObject(root, "metrics");
    cJSON_AddNumberToObject(metrics, "pose_count", (double)report->pose_count);
    cJSON_AddNumberToObject(metrics, "width_px", report->width_px);
    cJSON_AddNumberToObject(metrics, "height_px", report->height_px);
    cJSON_AddNumberToObject(metrics, "px_per_m", report->px_per_m);
    cJSON *files = cJSON_AddArrayToObject(root, "files");
    for (size_t a = 0; a < report->take_count; a++) {
        cJSON *file = cJSON_CreateObject();
        cJSON_AddStringToObject(file, "file", args->inputs[a]);
        cJSON *frames = cJSON_AddArrayToObject(file, "frames");
        cJSON *times = cJSON_AddArrayToObject(file, "times_s");
        for (size_t k = 0; k < report->pose_count; k++) {
            const ptrdiff_t frame = report->frames[a * report->pose_count + k];
            const double time_s = report->times_s[a * report->pose_count + k];
            cJSON_AddItemToArray(frames, frame < 0 ? cJSON_CreateNull()
                                                   : cJSON_CreateNumber((double)frame));
            cJSON_AddItemToArray(times,
                                 isnan(time_s) ? cJSON_CreateNull() : cJSON_CreateNumber(time_s));
        }
        cJSON_AddItemToArray(files, file);
    }
    char *odd = ug_warnings_to_json(warnings);
    cJSON_AddItemToObject(root, "warnings", cJSON_CreateRaw(odd ? odd : "[]"));
    char *text = cJSON_PrintUnformatted(root);
    printf("%s\n", text ? text : "{}");
    free(text);
    free(odd);
    cJSON_Delete(root);
}

static ug_status draw(const cli_call *call, ug_sheet_report *report, subject *subjects,
                      ug_sheet_input *inputs, ug_warnings *warnings, ug_error *err)
{
    const cli_args *args = call->args;
    int64_t frames[UG_SHEET_POSES_MAX];
    ug_sheet_opts opts;
    ug_status status = read_opts(&opts, frames, call->values, err);
    if (status == UG_OK && args->output && !ug_sheet_can_write(args->output)) {
        status = ug_fail(err, UG_E_USAGE, "cannot write '%s': a sheet is a .png, .svg or .pdf",
                         args->output);
    }
    const ug_stage_context context = { .options = call->values,
                                       .inputs = args->inputs,
                                       .input_count = args->input_count,
                                       .output = args->output,
                                       .overwrite = args->overwrite,
                                       .strict = args->strict };
    if (status == UG_OK) {
        status = ug_stage_may_write(&context, args->output, err);
    }
    for (size_t i = 0; i < args->input_count && status == UG_OK; i++) {
        status = read_subject(&subjects[i], call, args->inputs[i], warnings, err);
        inputs[i] = (ug_sheet_input){ .take = &subjects[i].take,
                                      .footing = &subjects[i].footing,
                                      .name = cli_base_name(args->inputs[i]) };
    }
    status = cli_warnings_settle(call, warnings, status, err);
    if (status == UG_OK) {
        status = ug_sheet_write(report, args->output, inputs, args->input_count, &opts, err);
        if (status != UG_OK) {
            ug_error_where(err, "%s", args->output);
        }
    }
    return status;
}

static int render(const cli_call *call)
{
    const cli_args *args = call->args;
    ug_error err = { 0 };
    ug_warnings warnings = { 0 };
    ug_sheet_report report = { 0 };
    subject *subjects = calloc(args->input_count, sizeof *subjects);
    ug_sheet_input *inputs = calloc(args->input_count, sizeof *inputs);
    (void)cli_progress(call->verb->name, true); // signals as for a stage; no bar: it takes no time
    const ug_status status = subjects && inputs
                                 ? draw(call, &report, subjects, inputs, &warnings, &err)
                                 : ug_fail(&err, UG_E_NOMEM, "out of memory");
    int code = 0;
    if (status != UG_OK) {
        code = cli_call_fail(call, &err);
    } else if (args->json) {
        print_json(call, &report, &warnings);
    } else if (!args->quiet) {
        printf("wrote %s: %zu poses, %d x %d\n", args->output, report.pose_count, report.width_px,
               report.height_px);
    }
    for (size_t i = 0; subjects && i < args->input_count; i++) {
        ug_take_fini(&subjects[i].take);
    }
    ug_sheet_report_fini(&report);
    ug_sheet_forget_fonts();
    free(subjects);
    free(inputs);
    return code;
}

const cli_verb cmd_render = {
    .name = "render",
    .usage = "FILE… -o sheet.png|.svg|.pdf",
    .summary = "a contact sheet: poses along time, to look at without a browser",
    .examples = "  ugoki render motion.h5 -o sheet.png\n"
                "  ugoki render motion.h5 troll.h5 -o both.png --views side,persp\n"
                "  ugoki render walk.bvh -o walk.svg --frames 1,60,120 --no-follow\n"
                "  ugoki render take.c3d -o take.pdf --poses 12 --from-s 2 --to-s 4.5\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .without_input = "which file? ugoki render FILE -o sheet.png",
    .writes = true,
    .run = render,
};
