// SPDX-License-Identifier: MIT
// The parameter section of a C3D file: records of groups and parameters, linked by offsets that
// do not always hold.
#include "formats/c3d_internal.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct parser {
    const uint8_t *data;
    size_t size;
    char processor;
    ug_parameters *tree;
    ug_warnings *warnings;
} parser;

/// One record, located but not yet copied.
typedef struct record {
    size_t name, name_length;
    size_t next_word;   // position of the offset to the next record
    size_t natural_end; // first byte after what the record itself says it holds
    size_t values, description, description_length;
    int id;
    bool locked;
    bool is_last;
    ug_parameter shape; // type, dimensions and size of a parameter
} record;

// Could a record begin here? Only to choose between two places that the file disagrees about.
static bool is_plausible(const parser *p, size_t at)
{
    if (at >= p->size) {
        return false;
    }
    const int length = abs((int8_t)p->data[at]);
    if (length == 0) {
        return true;
    }
    if (at + 5 + (size_t)length > p->size || p->data[at + 1] == 0) {
        return false;
    }
    for (int i = 0; i < length; i++) {
        const uint8_t c = p->data[at + 2 + (size_t)i];
        if (c < 0x20 || c == 0x7f) {
            return false;
        }
    }
    return true;
}

static bool locate_parameter(const parser *p, record *r)
{
    size_t at = r->next_word + 2;
    if (at + 2 > p->size || p->data[at + 1] > UG_PARAMETER_DIMENSIONS_MAX) {
        return false;
    }
    const int type = (int8_t)p->data[at];
    r->shape.type = (ug_parameter_type)type;
    r->shape.dimension_count = p->data[at + 1];
    at += 2;
    if (at + (size_t)r->shape.dimension_count > p->size ||
        (type != -1 && type != 1 && type != 2 && type != 4)) {
        return false;
    }
    memcpy(r->shape.dimensions, p->data + at, (size_t)r->shape.dimension_count);
    at += (size_t)r->shape.dimension_count;
    r->values = at;
    r->shape.size = ug_parameter_count(&r->shape) * (size_t)abs(type);
    if (r->shape.size > p->size - at) {
        return false;
    }
    r->description = at + r->shape.size + 1;
    if (r->description <= p->size) {
        r->description_length = p->data[r->description - 1];
    }
    return true;
}

// False when there is no readable record at `at`.
static bool locate(const parser *p, record *r, size_t at)
{
    *r = (record){ 0 };
    const int length = (int8_t)p->data[at];
    r->locked = length < 0;
    r->name = at + 2;
    r->name_length = (size_t)abs(length);
    r->next_word = r->name + r->name_length;
    if (r->next_word + 3 > p->size || p->data[at + 1] == 0) {
        return false;
    }
    r->id = (int8_t)p->data[at + 1];
    r->is_last = c3d_get_u16(p->data + r->next_word, p->processor) == 0;
    if (r->id < 0) {
        r->description = r->next_word + 3;
        r->description_length = p->data[r->next_word + 2];
    } else if (!locate_parameter(p, r)) {
        return false;
    }
    if (r->description > p->size || r->description_length > p->size - r->description) {
        r->description_length = 0;
    }
    r->natural_end = r->description + r->description_length;
    return true;
}

// The record is longer than the link to the next one allows. A description gives way first (some
// writers leave out its length byte), then whole rows of values. False when nothing can be kept.
static bool clip(const parser *p, record *r, size_t next)
{
    if (r->id < 0) {
        const bool has_length =
            next > r->next_word + 2 && p->data[r->next_word + 2] <= next - (r->next_word + 3);
        r->description = has_length ? r->description : r->next_word + 2;
        r->description_length = has_length ? r->description_length : next - r->description;
        return true;
    }
    r->description_length = 0;
    if (next >= r->values + r->shape.size) {
        r->description_length = next > r->description ? next - r->description : 0;
        return true;
    }
    const int last = r->shape.dimension_count - 1;
    if (last < 0 || next <= r->values) {
        return false;
    }
    const size_t row = r->shape.size / r->shape.dimensions[last]; // > 0: the values have a size
    r->shape.dimensions[last] = (uint8_t)((next - r->values) / row);
    r->shape.size = row * r->shape.dimensions[last];
    return true;
}

static ug_parameter_group *group_of(const parser *p, int id)
{
    for (size_t g = 0; g < p->tree->count; g++) {
        if (p->tree->groups[g].id == id) {
            return &p->tree->groups[g];
        }
    }
    ug_parameter_group *grown =
        realloc(p->tree->groups, (p->tree->count + 1) * sizeof *p->tree->groups);
    if (!grown) {
        return NULL;
    }
    p->tree->groups = grown;
    grown[p->tree->count] = (ug_parameter_group){ .id = id };
    return &grown[p->tree->count++];
}

