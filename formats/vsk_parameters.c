// SPDX-License-Identifier: MIT
#include "formats/vsk_parameters.h"

#include "formats/text_cells.h"
#include "motion/nearest.h"
#include "motion/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32, NEAREST_MAX = 1024, PARAMETERS_MAX = 16384 };

typedef struct parser {
    const char *p;
    const ug_vsk_parameters *parameters;
    ug_error *err;
    ug_status status;
    int depth;
} parser;

void ug_vsk_parameters_fini(ug_vsk_parameters *parameters)
{
    for (size_t i = 0; i < parameters->count; i++) {
        free(parameters->items[i].name);
    }
    free(parameters->items);
    *parameters = (ug_vsk_parameters){ 0 };
}

static const ug_vsk_parameter *find(const ug_vsk_parameters *parameters, ug_span name)
{
    for (size_t i = 0; i < parameters->count; i++) {
        const char *other = parameters->items[i].name;
        if (strlen(other) == ug_span_length(name) &&
            memcmp(other, name.p, ug_span_length(name)) == 0) {
            return &parameters->items[i];
        }
    }
    return NULL;
}

ug_status ug_vsk_parameters_set(ug_vsk_parameters *parameters, const char *name, double value,
                                ug_error *err)
{
    for (size_t i = 0; i < parameters->count; i++) {
        if (strcmp(parameters->items[i].name, name) == 0) {
            parameters->items[i].value = value;
            return UG_OK;
        }
    }
    if (parameters->count == PARAMETERS_MAX) {
        return ug_fail(err, UG_E_FORMAT, "more than %d parameters", PARAMETERS_MAX);
    }
    if (parameters->count == parameters->capacity) {
        const size_t capacity = parameters->capacity > 0 ? 2 * parameters->capacity : 64;
        ug_vsk_parameter *items = realloc(parameters->items, capacity * sizeof *items);
        if (!items) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        parameters->items = items;
        parameters->capacity = capacity;
    }
    char *copy = ug_text_copy(name);
    if (!copy) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    parameters->items[parameters->count++] = (ug_vsk_parameter){ copy, value };
    return UG_OK;
}

static double unknown(parser *s, ug_span name)
{
    const char *known[NEAREST_MAX];
    const size_t count = s->parameters->count < NEAREST_MAX ? s->parameters->count : NEAREST_MAX;
    for (size_t i = 0; i < count; i++) {
        known[i] = s->parameters->items[i].name;
    }
    char text[64];
    ug_span_copy(text, sizeof text, name);
    const char *near = ug_text_nearest(text, known, count);
    s->status = ug_fail(s->err, UG_E_FORMAT, "parameter '%s' is not defined%s%s%s", text,
                        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return 0.0;
}

static double bad(parser *s)
{
    char text[24];
    ug_span_copy(text, sizeof text, (ug_span){ s->p, s->p + strlen(s->p) });
    if (s->status == UG_OK) {
        s->status =
            ug_fail(s->err, UG_E_FORMAT, "a number or a parameter must stand at '%s'", text);
    }
    return 0.0;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':' || (c & 0x80);
}

static double value_of(parser *s, ug_span name)
{
    const ug_vsk_parameter *found = find(s->parameters, name);
    return found ? found->value : unknown(s, name);
}

static double sum(parser *s);

static double factor(parser *s)
{
    if (s->status != UG_OK || ++s->depth > DEPTH_MAX) {
        return bad(s);
    }
    double value;
    char *end;
    if (*s->p == '-' || *s->p == '+') {
        const double sign = *s->p++ == '-' ? -1.0 : 1.0;
        value = sign * factor(s);
    } else if (*s->p == '(') {
        s->p++;
        value = sum(s);
        if (*s->p != ')') {
            return bad(s);
        }
        s->p++;
    } else if (*s->p == '\'' || *s->p == '"') {
        const char *close = strchr(s->p + 1, *s->p);
        if (!close) {
            return bad(s);
        }
        value = value_of(s, (ug_span){ s->p + 1, close });
        s->p = close + 1;
    } else if (isdigit((unsigned char)*s->p) || *s->p == '.') {
        if (s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X')) {
            return bad(s);
        }
        value = strtod(s->p, &end);
        if (end == s->p) {
            return bad(s);
        }
        s->p = end;
    } else if (is_name(*s->p)) {
        ug_span name = { s->p, s->p };
        while (is_name(*name.end)) {
            name.end++;
        }
        value = value_of(s, name);
        s->p = name.end;
    } else {
        return bad(s);
    }
    s->depth--;
    return value;
}

static double product(parser *s)
{
    double value = factor(s);
    while (s->status == UG_OK && (*s->p == '*' || *s->p == '/')) {
        const bool divide = *s->p++ == '/';
        const double other = factor(s);
        value = divide ? value / other : value * other;
    }
    return value;
}

static double sum(parser *s)
{
    double value = product(s);
    while (s->status == UG_OK && (*s->p == '+' || *s->p == '-')) {
        const double sign = *s->p++ == '-' ? -1.0 : 1.0;
        value += sign * product(s);
    }
    return value;
}

ug_status ug_vsk_numbers(double values[], size_t capacity, size_t *count, const char *text,
                         const ug_vsk_parameters *parameters, ug_error *err)
{
    parser s = { .p = text, .parameters = parameters, .err = err, .status = UG_OK };
    *count = 0;
    for (;;) {
        s.p += strspn(s.p, " \t\r\n");
        if (*s.p == '\0') {
            return UG_OK;
        }
        s.depth = 0;
        const double value = sum(&s);
        if (s.status == UG_OK && *s.p != '\0' && !strchr(" \t\r\n", *s.p)) {
            (void)bad(&s);
        }
        if (s.status != UG_OK) {
            return s.status;
        }
        if (!isfinite(value)) {
            return ug_fail(err, UG_E_FORMAT, "value %zu is not finite", *count + 1);
        }
        if (*count < capacity) {
            values[*count] = value;
        }
        (*count)++;
    }
}
