// SPDX-License-Identifier: MIT
#include "formats/c3d_edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PART_BYTES_MAX = 32000 }; // many readers take the link to the next record as signed

static void part_name(char out[64], const char *name, int part)
{
    (void)snprintf(out, 64, part > 1 ? "%s%d" : "%s", name, part);
}

static bool fits(double value, ug_parameter_type type)
{
    switch (type) {
    case UG_PARAMETER_BYTE:
        return value == floor(value) && value >= -128 && value <= 255;
    case UG_PARAMETER_INT16:
        return value == floor(value) && value >= -32768 && value <= 65535;
    case UG_PARAMETER_FLOAT:
        return isfinite(value);
    case UG_PARAMETER_CHAR:
        break;
    }
    return false;
}

// Negative numbers and those past the signed range share the bits, as C3D's counts do.
static void store(void *at, double value, ug_parameter_type type)
{
    const int32_t whole = type == UG_PARAMETER_FLOAT ? 0 : (int32_t)value;
    const uint8_t byte = (uint8_t)whole;
    const uint16_t word = (uint16_t)whole;
    const float real = (float)value;
    if (type == UG_PARAMETER_BYTE) {
        memcpy(at, &byte, sizeof byte);
    } else if (type == UG_PARAMETER_INT16) {
        memcpy(at, &word, sizeof word);
    } else {
        memcpy(at, &real, sizeof real);
    }
}

ug_status c3d_set_number(ug_parameters *tree, const char *group, const char *name,
                         ug_parameter_type type, double value, ug_error *err)
{
    ug_parameter *old = ug_parameters_find(tree, group, name);
    if (old && old->type != UG_PARAMETER_CHAR && ug_parameter_count(old) >= 1 &&
        fits(value, old->type)) {
        const double now = ug_parameter_number(old, 0, true);
        if (now != value && (float)now != (float)value) {
            store(old->data, value, old->type);
        }
        return UG_OK;
    }
    uint8_t data[4] = { 0 };
    type = fits(value, type) ? type : UG_PARAMETER_FLOAT;
    store(data, value, type);
    return ug_parameters_set(tree, group, name, type, 0, NULL, data, err);
}

ug_status c3d_update_number(ug_parameters *tree, const char *group, const char *name,
                            ug_parameter_type type, double value, ug_error *err)
{
    return ug_parameters_find(tree, group, name)
               ? c3d_set_number(tree, group, name, type, value, err)
               : UG_OK;
}

ug_status c3d_set_numbers(ug_parameters *tree, const char *group, const char *name,
                          ug_parameter_type type, const double *values, size_t row, size_t count,
                          ug_error *err)
{
    for (size_t i = 0; i < row * count; i++) {
        type = fits(values[i], type) ? type : UG_PARAMETER_FLOAT;
    }
    uint8_t *data = malloc(C3D_LIST_MAX * row * (size_t)type);
    ug_status status = data ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    int part = 1;
    for (size_t done = 0; status == UG_OK && (part == 1 || done < count); part++) {
        char full[64];
        part_name(full, name, part);
        const size_t n = count - done < C3D_LIST_MAX ? count - done : C3D_LIST_MAX;
        for (size_t i = 0; i < row * n; i++) {
            store(data + i * (size_t)type, values[row * done + i], type);
        }
        const uint8_t dimensions[2] = { (uint8_t)(row > 1 ? row : n), (uint8_t)n };
        status = ug_parameters_set(tree, group, full, type, row > 1 ? 2 : 1, dimensions, data, err);
        done += n;
    }
    free(data);
    c3d_remove(tree, group, name, part);
    return status;
}

// The widest text, at least 4 as old readers expect, at most what a dimension can say.
static size_t width_of(char *const *texts, size_t count, const char *group, const char *name,
                       ug_warnings *warnings)
{
    size_t width = 4;
    for (size_t i = 0; i < count; i++) {
        const size_t n = strlen(texts[i]);
        if (n > C3D_LIST_MAX) {
            ug_warn(warnings, "c3d_text_cut", "%s:%s can hold %d bytes of '%.40s…'", group, name,
                    C3D_LIST_MAX, texts[i]);
        }
        width = n > width ? n : width;
    }
    return width < C3D_LIST_MAX ? width : C3D_LIST_MAX;
}

ug_status c3d_set_texts(ug_parameters *tree, const char *group, const char *name,
                        char *const *texts, size_t count, ug_warnings *warnings, ug_error *err)
{
    const size_t width = width_of(texts, count, group, name, warnings);
    const size_t rows =
        PART_BYTES_MAX / width < C3D_LIST_MAX ? PART_BYTES_MAX / width : C3D_LIST_MAX;
    char *data = malloc(rows * width);
    ug_status status = data ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    int part = 1;
    for (size_t done = 0; status == UG_OK && (part == 1 || done < count); part++) {
        char full[64];
        part_name(full, name, part);
        const size_t n = count - done < rows ? count - done : rows;
        memset(data, ' ', rows * width);
        for (size_t i = 0; i < n; i++) {
            const size_t length = strlen(texts[done + i]);
            memcpy(data + i * width, texts[done + i], length < width ? length : width);
        }
        const uint8_t dimensions[2] = { (uint8_t)width, (uint8_t)n };
        status = ug_parameters_set(tree, group, full, UG_PARAMETER_CHAR, 2, dimensions, data, err);
        done += n;
    }
    free(data);
    c3d_remove(tree, group, name, part);
    return status;
}

ug_status c3d_set_text(ug_parameters *tree, const char *group, const char *name, const char *text,
                       ug_error *err)
{
    const uint8_t length = (uint8_t)strnlen(text, C3D_LIST_MAX);
    return ug_parameters_set(tree, group, name, UG_PARAMETER_CHAR, 1, &length, text, err);
}

static void remove_one(ug_parameter_group *group, const ug_parameter *item)
{
    const size_t at = (size_t)(item - group->items);
    free(item->name);
    free(item->description);
    free(item->data);
    group->count--;
    memmove(group->items + at, group->items + at + 1, (group->count - at) * sizeof *group->items);
}

void c3d_remove(ug_parameters *tree, const char *group, const char *name, int first_part)
{
    ug_parameter_group *g = ug_parameters_group(tree, group);
    for (int part = first_part; g; part++) {
        char full[64];
        part_name(full, name, part);
        const ug_parameter *item = ug_parameters_find(tree, group, full);
        if (!item) {
            return;
        }
        remove_one(g, item);
    }
}
