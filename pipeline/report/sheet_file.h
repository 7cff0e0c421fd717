// SPDX-License-Identifier: MIT
// A page to draw on that becomes a PNG, SVG or PDF file: whole, or not at all.
#pragma once

#include "formats/file.h"
#include "pipeline/report/sheet_paint.h"

typedef struct ug_sheet_file {
    ug_pen *pen; ///< owned; draws in pixels, y down
    void *surface;
    ug_outfile out;
    bool is_png, failed;
} ug_sheet_file;

/// Start a page; the ending of `path` says the format.
/// @return UG_E_USAGE for another ending; UG_E_WRITE; UG_E_NOMEM. Nothing to clean up then
UG_CHECKED ug_status ug_sheet_file_open(ug_sheet_file *file, const char *path, int width_px,
                                        int height_px, ug_error *err);

/// Write what was drawn. Closed either way; the old file is untouched on failure.
/// @return UG_E_WRITE; UG_E_INTERNAL when the drawing itself failed; UG_E_NOMEM
UG_CHECKED ug_status ug_sheet_file_commit(ug_sheet_file *file, ug_error *err);

/// Forget it.
void ug_sheet_file_discard(ug_sheet_file *file);
