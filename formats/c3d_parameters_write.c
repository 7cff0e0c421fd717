// SPDX-License-Identifier: MIT
// The parameter tree as a section of whole blocks.
#include "formats/c3d_internal.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 127, DESCRIPTION_MAX = 255, GROUP_MAX = 127, LINK_MAX = 65535 };

// A growing buffer; `failed` stays set once memory ran out, so callers check once.
typedef struct buffer {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
} buffer;

static uint8_t *grow(buffer *b, size_t more)
{
    if (!b->failed && b->size + more > b->capacity) {
        const size_t capacity = 2 * (b->size + more);
        uint8_t *data = realloc(b->data, capacity);
        b->failed = !data;
        b->data = data ? data : b->data;
        b->capacity = data ? capacity : b->capacity;
    }
    if (b->failed) {
        return NULL;
    }
    b->size += more;
    return b->data + b->size - more;
}

static void put(buffer *b, const void *bytes, size_t count)
{
    uint8_t *at = count > 0 ? grow(b, count) : NULL;
    if (at) {
        memcpy(at, bytes, count);
    }
}

static void put_byte(buffer *b, int value)
{
    const uint8_t byte = (uint8_t)value;
    put(b, &byte, 1);
}

// Length and name of a record, and room for the link; returns the link's place.
static size_t begin_record(buffer *b, const char *name, bool locked, int id)
{
    const size_t n = strnlen(name, NAME_MAX_LENGTH);
    put_byte(b, locked ? -(int)n : (int)n);
    put_byte(b, id);
    put(b, name, n);
    const size_t link = b->size;
    put(b, "\0", 2);
    return link;
}

static void put_description(buffer *b, const char *text)
{
    const size_t n = strnlen(text ? text : "", DESCRIPTION_MAX);
    put_byte(b, (int)n);
    put(b, text, n);
}

// The link counts from itself to the next record. False when that is too far for 16 bits.
static bool end_record(buffer *b, size_t link, char processor)
{
    if (b->failed || b->size - link > LINK_MAX) {
        return b->failed;
    }
    c3d_put_u16(b->data + link, processor, (uint16_t)(b->size - link));
    return true;
}

static void put_values(buffer *b, const ug_parameter *p, char processor)
{
    const uint8_t *from = p->data;
    uint8_t *to = p->size > 0 ? grow(b, p->size) : NULL;
    if (!to) {
        return;
    }
    if (p->type == UG_PARAMETER_INT16) {
        for (size_t i = 0; i + 1 < p->size; i += 2) {
            uint16_t v;
            memcpy(&v, from + i, sizeof v);
            c3d_put_u16(to + i, processor, v);
        }
    } else if (p->type == UG_PARAMETER_FLOAT) {
        for (size_t i = 0; i + 3 < p->size; i += 4) {
            float v;
            memcpy(&v, from + i, sizeof v);
            c3d_put_f32(to + i, processor, v);
        }
    } else {
        memcpy(to, from, p->size);
    }
}

static bool put_parameter(buffer *b, const ug_parameter *p, int group, char processor)
{
    if (p->name[0] == '\0') {
        return true; // a name of no length would end the section
    }
    const size_t link = begin_record(b, p->name, p->locked, group);
    put_byte(b, p->type);
    put_byte(b, p->dimension_count);
    put(b, p->dimensions, (size_t)p->dimension_count);
    put_values(b, p, processor);
    put_description(b, p->description);
    return end_record(b, link, processor);
}

// Ids as they were, unless one does not fit its byte.
static bool keep_ids(const ug_parameters *tree)
{
    for (size_t g = 0; g < tree->count; g++) {
        if (tree->groups[g].id < 1 || tree->groups[g].id > GROUP_MAX) {
            return false;
        }
    }
    return true;
}

static ug_status put_tree(buffer *b, const ug_parameters *tree, char processor, ug_error *err)
{
    const bool keep = keep_ids(tree);
    if (tree->count > GROUP_MAX) {
        return ug_fail(err, UG_E_DATA, "C3D holds at most %d parameter groups, the take has %zu",
                       GROUP_MAX, tree->count);
    }
    for (size_t g = 0; g < tree->count; g++) {
        const ug_parameter_group *group = &tree->groups[g];
        const int id = keep ? group->id : (int)g + 1;
        const size_t link = begin_record(b, group->name, group->locked, -id);
        put_description(b, group->description);
        (void)end_record(b, link, processor); // at most 129 bytes
    }
    for (size_t g = 0; g < tree->count; g++) {
        const ug_parameter_group *group = &tree->groups[g];
        for (size_t i = 0; i < group->count; i++) {
            if (!put_parameter(b, &group->items[i], keep ? group->id : (int)g + 1, processor)) {
                return ug_fail(err, UG_E_DATA, "parameter %s:%s is longer than C3D allows",
                               group->name, group->items[i].name);
            }
        }
    }
    return UG_OK;
}

ug_status c3d_parameters_format(uint8_t **out, size_t *block_count, const ug_parameters *tree,
                                char processor, ug_error *err)
{
    buffer b = { 0 };
    const uint8_t head[4] = { 1, C3D_KEY, 0, 0 };
    put(&b, head, sizeof head);
    ug_status status = put_tree(&b, tree, processor, err);
    put_byte(&b, 0); // ends the list
    while (!b.failed && b.size % C3D_BLOCK != 0) {
        put_byte(&b, 0);
    }
    if (status == UG_OK && b.failed) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    *block_count = b.size / C3D_BLOCK;
    if (status == UG_OK && *block_count > C3D_COUNT_MAX - 2) {
        status = ug_fail(err, UG_E_DATA, "the parameters are longer than C3D allows");
    }
    if (status != UG_OK) {
        free(b.data);
        return status;
    }
    b.data[2] = (uint8_t)(*block_count < 255 ? *block_count : 255);
    b.data[3] = (uint8_t)(processor == 'M' ? 86 : processor == 'D' ? 85 : 84);
    *out = b.data;
    return UG_OK;
}
