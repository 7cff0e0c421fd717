// SPDX-License-Identifier: MIT
#include "pipeline/stages/metrics.h"

#include "formats/decimal.h"
#include "motion/text.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ug_metrics_fini(ug_metrics *metrics)
{
    if (metrics) {
        free(metrics->items);
        *metrics = (ug_metrics){ 0 };
    }
}

void ug_metrics_set(ug_metrics *metrics, const char *name, double value)
{
    for (size_t i = 0; i < metrics->count; i++) {
        if (strcmp(metrics->items[i].name, name) == 0) {
            metrics->items[i].value = value;
            return;
        }
    }
    ug_metric *grown = realloc(metrics->items, (metrics->count + 1) * sizeof *grown);
    if (grown) {
        metrics->items = grown;
        ug_metric *m = &grown[metrics->count++];
        (void)snprintf(m->name, sizeof m->name, "%s", name);
        m->value = value;
    }
}

void ug_metrics_set_of(ug_metrics *metrics, double value, const char *fmt, ...)
{
    char name[sizeof metrics->items[0].name];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(name, sizeof name, fmt, args);
    va_end(args);
    ug_metrics_set(metrics, name, value);
}

bool ug_metrics_get(const ug_metrics *metrics, const char *name, double *value)
{
    for (size_t i = 0; i < metrics->count; i++) {
        if (strcmp(metrics->items[i].name, name) == 0) {
            *value = metrics->items[i].value;
            return true;
        }
    }
    return false;
}

void ug_metric_to_text(char text[40], double value)
{
    if (!isfinite(value)) {
        (void)snprintf(text, 40, "null");
    } else if (value == rint(value) && fabs(value) < 1e15) {
        (void)snprintf(text, 40, "%.0f", value == 0.0 ? 0.0 : value); // no -0
    } else {
        for (int digits = 1; digits <= 17; digits++) {
            (void)snprintf(text, 40, "%.*g", digits, value);
            if (strtod(text, NULL) == value) {
                break;
            }
        }
    }
}

// the library prints 15 digits when "near enough"; ours is the shortest that reads back
static cJSON *number(double value)
{
    char text[40];
    ug_metric_to_text(text, value);
    return cJSON_CreateRaw(text);
}

char *ug_metrics_to_json(const ug_metrics *metrics)
{
    cJSON *root = cJSON_CreateObject();
    for (size_t i = 0; root && i < metrics->count; i++) {
        cJSON *object = root;
        char family[sizeof metrics->items[0].name];
        const char *name = metrics->items[i].name;
        const char *slash = strchr(name, '/');
        if (slash) {
            (void)snprintf(family, sizeof family, "%.*s", (int)(slash - name), name);
            object = cJSON_GetObjectItemCaseSensitive(root, family);
            object = object ? object : cJSON_AddObjectToObject(root, family);
            name = slash + 1;
        }
        if (object) {
            cJSON_AddItemToObject(object, name, number(metrics->items[i].value));
        }
    }
    char *text = root ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    return text;
}

static void add_from_json(ug_metrics *metrics, const cJSON *object, const char *family)
{
    for (const cJSON *item = object->child; item; item = item->next) {
        const double value = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
        if (cJSON_IsObject(item) && !family) {
            add_from_json(metrics, item, item->string);
        } else if (family) {
            ug_metrics_set_of(metrics, value, "%s/%s", family, item->string);
        } else {
            ug_metrics_set(metrics, item->string, value);
        }
    }
}

bool ug_metrics_from_json(ug_metrics *metrics, const char *json)
{
    cJSON *root = json ? cJSON_Parse(json) : NULL;
    const bool ok = cJSON_IsObject(root);
    if (ok) {
        add_from_json(metrics, root, NULL);
    }
    cJSON_Delete(root);
    return ok;
}

char *ug_warnings_to_json(const ug_warnings *warnings)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; list && i < warnings->count; i++) {
        cJSON *w = cJSON_CreateObject();
        cJSON_AddStringToObject(w, "code", warnings->items[i].code);
        cJSON_AddNumberToObject(w, "count", (double)warnings->items[i].count);
        cJSON_AddStringToObject(w, "first", warnings->items[i].first);
        cJSON_AddItemToArray(list, w);
    }
    char *text = list ? cJSON_PrintUnformatted(list) : NULL;
    cJSON_Delete(list);
    return text;
}

