// SPDX-License-Identifier: MIT
// The verbs that are no stage, one file each; main.c lists them. And all stages as verbs.
#pragma once

#include "pipeline/cli/verb.h"
#include "pipeline/stages/stage.h"

extern const cli_verb cmd_info;
extern const cli_verb cmd_validate;
extern const cli_verb cmd_report;
extern const cli_verb cmd_run;
extern const cli_verb cmd_demo;
extern const cli_verb cmd_render;
extern const cli_verb cmd_seal;
extern const cli_verb cmd_view;

/// A stage called from the command line: once for each input, or with all of them.
/// @return exit code
int cmd_stage(const ug_stage *stage, int argc, char **argv, const char *command_line);
