// SPDX-License-Identifier: MIT
// One function per verb; each returns the process's exit code. argv starts after the verb.
#pragma once

#include "pipeline/stages/stage.h"

int cmd_stage(const ug_stage *stage, int argc, char **argv, const char *command_line);
int cmd_info(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_run(int argc, char **argv, const char *command_line);
int cmd_demo(int argc, char **argv, const char *command_line);
int cmd_seal(int argc, char **argv);