static char *copy(const parser *p, size_t at, size_t length)
{
    return ug_text_copy_n((const char *)p->data + at, length);
}

static bool add_group(const parser *p, const record *r)
{
    ug_parameter_group *g = group_of(p, -r->id);
    if (!g) {
        return false;
    }
    if (g->name) {
        ug_warn(p->warnings, "c3d_group_doubled",
                "group %d is defined twice, first as %s; the first is kept", -r->id, g->name);
        return true;
    }
    g->locked = r->locked;
    g->name = copy(p, r->name, r->name_length);
    g->description = copy(p, r->description, r->description_length);
    return g->name && g->description;
}

static bool add_parameter(const parser *p, const record *r)
{
    ug_parameter_group *g = group_of(p, r->id);
    ug_parameter *grown = g ? realloc(g->items, (g->count + 1) * sizeof *g->items) : NULL;
    if (!grown) {
        return false;
    }
    g->items = grown;
    ug_parameter *item = &grown[g->count++];
    *item = r->shape;
    item->locked = r->locked;
    item->name = copy(p, r->name, r->name_length);
    item->description = copy(p, r->description, r->description_length);
    item->data = malloc(item->size > 0 ? item->size : 1);
    if (!item->name || !item->description || !item->data) {
        item->size = 0;
        return false;
    }
    memcpy(item->data, p->data + r->values, item->size);
    c3d_parameter_from_file(item, p->processor);
    return true;
}

// Where the record after `r` begins. The offset is believed when a record can begin there, else
// the length of the record itself; 0 ends the section.
static size_t next_record(const parser *p, record *r, bool *keep)
{
    *keep = true;
    const size_t offset = c3d_get_u16(p->data + r->next_word, p->processor);
    const size_t linked = r->next_word + offset;
    if (r->is_last || (linked >= r->natural_end && is_plausible(p, linked))) {
        return r->is_last ? 0 : linked;
    }
    const char *name = (const char *)p->data + r->name;
    const int length = (int)r->name_length;
    if (linked >= r->next_word + 2 && is_plausible(p, linked)) {
        *keep = clip(p, r, linked);
        ug_warn(p->warnings, "c3d_parameter_offset",
                "the record of %.*s is longer than the link to the next one allows; what lies "
                "before that is kept",
                length, name);
        return linked;
    }
    const bool natural = is_plausible(p, r->natural_end);
    ug_warn(p->warnings, "c3d_parameter_offset",
            natural ? "the link from parameter %.*s leads nowhere; the next record is read right "
                      "after it"
                    : "the parameter section breaks off after %.*s: nothing readable follows",
            length, name);
    return natural ? r->natural_end : 0;
}

// Groups that parameters belong to but no record names.
static bool name_orphans(const parser *p)
{
    for (size_t g = 0; g < p->tree->count; g++) {
        ug_parameter_group *group = &p->tree->groups[g];
        if (group->name) {
            continue;
        }
        group->name = ug_text_format("GROUP%d", group->id);
        group->description = ug_text_copy("");
        if (!group->name || !group->description) {
            return false;
        }
        ug_warn(p->warnings, "c3d_group_missing",
                "%zu parameters belong to group number %d, which the file does not define",
                group->count, group->id);
    }
    return true;
}

ug_status c3d_parameters_parse(ug_parameters *tree, size_t *end, const uint8_t *data, size_t size,
                               size_t section, char processor, ug_warnings *warnings, ug_error *err)
{
    const parser p = { data, size, processor, tree, warnings };
    size_t at = section + 4;
    *end = at < size ? at : size;
    while (at != 0 && at < size && data[at] != 0) {
        record r;
        if (!locate(&p, &r, at)) {
            ug_warn(warnings, "c3d_parameter_section",
                    "the record at byte %zu of the parameter section is unreadable; the parameters "
                    "before it are kept",
                    at);
            break;
        }
        bool keep = true;
        const size_t next = next_record(&p, &r, &keep);
        *end = r.values + r.shape.size > *end ? r.values + r.shape.size : *end;
        if (keep && !(r.id < 0 ? add_group(&p, &r) : add_parameter(&p, &r))) {
            ug_parameters_fini(tree);
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        *end = next > *end ? next : *end;
        at = next;
    }
    if (!name_orphans(&p)) {
        ug_parameters_fini(tree);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    return UG_OK;
}
