// SPDX-License-Identifier: MIT
#include "pipeline/cli/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

void cli_browser_open(const char *url)
{
    extern char **environ;
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if (!isatty(STDOUT_FILENO) || !((x11 && *x11) || (wayland && *wayland))) {
        return;
    }
    (void)signal(SIGCHLD, SIG_IGN); // nobody waits for it
    char *const words[] = { (char[]){ "xdg-open" }, (char *)(uintptr_t)url, NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    (void)sigemptyset(&none);
    (void)sigemptyset(&usual);
    (void)sigaddset(&usual, SIGINT);
    (void)sigaddset(&usual, SIGTERM);
    (void)sigaddset(&usual, SIGPIPE);
    (void)sigaddset(&usual, SIGCHLD);
    if (posix_spawn_file_actions_init(&files) != 0) {
        return;
    }
    if (posix_spawnattr_init(&attributes) == 0) {
        // a session of its own: Ctrl-C is for us, not for a browser that was started here
        pid_t child;
        if (posix_spawnattr_setsigmask(&attributes, &none) == 0 &&
            posix_spawnattr_setsigdefault(&attributes, &usual) == 0 &&
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                      POSIX_SPAWN_SETSID) == 0 &&
            posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ==
                0 &&
            posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO) == 0) {
            (void)posix_spawnp(&child, words[0], &files, &attributes, words, environ);
        }
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&files);
}
