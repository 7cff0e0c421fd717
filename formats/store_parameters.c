// SPDX-License-Identifier: MIT
// /source/parameters of the store: the C3D parameter tree, one group a group, one dataset a
// parameter, so that a take goes back out with all its maker wrote and h5py can browse it.
#include "formats/store_parts.h"

#include "motion/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ug_h5_type h5_type(ug_parameter_type type)
{
    return type == UG_PARAMETER_CHAR    ? UG_H5_TEXT
           : type == UG_PARAMETER_BYTE  ? UG_H5_I8
           : type == UG_PARAMETER_INT16 ? UG_H5_I16
                                        : UG_H5_F32;
}

static const char *type_name(ug_parameter_type type)
{
    return type == UG_PARAMETER_CHAR    ? "char"
           : type == UG_PARAMETER_BYTE  ? "int8"
           : type == UG_PARAMETER_INT16 ? "int16"
                                        : "float32";
}

static bool type_from_name(ug_parameter_type *type, const char *name)
{
    static const ug_parameter_type TYPES[] = { UG_PARAMETER_CHAR, UG_PARAMETER_BYTE,
                                               UG_PARAMETER_INT16, UG_PARAMETER_FLOAT };
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(type_name(TYPES[i]), name) == 0) {
            *type = TYPES[i];
            return true;
        }
    }
    return false;
}

// How a parameter lies in HDF5: slowest dimension first, and the letters of a text are one cell.
typedef struct layout {
    ug_h5_spec spec;
    size_t dims[UG_PARAMETER_DIMENSIONS_MAX];
    size_t width; ///< of a text cell; 0: plain numbers
    char axes[16], shape[64], meaning[160];
} layout;

static void layout_init(layout *l, const ug_parameter *p, const char *link, const char *group)
{
    *l = (layout){ .spec = { link, h5_type(p->type), l->axes, l->shape, "1", l->meaning, false } };
    (void)snprintf(l->meaning, sizeof l->meaning, "C3D parameter %.60s:%.60s", group, p->name);
    int first = 0;
    if (p->type == UG_PARAMETER_CHAR) {
        // HDF5 has no empty text: such a parameter is an array of no bytes
        l->width = p->dimension_count > 0 ? p->dimensions[0] : 1;
        first = l->width > 0 && p->dimension_count > 0 ? 1 : 0;
        l->spec.type = l->width > 0 ? UG_H5_TEXT : UG_H5_I8;
    }
    const int rank = p->dimension_count - first;
    for (int i = 0; i < rank; i++) {
        l->dims[i] = p->dimensions[p->dimension_count - 1 - i];
        const size_t a = strlen(l->axes), s = strlen(l->shape);
        (void)snprintf(l->axes + a, sizeof l->axes - a, "%s%c", i > 0 ? " " : "", 'i' + i);
        (void)snprintf(l->shape + s, sizeof l->shape - s, "%s%zu", i > 0 ? " x " : "(", l->dims[i]);
    }
    const size_t s = strlen(l->shape);
    (void)snprintf(l->shape + s, sizeof l->shape - s, rank > 0 ? ")" : "scalar");
}

static void put_parameter(const ug_h5_group *group, const ug_parameter *p, const char *of,
                          size_t index)
{
    const size_t element = p->type < 0 ? 1 : (size_t)p->type;
    assert(p->size == ug_parameter_count(p) * element);
    char *link = ug_h5_link_name(group, p->name);
    if (!link) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        return;
    }
    layout l;
    layout_init(&l, p, link, of);
    if (l.width > 0) {
        ug_h5_put_cells(group, &l.spec, l.width, l.dims, p->data);
    } else {
        ug_h5_put(group, &l.spec, l.dims, p->data);
    }
    ug_h5_put_int(group, link, "index", (int64_t)index);
    ug_h5_put_text(group, link, "name", p->name);
    ug_h5_put_text(group, link, "description", p->description);
    ug_h5_put_text(group, link, "type", type_name(p->type));
    ug_h5_put_int(group, link, "locked", p->locked);
    char dimensions[4 * UG_PARAMETER_DIMENSIONS_MAX + 1] = "";
    for (int i = 0; i < p->dimension_count; i++) {
        const size_t n = strlen(dimensions);
        (void)snprintf(dimensions + n, sizeof dimensions - n, "%s%d", i > 0 ? " " : "",
                       p->dimensions[i]);
    }
    ug_h5_put_text(group, link, "dimensions", dimensions);
    free(link);
}

void ug_store_put_parameters(const ug_h5_group *source, const ug_parameters *parameters)
{
    if (parameters->count == 0 || !ug_h5_ok(source)) {
        return;
    }
    ug_h5_group tree = ug_h5_group_make(source, "parameters");
    ug_h5_put_text(&tree, NULL, "meaning", "C3D parameters; `dimensions`: the first one fastest");
    for (size_t g = 0; ug_h5_ok(&tree) && g < parameters->count; g++) {
        const ug_parameter_group *from = &parameters->groups[g];
        char *link = ug_h5_link_name(&tree, from->name);
        if (!link) {
            ug_h5_fail(tree.file, UG_E_NOMEM, "out of memory");
            break;
        }
        ug_h5_group group = ug_h5_group_make(&tree, link);
        free(link);
        ug_h5_put_int(&group, NULL, "index", (int64_t)g);
        ug_h5_put_text(&group, NULL, "name", from->name);
        ug_h5_put_text(&group, NULL, "description", from->description);
        ug_h5_put_int(&group, NULL, "id", from->id);
        ug_h5_put_int(&group, NULL, "locked", from->locked);
        for (size_t i = 0; ug_h5_ok(&group) && i < from->count; i++) {
            put_parameter(&group, &from->items[i], from->name, i);
        }
        ug_h5_group_close(&group);
    }
    ug_h5_group_close(&tree);
}

