// SPDX-License-Identifier: MIT
// /source of the store: where the take came from, enough to give it back in its own frame.
#include "formats/store_parts.h"

#include <string.h>

static const ug_h5_spec HEADER = { "header", UG_H5_U8, "byte",
                                   "(512)",  "1",      "C3D header block as read",
                                   false };

static const char *processor_name(char processor)
{
    return processor == 'I' ? "Intel" : processor == 'D' ? "DEC" : processor == 'M' ? "MIPS" : "";
}

void ug_store_put_source(const ug_h5_group *root, const ug_take *take)
{
    const ug_source *s = &take->source;
    if (!ug_h5_ok(root)) {
        return;
    }
    ug_h5_group group = ug_h5_group_make(root, "source");
    ug_h5_put_text(&group, NULL, "meaning", "the file the take came from");
    ug_h5_put_text(&group, NULL, "format", s->format);
    ug_h5_put_text(&group, NULL, "unit", s->unit);
    ug_store_check_scale(&group, "unit_m", s->unit_m);
    ug_h5_put_real(&group, NULL, "unit_m", s->unit_m);
    char axes[7];
    ug_axes_to_text(axes, s->axes);
    ug_h5_put_text(&group, NULL, "axes", axes);
    ug_h5_put_int(&group, NULL, "unit_inferred", s->unit_inferred);
    ug_h5_put_int(&group, NULL, "axes_inferred", s->axes_inferred);
    ug_h5_put_int(&group, NULL, "unit_stated", s->unit_stated);
    ug_h5_put_int(&group, NULL, "axes_stated", s->axes_stated);
    ug_h5_put_text(&group, NULL, "processor", processor_name(s->processor));
    ug_h5_put_int(&group, NULL, "integer_samples", s->integer_samples);
    ug_h5_put_real(&group, NULL, "point_scale", s->point_scale);
    static const uint8_t EMPTY[sizeof s->header];
    if (memcmp(s->header, EMPTY, sizeof s->header) != 0) {
        ug_h5_put(&group, &HEADER, (size_t[]){ sizeof s->header }, s->header);
    }
    ug_store_put_parameters(&group, &s->parameters);
    ug_h5_group_close(&group);
}

// Attributes that files of earlier versions do not have.
static bool get_flag_since(const ug_h5_group *group, const char *name)
{
    return ug_h5_has_attribute(group, NULL, name) && ug_h5_get_int(group, NULL, name, 0, 1) != 0;
}

static void get_source(ug_source *s, const ug_h5_group *group)
{
    char axes[8], processor[8];
    ug_h5_get_text_into(s->format, sizeof s->format, group, NULL, "format");
    ug_h5_get_text_into(s->unit, sizeof s->unit, group, NULL, "unit");
    s->unit_m = ug_h5_get_real(group, NULL, "unit_m");
    ug_store_check_scale(group, "unit_m", s->unit_m);
    ug_h5_get_text_into(axes, sizeof axes, group, NULL, "axes");
    if (ug_h5_ok(group) && !ug_axes_from_text(&s->axes, axes)) {
        ug_h5_fail(group->file, UG_E_DATA,
                   "attribute 'axes' of '/source' is '%s', which is no "
                   "right-handed frame like '+X+Z-Y'",
                   axes);
    }
    s->unit_inferred = ug_h5_get_int(group, NULL, "unit_inferred", 0, 1) != 0;
    s->axes_inferred = ug_h5_get_int(group, NULL, "axes_inferred", 0, 1) != 0;
    s->unit_stated = get_flag_since(group, "unit_stated");
    s->axes_stated = get_flag_since(group, "axes_stated");
    ug_h5_get_text_into(processor, sizeof processor, group, NULL, "processor");
    s->processor = processor[0];
    if (ug_h5_ok(group) && strcmp(processor, processor_name(s->processor)) != 0) {
        ug_h5_fail(group->file, UG_E_DATA,
                   "attribute 'processor' of '/source' is '%s', must be Intel, DEC, MIPS or empty",
                   processor);
    }
    s->integer_samples = ug_h5_get_int(group, NULL, "integer_samples", 0, 1) != 0;
    s->point_scale = ug_h5_get_real(group, NULL, "point_scale");
    if (ug_h5_has(group, HEADER.name)) {
        ug_h5_get(s->header, group, &HEADER, (size_t[]){ sizeof s->header });
    }
    ug_store_get_parameters(&s->parameters, group);
}

void ug_store_get_source(ug_take *take, const ug_h5_group *root)
{
    ug_h5_group group;
    if (ug_h5_group_open(&group, root, "source")) {
        get_source(&take->source, &group);
    }
    ug_h5_group_close(&group);
}