bool ug_warnings_from_json(ug_warnings *warnings, const char *json)
{
    cJSON *list = json ? cJSON_Parse(json) : NULL;
    const bool ok = cJSON_IsArray(list);
    for (const cJSON *w = ok ? list->child : NULL; w; w = w->next) {
        const char *code = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(w, "code"));
        const char *first = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(w, "first"));
        const cJSON *count = cJSON_GetObjectItemCaseSensitive(w, "count");
        if (code && first && cJSON_IsNumber(count) && count->valuedouble >= 1.0 &&
            count->valuedouble < 1e15) {
            ug_warn_times(warnings, (size_t)count->valuedouble, code, "%s", first);
        }
    }
    cJSON_Delete(list);
    return ok;
}

// One "name<=value".
static ug_status read_gate(ug_gate *gate, const char *text, ug_error *err)
{
    const size_t name = strcspn(text, "<>");
    if (text[name] == '\0' || name == 0 || name >= sizeof gate->name ||
        strlen(text) >= sizeof gate->text) {
        return ug_fail(err, UG_E_USAGE, "--require '%s': write name<value or name>value", text);
    }
    (void)snprintf(gate->text, sizeof gate->text, "%s", text);
    (void)snprintf(gate->name, sizeof gate->name, "%.*s", (int)name, text);
    gate->less = text[name] == '<';
    gate->equal = text[name + 1] == '=';
    const char *limit = text + name + 1 + gate->equal;
    return ug_decimal_parse(&gate->limit, limit)
               ? UG_OK
               : ug_fail(err, UG_E_USAGE, "--require: '%s' is not a number", limit);
}

ug_status ug_gates_parse(ug_gate **gates, size_t *count, const char *text, ug_error *err)
{
    assert(gates && count && text);
    char *next = NULL, *copy = ug_text_copy(text);
    *count = 0;
    *gates = malloc((strlen(text) / 2 + 1) * sizeof **gates); // a gate and a comma each, at least
    ug_status status = copy && *gates ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    for (char *one = status == UG_OK ? strtok_r(copy, ", ", &next) : NULL; status == UG_OK && one;
         one = strtok_r(NULL, ", ", &next)) {
        status = read_gate(&(*gates)[(*count)++], one, err);
    }
    free(copy);
    if (status == UG_OK && *count == 0) {
        status = ug_fail(err, UG_E_USAGE, "--require is empty: write name<value or name>value");
    }
    if (status != UG_OK) {
        free(*gates);
        *gates = NULL;
        *count = 0;
    }
    return status;
}

bool ug_gate_met(const ug_gate *gate, double value)
{
    return gate->less ? (gate->equal ? value <= gate->limit : value < gate->limit)
                      : (gate->equal ? value >= gate->limit : value > gate->limit);
}

ug_status ug_metrics_check_gates(const char *gates, ug_error *err)
{
    ug_gate *list = NULL;
    size_t count = 0;
    const ug_status status = ug_gates_parse(&list, &count, gates, err);
    free(list);
    return status;
}

ug_status ug_metrics_require(const ug_metrics *metrics, const char *text, ug_error *err)
{
    assert(metrics && text);
    char failed[320] = "";
    ug_gate *gates = NULL;
    size_t count = 0;
    ug_status status = ug_gates_parse(&gates, &count, text, err);
    for (size_t i = 0; i < count && status == UG_OK; i++) {
        double value;
        if (!ug_metrics_get(metrics, gates[i].name, &value)) {
            status =
                ug_fail(err, UG_E_USAGE, "--require: this stage has no figure '%s'", gates[i].name);
        } else if (!ug_gate_met(&gates[i], value)) {
            const size_t used = strlen(failed);
            (void)snprintf(failed + used, sizeof failed - used, "%s%s is %.4g, wanted %s",
                           used > 0 ? "; " : "", gates[i].name, value,
                           gates[i].text + strlen(gates[i].name));
        }
    }
    free(gates);
    if (status == UG_OK && failed[0]) {
        status = ug_fail(err, UG_E_GATE, "quality gate: %s", failed);
    }
    return status;
}
