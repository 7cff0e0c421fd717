// SPDX-License-Identifier: MIT
// view: takes as a page in the browser, served until the user has seen enough.
#include "motion/text.h"
#include "pipeline/cli/browser.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/console.h"
#include "pipeline/cli/take_input.h"
#include "pipeline/report/page.h"
#include "pipeline/report/scene.h"
#include "pipeline/serve/server.h"

#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ug_option OPTIONS[] = {
    { .name = "port",
      .type = UG_OPTION_INTEGER,
      .initial = "0",
      .low = 0,
      .high = 65535,
      .help = "where on 127.0.0.1 to listen; 0: any free port" },
    { .name = "open",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "open the browser when run from a terminal on a screen" },
    CLI_TAKE_OPTIONS,
};

typedef struct shown {
    ug_take take;
    ug_scene *scene;
} shown;

// The file's name; all of its path where another one has the same name.
static const char *name_of(const cli_args *args, size_t index)
{
    const char *name = cli_base_name(args->inputs[index]);
    for (size_t i = 0; i < args->input_count; i++) {
        if (i != index && strcmp(name, cli_base_name(args->inputs[i])) == 0) {
            return args->inputs[index];
        }
    }
    return name;
}

static ug_status show(shown *one, const cli_call *call, size_t index, ug_error *err)
{
    const cli_args *args = call->args;
    const char *path = args->inputs[index];
    ug_warnings warnings = { 0 };
    ug_status status = cli_take_read_to_draw(&one->take, call, path, true, &warnings, err);
    status = cli_warnings_settle(call, &warnings, status, err);
    if (status == UG_OK) {
        one->scene = ug_scene_create(&one->take, name_of(args, index), UG_SCENE_FLOAT32, 1, err);
        status = one->scene ? UG_OK : err->status;
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    return status;
}

static void announce(const cli_call *call, const ug_server *server)
{
    if (call->args->json) { // neither needs an escape
        printf("{\"url\":\"%s\",\"port\":%u}\n", ug_server_url(server),
               (unsigned)ug_server_port(server));
    } else {
        printf("%s\n", ug_server_url(server));
    }
    (void)fflush(stdout);
    if (!call->args->quiet && !call->args->json && isatty(STDERR_FILENO)) {
        (void)fprintf(stderr, "Ctrl-C ends it\n");
    }
    if (ug_option_flag(call->values, "open")) {
        cli_browser_open(ug_server_url(server));
    }
}

static sem_t ended;

static void on_end(int number)
{
    (void)number;
    (void)sem_post(&ended);
}

// A handler and a semaphore instead of blocking and sigwait(): libraries have threads of their own
// from before main(), which block nothing and would be ended by the signal.
static void catch_end(void)
{
    struct sigaction action = { .sa_handler = on_end, .sa_flags = SA_RESTART };
    (void)sigemptyset(&action.sa_mask);
    (void)sem_init(&ended, 0, 0);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)signal(SIGPIPE, SIG_IGN); // a reader that went away is no reason to end
}

static ug_status serve(const cli_call *call, ug_scene *const *scenes, const char *page,
                       size_t page_bytes, ug_error *err)
{
    catch_end();
    ug_server *server;
    const ug_status status =
        ug_server_start(&server, scenes, call->args->input_count, page, page_bytes,
                        (uint16_t)ug_option_integer(call->values, "port"), err);
    if (status == UG_OK) {
        announce(call, server);
        while (sem_wait(&ended) != 0) {
        }
        ug_server_stop(server);
    }
    return status;
}

static int view(const cli_call *call)
{
    const size_t count = call->args->input_count;
    ug_error err = { 0 };
    size_t page_bytes = 0;
    char *page = NULL;
    shown *all = calloc(count, sizeof *all);
    ug_scene **scenes = calloc(count, sizeof *scenes);
    ug_status status = UG_OK;
    if (!ug_page_player_js(&page_bytes)) {
        status = ug_fail(&err, UG_E_UNAVAILABLE,
                         "this program was built without its page, for want of node: run "
                         "scripts/setup.sh --viewer and build again");
    } else if (!all || !scenes) {
        status = ug_fail(&err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; status == UG_OK && i < count; i++) {
        ug_take_init(&all[i].take);
        status = show(&all[i], call, i, &err);
        scenes[i] = all[i].scene;
    }
    if (status == UG_OK) {
        page = ug_page_view(name_of(call->args, 0), scenes, count, &page_bytes);
        status = page ? UG_OK : ug_fail(&err, UG_E_NOMEM, "out of memory");
    }
    if (status == UG_OK) {
        status = serve(call, scenes, page, page_bytes, &err);
    }
    const int code = status == UG_OK ? 0 : cli_call_fail(call, &err);
    for (size_t i = 0; all && i < count; i++) {
        ug_scene_destroy(all[i].scene);
        ug_take_fini(&all[i].take);
    }
    free(scenes);
    free(all);
    free(page);
    return code;
}

const cli_verb cmd_view = {
    .name = "view",
    .usage = "FILE… [--port N] [--no-open]",
    .summary = "show takes in the browser",
    .examples = "  ugoki view motion.h5\n"
                "  ugoki view take.c3d clean.h5 motion.h5\n"
                "  ugoki view motion.h5 --no-open --port 8000\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .without_input = "which file? ugoki view FILE",
    .run = view,
};
