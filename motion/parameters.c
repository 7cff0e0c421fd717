// SPDX-License-Identifier: MIT
#include "motion/parameters.h"

#include "motion/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void parameter_fini(ug_parameter *p)
{
    free(p->name);
    free(p->description);
    free(p->data);
    *p = (ug_parameter){ 0 };
}

static void group_fini(ug_parameter_group *g)
{
    for (size_t i = 0; i < g->count; i++) {
        parameter_fini(&g->items[i]);
    }
    free(g->items);
    free(g->name);
    free(g->description);
    *g = (ug_parameter_group){ 0 };
}

void ug_parameters_fini(ug_parameters *parameters)
{
    if (parameters) {
        for (size_t g = 0; g < parameters->count; g++) {
            group_fini(&parameters->groups[g]);
        }
        free(parameters->groups);
        *parameters = (ug_parameters){ 0 };
    }
}

static bool parameter_copy(ug_parameter *to, const ug_parameter *from)
{
    *to = *from;
    to->name = ug_text_copy(from->name);
    to->description = ug_text_copy(from->description ? from->description : "");
    to->data = malloc(from->size > 0 ? from->size : 1);
    if (!to->name || !to->description || !to->data) {
        parameter_fini(to);
        return false;
    }
    if (from->size > 0) {
        memcpy(to->data, from->data, from->size);
    }
    return true;
}

static bool group_copy(ug_parameter_group *to, const ug_parameter_group *from)
{
    *to = (ug_parameter_group){ .id = from->id, .locked = from->locked };
    to->name = ug_text_copy(from->name);
    to->description = ug_text_copy(from->description ? from->description : "");
    to->items = calloc(from->count > 0 ? from->count : 1, sizeof *to->items);
    bool ok = to->name && to->description && to->items;
    for (size_t i = 0; ok && i < from->count; i++) {
        ok = parameter_copy(&to->items[i], &from->items[i]);
        to->count += ok;
    }
    if (!ok) {
        group_fini(to);
    }
    return ok;
}

ug_status ug_parameters_copy(ug_parameters *to, const ug_parameters *from, ug_error *err)
{
    assert(to && from && to->count == 0 && !to->groups);
    to->groups = calloc(from->count > 0 ? from->count : 1, sizeof *to->groups);
    bool ok = to->groups != NULL;
    for (size_t g = 0; ok && g < from->count; g++) {
        ok = group_copy(&to->groups[g], &from->groups[g]);
        to->count += ok;
    }
    if (!ok) {
        ug_parameters_fini(to);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return UG_OK;
}

ug_parameter_group *ug_parameters_group(const ug_parameters *parameters, const char *group)
{
    for (size_t g = 0; g < parameters->count; g++) {
        if (ug_text_equal_nocase(parameters->groups[g].name, group)) {
            return &parameters->groups[g];
        }
    }
    return NULL;
}

static ug_parameter *find_in_group(const ug_parameter_group *g, const char *name)
{
    for (size_t i = 0; i < g->count; i++) {
        if (ug_text_equal_nocase(g->items[i].name, name)) {
            return &g->items[i];
        }
    }
    return NULL;
}

ug_parameter *ug_parameters_find(const ug_parameters *parameters, const char *group,
                                 const char *name)
{
    const ug_parameter_group *g = ug_parameters_group(parameters, group);
    return g ? find_in_group(g, name) : NULL;
}

size_t ug_parameter_count(const ug_parameter *parameter)
{
    size_t count = 1;
    for (int i = 0; i < parameter->dimension_count; i++) {
        count *= parameter->dimensions[i];
    }
    return count;
}

double ug_parameter_number(const ug_parameter *parameter, size_t index, bool is_unsigned)
{
    if (index >= ug_parameter_count(parameter)) {
        return NAN;
    }
    const unsigned char *at = parameter->data;
    switch (parameter->type) {
    case UG_PARAMETER_BYTE:
        return is_unsigned ? (double)at[index] : (double)(int8_t)at[index];
    case UG_PARAMETER_INT16: {
        int16_t v;
        memcpy(&v, at + 2 * index, sizeof v);
        return is_unsigned ? (double)(uint16_t)v : (double)v;
    }
    case UG_PARAMETER_FLOAT: {
        float v;
        memcpy(&v, at + 4 * index, sizeof v);
        return (double)v;
    }
    case UG_PARAMETER_CHAR:
        break;
    }
    return NAN;
}

size_t ug_parameter_string_count(const ug_parameter *parameter)
{
    if (parameter->type != UG_PARAMETER_CHAR || parameter->dimension_count == 0 ||
        parameter->dimensions[0] == 0) {
        return 0;
    }
    return ug_parameter_count(parameter) / parameter->dimensions[0];
}

char *ug_parameter_string(const ug_parameter *parameter, size_t index)
{
    if (index >= ug_parameter_string_count(parameter)) {
        return NULL;
    }
    const size_t width = parameter->dimensions[0];
    const char *text = (const char *)parameter->data + index * width;
    size_t length = 0;
    while (length < width && text[length] != '\0') {
        length++;
    }
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    return ug_text_copy_n(text, length);
}

// The group called `name`, made with the next free id when there is none; NULL without memory.
static ug_parameter_group *need_group(ug_parameters *parameters, const char *name)
{
    ug_parameter_group *g = ug_parameters_group(parameters, name);
    if (g) {
        return g;
    }
    ug_parameter_group *grown =
        realloc(parameters->groups, (parameters->count + 1) * sizeof *grown);
    if (!grown) {
        return NULL;
    }
    parameters->groups = grown;
    int id = 1;
    for (size_t i = 0; i < parameters->count; i++) {
        id = grown[i].id >= id ? grown[i].id + 1 : id;
    }
    g = &grown[parameters->count];
    *g = (ug_parameter_group){ .id = id };
    g->name = ug_text_copy(name);
    g->description = ug_text_copy("");
    if (!g->name || !g->description) {
        group_fini(g);
        return NULL;
    }
    parameters->count++;
    return g;
}

ug_status ug_parameters_set(ug_parameters *parameters, const char *group, const char *name,
                            ug_parameter_type type, int dimension_count, const uint8_t dimensions[],
                            const void *data, ug_error *err)
{
    assert(parameters && group && name);
    assert(dimension_count >= 0 && dimension_count <= UG_PARAMETER_DIMENSIONS_MAX);
    ug_parameter fresh = { .type = type, .dimension_count = dimension_count };
    for (int i = 0; i < dimension_count; i++) {
        fresh.dimensions[i] = dimensions[i];
    }
    fresh.size = ug_parameter_count(&fresh) * (size_t)(type < 0 ? 1 : type);
    fresh.name = ug_text_copy(name);
    fresh.description = ug_text_copy("");
    fresh.data = malloc(fresh.size > 0 ? fresh.size : 1);
    ug_parameter_group *g = need_group(parameters, group);
    if (!fresh.name || !fresh.description || !fresh.data || !g) {
        parameter_fini(&fresh);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (fresh.size > 0) {
        memcpy(fresh.data, data, fresh.size);
    }
    ug_parameter *old = find_in_group(g, name);
    if (old) {
        // same parameter, new value: what its maker said about it stays
        char *description = old->description;
        free(fresh.description);
        fresh.description = description;
        fresh.locked = old->locked;
        old->description = NULL;
        parameter_fini(old);
        *old = fresh;
        return UG_OK;
    }
    ug_parameter *grown = realloc(g->items, (g->count + 1) * sizeof *grown);
    if (!grown) {
        parameter_fini(&fresh);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    g->items = grown;
    g->items[g->count++] = fresh;
    return UG_OK;
}
