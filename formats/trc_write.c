// SPDX-License-Identifier: MIT
#include "formats/decimal_write.h"
#include "formats/file.h"
#include "formats/marker_export.h"
#include "formats/trc.h"
#include "motion/parameters.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

enum { NAME_MAX_BYTES = 1024 };

static double start_time(const ug_take *take)
{
    const ug_parameter *p = ug_parameters_find(&take->source.parameters, "TRC", "TIME_START");
    char *text = p ? ug_parameter_string(p, 0) : NULL;
    const double start = text ? strtod(text, NULL) : 0.0;
    free(text);
    return start;
}

static void write_header(FILE *f, const ug_marker_export *e, const char *path)
{
    const ug_markers *m = e->markers;
    char rate[32], name[NAME_MAX_BYTES];
    ug_rate_to_text(rate, m->rate);
    fprintf(f, "PathFileType\t4\t(X/Y/Z)\t%s\n", ug_path_base(path));
    fputs("DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t"
          "OrigNumFrames\n",
          f);
    fprintf(f, "%s\t%s\t%zu\t%zu\t%s\t%s\t%" PRId64 "\t%zu\n", rate, rate, m->frame_count, e->count,
            e->unit, rate, m->first_frame, m->frame_count);
    fputs("Frame#\tTime", f);
    for (size_t i = 0; i < e->count; i++) {
        ug_marker_export_name(name, sizeof name, e, i, "\t\r\n");
        fprintf(f, "\t%s\t\t", name);
    }
    fputs("\n\t", f);
    for (size_t i = 1; i <= e->count; i++) {
        fprintf(f, "\tX%zu\tY%zu\tZ%zu", i, i, i);
    }
    fputs("\n\n", f);
}

ug_status ug_trc_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    assert(path && take);
    ug_marker_export e;
    ug_outfile out = { 0 };
    ug_status status = ug_marker_export_init(&e, take, "mm", opts, warnings, err);
    if (status != UG_OK) {
        return status;
    }
    status = ug_outfile_open(&out, path, err);
    if (status == UG_OK) {
        write_header(out.stream, &e, path);
        status = ug_marker_export_rows(out.stream, &e, '\t', start_time(take), err);
    }
    if (status == UG_OK) {
        status = ug_outfile_commit(&out, err);
    }
    ug_outfile_discard(&out);
    ug_marker_export_fini(&e);
    return status;
}
