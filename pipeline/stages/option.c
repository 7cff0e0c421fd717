// SPDX-License-Identifier: MIT
#include "pipeline/stages/option.h"

#include "formats/decimal.h"
#include "motion/text.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

ug_status ug_option_values_init(ug_option_values *values, const ug_option *table, size_t count,
                                ug_error *err)
{
    assert(values && (table || count == 0));
    *values = (ug_option_values){ .table = table, .count = count };
    const size_t n = count > 0 ? count : 1;
    values->values = calloc(n, sizeof *values->values);
    values->value_counts = calloc(n, sizeof *values->value_counts);
    values->given = calloc(n, sizeof *values->given);
    if (!values->values || !values->value_counts || !values->given) {
        ug_option_values_fini(values);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        ug_status status = UG_OK;
        if (table[i].initial && table[i].type == UG_OPTION_LIST) {
            status = ug_option_values_append(values, i, table[i].initial, err);
        } else if (table[i].initial) {
            status = ug_option_values_set(values, i, &table[i].initial, 1, err);
        }
        values->given[i] = false;
        if (status != UG_OK) {
            ug_option_values_fini(values);
            return status;
        }
    }
    return UG_OK;
}

void ug_option_values_fini(ug_option_values *values)
{
    if (values) {
        for (size_t i = 0; values->values && i < values->count; i++) {
            ug_text_list_destroy(values->values[i], values->value_counts[i]);
        }
        free(values->values);
        free(values->value_counts);
        free(values->given);
        *values = (ug_option_values){ 0 };
    }
}

static bool push(ug_option_values *values, size_t index, char *owned)
{
    char **grown = realloc(values->values[index],
                           (values->value_counts[index] + 1) * sizeof *values->values[index]);
    if (!grown || !owned) {
        if (grown) {
            values->values[index] = grown;
        }
        free(owned);
        return false;
    }
    values->values[index] = grown;
    grown[values->value_counts[index]++] = owned;
    return true;
}

ug_status ug_option_values_copy(ug_option_values *to, const ug_option_values *from, ug_error *err)
{
    ug_status status = ug_option_values_init(to, from->table, from->count, err);
    for (size_t i = 0; status == UG_OK && i < from->count; i++) {
        ug_text_list_destroy(to->values[i], to->value_counts[i]);
        to->values[i] = NULL;
        to->value_counts[i] = 0;
        to->given[i] = from->given[i];
        for (size_t k = 0; k < from->value_counts[i]; k++) {
            if (!push(to, i, ug_text_copy(from->values[i][k]))) {
                status = ug_fail(err, UG_E_NOMEM, "out of memory");
                break;
            }
        }
    }
    if (status != UG_OK) {
        ug_option_values_fini(to);
    }
    return status;
}

