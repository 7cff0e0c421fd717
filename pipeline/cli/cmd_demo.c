// SPDX-License-Identifier: MIT
// demo: placeholder until the synth stage is there
#include "pipeline/cli/commands.h"
int cmd_demo(int argc, char **argv, const char *command_line)
{
    (void)argc;
    (void)argv;
    (void)command_line;
    return 2;
}
