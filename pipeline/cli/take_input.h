// SPDX-License-Identifier: MIT
// Takes as the verbs read them that look at files and write no store: info, validate, report, view,
// render. Stages read theirs through pipeline/stages/stage.h.
#pragma once

#include "motion/take.h"
#include "motion/warnings.h"
#include "pipeline/cli/verb.h"

/// Two entries of such a verb's option table: what the user knows of a foreign file.
#define CLI_TAKE_OPTIONS                                                                           \
    { .name = "unit", .type = UG_OPTION_TEXT, .help = "unit of a foreign file's lengths" },        \
    {                                                                                              \
        .name = "up", .type = UG_OPTION_TEXT, .help = "vertical axis of a foreign file"            \
    }

/// Read `path` whole, by the options above.
///
/// @param take      must be initialised; ug_take_fini() it. Empty on failure
/// @param warnings  added to
/// @return as ug_open_any()
UG_CHECKED ug_status cli_take_read(ug_take *take, const cli_call *call, const char *path,
                                   ug_warnings *warnings, ug_error *err);

/// The same for a picture or a page, which draws a body by what its joints are and its contacts
/// where they are: finds the roles of a skeleton that has none, and the contacts of a motion that
/// has none (pipeline/stages/shown_contacts.h). What is no biped is drawn as bones, without a word;
/// a dictionary that cannot be read is a warning.
///
/// @param find_contacts  false: only those of the file
/// @return as ug_open_any()
UG_CHECKED ug_status cli_take_read_to_draw(ug_take *take, const cli_call *call, const char *path,
                                           bool find_contacts, ug_warnings *warnings,
                                           ug_error *err);

/// The file's name without its folders. Borrowed.
const char *cli_base_name(const char *path);

/// When all is read: print the warnings, and under --strict make the first of them the error.
///
/// @param status  what came of it so far; an error is kept
/// @return `status`; UG_E_DATA for a warning
UG_CHECKED ug_status cli_warnings_settle(const cli_call *call, const ug_warnings *warnings,
                                         ug_status status, ug_error *err);