ptrdiff_t ug_option_find(const ug_option *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        const char *a = table[i].name, *b = name;
        while (*a && (*a == *b || (*a == '_' && *b == '-'))) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0') {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

static bool is_choice(const char *choices, const char *text)
{
    const size_t length = strlen(text);
    for (const char *c = choices; c; c = strchr(c, '|') ? strchr(c, '|') + 1 : NULL) {
        if (strncmp(c, text, length) == 0 && (c[length] == '|' || c[length] == '\0')) {
            return length > 0;
        }
    }
    return false;
}

static ug_status check(const ug_option *option, const char *text, ug_error *err)
{
    double real = 0.0;
    long long whole = 0;
    switch (option->type) {
    case UG_OPTION_FLAG:
        if (!is_choice("true|false", text)) {
            return ug_fail(err, UG_E_USAGE, "%s: '%s' is neither true nor false", option->name,
                           text);
        }
        break;
    case UG_OPTION_INTEGER:
        if (!ug_integer_parse(&whole, text, (long long)option->low, (long long)option->high)) {
            return ug_fail(err, UG_E_USAGE, "%s: '%s' is not a whole number from %.0f to %.0f",
                           option->name, text, option->low, option->high);
        }
        break;
    case UG_OPTION_REAL:
        if (!ug_decimal_parse(&real, text) || real < option->low || real > option->high) {
            return ug_fail(err, UG_E_USAGE, "%s: '%s' is not a number from %g to %g", option->name,
                           text, option->low, option->high);
        }
        break;
    case UG_OPTION_CHOICE:
        if (!is_choice(option->choices, text)) {
            return ug_fail(err, UG_E_USAGE, "%s: '%s' is none of %s", option->name, text,
                           option->choices);
        }
        break;
    case UG_OPTION_TEXT:
    case UG_OPTION_LIST:
        break;
    }
    return UG_OK;
}

ug_status ug_option_values_set(ug_option_values *values, size_t index, const char *const *texts,
                               size_t text_count, ug_error *err)
{
    assert(index < values->count);
    const ug_option *option = &values->table[index];
    if (option->type != UG_OPTION_LIST && text_count != 1) {
        return ug_fail(err, UG_E_USAGE, "%s takes one value, not %zu", option->name, text_count);
    }
    for (size_t i = 0; i < text_count; i++) {
        const ug_status status = check(option, texts[i], err);
        if (status != UG_OK) {
            return status;
        }
    }
    ug_text_list_destroy(values->values[index], values->value_counts[index]);
    values->values[index] = NULL;
    values->value_counts[index] = 0;
    values->given[index] = true;
    for (size_t i = 0; i < text_count; i++) {
        if (!push(values, index, ug_text_copy(texts[i]))) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
    }
    return UG_OK;
}

ug_status ug_option_values_append(ug_option_values *values, size_t index, const char *text,
                                  ug_error *err)
{
    assert(index < values->count && values->table[index].type == UG_OPTION_LIST);
    values->given[index] = true;
    while (*text) {
        const size_t length = strcspn(text, ",");
        if (length > 0 && !push(values, index, ug_text_copy_n(text, length))) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        text += length + (text[length] == ',');
    }
    return UG_OK;
}

static size_t need(const ug_option_values *values, const char *name, ug_option_type type)
{
    const ptrdiff_t i = ug_option_find(values->table, values->count, name);
    assert(i >= 0 && values->table[i].type == type);
    (void)type;
    return (size_t)i;
}

bool ug_option_flag(const ug_option_values *values, const char *name)
{
    const size_t i = need(values, name, UG_OPTION_FLAG);
    return values->value_counts[i] > 0 && strcmp(values->values[i][0], "true") == 0;
}

long long ug_option_integer(const ug_option_values *values, const char *name)
{
    const size_t i = need(values, name, UG_OPTION_INTEGER);
    return values->value_counts[i] > 0 ? strtoll(values->values[i][0], NULL, 10) : 0;
}

double ug_option_real(const ug_option_values *values, const char *name)
{
    const size_t i = need(values, name, UG_OPTION_REAL);
    double v = 0.0;
    const bool ok = values->value_counts[i] > 0 && ug_decimal_parse(&v, values->values[i][0]);
    return ok ? v : 0.0;
}

const char *ug_option_text(const ug_option_values *values, const char *name)
{
    const size_t i = need(values, name, UG_OPTION_TEXT);
    return values->value_counts[i] > 0 ? values->values[i][0] : NULL;
}

char *const *ug_option_list(const ug_option_values *values, const char *name, size_t *count)
{
    const size_t i = need(values, name, UG_OPTION_LIST);
    *count = values->value_counts[i];
    return values->values[i];
}

bool ug_option_is(const ug_option_values *values, const char *name, const char *choice)
{
    const size_t i = need(values, name, UG_OPTION_CHOICE);
    return values->value_counts[i] > 0 && strcmp(values->values[i][0], choice) == 0;
}

bool ug_option_given(const ug_option_values *values, const char *name)
{
    const ptrdiff_t i = ug_option_find(values->table, values->count, name);
    assert(i >= 0);
    return values->given[i];
}

static cJSON *value_to_json(const ug_option *option, const char *text)
{
    switch (option->type) {
    case UG_OPTION_FLAG:
        return cJSON_CreateBool(strcmp(text, "true") == 0);
    case UG_OPTION_INTEGER:
    case UG_OPTION_REAL:
        // checked decimals; but "+1", ".5" and "5." are no JSON numbers
        if (text[0] >= '1' && text[0] <= '9' && text[strlen(text) - 1] != '.') {
            return cJSON_CreateRaw(text);
        }
        return cJSON_CreateNumber(strtod(text, NULL));
    default:
        return cJSON_CreateString(text);
    }
}

char *ug_option_values_to_json(const ug_option_values *values)
{
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; object && i < values->count; i++) {
        const ug_option *option = &values->table[i];
        cJSON *item = cJSON_CreateNull();
        if (option->type == UG_OPTION_LIST) {
            cJSON_Delete(item);
            item = cJSON_CreateArray();
            for (size_t k = 0; item && k < values->value_counts[i]; k++) {
                cJSON_AddItemToArray(item, cJSON_CreateString(values->values[i][k]));
            }
        } else if (values->value_counts[i] > 0) {
            cJSON_Delete(item);
            item = value_to_json(option, values->values[i][0]);
        }
        cJSON_AddItemToObject(object, option->name, item);
    }
    char *text = object ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    return text;
}

// Levenshtein distance of short words, '-' and '_' alike.
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t row[LONGEST + 1];
    const size_t n = strlen(b);
    if (n > LONGEST) {
        return LONGEST;
    }
    for (size_t k = 0; k <= n; k++) {
        row[k] = k;
    }
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < n; k++) {
            const bool same = a[i] == b[k] || (a[i] == '_' && b[k] == '-');
            const size_t change = diagonal + !same;
            const size_t step = (row[k] < row[k + 1] ? row[k] : row[k + 1]) + 1;
            diagonal = row[k + 1];
            row[k + 1] = change < step ? change : step;
        }
    }
    return row[n];
}

const char *ug_option_nearest(const ug_option *table, size_t count, const char *word)
{
    const char *best = NULL;
    size_t best_distance = 1 + strlen(word) / 3;
    for (size_t i = 0; i < count; i++) {
        const size_t d = distance(table[i].name, word);
        if (d <= best_distance && (!best || d < best_distance)) {
            best_distance = d;
            best = table[i].name;
        }
    }
    return best;
}
