// SPDX-License-Identifier: MIT
// One self-contained HTML page about one or several takes, and the same facts as JSON.
//
// Opens from disk without a network: style, drawings, player and its data are all inside. Takes are
// added one after the other and may be let go after that, so that memory holds one at a time. The
// page depends on nothing but the takes: no date of now, no path.
#pragma once

#include "motion/take.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ug_report ug_report;

typedef struct ug_report_opts {
    const char *require; ///< gates, as --require; NULL: those of report_facts.h, and none asked for
    double max_mb; ///< of the whole page, 1e6 bytes each, > 0; the player's data is thinned out
    char *const *paths; ///< (file_count) of the takes that will be added, in that order; borrowed
    size_t file_count;  ///< they share the space
    bool without_player;
} ug_report_opts;

/// @return NULL on failure: UG_E_USAGE for gates that cannot be read; UG_E_NOMEM
ug_report *ug_report_create(const ug_report_opts *opts, ug_error *err);

/// NULL is fine.
void ug_report_destroy(ug_report *report);

/// Add the take that was read from the next of the paths; the take is not kept. It is called by its
/// file's base name, and by its folder too where another has the same.
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_report_add(ug_report *report, const ug_take *take, ug_error *err);

/// Whether what was asked for holds: to be asked before writing for a wrong name, after it for the
/// verdict. The default gates only inform.
///
/// @return UG_E_USAGE when a required gate names a figure that no take has
UG_CHECKED ug_status ug_report_check(const ug_report *report, ug_error *err);
/// @return UG_E_GATE with the first gates that are not met, and in which file
UG_CHECKED ug_status ug_report_verdict(const ug_report *report, ug_error *err);

/// Whether a page may have that name: .html or .htm, so that it opens as what it is.
bool ug_report_can_write(const char *path);

/// Write the page: whole, or not at all.
///
/// @param bytes  size of the page; may be NULL
/// @return UG_E_WRITE, UG_E_NOMEM
UG_CHECKED ug_status ug_report_write(size_t *bytes, const ug_report *report, const char *path,
                                     ug_error *err);

/// What was left out to keep the page small: source frames from one record of the player to the
/// next (1: all are there), 0 where there is no player.
size_t ug_report_stride(const ug_report *report, size_t take);

/// {"files": […]} as docs/figures.md says; free() it. NULL when out of memory.
char *ug_report_to_json(const ug_report *report);
