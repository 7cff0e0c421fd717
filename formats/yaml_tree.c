// SPDX-License-Identifier: MIT
#include "formats/yaml_tree.h"

#include "formats/file.h"
#include "motion/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct reader {
    yaml_parser_t parser;
    const char *path;
    size_t node_count;
    ug_error *err;
} reader;

static ug_status refuse(reader *r, size_t line, const char *words)
{
    ug_error_where(r->err, "%s:%zu", r->path, line);
    return ug_fail(r->err, UG_E_FORMAT, "%s", words);
}

static ug_status no_memory(reader *r)
{
    return ug_fail(r->err, UG_E_NOMEM, "out of memory");
}

static ug_status next_event(reader *r, yaml_event_t *event)
{
    if (yaml_parser_parse(&r->parser, event)) {
        return UG_OK;
    }
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR) {
        return no_memory(r);
    }
    // a reader error (bad bytes) has no mark of its own: the parser stands near it
    const size_t line = p->error == YAML_READER_ERROR ? p->mark.line : p->problem_mark.line;
    ug_error_where(r->err, "%s:%zu", r->path, line + 1);
    return ug_fail(r->err, UG_E_FORMAT, "not valid YAML: %s%s%s",
                   p->problem ? p->problem : "cannot be parsed", p->context ? " " : "",
                   p->context ? p->context : "");
}

static void node_fini(ug_yaml *node)
{
    for (size_t i = 0; i < node->count; i++) {
        node_fini(&node->items[i]);
    }
    free(node->items);
    ug_text_list_destroy(node->keys, node->count);
    free(node->key_lines);
    free(node->text);
    *node = (ug_yaml){ 0 };
}

// Room for one more value (and key); doubles so that long lists stay linear.
static bool grow(ug_yaml *node)
{
    if ((node->count & (node->count - 1)) != 0) {
        return true; // capacity is the next power of two
    }
    const size_t capacity = node->count > 0 ? 2 * node->count : 1;
    ug_yaml *items = realloc(node->items, capacity * sizeof *items);
    if (!items) {
        return false;
    }
    node->items = items;
    if (node->kind == UG_YAML_MAPPING) {
        char **keys = realloc(node->keys, capacity * sizeof *keys);
        if (keys) {
            node->keys = keys;
        }
        int *lines = realloc(node->key_lines, capacity * sizeof *lines);
        if (lines) {
            node->key_lines = lines;
        }
        return keys && lines;
    }
    return true;
}

static ug_status read_text(reader *r, char **text, const yaml_event_t *event)
{
    const char *value = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    if (strlen(value) != length) {
        return refuse(r, event->start_mark.line + 1, "a text must not contain a zero byte");
    }
    *text = ug_text_copy_n(value, length);
    return *text ? UG_OK : no_memory(r);
}

static ug_status read_key(reader *r, ug_yaml *node, const yaml_event_t *event)
{
    const size_t line = event->start_mark.line + 1;
    if (event->type != YAML_SCALAR_EVENT || event->data.scalar.anchor) {
        return refuse(r, line, "a key must be a plain text");
    }
    if (node->count >= UG_YAML_KEYS_MAX) {
        return refuse(r, line, "too many keys in one mapping");
    }
    char *key = NULL;
    const ug_status status = read_text(r, &key, event);
    if (status != UG_OK) {
        return status;
    }
    const ptrdiff_t first = ug_text_list_find(node->keys, node->count, key);
    if (first >= 0) {
        ug_error_where(r->err, "%s:%zu", r->path, line);
        (void)ug_fail(r->err, UG_E_FORMAT, "key '%s' stands twice, first in line %d", key,
                      node->key_lines[first]);
        free(key);
        return UG_E_FORMAT;
    }
    if (!grow(node)) {
        free(key);
        return no_memory(r);
    }
    node->keys[node->count] = key;
    node->key_lines[node->count] = (int)line;
    node->items[node->count++] = (ug_yaml){ 0 };
    return UG_OK;
}

static ug_status read_node(reader *r, ug_yaml *node, const yaml_event_t *event, int depth);

