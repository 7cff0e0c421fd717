// SPDX-License-Identifier: MIT
#include "formats/vsk_internal.h"
#include "motion/text.h"

#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ug_status vsk_refuse(vsk_reader *r, const vsk_node *node, const char *fmt, ...)
{
    char words[384];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(words, sizeof words, fmt, args);
    va_end(args);
    ug_error_where(r->err, "%s:%ld", r->path, xmlGetLineNo(node));
    return ug_fail(r->err, UG_E_FORMAT, "%s", words);
}

bool vsk_is_element(const vsk_node *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

char *vsk_attribute(const vsk_node *node, const char *name)
{
    xmlChar *value = xmlGetProp(node, (const xmlChar *)name);
    char *text = value ? ug_text_copy((const char *)value) : NULL;
    xmlFree(value);
    return text;
}

ug_status vsk_numbers(vsk_reader *r, double values[VSK_NUMBERS_MAX], size_t *count,
                      const vsk_node *node, const char *name, const char *what)
{
    *count = 0;
    char *text = vsk_attribute(node, name);
    if (!text) {
        return UG_OK;
    }
    ug_error local = { 0 };
    ug_status status = ug_vsk_numbers(values, VSK_NUMBERS_MAX, count, text, &r->parameters, &local);
    if (status != UG_OK) {
        status = vsk_refuse(r, node, "%s: %s: %s", what, name, local.message);
    }
    free(text);
    return status;
}

ug_status vsk_vector(vsk_reader *r, ug_vec3 *out, const vsk_node *node, const char *name,
                     const char *what)
{
    double values[VSK_NUMBERS_MAX];
    size_t count;
    const ug_status status = vsk_numbers(r, values, &count, node, name, what);
    if (status != UG_OK || count == 0) {
        return status;
    }
    if (count != 3) {
        return vsk_refuse(r, node, "%s: %s must be 3 numbers, here are %zu", what, name, count);
    }
    *out = ug_vec3_of(values);
    if (!(ug_vec3_norm(*out) < VSK_LENGTH_MAX_MM)) {
        return vsk_refuse(r, node, "%s: %s is too large", what, name);
    }
    return UG_OK;
}

ug_status vsk_read_parameters(vsk_reader *r, const vsk_node *list)
{
    for (const vsk_node *node = list->children; node; node = node->next) {
        if (!vsk_is_element(node, "Parameter")) {
            continue;
        }
        char *name = vsk_attribute(node, "NAME"), what[96];
        (void)snprintf(what, sizeof what, "parameter '%.64s'", name ? name : "");
        double values[VSK_NUMBERS_MAX];
        size_t count = 0;
        ug_status status = vsk_numbers(r, values, &count, node, "VALUE", what);
        if (status == UG_OK && (!name || name[0] == '\0' || count != 1)) {
            status = vsk_refuse(r, node, "%s needs a NAME and a VALUE of one number", what);
        }
        status = status == UG_OK ? ug_vsk_parameters_set(&r->parameters, name, values[0], r->err)
                                 : status;
        free(name);
        if (status != UG_OK) {
            return status;
        }
    }
    return UG_OK;
}
