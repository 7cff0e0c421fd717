// SPDX-License-Identifier: MIT
// Reads a C3D file: finds the parameters, the samples, and puts the parts of the take together.
#include "formats/c3d.h"
#include "formats/c3d_internal.h"
#include "formats/file.h"

#include <assert.h>
#include <string.h>

// Byte 4 of the section: 84 Intel, 85 DEC, 86 MIPS. 0 when it is none of them.
static char processor_of(uint8_t byte)
{
    return byte == 84 ? 'I' : byte == 85 ? 'D' : byte == 86 ? 'M' : '\0';
}

static bool is_section(const uint8_t *data, size_t size, size_t block)
{
    const size_t at = (block - 1) * C3D_BLOCK;
    return block >= 2 && at + 8 <= size && processor_of(data[at + 3]) != '\0' &&
           (data[at + 1] == C3D_KEY || data[at + 1] == 0);
}

// The header points at the section; where it points wrong, the section is looked for.
static ug_status find_section(size_t *section, const uint8_t *data, size_t size,
                              ug_warnings *warnings, ug_error *err)
{
    if (size == 0) {
        return ug_fail(err, UG_E_FORMAT, "is empty");
    }
    if (size < C3D_BLOCK || data[C3D_H_KEY] != C3D_KEY) {
        return ug_fail(err, UG_E_FORMAT,
                       size < 2 || data[C3D_H_KEY] != C3D_KEY
                           ? "is no C3D file: its second byte is not 0x50"
                           : "is cut off inside the header: %zu of 512 bytes",
                       size);
    }
    const size_t block = data[C3D_H_PARAMETER_BLOCK];
    if (is_section(data, size, block)) {
        *section = (block - 1) * C3D_BLOCK;
        return UG_OK;
    }
    if ((block - 1) * C3D_BLOCK >= size && block >= 2 && size < 2 * C3D_BLOCK) {
        return ug_fail(err, UG_E_FORMAT, "is cut off before its parameters, at byte %zu", size);
    }
    for (size_t other = 2; other < 256; other++) {
        if (is_section(data, size, other)) {
            ug_warn(warnings, "c3d_parameter_block",
                    "the header says the parameters begin at block %zu; they were found at block "
                    "%zu",
                    block, other);
            *section = (other - 1) * C3D_BLOCK;
            return UG_OK;
        }
    }
    return ug_fail(err, UG_E_FORMAT,
                   "no parameter section at block %zu, where the header says, nor elsewhere",
                   block);
}

static ug_status read_points(ug_take *take, const uint8_t *data, const c3d_layout *layout,
                             const ug_read_opts *opts, ug_warnings *warnings, ug_error *err)
{
    ug_markers *m = ug_markers_create_unset(layout->frame_count, layout->point_count, layout->rate);
    if (!m) {
        return ug_fail(err, UG_E_NOMEM, "%zu frames of %zu points do not fit in memory",
                       layout->frame_count, layout->point_count);
    }
    take->markers = m;
    m->first_frame = layout->first_frame;
    ug_source *source = &take->source;
    bool need_unit = false, need_up = false;
    ug_status status = c3d_labels_read(m->labels, m->subjects, m->kinds, m->marker_count,
                                       &source->parameters, warnings, err);
    if (status == UG_OK) {
        status = c3d_frame_declared(source, &need_unit, &need_up, opts, warnings, err);
    }
    if (status == UG_OK) {
        status = c3d_points_read(m, data, layout, source->axes, opts ? opts->progress : NULL,
                                 warnings, err);
    }
    if (status == UG_OK) {
        status = c3d_frame_inferred(source, m, need_unit, need_up, warnings, err);
    }
    m->scale_m = source->unit_m;
    return status;
}

ug_status ug_c3d_parse(ug_take *take, const uint8_t *data, size_t size, const ug_read_opts *opts,
                       ug_warnings *warnings, ug_error *err)
{
    assert(take && (data || size == 0));
    size_t section = 0, section_end = 0;
    c3d_layout layout;
    ug_source *source = &take->source;
    ug_status status = find_section(&section, data, size, warnings, err);
    if (status != UG_OK) {
        return status;
    }
    (void)snprintf(source->format, sizeof source->format, "c3d");
    memcpy(source->header, data, C3D_BLOCK);
    source->processor = processor_of(data[section + 3]);
    status = c3d_parameters_parse(&source->parameters, &section_end, data, size, section,
                                  source->processor, warnings, err);
    if (status == UG_OK) {
        status = c3d_layout_find(&layout, data, size, source->processor, section_end,
                                 &source->parameters, opts ? opts->rate : (ug_rate){ 0, 0 },
                                 warnings, err);
    }
    if (status == UG_OK) {
        source->integer_samples = layout.is_integer;
        source->point_scale = layout.scale;
        status = read_points(take, data, &layout, opts, warnings, err);
    }
    if (status == UG_OK) {
        status = c3d_analog_read(&take->analog, data, &layout, &source->parameters, warnings, err);
    }
    if (status == UG_OK) {
        status = c3d_events_read(&take->events, source->header, source->processor,
                                 &source->parameters, warnings, err);
    }
    if (status != UG_OK) {
        ug_take_fini(take);
    }
    return status;
}

ug_status ug_c3d_read(ug_take *take, const char *path, const ug_read_opts *opts,
                      ug_warnings *warnings, ug_error *err)
{
    assert(take && path);
    ug_bytes bytes = { 0 };
    ug_status status = ug_bytes_read(&bytes, path, err);
    if (status == UG_OK) {
        ug_error_where(err, "%s", path);
        status = ug_c3d_parse(take, bytes.data, bytes.size, opts, warnings, err);
    }
    ug_bytes_fini(&bytes);
    return status;
}

static bool matches(const uint8_t *head, size_t size)
{
    if (size < C3D_BLOCK || head[C3D_H_KEY] != C3D_KEY) {
        return false;
    }
    const size_t block = head[C3D_H_PARAMETER_BLOCK];
    // a text can begin with "?P"; the processor byte settles it where the head reaches so far
    return (block - 1) * C3D_BLOCK + 8 <= size ? is_section(head, size, block) : block < ' ';
}

const ug_format ug_format_c3d = {
    .name = "c3d",
    .extensions = ".c3d",
    .summary = "C3D, binary markers, analog channels and events",
    .matches = matches,
    .read = ug_c3d_read,
    .write = ug_c3d_write,
};
