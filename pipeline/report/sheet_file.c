// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet_file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <string.h>

bool ug_sheet_can_write(const char *path)
{
    char ending[16];
    ug_path_extension(ending, path);
    return strcmp(ending, ".png") == 0 || strcmp(ending, ".svg") == 0 ||
           strcmp(ending, ".pdf") == 0;
}

void ug_sheet_forget_fonts(void)
{
    cairo_debug_reset_static_data(); // holds patterns of fontconfig, so it goes first
    FcFini();
}

static cairo_status_t to_stream(void *user, const unsigned char *data, unsigned length)
{
    ug_sheet_file *file = user;
    if (fwrite(data, 1, length, file->out.stream) != length) {
        file->failed = true;
        return CAIRO_STATUS_WRITE_ERROR;
    }
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *make_surface(ug_sheet_file *file, const char *ending, int width, int height)
{
    cairo_surface_t *surface;
    if (strcmp(ending, ".svg") == 0) {
        surface = cairo_svg_surface_create_for_stream(to_stream, file, width, height);
        cairo_svg_surface_restrict_to_version(surface, CAIRO_SVG_VERSION_1_1);
        return surface;
    }
    if (strcmp(ending, ".pdf") == 0) {
        surface = cairo_pdf_surface_create_for_stream(to_stream, file, width, height);
        // no clock in the file: the same sheet is the same bytes
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
        return surface;
    }
    file->is_png = true;
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
}

ug_status ug_sheet_file_open(ug_sheet_file *file, const char *path, int width_px, int height_px,
                             ug_error *err)
{
    char ending[16];
    ug_path_extension(ending, path);
    *file = (ug_sheet_file){ 0 };
    if (!ug_sheet_can_write(path)) {
        return ug_fail(err, UG_E_USAGE, "cannot write '%s': a sheet is a .png, .svg or .pdf", path);
    }
    const ug_status status = ug_outfile_open(&file->out, path, err);
    if (status != UG_OK) {
        return status;
    }
    file->surface = make_surface(file, ending, width_px, height_px);
    file->pen = cairo_create(file->surface);
    if (cairo_status(file->pen) != CAIRO_STATUS_SUCCESS) {
        ug_sheet_file_discard(file);
        return ug_fail(err, UG_E_NOMEM, "a sheet of %d x %d pixels does not fit in memory",
                       width_px, height_px);
    }
    // the same letters at every size and on every screen
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(file->pen, options);
    cairo_font_options_destroy(options);
    return UG_OK;
}

ug_status ug_sheet_file_commit(ug_sheet_file *file, ug_error *err)
{
    cairo_status_t drawn = cairo_status(file->pen);
    if (drawn == CAIRO_STATUS_SUCCESS && file->is_png) {
        drawn = cairo_surface_write_to_png_stream(file->surface, to_stream, file);
    } else if (drawn == CAIRO_STATUS_SUCCESS) {
        cairo_surface_finish(file->surface);
        drawn = cairo_surface_status(file->surface);
    }
    ug_status status = UG_OK;
    if (drawn != CAIRO_STATUS_SUCCESS && !file->failed) {
        status = drawn == CAIRO_STATUS_NO_MEMORY ? ug_fail(err, UG_E_NOMEM, "out of memory")
                                                 : ug_fail(err, UG_E_INTERNAL, "drawing failed: %s",
                                                           cairo_status_to_string(drawn));
    } else {
        status = ug_outfile_commit(&file->out, err); // says why, if a write failed
    }
    ug_sheet_file_discard(file);
    return status;
}

void ug_sheet_file_discard(ug_sheet_file *file)
{
    if (file->pen) {
        cairo_destroy(file->pen);
    }
    if (file->surface) {
        cairo_surface_destroy(file->surface); // vector surfaces write their last bytes here
    }
    ug_outfile_discard(&file->out);
    *file = (ug_sheet_file){ 0 };
}
