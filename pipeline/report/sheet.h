// SPDX-License-Identifier: MIT
// A contact sheet: poses of one or more takes along time, in rows of views, as PNG, SVG or PDF.
//
// For looking at a motion from a terminal, in CI and in documents: no browser, no display. The
// figure is a mannequin on the joints (pipeline/report/sheet_body.h), markers are dots, and feet
// that rest have a bar under them. Only the frames that are shown are evaluated.
// Not for measuring: the store has the numbers.
#pragma once

#include "motion/take.h"
#include "pipeline/report/sheet_view.h"
#include "pipeline/stages/footing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UG_SHEET_POSES_MAX = 100 };

typedef enum ug_sheet_pick {
    UG_SHEET_EVEN = 0, ///< evenly in time, first and last among them
    UG_SHEET_KEYS = 1, ///< those that differ most (pipeline/report/sheet_select.h)
} ug_sheet_pick;

typedef enum ug_sheet_markers {
    UG_SHEET_MARKERS_AUTO = 0, ///< unless they belong to another body than the motion's
    UG_SHEET_MARKERS_ON = 1,
    UG_SHEET_MARKERS_OFF = 2,
} ug_sheet_markers;

typedef struct ug_sheet_input {
    const ug_take *take;       ///< its skeleton with roles where it is a biped
    const ug_footing *footing; ///< NULL: no heels, no floor
    const char *name;          ///< heading: the file's base name
} ug_sheet_input;

typedef struct ug_sheet_opts {
    size_t pose_count;     ///< 1 … UG_SHEET_POSES_MAX
    const int64_t *frames; ///< of the first take, from 0, ascending (pose_count); NULL: pick
    ug_sheet_pick pick;
    double from_s, to_s; ///< from frame 0, NaN: from its start, to its end
    ug_sheet_view_kind views[UG_SHEET_VIEW_COUNT];
    size_t view_count; ///< >= 1
    int width_px;      ///< 240 … 16000; the height follows. SVG and PDF: points
    bool dark;
    bool fixed; ///< one picture a view with every pose at its place; else the camera goes along
    bool each_facing; ///< views turn with the character; else they go by its mean facing
    bool trails;      ///< the way of hands, feet and head up to each pose
    ug_sheet_markers markers;
} ug_sheet_opts;

/// What was drawn.
typedef struct ug_sheet_report {
    int width_px, height_px;
    double px_per_m;
    size_t pose_count, take_count;
    ptrdiff_t *frames; ///< owned: frame from 0, -1 where a take does not reach
                       ///<                                       (take_count x pose_count)
    double *times_s;   ///< owned; NaN where a rate is not known  (take_count x pose_count)
} ug_sheet_report;

/// Draw, and write to `path`; its ending says the format. Poses are chosen on the first take; the
/// others show their frame nearest to the same time. All are drawn at one scale. The same
/// arguments give the same bytes (SVG: in a fresh process; cairo numbers its clips as it goes).
///
/// @param report  overwritten; ug_sheet_report_fini() it; may be NULL
/// @return UG_E_USAGE (ending, a frame or time outside the take, a sheet that gets too tall);
///         UG_E_NOT_ENOUGH (a take without a frame of motion or markers); UG_E_WRITE, the old
///         file untouched; UG_E_NOMEM
UG_CHECKED ug_status ug_sheet_write(ug_sheet_report *report, const char *path,
                                    const ug_sheet_input *inputs, size_t count,
                                    const ug_sheet_opts *opts, ug_error *err);

/// Releases what is below. NULL is fine.
void ug_sheet_report_fini(ug_sheet_report *report);

/// Give back the fonts that are kept from one sheet to the next: before the program ends, when no
/// other thread draws. What it holds is found again by the next sheet.
void ug_sheet_forget_fonts(void);

/// True when `path` ends in .png, .svg or .pdf, whatever the case.
bool ug_sheet_can_write(const char *path);
