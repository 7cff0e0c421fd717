// SPDX-License-Identifier: MIT
#include "formats/yaml_fields.h"

#include "formats/decimal.h"
#include "motion/nearest.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

ug_status ug_yaml_fail(const ug_yaml *node, int line, ug_error *err, const char *fmt, ...)
{
    char words[384];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(words, sizeof words, fmt, args);
    va_end(args);
    ug_error_where(err, "%s:%d", node->file, line);
    return ug_fail(err, UG_E_FORMAT, "%s", words);
}

const ug_yaml *ug_yaml_get(const ug_yaml *mapping, const char *key)
{
    for (size_t i = 0; mapping->kind == UG_YAML_MAPPING && i < mapping->count; i++) {
        if (strcmp(mapping->keys[i], key) == 0) {
            return &mapping->items[i];
        }
    }
    return NULL;
}

bool ug_yaml_is_null(const ug_yaml *node)
{
    return node->kind == UG_YAML_TEXT && !node->quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

static size_t count_of(const char *const list[])
{
    size_t n = 0;
    while (list && list[n]) {
        n++;
    }
    return n;
}

// "a, b, c" cut to the buffer
static void join(char *out, size_t size, const char *const list[])
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; list[i]; i++) {
        const int n = snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", list[i]);
        if (n < 0 || (size_t)n >= size - used) {
            return;
        }
        used += (size_t)n;
    }
}

ug_status ug_yaml_check_keys(const ug_yaml *node, const char *what, const char *const allowed[],
                             const char *const needed[], ug_error *err)
{
    char known[256];
    join(known, sizeof known, allowed);
    if (node->kind != UG_YAML_MAPPING) {
        return ug_yaml_fail(node, node->line, err, "%s must be a mapping with keys %s", what,
                            known);
    }
    const size_t count = count_of(allowed);
    for (size_t i = 0; i < node->count; i++) {
        bool found = false;
        for (size_t k = 0; k < count; k++) {
            found = found || strcmp(node->keys[i], allowed[k]) == 0;
        }
        if (!found) {
            const char *near = ug_text_nearest(node->keys[i], allowed, count);
            if (near) {
                return ug_yaml_fail(node, node->key_lines[i], err,
                                    "%s: unknown key '%s'; did you mean '%s'?", what, node->keys[i],
                                    near);
            }
            return ug_yaml_fail(node, node->key_lines[i], err, "%s: unknown key '%s'; allowed: %s",
                                what, node->keys[i], known);
        }
    }
    for (size_t i = 0; needed && needed[i]; i++) {
        if (!ug_yaml_get(node, needed[i])) {
            return ug_yaml_fail(node, node->line, err, "%s: key '%s' is missing", what, needed[i]);
        }
    }
    return UG_OK;
}

static ug_status need_scalar(const ug_yaml *node, const char *name, const char *kind, ug_error *err)
{
    if (node->kind != UG_YAML_TEXT) {
        return ug_yaml_fail(node, node->line, err, "%s must be %s, not a %s", name, kind,
                            node->kind == UG_YAML_SEQUENCE ? "list" : "mapping");
    }
    return UG_OK;
}

ug_status ug_yaml_text(const char **text, const ug_yaml *node, const char *name, ug_error *err)
{
    const ug_status status = need_scalar(node, name, "a text", err);
    if (status != UG_OK) {
        return status;
    }
    if (ug_yaml_is_null(node) || node->text[0] == '\0') {
        return ug_yaml_fail(node, node->line, err, "%s has no value", name);
    }
    *text = node->text;
    return UG_OK;
}

ug_status ug_yaml_number(double *value, const ug_yaml *node, const char *name, ug_error *err)
{
    const ug_status status = need_scalar(node, name, "a number", err);
    if (status == UG_OK && !ug_decimal_parse(value, node->text)) {
        return ug_yaml_fail(node, node->line, err,
                            "%s: '%s' is not a number; write digits only, "
                            "with a point (1.5)",
                            name, node->text);
    }
    return status;
}

ug_status ug_yaml_integer(long *value, const ug_yaml *node, const char *name, long low, long high,
                          ug_error *err)
{
    long long parsed = 0;
    const ug_status status = need_scalar(node, name, "a whole number", err);
    if (status == UG_OK && !ug_integer_parse(&parsed, node->text, low, high)) {
        return ug_yaml_fail(node, node->line, err, "%s: '%s' is not a whole number from %ld to %ld",
                            name, node->text, low, high);
    }
    *value = (long)parsed;
    return status;
}

ug_status ug_yaml_bool(bool *value, const ug_yaml *node, const char *name, ug_error *err)
{
    int index = 0;
    const ug_status status =
        ug_yaml_choice(&index, node, name, (const char *const[]){ "false", "true", NULL }, err);
    *value = index == 1;
    return status;
}

ug_status ug_yaml_numbers(double *values, size_t count, const ug_yaml *node, const char *name,
                          ug_error *err)
{
    ug_status status = ug_yaml_sequence(node, name, err);
    if (status == UG_OK && node->count != count) {
        return ug_yaml_fail(node, node->line, err, "%s must have %zu numbers, here are %zu", name,
                            count, node->count);
    }
    for (size_t i = 0; status == UG_OK && i < count; i++) {
        status = ug_yaml_number(&values[i], &node->items[i], name, err);
    }
    return status;
}

ug_status ug_yaml_choice(int *index, const ug_yaml *node, const char *name,
                         const char *const choices[], ug_error *err)
{
    const char *text = NULL;
    const ug_status status = ug_yaml_text(&text, node, name, err);
    if (status != UG_OK) {
        return status;
    }
    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text) == 0) {
            *index = i;
            return UG_OK;
        }
    }
    char known[256];
    join(known, sizeof known, choices);
    const char *near = ug_text_nearest(text, choices, count_of(choices));
    return ug_yaml_fail(node, node->line, err, "%s: '%s' is not known%s%s%s; allowed: %s", name,
                        text, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "",
                        known);
}

ug_status ug_yaml_sequence(const ug_yaml *node, const char *name, ug_error *err)
{
    if (node->kind != UG_YAML_SEQUENCE) {
        return ug_yaml_fail(node, node->line, err, "%s must be a list: [a, b, …]", name);
    }
    return UG_OK;
}
