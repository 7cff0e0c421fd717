// SPDX-License-Identifier: MIT
#include "formats/marker_csv.h"

#include "formats/marker_export.h"
#include "formats/marker_rows.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 1024 };

static const char EXPECTED[] = "line 1 must be frame,time,<label>.x,<label>.y,<label>.z, … : not a "
                               "marker CSV; export the take as C3D or TRC, or write this header";

// Take the next header cell off `line`, quotes undone in place ("a ""b""" -> a "b").
static bool next_header_cell(ug_span *cell, char **line, char *end)
{
    if (!*line) {
        return false;
    }
    char *in = *line, *out = in;
    cell->p = out;
    if (in < end && *in == '"') {
        for (in++; in < end; in++) {
            if (*in == '"' && (in + 1 == end || in[1] != '"')) {
                in++;
                break;
            }
            in += *in == '"';
            *out++ = *in;
        }
    }
    while (in < end && *in != ',') {
        *out++ = *in++;
    }
    cell->end = out;
    *line = in < end ? in + 1 : NULL;
    return true;
}

static bool has_suffix(ug_span *label, char axis)
{
    const size_t length = ug_span_length(*label);
    if (length < 3 || label->end[-2] != '.' || (label->end[-1] | 0x20) != axis) {
        return false;
    }
    label->end -= 2;
    return true;
}

// `header` is a writable copy of line 1 that outlives the names.
static ug_status read_header(ug_marker_rows *t, char *header, char *end)
{
    ug_span cell, label[3];
    char *line = header;
    static const char *const FIRST[2] = { "frame", "time" };
    for (int i = 0; i < 2; i++) {
        if (!next_header_cell(&cell, &line, end) || !ug_span_equal(ug_span_trim(cell), FIRST[i])) {
            return ug_fail(t->err, UG_E_FORMAT, "%s", EXPECTED);
        }
    }
    while (line) {
        for (int k = 0; k < 3; k++) {
            if (!next_header_cell(&label[k], &line, end)) {
                label[k] = (ug_span){ header, header };
            }
            label[k] = ug_span_trim(label[k]);
            if (!has_suffix(&label[k], "xyz"[k])) {
                return ug_fail(t->err, UG_E_FORMAT, "%s", EXPECTED);
            }
            if (k > 0 && (ug_span_length(label[k]) != ug_span_length(label[0]) ||
                          memcmp(label[k].p, label[0].p, ug_span_length(label[0])) != 0)) {
                char a[40], b[40];
                ug_span_copy(a, sizeof a, label[0]);
                ug_span_copy(b, sizeof b, label[k]);
                return ug_fail(t->err, UG_E_FORMAT, "line 1: '%s.%c' stands where '%s.%c' must", b,
                               "xyz"[k], a, "xyz"[k]);
            }
        }
        if (t->named == UG_TEXT_MARKERS_MAX) {
            return ug_fail(t->err, UG_E_FORMAT, "line 1: more than %d markers",
                           UG_TEXT_MARKERS_MAX);
        }
        t->names[t->named++] = label[0];
    }
    return t->named > 0 ? UG_OK : ug_fail(t->err, UG_E_FORMAT, "%s", EXPECTED);
}

static ug_status parse(ug_take *take, ug_marker_rows *t, ug_span text, char *header,
                       const ug_read_opts *opts)
{
    ug_span rest = text, line = { text.p, text.p };
    if (ug_span_length(rest) >= 3 && memcmp(rest.p, "\xEF\xBB\xBF", 3) == 0) {
        rest.p += 3;
    }
    (void)ug_span_line(&line, &rest);
    const size_t length = ug_span_length(line);
    if (length > 0) {
        memcpy(header, line.p, length);
    }
    ug_status status = ug_text_check(text, t->err);
    status = status == UG_OK ? read_header(t, header, header + length) : status;
    if (status != UG_OK) {
        return status;
    }
    t->data = rest;
    status = ug_marker_rows_scan(t);
    return status == UG_OK ? ug_marker_rows_build(take, t, "", opts) : status;
}

ug_status ug_csv_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                       const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    assert(take && bytes && !take->markers);
    const ug_span text = { (const char *)bytes->data, (const char *)bytes->data + bytes->size };
    ug_marker_rows t = { .format = "csv",
                         .separator = ',',
                         .first_line = 2,
                         .names_line = 1,
                         .file_size = bytes->size,
                         .declared_frames = -1,
                         .declared_markers = -1,
                         .progress = opts ? opts->progress : NULL,
                         .warnings = warnings,
                         .err = err };
    ug_span *names = t.names = calloc(UG_TEXT_MARKERS_MAX, sizeof *names);
    char *header = malloc(bytes->size + 1);
    const ug_status status = names && header ? parse(take, &t, text, header, opts)
                                             : ug_fail(err, UG_E_NOMEM, "out of memory");
    ug_marker_rows_fini(&t);
    free(header);
    free(names);
    if (status != UG_OK) {
        ug_take_fini(take);
        ug_error_where(err, "%s", name);
    }
    return status;
}

ug_status ug_csv_read(ug_take *take, const char *path, const ug_read_opts *opts,
                      ug_warnings *warnings, ug_error *err)
{
    ug_bytes bytes = { 0 };
    ug_status status = ug_bytes_read(&bytes, path, err);
    if (status == UG_OK) {
        status = ug_csv_parse(take, &bytes, path, opts, warnings, err);
    }
    ug_bytes_fini(&bytes);
    return status;
}

// A label with a comma or quote goes out in quotes, quotes doubled.
static void write_header(FILE *f, const ug_marker_export *e)
{
    char name[NAME_MAX_BYTES];
    fputs("frame,time", f);
    for (size_t i = 0; i < e->count; i++) {
        ug_marker_export_name(name, sizeof name, e, i, "\r\n");
        const bool quoted = name[strcspn(name, ",\"")] != '\0';
        for (int k = 0; k < 3; k++) {
            fputs(quoted ? ",\"" : ",", f);
            for (const char *p = name; *p; p++) {
                fputs(*p == '"' ? "\"" : "", f);
                fputc(*p, f);
            }
            fprintf(f, ".%c%s", "xyz"[k], quoted ? "\"" : "");
        }
    }
    fputc('\n', f);
}

ug_status ug_csv_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    assert(path && take);
    ug_marker_export e;
    ug_outfile out = { 0 };
    ug_status status = ug_marker_export_init(&e, take, "m", opts, warnings, err);
    if (status != UG_OK) {
        return status;
    }
    status = ug_outfile_open(&out, path, err);
    if (status == UG_OK) {
        write_header(out.stream, &e);
        status = ug_marker_export_rows(out.stream, &e, ',', 0.0, err);
    }
    if (status == UG_OK) {
        status = ug_outfile_commit(&out, err);
    }
    ug_outfile_discard(&out);
    ug_marker_export_fini(&e);
    return status;
}

static bool matches(const uint8_t *head, size_t size)
{
    const char *p = (const char *)head;
    const size_t skip = size >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return size >= skip + 11 && ug_span_equal((ug_span){ p + skip, p + skip + 11 }, "frame,time,");
}

const ug_format ug_format_csv = {
    .name = "csv",
    .extensions = ".csv",
    .summary = "CSV of markers: frame,time,<label>.x,<label>.y,<label>.z, …",
    .matches = matches,
    .read = ug_csv_read,
    .write = ug_csv_write,
};