static ug_status read_children(reader *r, ug_yaml *node, yaml_event_type_t end, int depth)
{
    ug_status status = UG_OK;
    for (bool more = true; more && status == UG_OK;) {
        yaml_event_t event;
        status = next_event(r, &event);
        if (status != UG_OK) {
            return status;
        }
        more = event.type != end;
        if (more && node->kind == UG_YAML_MAPPING) {
            status = read_key(r, node, &event);
            yaml_event_delete(&event);
            status = status == UG_OK ? next_event(r, &event) : status;
            if (status != UG_OK) {
                return status;
            }
        } else if (more) {
            if (!grow(node)) {
                status = no_memory(r);
            } else {
                node->items[node->count++] = (ug_yaml){ 0 };
            }
        }
        if (more && status == UG_OK) {
            status = read_node(r, &node->items[node->count - 1], &event, depth + 1);
        }
        yaml_event_delete(&event);
    }
    return status;
}

static ug_status read_node(reader *r, ug_yaml *node, const yaml_event_t *event, int depth)
{
    const size_t line = event->start_mark.line + 1;
    node->line = (int)line;
    node->file = r->path;
    if (++r->node_count > UG_YAML_NODES_MAX) {
        return refuse(r, line, "too many values for a settings file");
    }
    if (depth > UG_YAML_DEPTH_MAX) {
        return refuse(r, line, "nested too deeply for a settings file");
    }
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor || event->type == YAML_ALIAS_EVENT) {
        return refuse(r, line,
                      "anchors and aliases (&name, *name) are not read here; write the "
                      "value out, or put the text in quotes");
    }
    if (tag) {
        return refuse(r, line, "tags (!name) are not read here; put the text in quotes");
    }
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        node->kind = UG_YAML_TEXT;
        node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        return read_text(r, &node->text, event);
    case YAML_SEQUENCE_START_EVENT:
        node->kind = UG_YAML_SEQUENCE;
        return read_children(r, node, YAML_SEQUENCE_END_EVENT, depth);
    case YAML_MAPPING_START_EVENT:
        node->kind = UG_YAML_MAPPING;
        return read_children(r, node, YAML_MAPPING_END_EVENT, depth);
    default:
        return refuse(r, line, "the file is empty");
    }
}

// STREAM-START, DOCUMENT-START, the root, DOCUMENT-END, STREAM-END; nothing more
static ug_status read_stream(reader *r, ug_yaml *root)
{
    ug_status status = UG_OK;
    for (int step = 0; step < 5; step++) {
        yaml_event_t event;
        status = next_event(r, &event);
        if (status != UG_OK) {
            return status;
        }
        const size_t line = event.start_mark.line + 1;
        if (step == 1 && event.type != YAML_DOCUMENT_START_EVENT) {
            status = refuse(r, line, "the file is empty");
        } else if (step == 2) {
            status = read_node(r, root, &event, 0);
        } else if (step == 4 && event.type != YAML_STREAM_END_EVENT) {
            status = refuse(r, line, "a second document starts here; only one is read");
        }
        yaml_event_delete(&event);
        if (status != UG_OK) {
            return status;
        }
    }
    return status;
}

ug_status ug_yaml_parse(ug_yaml_document *document, const char *text, size_t size, const char *path,
                        ug_error *err)
{
    assert(document && (text || size == 0) && path);
    *document = (ug_yaml_document){ .path = ug_text_copy(path) };
    reader r = { .path = document->path, .err = err };
    if (!document->path || !yaml_parser_initialize(&r.parser)) {
        ug_yaml_fini(document);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_status status;
    if (size > UG_YAML_BYTES_MAX) {
        status = refuse(&r, 1, "too large for a settings file");
    } else {
        yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
        const bool bom = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
        yaml_parser_set_input_string(&r.parser, (const unsigned char *)text + (bom ? 3 : 0),
                                     size - (bom ? 3 : 0));
        status = read_stream(&r, &document->root);
    }
    yaml_parser_delete(&r.parser);
    if (status != UG_OK) {
        ug_yaml_fini(document);
    }
    return status;
}

ug_status ug_yaml_read(ug_yaml_document *document, const char *path, ug_error *err)
{
    assert(document && path);
    *document = (ug_yaml_document){ 0 };
    ug_bytes bytes = { 0 };
    // one byte more than is allowed, so that a larger file is seen to be larger
    ug_status status = ug_bytes_read_head(&bytes, path, UG_YAML_BYTES_MAX + 1, err);
    if (status == UG_OK) {
        status = ug_yaml_parse(document, (const char *)bytes.data, bytes.size, path, err);
    }
    ug_bytes_fini(&bytes);
    return status;
}

void ug_yaml_fini(ug_yaml_document *document)
{
    if (document) {
        node_fini(&document->root);
        free(document->path);
        *document = (ug_yaml_document){ 0 };
    }
}