// "4 10" -> dimensions; @return false when it is anything else
static bool parse_dimensions(ug_parameter *p, const char *text)
{
    while (*text) {
        char *end = NULL;
        if (p->dimension_count == UG_PARAMETER_DIMENSIONS_MAX || *text < '0' || *text > '9') {
            return false;
        }
        const unsigned long value = strtoul(text, &end, 10);
        if (value > UINT8_MAX || (*end != ' ' && *end != '\0')) {
            return false;
        }
        p->dimensions[p->dimension_count++] = (uint8_t)value;
        text = *end == ' ' ? end + 1 : end;
    }
    return true;
}

static void get_data(ug_parameter *p, const ug_h5_group *group, const char *link)
{
    layout l;
    layout_init(&l, p, link, "");
    size_t found[UG_PARAMETER_DIMENSIONS_MAX];
    if (!ug_h5_shape(found, group, &l.spec)) {
        return;
    }
    // 255^7 bytes fit a size_t, but not a file: what is there decides, before memory is taken
    const int rank = ug_h5_rank(&l.spec);
    if (memcmp(found, l.dims, (size_t)rank * sizeof *found) != 0) {
        ug_h5_fail(group->file, UG_E_FORMAT,
                   "dataset '%s/%s' does not have the shape its attribute 'dimensions' says",
                   group->path, link);
        return;
    }
    p->size = ug_parameter_count(p) * (p->type < 0 ? 1 : (size_t)p->type);
    p->data = calloc(p->size > 0 ? p->size : 1, 1);
    if (!p->data) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
    } else if (l.width > 0) {
        ug_h5_get_cells(p->data, group, &l.spec, l.width, l.dims);
    } else {
        ug_h5_get(p->data, group, &l.spec, l.dims);
    }
}

static void get_parameter(ug_parameter *p, const ug_h5_group *group, const char *link)
{
    p->name = ug_h5_get_text(group, link, "name");
    p->description = ug_h5_get_text(group, link, "description");
    p->locked = ug_h5_get_int(group, link, "locked", 0, 1) != 0;
    char type[16], *dimensions = ug_h5_get_text(group, link, "dimensions");
    ug_h5_get_text_into(type, sizeof type, group, link, "type");
    if (ug_h5_ok(group) && !type_from_name(&p->type, type)) {
        ug_h5_fail(group->file, UG_E_DATA, "dataset '%s/%s' has the unknown type '%s'", group->path,
                   link, type);
    }
    if (ug_h5_ok(group) && !parse_dimensions(p, dimensions)) {
        ug_h5_fail(group->file, UG_E_DATA,
                   "dataset '%s/%s' has the dimensions '%.40s', must be "
                   "up to %d numbers of 0 to 255",
                   group->path, link, dimensions, UG_PARAMETER_DIMENSIONS_MAX);
    }
    free(dimensions);
    if (ug_h5_ok(group)) {
        get_data(p, group, link);
    }
}

static void get_group(ug_parameter_group *to, const ug_h5_group *tree, const char *link)
{
    ug_h5_group group;
    if (ug_h5_group_open(&group, tree, link)) {
        to->name = ug_h5_get_text(&group, NULL, "name");
        to->description = ug_h5_get_text(&group, NULL, "description");
        to->id = (int)ug_h5_get_int(&group, NULL, "id", INT32_MIN, INT32_MAX);
        to->locked = ug_h5_get_int(&group, NULL, "locked", 0, 1) != 0;
        size_t count = 0;
        char **links = ug_h5_members(&count, &group);
        to->items = calloc(count > 0 ? count : 1, sizeof *to->items);
        if (!to->items) {
            ug_h5_fail(group.file, UG_E_NOMEM, "out of memory");
        }
        for (size_t i = 0; ug_h5_ok(&group) && i < count; i++) {
            to->count = i + 1;
            get_parameter(&to->items[i], &group, links[i]);
        }
        ug_text_list_destroy(links, count);
    }
    ug_h5_group_close(&group);
}

void ug_store_get_parameters(ug_parameters *parameters, const ug_h5_group *source)
{
    ug_h5_group tree;
    if (ug_h5_group_open(&tree, source, "parameters")) {
        size_t count = 0;
        char **links = ug_h5_members(&count, &tree);
        parameters->groups = calloc(count > 0 ? count : 1, sizeof *parameters->groups);
        if (!parameters->groups) {
            ug_h5_fail(tree.file, UG_E_NOMEM, "out of memory");
        }
        for (size_t g = 0; ug_h5_ok(&tree) && g < count; g++) {
            parameters->count = g + 1;
            get_group(&parameters->groups[g], &tree, links[g]);
        }
        ug_text_list_destroy(links, count);
    }
    ug_h5_group_close(&tree);
}
